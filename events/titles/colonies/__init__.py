"""Colonies: three to five planets trade, vote and fend off pirates for ten years."""

from events.rules.fact import facts_in
from events.rules.kit.bots import bot_names
from events.rules.kit.options import option_notes
from events.rules.title import Title
from events.titles.colonies.checks import CODES
from events.titles.colonies.data import DATA_HASH, TABLE
from events.titles.colonies.derived import count_conserved, is_in_setup, seat_name
from events.titles.colonies.display import BOARD_JSON, POINTING, measures, panels
from events.titles.colonies.facts import actions, event, income, set_up, upkeep
from events.titles.colonies.imagine import imagine
from events.titles.colonies.opening import opening
from events.titles.colonies.options import Options, check_options
from events.titles.colonies.position import from_position
from events.titles.colonies.state import State, blank
from events.titles.colonies.steps.order import STEPS, find_steps, outcome
from events.titles.colonies.view import View, view

TITLE = Title[State](
    id="colonies",
    version=2,
    name="Colonies",
    seats=range(min(TABLE), max(TABLE) + 1),
    Options=Options,
    option_notes=option_notes(__name__),
    check_options=check_options,
    State=State,
    View=View,
    facts=facts_in(set_up, income, event, actions, upkeep),
    steps=STEPS,
    now=find_steps,
    data_hash=DATA_HASH,
    bots=bot_names(__name__),
    blank=blank,
    opening=opening,
    view=view,
    imagine=imagine,
    undo=True,
    outcome=outcome,
    seat_name=seat_name,
    dealt_colours=lambda state: state.planets,
    from_position=from_position,
    in_setup=is_in_setup,
    conserved=count_conserved,
    board=BOARD_JSON,
    panels=panels,
    measures=measures,
    pointing=POINTING,
    codes=CODES,
)
