"""Helpers for immutable values: copies with a part replaced, and answers that are remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

T = TypeVar("T")
R = TypeVar("R")
K = TypeVar("K")
S = TypeVar("S", bound=msgspec.Struct)


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """A copy of *values* with *value* at *index*."""
    left = [*values]
    left[index] = value
    return (*left,)


def add_at(values: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    """A copy of *values* with *more* added at *index*."""
    left = [*values]
    left[index] += more
    return (*left,)


def remove_each(values: tuple[T, ...], gone: Iterable[T]) -> tuple[T, ...]:
    """A copy of *values* less one occurrence (the first) of each of *gone*; ValueError if one is missing."""
    left = list(values)
    for value in gone:
        left.remove(value)
    return tuple(left)


def remove_present(values: tuple[T, ...], gone: Iterable[T]) -> tuple[T, ...]:
    """A copy of *values* less one occurrence of each of *gone*, as far as they are there."""
    left = list(values)
    for value in gone:
        if value in left:
            left.remove(value)
    return tuple(left)


def list_clockwise(seats: int, start: int) -> tuple[int, ...]:
    """All seats in order, beginning with *start*."""
    return (*range(start, seats), *range(start))


def plain(value: object) -> dict[str, Any]:
    """*value* (a mapping or Struct) in JSON's own types: dicts with text keys, lists, texts, integers."""
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return read


def change_item(values: tuple[S, ...], index: int, **changes: Any) -> tuple[S, ...]:
    """A copy of *values* with fields of the one at *index* replaced."""
    left = list(values)
    left[index] = replace(left[index], **changes)
    return tuple(left)


def change_player(state: S, seat: int, **changes: Any) -> S:
    """The state with fields of a player replaced; its ``players`` stand there by seat."""
    before: Any = state
    players = list(before.players)
    players[seat] = replace(players[seat], **changes)
    after: S = replace(before, players=tuple(players))
    return after


def gain(state: S, seat: int, **amounts: int) -> S:
    """A player with so much more of each, less where the amount is negative."""
    before: Any = state
    players = list(before.players)
    player = players[seat]
    now = {name: getattr(player, name) + amount for name, amount in amounts.items()}
    players[seat] = replace(player, **now)
    after: S = replace(before, players=tuple(players))
    return after


def remember_latest(compute: Callable[[T], R]) -> Callable[[T], R]:
    """Return *compute* as a function that remembers its latest answer, and for which very part it was.

    Parts of states never change, so the same object has the same answer.

    >>> asked = []
    >>> count = remember_latest(lambda piles: asked.append(piles) or len(piles))
    >>> piles = ((1,), (0, 2))
    >>> count(piles), count(piles), len(asked)
    (2, 2, 1)
    """
    latest: tuple[T | None, R | None] = (None, None)

    def answer(part: T) -> R:
        nonlocal latest
        known, found = latest  # both in one, for threads
        if known is not part or found is None:
            found = compute(part)
            latest = (part, found)
        return found

    return answer


# --- counts by key ---------------------------------------------------------------------------------


def add_counts(counts: Mapping[K, int], more: Mapping[K, int]) -> dict[K, int]:
    """Return *counts* with *more* added; the keys of *more* are keys of *counts*."""
    total = dict(counts)
    for key, count in more.items():
        total[key] += count
    return total


def subtract_counts(counts: Mapping[K, int], less: Mapping[K, int]) -> dict[K, int]:
    """Return *counts* with *less* taken away."""
    total = dict(counts)
    for key, count in less.items():
        total[key] -= count
    return total


def negate_counts(counts: Mapping[K, int]) -> dict[K, int]:
    """Return the same counts, negative: given up."""
    return {key: -count for key, count in counts.items()}
