"""Helpers shared by legal lists and samplers: ways to put counters on spaces, and random choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TypeVar

from events.rules.chance import Chance
from events.titles.colonial_revised.data import SPACES
from events.titles.colonial_revised.parts import SpaceCount

T = TypeVar("T")

Split = tuple[tuple[int, int], ...]
"""Counters by space."""
MOST = 300
"""At most so many commands of a type are listed."""


# --- lists ---------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def splits(spaces: tuple[int, ...], count: int) -> tuple[Split, ...]:
    """All ways to put *count* counters on *spaces*.

    >>> splits((4, 7), 2)
    (((4, 2),), ((4, 1), (7, 1)), ((7, 2),))
    """
    if not count:
        return ((),)
    if not spaces:
        return ()
    first, rest = spaces[0], spaces[1:]
    found: list[Split] = []
    for here in range(count, -1, -1):
        head: Split = ((first, here),) if here else ()
        found += [head + tail for tail in splits(rest, count - here)]
    return tuple(found)


def list_capped_splits(held: Mapping[int, int], count: int) -> Iterator[Split]:
    """Those of :func:`splits` that take at most what each space holds."""
    for split in splits(tuple(held), count):
        if all(number <= held[space] for space, number in split):
            yield split


def entries(split: Split) -> tuple[SpaceCount, ...]:
    """A split as commands write it."""
    return tuple(SpaceCount(SPACES[space].id, count) for space, count in split)


def names(spaces: Sequence[int]) -> tuple[str, ...]:
    """Ids of spaces."""
    return tuple(SPACES[space].id for space in spaces)


def subsets(items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """All of the items first, none last."""
    for size in range(len(items), -1, -1):
        yield from combinations(items, size)


# --- samples: their draws are nobody's business --------------------------------------------------


def pick(chance: Chance, options: Sequence[T]) -> T:
    """One of the options."""
    return chance.pick(options, hidden=True)


_PERCENT = range(100)


def draw_percent(chance: Chance, percent: int) -> bool:
    """True in so many of a hundred cases."""
    return chance.pick(_PERCENT, hidden=True) < percent


def draw_up_to(chance: Chance, most: int) -> int:
    """0 .. most."""
    return pick(chance, range(max(0, most) + 1))


def scatter(chance: Chance, spaces: Sequence[int], count: int) -> Split:
    """So many counters thrown on spaces."""
    counts: dict[int, int] = {}
    for _ in range(count):
        space = pick(chance, spaces)
        counts[space] = counts.get(space, 0) + 1
    return tuple(counts.items())


def draw_counters(chance: Chance, held: Mapping[int, int], count: int) -> Split:
    """So many of the counters held, by space."""
    left, taken = dict(held), dict[int, int]()
    for _ in range(count):
        space = pick(chance, [s for s, n in left.items() if n])
        left[space] -= 1
        taken[space] = taken.get(space, 0) + 1
    return tuple(taken.items())
