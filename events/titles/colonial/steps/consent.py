"""Ending a Merchant or Trader play, and withdrawing what an owner does not answer (COL-18-06, COL-23-05)."""

from __future__ import annotations

from events.steps import NOT_YOUR_DECISION, Rejected
from events.titles.colonial import facts as f
from events.titles.colonial.commands import FinishAction, WithdrawRequests
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import Selling, Shipping, State
from events.titles.colonial.steps.characters import trader
from events.titles.colonial.steps.rounds import finish


def request_open(state: State) -> bool:
    """Whether any owner is still asked."""
    action = state.action
    if isinstance(action, Shipping):
        return bool(action.requests)
    return isinstance(action, Selling) and any(action.asked)


def withdraw_requests(draft: Draft, seat: int, command: WithdrawRequests) -> None:
    """COL-18-05, COL-23-04: unanswered requests count as refused; a silent owner cannot hold up the game."""
    if not request_open(draft.state):
        raise Rejected("no_request_open", "Nobody is asked for Goods now.")
    if draft.state.active != seat:
        raise Rejected(NOT_YOUR_DECISION, "Only the player who asked may withdraw.")
    draft.emit(f.RequestsWithdrawn(seat))
    trader.go_on(draft, seat)


def finish_action(draft: Draft, seat: int, command: FinishAction) -> None:
    """COL-18-06, COL-23-05."""
    state = draft.state
    if not isinstance(state.action, Shipping | Selling) or state.active != seat:
        raise Rejected("nothing_to_finish", "You have no Merchant or Trader play to finish.")
    if request_open(state):
        raise Rejected("request_open", "Wait for the answers, or withdraw your requests.")
    finish(draft, seat)
