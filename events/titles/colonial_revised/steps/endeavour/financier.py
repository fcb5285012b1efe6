"""The Financier takes a Loan."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import CONSTANTS
from events.titles.colonial_revised.offers import draw_percent
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.cards import Character, character, use


def take_loan(draft: Draft[State], seat: int, command: c.TakeLoan) -> None:
    """10 into Loans, 10 into the Treasury (REV-175)."""
    use(draft, seat, "financier")
    amount = CONSTANTS.loan_amount
    draft.emit(f.LoanTaken(seat=seat, loan=amount, treasury=amount, emergency=False))


def _offers(_state: State, _seat: int) -> Iterator[c.TakeLoan]:
    yield c.TakeLoan()


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    return c.TakeLoan() if state.players[seat].loans < 15 or draw_percent(chance, 20) else None


TAKE_LOAN = character(
    "financier",
    c.TakeLoan,
    take=take_loan,
    legal=_offers,
    label=f"Financier: {CONSTANTS.loan_amount} into Loans for {CONSTANTS.loan_amount} T",
)
FINANCIER = Character("financier", (TAKE_LOAN,), _sample)
