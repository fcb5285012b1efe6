"""Picking some of several kinds of things: exactly so many, all ways or one at random."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeVar

from events.rules.chance import Chance
from events.rules.kit.offers import choose_evenly

K = TypeVar("K")
T = TypeVar("T")


def picks(limits: Mapping[K, int], n: int) -> Iterator[dict[K, int]]:
    """All ways to take exactly *n*, at most ``limits[kind]`` of each kind, most of the first kinds first."""
    kinds = [(kind, limit) for kind, limit in limits.items() if limit > 0]
    return _picks(kinds, n, sum(limit for _, limit in kinds))


def _picks(kinds: list[tuple[K, int]], n: int, left: int) -> Iterator[dict[K, int]]:
    if n == 0:
        yield {}
        return
    if left < n:
        return
    (kind, limit), rest = kinds[0], kinds[1:]
    after = left - limit
    for count in range(min(limit, n), max(0, n - after) - 1, -1):
        for others in _picks(rest, n - count, after):
            yield {kind: count, **others} if count else others


def picks_up_to(limits: Mapping[K, int], most: int) -> Iterator[dict[K, int]]:
    """Yield all ways to take 1 to *most*, the largest numbers first."""
    for n in range(min(most, sum(limits.values())), 0, -1):
        yield from picks(limits, n)


def random_pick(limits: Mapping[K, int], n: int, chance: Chance) -> dict[K, int]:
    """Return one way to take exactly *n* (or all there are), unit by unit."""
    left = {kind: limit for kind, limit in limits.items() if limit > 0}
    kinds = list(left)
    taken: dict[K, int] = {}
    for _ in range(n):
        if not kinds:
            break
        kind = chance.pick(kinds)
        taken[kind] = taken.get(kind, 0) + 1
        left[kind] -= 1
        if not left[kind]:
            kinds.remove(kind)
    return taken


def pick_units(limits: Mapping[K, int], n: int, worth: Callable[[K, int], int]) -> Iterator[K]:
    """Yield at most *n* units, each time the kind with the highest ``worth(kind, left)``; ties: the first."""
    left = {kind: limit for kind, limit in limits.items() if limit > 0}
    for _ in range(min(n, sum(left.values()))):
        kind = max(left, key=lambda k: worth(k, left[k]))
        yield kind
        left[kind] -= 1
        if not left[kind]:
            del left[kind]


def pick_greedily(limits: Mapping[K, int], n: int, worth: Callable[[K, int], int]) -> dict[K, int]:
    """Return how many of each kind :func:`pick_units` takes."""
    taken: dict[K, int] = {}
    for kind in pick_units(limits, n, worth):
        taken[kind] = taken.get(kind, 0) + 1
    return taken


def rate_by_number(_kind: object, left: int) -> int:
    """Return the worth by which the default actions pick."""
    return left


def select(
    everything: Iterator[T], most: int, selection: Callable[[], Iterable[T]], aim: Callable[[T], Hashable]
) -> tuple[T, ...]:
    """Return all of *everything* if that is at most *most*, else a part of the *selection*.

    That has of each *aim* as many as of any other.
    """
    found = tuple(islice(everything, most + 1))
    return found if len(found) <= most else choose_evenly(selection(), most, aim)


def few(everything: Iterator[T], most: int) -> bool:
    """Return True if *everything* has at most *most* items."""
    return sum(1 for _ in islice(everything, most + 1)) <= most
