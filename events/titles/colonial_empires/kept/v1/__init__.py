"""Colonial Empires: a card game of colonies, industry and intrigue for 2 to 10 players."""

from __future__ import annotations

from events.rules.fact import facts_in
from events.titles.colonial_empires.kept.v1.kit.bots import bot_names
from events.titles.colonial_empires.kept.v1.kit.options import option_notes
from events.rules.title import Title
from events.titles.colonial_empires.kept.v1.checks import CODES
from events.titles.colonial_empires.kept.v1.data import CONSTANTS, DATA_HASH
from events.titles.colonial_empires.kept.v1.derived import count_conserved
from events.titles.colonial_empires.kept.v1.display import BOARD, POINTING, panels
from events.titles.colonial_empires.kept.v1.facts import event, fate, setup, trade, turn
from events.titles.colonial_empires.kept.v1.imagine import imagine
from events.titles.colonial_empires.kept.v1.opening import opening
from events.titles.colonial_empires.kept.v1.options import Options, check_options
from events.titles.colonial_empires.kept.v1.outcome import outcome
from events.titles.colonial_empires.kept.v1.position import from_position, position
from events.titles.colonial_empires.kept.v1.state import State, blank
from events.titles.colonial_empires.kept.v1.steps.order import STEPS, find_steps, follow
from events.titles.colonial_empires.kept.v1.view import View, view
from events.titles.colonial_empires.kept.v1.words import seat_name

TITLE: Title[State] = Title(
    id="colonial_empires",
    name="Colonial Empires",
    seats=range(CONSTANTS.players_min, CONSTANTS.players_max + 1),
    Options=Options,
    option_notes=option_notes(__name__),
    State=State,
    facts=facts_in(setup, turn, fate, event, trade),
    steps=STEPS,
    now=find_steps,
    follow=follow,
    ended=lambda state: state.phase == "ended",
    blank=blank,
    opening=opening,
    outcome=outcome,
    View=View,
    view=view,
    imagine=imagine,
    position=position,
    from_position=from_position,
    board=BOARD,
    panels=panels,
    pointing=POINTING,
    seat_name=seat_name,
    check_options=check_options,
    in_setup=lambda state: state.phase == "setup",
    conserved=count_conserved,
    data_hash=DATA_HASH,
    bots=bot_names(__name__),
    codes=CODES,
)
