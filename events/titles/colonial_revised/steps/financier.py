"""The Financier, and repaying Loans at any time."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import CONSTANTS
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.cards import play
from events.titles.colonial_revised.steps.checks import can_pay
from events.titles.colonial_revised.steps.settlement import settle


def take_loan(draft: Draft[State], seat: int, command: c.TakeLoan, chance: Chance) -> None:
    """10 into Loans, 10 into the Treasury (REV-175)."""
    play(draft, seat, "financier")
    amount = CONSTANTS.loan_amount
    draft.emit(f.LoanTaken(seat=seat, loan=amount, treasury=amount, emergency=False))


def repay_loan(draft: Draft[State], seat: int, command: c.RepayLoan, chance: Chance) -> None:
    """Each T discarded removes 1 from the Loan (REV-176); it may bring about the win (REV-392)."""
    player = draft.state.players[seat]
    if not player.loans:
        raise Rejected("no_loan", "You have no Loan to repay.")
    if command.amount > player.loans:
        raise Rejected("over_repayment", f"Your Loan is {player.loans}: repay at most that.")
    can_pay(player, command.amount)
    draft.emit(f.LoanRepaid(seat=seat, amount=command.amount))
    if draft.state.action is None:
        settle(draft)
