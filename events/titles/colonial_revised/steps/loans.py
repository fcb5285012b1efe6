"""Repaying a Loan, at any time (REV-176)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.checks import can_pay
from events.titles.colonial_revised.offers import draw_up_to
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.settlement import settle

MOST = 20
"""Repayments that are listed at most."""


def repay_loan(draft: Draft[State], seat: int, command: c.RepayLoan) -> None:
    """Each T discarded removes 1 from the Loan (REV-176); it may bring about the win (REV-392)."""
    player = draft.state.players[seat]
    if not player.loans:
        raise Rejected("no_loan", "You have no Loan to repay: give another command.")
    if command.amount > player.loans:
        raise Rejected("over_repayment", f"Your Loan is {player.loans}: repay at most that.")
    can_pay(player, command.amount)
    draft.emit(f.LoanRepaid(seat=seat, amount=command.amount))
    if draft.state.action is None:
        settle(draft)


def may_repay(state: State, seat: int) -> bool:
    """Return True if the seat has a Loan and something to repay it with."""
    player = state.players[seat]
    return player.loans > 0 and player.spendable > 0


def _who_may_repay(state: State) -> tuple[int, ...]:
    return tuple(seat for seat in range(state.seats) if may_repay(state, seat))


def _find_most(state: State, seat: int) -> int:
    return min(state.players[seat].loans, state.players[seat].spendable)


def _repayments(state: State, seat: int) -> Iterator[c.RepayLoan]:
    """Everything first, then smaller sums."""
    yield c.RepayLoan(amount=_find_most(state, seat))
    for amount in range(1, _find_most(state, seat)):
        yield c.RepayLoan(amount=amount)


def _sample_repayment(state: State, seat: int, chance: Chance) -> Command:
    return c.RepayLoan(amount=1 + draw_up_to(chance, _find_most(state, seat) - 1))


REPAY_LOAN = Step(
    kind="repay_loan",
    asked=_who_may_repay,
    free=True,
    default=lambda _state, _seat: c.RepayLoan(amount=1),
    sample=_sample_repayment,
    moves=(
        Move(
            command=c.RepayLoan,
            take=repay_loan,
            legal=_repayments,
            most=MOST,
            target=lambda command: command.amount,
            own_words=True,  # a seat without a Loan is told so, and not to wait for a turn that never comes
            label=lambda state, seat, command: (
                f"Repay {command.amount} of your Loan of {state.players[seat].loans}"
            ),
        ),
    ),
)
