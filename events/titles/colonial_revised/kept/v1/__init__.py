"""Colonial, revised edition: open card play, Privateers, alliances and Escalation on the shared map."""

from events.rules.fact import facts_in
from events.titles.colonial_revised.kept.v1.kit.bots import bot_names
from events.titles.colonial_revised.kept.v1.kit.options import option_notes
from events.rules.steps import GAME_NOT_RUNNING, INVALID_PARAMETERS, NOT_YOUR_DECISION
from events.rules.title import Title
from events.titles.colonial_revised.kept.v1.data import DATA_HASH
from events.titles.colonial_revised.kept.v1.display import BOARD, POINTING, panels
from events.titles.colonial_revised.kept.v1.facts import conflict, deals, land, plays, rebellion, skipping, turn
from events.titles.colonial_revised.kept.v1.imagine import imagine
from events.titles.colonial_revised.kept.v1.opening import blank, opening
from events.titles.colonial_revised.kept.v1.options import Options
from events.titles.colonial_revised.kept.v1.outcome import count_conserved, outcome
from events.titles.colonial_revised.kept.v1.position import from_position, position
from events.titles.colonial_revised.kept.v1.prices import cost, likelihood
from events.titles.colonial_revised.kept.v1.state import State
from events.titles.colonial_revised.kept.v1.steps.order import STEPS, find_steps, follow, sample
from events.titles.colonial_revised.kept.v1.view import View, view
from events.titles.colonial_revised.kept.v1.words import seat_name

TITLE: Title[State] = Title(
    id="colonial_revised",
    name="Colonial Revised",
    seats=range(3, 7),
    Options=Options,
    option_notes=option_notes(__name__),
    State=State,
    View=View,
    facts=facts_in(turn, skipping, land, plays, deals, rebellion, conflict),
    data_hash=DATA_HASH,
    bots=bot_names(__name__),
    blank=blank,
    opening=opening,
    steps=STEPS,
    now=find_steps,
    follow=follow,
    sample=sample,
    view=view,
    imagine=imagine,
    seat_name=lambda _state, seat: seat_name(seat),
    outcome=outcome,
    position=position,
    from_position=from_position,
    conserved=count_conserved,
    board=BOARD,
    panels=panels,
    pointing=POINTING,
    cost=cost,
    likelihood=likelihood,
    codes={"game_over": GAME_NOT_RUNNING}
    | dict.fromkeys(
        (
            "wrong_phase",
            "not_your_turn",
            "decision_pending",
            "no_purchase_offered",
            "no_entry_right",
            "no_expedition_right",
            "not_eligible",
            "not_asked",
        ),
        NOT_YOUR_DECISION,
    )
    | dict.fromkeys(("amount_out_of_range", "bad_player_count", "duplicate_player"), INVALID_PARAMETERS),
)
