"""Colonial Empires: a card game of colonies, industry and intrigue for 2 to 10 players."""

from __future__ import annotations

from events.rules.fact import facts_in
from events.rules.kit.bots import bot_names
from events.rules.kit.options import option_notes
from events.rules.title import Title
from events.titles.colonial_empires.checks import CODES
from events.titles.colonial_empires.data import CONSTANTS, DATA_HASH
from events.titles.colonial_empires.derived import count_conserved
from events.titles.colonial_empires.display import BOARD, POINTING, measures, panels
from events.titles.colonial_empires.facts import event, fate, setup, trade, turn
from events.titles.colonial_empires.imagine import imagine
from events.titles.colonial_empires.opening import opening
from events.titles.colonial_empires.options import Options, check_options
from events.titles.colonial_empires.position import from_position, position
from events.titles.colonial_empires.state import State, blank
from events.titles.colonial_empires.steps.order import STEPS, find_steps, follow, has_ended, outcome
from events.titles.colonial_empires.view import View, view
from events.titles.colonial_empires.words import seat_name

TITLE: Title[State] = Title(
    id="colonial_empires",
    version=2,
    name="Colonial Empires",
    seats=range(CONSTANTS.players_min, CONSTANTS.players_max + 1),
    Options=Options,
    option_notes=option_notes(__name__),
    State=State,
    facts=facts_in(setup, turn, fate, event, trade),
    steps=STEPS,
    now=find_steps,
    follow=follow,
    ended=has_ended,
    blank=blank,
    opening=opening,
    outcome=outcome,
    View=View,
    view=view,
    imagine=imagine,
    undo=True,
    position=position,
    from_position=from_position,
    board=BOARD,
    panels=panels,
    measures=measures,
    pointing=POINTING,
    seat_name=seat_name,
    check_options=check_options,
    in_setup=lambda state: state.phase == "setup",
    conserved=count_conserved,
    data_hash=DATA_HASH,
    bots=bot_names(__name__),
    codes=CODES,
)
