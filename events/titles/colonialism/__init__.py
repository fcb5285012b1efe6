"""Colonialism (Scott Leibbrandt, Spielworxx): area influence with private decks, for two to four players."""

from events.title import Title
from events.titles.colonialism.commands import COMMANDS
from events.titles.colonialism.data import DATA_HASH
from events.titles.colonialism.decide import decide
from events.titles.colonialism.decisions import decisions, default
from events.titles.colonialism.display import BOARD_JSON, panels
from events.titles.colonialism.evolve import FOLD
from events.titles.colonialism.imagine import imagine
from events.titles.colonialism.label import label
from events.titles.colonialism.legal import complete, legal, sample
from events.titles.colonialism.opening import open_game
from events.titles.colonialism.options import Options, check_options
from events.titles.colonialism.outcome import conserved, in_setup, outcome, seat_name
from events.titles.colonialism.position import from_position, position
from events.titles.colonialism.state import State, blank
from events.titles.colonialism.tell import TELL
from events.titles.colonialism.view import view

TITLE: Title[State] = Title(
    id="colonialism",
    name="Colonialism",
    version=1,
    seats=range(2, 5),
    Options=Options,
    State=State,
    commands=COMMANDS,
    facts=tuple(FOLD),
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
        "wrong_phase": "not_your_decision",
        "decision_pending": "not_your_decision",
        "not_active_player": "not_your_decision",
        "no_choice_needed": "not_your_decision",
        "already_chosen": "already_answered",
        "invalid_row": "invalid_parameters",
        "invalid_count": "invalid_parameters",
    },
)
