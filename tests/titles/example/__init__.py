"""Landfall, the example: the smallest title, to be read and copied."""

from rutter.events.rules.fact import facts_in
from rutter.events.rules.title import Title

from . import facts
from .state import State
from .steps import STEPS, opening, outcome
from .view import BOARD, View, imagine, panels, view

TITLE = Title[State](
    id="example",
    name="Landfall",
    seats=range(2, 3),
    State=State,
    View=View,
    facts=facts_in(facts),
    steps=STEPS,
    blank=lambda _seats, _options: State(),
    opening=opening,
    view=view,
    imagine=imagine,
    undo=True,
    outcome=outcome,
    board=BOARD,
    panels=panels,
)
