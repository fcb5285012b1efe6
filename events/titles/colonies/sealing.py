"""Sealed answers: given covered by all whom a step concerns, and revealed together; their facts' base."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from msgspec.structs import astuple, replace

from events.rules.fact import Fact, Seat
from events.rules.kit.values import put
from events.rules.steps import Command, Draft
from events.titles.colonies.commands import SealedAnswer
from events.titles.colonies.state import State

Secrets = Mapping[str, tuple[str, ...]]


class Covered(Fact, frozen=True):
    """A sealed answer lies covered; nothing else changes (CLN-053). What follows its seat is the answer."""

    answer: ClassVar[type[SealedAnswer]]
    """The command that gives such an answer: it has the same fields."""
    seat: Seat

    def fold(self, state: State) -> State:
        """Return the state with the answer among the sealed ones."""
        return replace(state, sealed=put(state.sealed, self.seat, self.answer(*astuple(self)[1:])))


def clear_answers(state: State) -> tuple[None, ...]:
    """Return None for every seat: nobody has answered."""
    return (None,) * len(state.sealed)


def all_seats(state: State) -> Iterable[Seat]:
    """Return all seats: the decision is everybody's."""
    return range(len(state.sealed))


def has_answered(state: State, seat: Seat) -> bool:
    """Return True if the seat's answer lies covered."""
    return 0 <= seat < state.seats and state.sealed[seat] is not None


@dataclass(frozen=True, kw_only=True, eq=False)
class Sealing:
    """The handling of sealed answers: their check, their cover, and the reveal after the last one."""

    command: type[Command]
    check: Callable[[State, Seat, Any], None]
    """Raises Rejected unless the answer is legal."""
    cover: Callable[[Seat, Any], Fact]
    reveal: Callable[[Draft[State]], None]
    concerned: Callable[[State], Iterable[Seat]] = all_seats
    """The seats that have to answer, answered or not."""

    def list_asked(self, state: State) -> list[Seat]:
        """Return the seats that still have to answer."""
        return [seat for seat in self.concerned(state) if state.sealed[seat] is None]

    def take(self, draft: Draft[State], seat: Seat, command: Any) -> None:
        """Cover the answer; with the last one all are revealed (CLN-049)."""
        self.check(draft.state, seat, command)
        draft.emit(self.cover(seat, command))
        if not self.list_asked(draft.state):
            self.reveal(draft)
