"""The course of the five rounds of the Endeavour phase, and of a Character play within them (COL-04)."""

from __future__ import annotations

from events.rules.fact import Seat
from events.titles.colonial import facts as f
from events.titles.colonial.data import RULES
from events.titles.colonial.draft import Draft
from events.titles.colonial.steps.later_phases.purchases import open_phase


def open_round(draft: Draft, number: int) -> None:
    """Reveal a card of every seat; the First Player begins (COL-04-06, COL-04-07)."""
    cards = tuple(row[number - 1] for row in draft.state.programmes)
    draft.emit(f.CardsRevealed(number, cards))
    draft.emit(f.RoundBegan(number, draft.state.first_player))


def end(draft: Draft, seat: Seat) -> None:
    """The next seat, the next round, or the Merchant Fleets phase (COL-04-07, COL-04-14)."""
    number = draft.state.round
    draft.emit(f.RoundEnded(number, seat))
    following = (seat + 1) % draft.state.seats
    if following != draft.state.first_player:
        draft.emit(f.RoundBegan(number, following))
    elif number < RULES.rounds:
        open_round(draft, number + 1)
    else:
        open_phase(draft, "merchant_fleets")


def end_without_loans(draft: Draft, seat: Seat) -> None:
    """End the round of a seat without Loans: nothing is left to do (COL-04-12)."""
    if not draft.player(seat).loans:
        end(draft, seat)
