"""Liar's dice, the second example: hidden dice, bids, and a challenge that lifts all cups."""

from rutter.events.rules.data_files import load
from rutter.events.rules.fact import facts_in
from rutter.events.rules.kit.pointing import Pointing
from rutter.events.rules.title import Title

from . import facts
from .state import SEATS, State
from .steps import STEPS, make_blank, opening, outcome
from .view import BOARD, View, imagine, panels, view

TITLE = Title[State](
    id="liars_dice",
    name="Liar's dice",
    seats=SEATS,
    State=State,
    View=View,
    facts=facts_in(facts),
    steps=STEPS,
    blank=make_blank,
    opening=opening,
    view=view,
    imagine=imagine,
    outcome=outcome,
    board=BOARD,
    panels=panels,
    pointing=load(__name__, "page.toml", Pointing),
)
