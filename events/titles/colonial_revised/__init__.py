"""Colonial, revised edition: open card play, Privateers, alliances and Escalation on the shared map."""

from events.fact import facts_in
from events.title import Title
from events.titles.colonial_revised.data import DATA_HASH
from events.titles.colonial_revised.decide import HANDLERS, decide
from events.titles.colonial_revised.decisions import decisions, default
from events.titles.colonial_revised.display import BOARD, panels
from events.titles.colonial_revised.facts import conflict, deals, land, plays, rebellion, skipping, turn
from events.titles.colonial_revised.imagine import imagine
from events.titles.colonial_revised.label import label
from events.titles.colonial_revised.legal import complete, legal
from events.titles.colonial_revised.opening import blank, opening
from events.titles.colonial_revised.options import Options, check_options
from events.titles.colonial_revised.outcome import conserved, outcome
from events.titles.colonial_revised.position import from_position, position
from events.titles.colonial_revised.sample import sample
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.view import view
from events.titles.colonial_revised.words import seat_name

TITLE: Title[State] = Title(
    id="colonial_revised",
    name="Colonial Revised",
    version=1,
    seats=range(3, 7),
    Options=Options,
    State=State,
    commands=tuple(HANDLERS),
    facts=facts_in(turn, land, plays, deals, rebellion, conflict, skipping),
    data_hash=DATA_HASH,
    check_options=check_options,
    blank=blank,
    opening=opening,
    decide=decide,
    decisions=decisions,
    default=default,
    legal=legal,
    complete=complete,
    sample=sample,
    label=label,
    view=view,
    imagine=imagine,
    seat_name=lambda _state, seat: seat_name(seat),
    outcome=outcome,
    in_setup=lambda _state: False,
    position=position,
    from_position=from_position,
    conserved=conserved,
    board=BOARD,
    panels=panels,
    codes={
        "game_over": "game_not_running",
        "wrong_phase": "not_your_decision",
        "not_your_turn": "not_your_decision",
        "decision_pending": "not_your_decision",
        "no_purchase_offered": "not_your_decision",
        "no_entry_right": "not_your_decision",
        "no_expedition_right": "not_your_decision",
        "not_eligible": "not_your_decision",
        "not_asked": "not_your_decision",
        "amount_out_of_range": "invalid_parameters",
        "bad_player_count": "invalid_parameters",
        "duplicate_player": "invalid_parameters",
    },
)
