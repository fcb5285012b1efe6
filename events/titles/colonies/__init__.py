"""Colonies: three to five planets of the Zel'var system trade, vote and fend off pirates for ten years."""

from events.steps import ALREADY_ANSWERED, GAME_NOT_RUNNING, INVALID_PARAMETERS, NOT_YOUR_DECISION
from events.title import Title
from events.titles.colonies.commands import COMMANDS
from events.titles.colonies.data import DATA_HASH, TABLE
from events.titles.colonies.decide import decide
from events.titles.colonies.decisions import decisions, default
from events.titles.colonies.display import BOARD_JSON, panels
from events.titles.colonies.ending import conserved, in_setup, outcome, seat_name
from events.titles.colonies.evolve import FOLD
from events.titles.colonies.facts import FACTS
from events.titles.colonies.imagine import imagine
from events.titles.colonies.legal import complete, label, legal, sample
from events.titles.colonies.opening import open_game
from events.titles.colonies.options import Options, check_options
from events.titles.colonies.position import from_position, position
from events.titles.colonies.state import State, blank
from events.titles.colonies.tell import TELL
from events.titles.colonies.view import view

TITLE = Title(
    id="colonies",
    name="Colonies",
    version=1,
    seats=range(min(TABLE), max(TABLE) + 1),
    Options=Options,
    State=State,
    commands=COMMANDS,
    facts=FACTS,
    data_hash=DATA_HASH,
    check_options=check_options,
    blank=blank,
    open=open_game,
    decide=decide,
    fold=FOLD,
    decisions=decisions,
    default=default,
    legal=legal,
    complete=complete,
    sample=sample,
    label=label,
    view=view,
    imagine=imagine,
    tell=TELL,
    seat_name=seat_name,
    outcome=outcome,
    in_setup=in_setup,
    position=position,
    from_position=from_position,
    conserved=conserved,
    board=BOARD_JSON,
    panels=panels,
    codes={
        "game_over": GAME_NOT_RUNNING,
        "wrong_phase": NOT_YOUR_DECISION,
        "not_awaited": NOT_YOUR_DECISION,
        "no_reward_pending": NOT_YOUR_DECISION,
        "no_effect_pending": NOT_YOUR_DECISION,
        "already_committed": ALREADY_ANSWERED,
        "malformed_parameters": INVALID_PARAMETERS,
        "unknown_colour": INVALID_PARAMETERS,
        "invalid_count": INVALID_PARAMETERS,
    },
)
