"""Lists of choices that could be long: all of them, or a few of each kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import comb, prod
from typing import TypeVar

from events.rules.kit.offers import spread

T = TypeVar("T")

GRID = 2000
"""So many combinations of amounts are looked at."""


def grid(axes: Iterable[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """One member of each axis, in every way; of the longest axes fewer members, evenly spread with the first
    and the last among them, where that would be more than :data:`GRID`.

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
    """*size* of *items* in every way; where these are more than *most*, each item as often as any other:
    neighbours together, the last beside the first.

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
