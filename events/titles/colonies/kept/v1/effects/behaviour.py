"""The behaviour of primitives, as the interpreter uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.titles.colonies.kept.v1.changes import Changes
from events.titles.colonies.kept.v1.commands import ResolveEventEffect
from events.titles.colonies.kept.v1.derived import own_pirates
from events.titles.colonies.kept.v1.primitives import Quantity
from events.titles.colonies.kept.v1.state import State

LISTED = 150
"""A question lists at most so many answers; no card's can have more but bonus actions, which list
fewer."""


@dataclass(frozen=True)
class Question:
    """The question of a primitive to the affected player.

    State, seat and primitive come first everywhere.
    """

    asks: Callable[[State, Seat, Any], bool]
    """Depends on public state only (CLN-176)."""
    fields: Callable[[Any], frozenset[str]]
    """The fields that the answer has: its shape."""
    check: Callable[[State, Seat, Any, ResolveEventEffect], None]
    default: Callable[[State, Seat, Any], ResolveEventEffect]
    legal: Callable[[State, Seat, Any], Iterator[ResolveEventEffect]]
    """All answers, lazily; at most :data:`LISTED` of them are listed."""
    sample: Callable[[State, Seat, Any, Chance], ResolveEventEffect]
    complete: Callable[[State, Seat, Any], bool] | None = None
    """True if `legal` has all answers, where it may be a selection."""
    declinable: bool = False


@dataclass(frozen=True)
class Behaviour:
    """One primitive: its changes, given the answer or None where nothing was asked; and its question."""

    apply: Callable[[State, Seat, Any, ResolveEventEffect | None], Changes]
    question: Question | None = None


DECLINE = ResolveEventEffect(decline=True)
CHOICE_FIELDS = tuple(name for name in ResolveEventEffect.__struct_fields__ if name != "decline")


def list_given_fields(choice: ResolveEventEffect) -> frozenset[str]:
    """Return the names of the fields that the answer gives."""
    return frozenset(name for name in CHOICE_FIELDS if getattr(choice, name) is not None)


def quantity(state: State, seat: Seat, n: int | Quantity) -> int:
    """Return the number that *n* is for this player now (CLN-073)."""
    if isinstance(n, int):
        return n
    level = state.levels[seat][n.level] if n.level else 0
    return n.base + level + n.own_pirates * own_pirates(state, seat)


def wrong_total(sentence: str) -> Rejected:
    """Return the refusal of an answer with not exactly as many as asked for."""
    return Rejected("choice_total_wrong", sentence)
