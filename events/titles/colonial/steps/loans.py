"""Repaying Loans (COL-16)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Move, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import RepayLoan
from events.titles.colonial.offers import MOST
from events.titles.colonial.state import Loan, State, list_acting
from events.titles.colonial.steps.endeavour.rounds import end_without_loans


def repay_loan(draft: Draft, seat: Seat, command: RepayLoan) -> None:
    """Repay a Loan at any time in one's own rounds, also within an action (COL-16-03, COL-16-04)."""
    state = draft.state
    _check_round(state, seat)
    size = next((loan.size for loan in state.players[seat].loans if loan.loan_id == command.loan_id), None)
    if size is None:
        raise Rejected("no_such_loan", "Name a Loan pile of yours.")
    checks.check_at_most(command.amount, size)
    checks.can_pay(state.players[seat], command.amount)
    draft.emit(f.LoanRepaid(seat, command.loan_id, command.amount, size - command.amount))
    if state.played and not (state.action or state.war):
        end_without_loans(draft, seat)


def _check_round(state: State, seat: Seat) -> None:
    """Check that it is one of the seat's own rounds (COL-16-04). Raises :class:`Rejected`."""
    if state.phase != "endeavour" or state.active != seat:
        raise Rejected(
            "not_your_round", "Loans are repaid in your own rounds of the Endeavour phase; wait for yours."
        )


def may_repay(state: State, seat: Seat) -> bool:
    """Return True if the seat has a Loan and anything to repay it with."""
    player = state.players[seat]
    return bool(player.loans and player.treasury)


def _repayments(state: State, seat: Seat) -> Iterator[RepayLoan]:
    """Yield repayments; of piles of one size only the oldest, as it does not matter which is repaid."""
    player = state.players[seat]
    oldest: dict[int, Loan] = {}
    for loan in player.loans:
        oldest.setdefault(loan.size, loan)
    for loan in oldest.values():
        for amount in range(min(loan.size, player.treasury), 0, -1):
            yield RepayLoan(loan.loan_id, amount)


def _whole(state: State, seat: Seat, loan: Loan) -> RepayLoan:
    """Return the repayment of as much of a pile as possible."""
    return RepayLoan(loan.loan_id, min(loan.size, state.players[seat].treasury))


def _oldest(state: State, seat: Seat) -> RepayLoan:
    return _whole(state, seat, state.players[seat].loans[0])


def sample_repayment(state: State, seat: Seat, chance: Chance) -> RepayLoan:
    """A pile at random."""
    return _whole(state, seat, chance.pick(state.players[seat].loans))


def _label_repayment(state: State, seat: Seat, command: RepayLoan) -> str:
    size = next((loan.size for loan in state.players[seat].loans if loan.loan_id == command.loan_id), 0)
    return f"Repay {command.amount} of a Loan of {size}"


REPAY_LOAN = Step[State](
    kind="repay_loan",
    asked=lambda state: [seat for seat in list_acting(state) if may_repay(state, seat)],
    moves=(
        Move(
            command=RepayLoan,
            take=repay_loan,
            legal=_repayments,
            most=MOST,
            target=lambda command: command.loan_id,
            label=_label_repayment,
            sample=lambda state, seat, _chance: _oldest(state, seat),
            own_words=True,
        ),
    ),
    default=_oldest,
    free=True,
)
