"""Colonial: Europe's Empires Overseas, 2nd edition: basic game, Nations Variant and 2-3 player game."""

from __future__ import annotations

from events.rules.fact import facts_in
from events.rules.kit.bots import bot_names
from events.rules.kit.options import option_notes
from events.rules.title import Title
from events.titles.colonial.checks import Draft
from events.titles.colonial.data import DATA_HASH, RULES
from events.titles.colonial.derived import count_conserved, is_in_setup, seat_name
from events.titles.colonial.display import BOARD, POINTING, measures, panels
from events.titles.colonial.facts import conflict, land, plays, turn
from events.titles.colonial.imagine import imagine
from events.titles.colonial.odds import odds
from events.titles.colonial.opening import blank, opening
from events.titles.colonial.options import Options, check_options
from events.titles.colonial.position import from_position, position
from events.titles.colonial.prices import cost, likelihood
from events.titles.colonial.state import State
from events.titles.colonial.steps.order import STEPS, find_steps, has_ended, outcome, sample
from events.titles.colonial.view import View, view

TITLE: Title[State] = Title(
    id="colonial",
    version=2,
    name="Colonial, 2nd edition",
    seats=range(2, 7),
    Options=Options,
    option_notes=option_notes(__name__),
    check_options=check_options,
    data_hash=DATA_HASH,
    bots=bot_names(__name__),
    State=State,
    facts=facts_in(turn, plays, land, conflict),
    steps=STEPS,
    now=find_steps,
    sample=sample,
    draft=Draft,
    blank=blank,
    opening=opening,
    View=View,
    view=view,
    imagine=imagine,
    undo=True,
    outcome=outcome,
    ended=has_ended,
    seat_name=seat_name,
    seat_colours=lambda seats, _options: RULES.colours[:seats],
    position=position,
    from_position=from_position,
    in_setup=is_in_setup,
    conserved=count_conserved,
    odds=odds,
    board=BOARD,
    panels=panels,
    measures=measures,
    pointing=POINTING,
    cost=cost,
    likelihood=likelihood,
    codes={
        "wrong_phase": "not_your_decision",
        "not_active_player": "not_your_decision",
        "invalid_amount": "invalid_parameters",
    },
)
