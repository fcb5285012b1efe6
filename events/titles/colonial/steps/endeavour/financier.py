"""The Financier, Loans and their repayment (COL-16)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import PlayFinancier
from events.titles.colonial.data import RULES
from events.titles.colonial.offers import draw_percent
from events.titles.colonial.state import State
from events.titles.colonial.steps.endeavour.rounds import character, finish, use


def largest_loan(state: State, seat: Seat) -> int:
    """Return the largest Loan: twice the Economy (COL-16-01)."""
    return RULES.loan_multiplier * state.players[seat].economy


def play(draft: Draft, seat: Seat, command: PlayFinancier) -> None:
    """Take a Loan: a new pile, and as much Treasury (COL-16-01, COL-16-02)."""
    state = draft.state
    checks.may_play(state, seat, "financier")
    most = largest_loan(state, seat)
    if command.amount > most:
        raise Rejected("loan_too_large", f"A Loan is at most twice your Economy; take at most {most}.")
    use(draft, seat, "financier")
    draft.emit(f.LoanTaken(seat, state.next_loan, command.amount))
    finish(draft, seat)


def _loans(state: State, seat: Seat) -> Iterator[PlayFinancier]:
    return (PlayFinancier(amount) for amount in range(largest_loan(state, seat), 0, -1))


def _sample_loan(state: State, seat: Seat, chance: Chance) -> PlayFinancier | None:
    """Seldom: debts keep games from ending."""
    if state.players[seat].loans or not draw_percent(chance, 25):
        return None
    return PlayFinancier(1 + chance.pick(range(largest_loan(state, seat))))


FINANCIER = character(
    PlayFinancier,
    play,
    legal=_loans,
    label=lambda _state, _seat, command: f"Financier: Loan of {command.amount} for {command.amount} Treasury",
    sample=_sample_loan,
)
