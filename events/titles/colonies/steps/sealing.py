"""Sealed answers: given covered by all whom a step concerns, and revealed together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from events.rules.fact import Fact, Seat
from events.rules.steps import Command, Draft
from events.titles.colonies.state import State


def all_seats(state: State) -> Iterable[Seat]:
    """A decision of everybody."""
    return range(state.seats)


def answered(state: State, seat: Seat) -> bool:
    """Whether the seat's answer lies covered."""
    return 0 <= seat < state.seats and state.sealed[seat] is not None


@dataclass(frozen=True, kw_only=True, eq=False)
class Sealing:
    """How a sealed answer is checked, covered, and revealed when the last one is there."""

    command: type[Command]
    check: Callable[[State, Seat, Any], None]
    """Raises Rejected unless the answer is legal."""
    cover: Callable[[Seat, Any], Fact]
    reveal: Callable[[Draft[State]], None]
    concerned: Callable[[State], Iterable[Seat]] = all_seats
    """Who has to answer, whether he has answered or not."""

    def asked(self, state: State) -> list[Seat]:
        """Who still has to answer."""
        return [seat for seat in self.concerned(state) if state.sealed[seat] is None]

    def take(self, draft: Draft[State], seat: Seat, command: Any) -> None:
        """Cover the answer; with the last one all are revealed (CLN-049)."""
        self.check(draft.state, seat, command)
        draft.emit(self.cover(seat, command))
        if not self.asked(draft.state):
            self.reveal(draft)
