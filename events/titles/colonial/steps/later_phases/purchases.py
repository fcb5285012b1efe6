"""Purchases of Merchant Fleets and Squadrons (COL-04-15, COL-04-19), and the phases that follow."""

from __future__ import annotations

from typing import Literal

from events.rules.fact import Seat
from events.rules.kit.overseas.words import format_number
from events.rules.kit.values import list_clockwise
from events.titles.colonial import facts as f
from events.titles.colonial.derived import monopoly_counts
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import State
from events.titles.colonial.steps.later_phases.end_of_turn import end_of_turn, loan_interest
from events.titles.colonial.steps.later_phases.first_player import move_first_player

Purchase = Literal["merchant_fleets", "naval_forces"]


def limit(state: State, seat: Seat, phase: Purchase) -> int:
    """Return the most that the seat may buy in that phase, Treasury aside (COL-04-15, COL-04-19)."""
    return monopoly_counts(state)[seat] if phase == "merchant_fleets" else state.players[seat].navy


def find_most(state: State, seat: Seat, phase: Purchase) -> int:
    """Return the most that the seat can buy, Treasury included."""
    return min(limit(state, seat, phase), state.players[seat].treasury)


def label(amount: int, piece: str) -> str:
    """Return the text of the button that buys so many pieces."""
    return f"Buy {format_number(amount, piece)}" + (f" for {amount} Treasury" if amount else "")


def open_phase(draft: Draft, phase: Purchase, after: int | None = None) -> None:
    """The next seat that may buy, skipping those who cannot (COL-04-16); then the next phase."""
    state = draft.state
    order = list_clockwise(state.seats, state.first_player)
    for seat in order[order.index(after) + 1 :] if after is not None else order:
        if find_most(state, seat, phase):
            draft.emit(f.PhaseBegan(phase, seat))
            return
        draft.emit(f.PhaseSkipped(phase, seat))
    if phase == "merchant_fleets":
        move_first_player(draft)
        open_phase(draft, "naval_forces")
    else:
        loan_interest(draft)
        end_of_turn(draft)
