"""Colonial, revised edition: open card play, Privateers, alliances and Escalation on the shared map."""

from events.rules.fact import facts_in
from events.rules.kit.bots import bot_names
from events.rules.kit.options import option_notes
from events.rules.steps import GAME_NOT_RUNNING, INVALID_PARAMETERS, NOT_YOUR_DECISION
from events.rules.title import Title
from events.titles.colonial_revised.data import COLOURS, DATA_HASH
from events.titles.colonial_revised.derived import count_conserved
from events.titles.colonial_revised.display import BOARD, POINTING, measures, panels
from events.titles.colonial_revised.facts import conflict, deals, land, plays, rebellion, turn
from events.titles.colonial_revised.imagine import imagine
from events.titles.colonial_revised.odds import odds
from events.titles.colonial_revised.opening import blank, opening
from events.titles.colonial_revised.options import Options
from events.titles.colonial_revised.position import from_position, position
from events.titles.colonial_revised.prices import cost, likelihood
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.order import STEPS, find_steps, follow, outcome, sample
from events.titles.colonial_revised.view import View, view
from events.titles.colonial_revised.words import seat_name

TITLE: Title[State] = Title(
    id="colonial_revised",
    version=2,
    name="Colonial Revised",
    seats=range(3, 7),
    Options=Options,
    option_notes=option_notes(__name__),
    State=State,
    View=View,
    facts=facts_in(turn, land, plays, deals, rebellion, conflict),
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
    undo=True,
    seat_name=lambda _state, seat: seat_name(seat),
    seat_colours=lambda seats, _options: tuple(colour.lower() for colour in COLOURS[:seats]),
    outcome=outcome,
    position=position,
    from_position=from_position,
    conserved=count_conserved,
    odds=odds,
    board=BOARD,
    panels=panels,
    measures=measures,
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
