"""Lists of choices that could be long: all of them, or a few of each kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import comb, prod
from typing import TypeVar

from events.titles.colonial_revised.kept.v1.kit.offers import spread

T = TypeVar("T")

GRID = 2000
"""So many combinations of amounts are looked at."""


def grid(axes: Iterable[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Yield one member of each axis, in every way, or a part of the ways if they are many.

    Where they would be more than :data:`GRID`, the longest axes have fewer members, evenly spread with the
    first and the last among them.

    >>> list(grid([(2, 1, 0), (1, 0)]))
    [(2, 1), (2, 0), (1, 1), (1, 0), (0, 1), (0, 0)]
    """
    kept = [tuple(axis) for axis in axes]
    while prod(map(len, kept)) > GRID:
        longest = max(range(len(kept)), key=lambda number: len(kept[number]))
        *members, last = kept[longest]
        kept[longest] = (*spread(members, len(members) // 2), last)
    return product(*kept)


def choose_subsets(items: Sequence[T], size: int, most: int) -> Iterator[tuple[T, ...]]:
    """Yield *size* of *items* in every way, or *most* of the ways with each item as often.

    Those are neighbours together, the last beside the first.

    >>> list(choose_subsets("abcd", 2, 6))
    [('a', 'b'), ('a', 'c'), ('a', 'd'), ('b', 'c'), ('b', 'd'), ('c', 'd')]
    >>> list(choose_subsets("abcd", 2, 5))
    [('a', 'b'), ('b', 'c'), ('c', 'd'), ('d', 'a')]
    """
    if comb(len(items), size) <= most:
        yield from combinations(items, size)
        return
    for first in range(len(items)):
        yield tuple(items[(first + step) % len(items)] for step in range(size))
