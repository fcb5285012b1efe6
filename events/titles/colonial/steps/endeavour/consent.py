"""Requests to owners for Goods: ending a play, withdrawing requests (COL-18-06, COL-23-05)."""

from __future__ import annotations

from events.rules.fact import Seat
from events.rules.kit.overseas.words import character_name
from events.rules.steps import NOT_YOUR_DECISION, Move, Rejected, Step
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import FinishAction, WithdrawRequests
from events.titles.colonial.derived import capacity_left, count_askable
from events.titles.colonial.state import Selling, Shipping, State, list_acting
from events.titles.colonial.steps.endeavour.rounds import finish


def request_open(state: State) -> bool:
    """Return True if any owner is still asked."""
    action = state.action
    if isinstance(action, Shipping):
        return bool(action.requests)
    return isinstance(action, Selling) and any(action.asked)


def trade_on(draft: Draft, seat: Seat) -> None:
    """Finish a Trader play that has no capacity or no Goods left (COL-23-05)."""
    state = draft.state
    if not isinstance(state.action, Selling) or request_open(state):
        return
    goods = state.players[seat].market or any(count_askable(state, seat))
    if not goods or not capacity_left(state, seat):
        finish(draft, seat)


def withdraw_requests(draft: Draft, seat: Seat, command: WithdrawRequests) -> None:
    """Count unanswered requests as refused (COL-18-05, COL-23-04).

    So a silent owner cannot hold up the game.
    """
    if not request_open(draft.state):
        raise Rejected("no_request_open", "Nobody is asked for Goods now; give another command.")
    if draft.state.active != seat:
        raise Rejected(NOT_YOUR_DECISION, "Only the player who asked may withdraw.")
    draft.emit(f.RequestsWithdrawn(seat))
    trade_on(draft, seat)


WITHDRAW_REQUESTS = Step[State](
    kind="withdraw_requests",
    asked=lambda state: list_acting(state) if request_open(state) else (),
    moves=(
        Move(
            command=WithdrawRequests,
            take=withdraw_requests,
            label="Withdraw the requests",
            sample=lambda _state, _seat, _chance: WithdrawRequests(),
            own_words=True,
        ),
    ),
    default=lambda _state, _seat: WithdrawRequests(),
    free=True,
)


def finish_action(draft: Draft, seat: Seat, command: FinishAction) -> None:
    """Finish a Merchant or Trader play on request (COL-18-06, COL-23-05)."""
    state = draft.state
    if not isinstance(state.action, Shipping | Selling) or state.active != seat:
        raise Rejected(
            "nothing_to_finish", "You have no Merchant or Trader play to finish; give another command."
        )
    if request_open(state):
        raise Rejected("request_open", "Wait for the answers, or withdraw your requests.")
    finish(draft, seat)


def _label(state: State, _seat: Seat, _command: FinishAction) -> str:
    return f"Finish the {character_name(state.played or '')}"


FINISH = Move[State](command=FinishAction, take=finish_action, label=_label, own_words=True)
