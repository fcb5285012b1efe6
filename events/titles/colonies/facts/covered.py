"""Covered answers: the base of their facts, and nobody's answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import astuple, replace

from events.rules.fact import Fact, Seat
from events.rules.kit.values import put
from events.titles.colonies.commands import SealedAnswer
from events.titles.colonies.state import State

Secrets = Mapping[str, tuple[str, ...]]


class Covered(Fact, frozen=True):
    """A sealed answer lies covered; nothing else changes (CLN-053). What follows its seat is the answer."""

    answer: ClassVar[type[SealedAnswer]]
    """The command that gives such an answer: it has the same fields."""
    seat: Seat

    def fold(self, state: State) -> State:
        return replace(state, sealed=put(state.sealed, self.seat, self.answer(*astuple(self)[1:])))


def clear_answers(state: State) -> tuple[None, ...]:
    """Return None for every seat: nobody has answered."""
    return (None,) * state.seats
