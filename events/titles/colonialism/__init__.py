"""Colonialism (Scott Leibbrandt, Spielworxx): area influence with private decks, two to four players."""

from events.rules.fact import facts_in
from events.rules.kit.bots import bot_names
from events.rules.kit.options import option_notes
from events.rules.title import Title
from events.titles.colonialism.checks import CODES
from events.titles.colonialism.data import COLOR_NAMES, DATA_HASH
from events.titles.colonialism.derived import count_conserved, is_in_setup, seat_name
from events.titles.colonialism.display import BOARD_JSON, POINTING, measures, panels
from events.titles.colonialism.facts import action_rounds, colonization, preparations, scoring
from events.titles.colonialism.imagine import imagine
from events.titles.colonialism.opening import opening
from events.titles.colonialism.options import Options, check_options, colors_of
from events.titles.colonialism.position import from_position, position
from events.titles.colonialism.state import State, blank
from events.titles.colonialism.steps.order import STEPS, find_steps, outcome
from events.titles.colonialism.view import View, view

TITLE: Title[State] = Title(
    id="colonialism",
    name="Colonialism",
    seats=range(2, 5),
    Options=Options,
    option_notes=option_notes(__name__),
    State=State,
    View=View,
    facts=facts_in(preparations, action_rounds, colonization, scoring),
    steps=STEPS,
    now=find_steps,
    data_hash=DATA_HASH,
    bots=bot_names(__name__),
    check_options=check_options,
    blank=blank,
    opening=opening,
    view=view,
    imagine=imagine,
    undo=True,
    seat_name=seat_name,
    seat_colours=lambda seats, options: tuple(COLOR_NAMES[c].lower() for c in colors_of(seats, options)),
    outcome=outcome,
    in_setup=is_in_setup,
    position=position,
    from_position=from_position,
    conserved=count_conserved,
    board=BOARD_JSON,
    panels=panels,
    measures=measures,
    pointing=POINTING,
    codes=CODES,
)
