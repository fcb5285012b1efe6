"""What every step of the turn declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from events.chance import Chance
from events.fact import Fact, Seat
from events.steps import Command, Draft
from events.titles.colonies.state import Phase, State


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step: a phase in which somebody decides."""

    phase: Phase
    kind: str
    """The word for its decisions."""
    commands: tuple[type[Command], ...]
    concerned: Callable[[State], Iterable[Seat]]
    """Who has to decide in this step, whether he has answered or not."""
    take: Callable[[Draft[State], Seat, Any, Chance], None]
    """Check the command, emit its facts and whatever follows from it."""
    default: Callable[[State, Seat], Command]
    legal: Callable[[State, Seat], Iterator[Command]]
    complete: Callable[[State, Seat], bool]
    sample: Callable[[State, Seat, Chance], Command]
    sealed: bool = False
    """Whether the answers are given covered and revealed together."""

    def waiting(self, state: State) -> list[Seat]:
        """Who still has to decide."""
        if self.sealed:
            return [seat for seat in self.concerned(state) if state.sealed[seat] is None]
        return list(self.concerned(state))


def all_seats(state: State) -> Iterable[Seat]:
    """A decision of everybody."""
    return range(state.seats)


@dataclass(frozen=True)
class Sealing:
    """How a sealed answer is checked, covered, and revealed when the last one is there."""

    check: Callable[[State, Seat, Any], None]
    """Raises Rejected unless the answer is legal."""
    cover: Callable[[Seat, Any], Fact]
    reveal: Callable[[Draft[State], Chance], None]
    concerned: Callable[[State], Iterable[Seat]] = all_seats

    def take(self, draft: Draft[State], seat: Seat, command: Any, chance: Chance) -> None:
        """Cover the answer; with the last one all are revealed (CLN-049)."""
        self.check(draft.state, seat, command)
        draft.emit(self.cover(seat, command))
        state = draft.state
        if all(state.sealed[s] is not None for s in self.concerned(state)):
            self.reveal(draft, chance)


def always(_state: State, _seat: Seat) -> bool:
    """All legal commands are listed."""
    return True
