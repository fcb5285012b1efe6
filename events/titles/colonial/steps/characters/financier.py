"""The Financier (COL-16)."""

from __future__ import annotations

from events.steps import Rejected
from events.titles.colonial import facts as f
from events.titles.colonial.commands import PlayFinancier
from events.titles.colonial.data import RULES
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import State
from events.titles.colonial.steps import guards
from events.titles.colonial.steps.rounds import finish, use


def largest_loan(state: State, seat: int) -> int:
    """COL-16-01: twice the Economy."""
    return RULES.loan_multiplier * state.players[seat].economy


def play(draft: Draft, seat: int, command: PlayFinancier) -> None:
    """COL-16-01, COL-16-02: a new pile, and as much Treasury."""
    state = draft.state
    guards.active(state, seat)
    guards.may_play(state, seat, "financier")
    most = largest_loan(state, seat)
    if command.amount > most:
        raise Rejected("loan_too_large", f"A Loan is at most twice your Economy: {most}.")
    use(draft, seat, "financier")
    draft.emit(f.LoanTaken(seat, state.next_loan, command.amount))
    finish(draft, seat)
