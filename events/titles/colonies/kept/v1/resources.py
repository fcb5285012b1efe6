"""Counting resources: counts by colour, added, taken away, and set in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from events.titles.colonies.kept.v1.data import COLOURS
from events.titles.colonies.kept.v1.primitives import Colour

K = TypeVar("K")
Some = dict[Colour, int]
"""Counts of some colours; absent colours are 0."""


def no_resources() -> Some:
    """Return zero of every colour."""
    return dict.fromkeys(COLOURS, 0)


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


def sort_in_ring_order(resources: Mapping[Colour, int]) -> Some:
    """Return the same counts with colours in ring order and without zeros."""
    return {c: resources[c] for c in COLOURS if resources.get(c)}
