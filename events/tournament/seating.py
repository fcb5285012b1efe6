"""The seating at a table: everybody in every seat, and nobody always ahead of the same one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

MAX_ENUMERATED = 6
"""The largest table whose orders are all looked through; larger ones are improved by exchanges."""

Cost = tuple[int, int]


def order_seats(
    pod: Sequence[int],
    had: Mapping[tuple[int, int], int],
    before: Mapping[tuple[int, int], int],
) -> tuple[int, ...]:
    """Return *pod* in seat order.

    Args:
        pod: the entrants of a table.
        had: by entrant and seat the number of times they had it.
        before: by two entrants the number of times the first sat ahead of the second.
    """
    entrants = sorted(pod)
    if len(entrants) <= MAX_ENUMERATED:
        return min(permutations(entrants), key=lambda order: (_cost(order, had, before), order))
    return _improve(entrants, had, before)


def _cost(
    order: Sequence[int], had: Mapping[tuple[int, int], int], before: Mapping[tuple[int, int], int]
) -> Cost:
    seats = [had.get((entrant, seat), 0) for seat, entrant in enumerate(order)]
    ahead = [before.get(two, 0) for two in combinations(order, 2)]
    return sum(2 * times**2 + times for times in seats), sum(times**2 for times in ahead)


def _improve(
    entrants: Sequence[int], had: Mapping[tuple[int, int], int], before: Mapping[tuple[int, int], int]
) -> tuple[int, ...]:
    """Exchange the two seats that lower the cost most, until none do; of equal ones the first."""
    order = tuple(entrants)
    while True:
        cost = _cost(order, had, before)
        swaps = combinations(range(len(order)), 2)
        found = min((_cost(_exchange(order, i, j), had, before), i, j) for i, j in swaps)
        if found[0] >= cost:
            return order
        order = _exchange(order, *found[1:])


def _exchange(order: Sequence[int], i: int, j: int) -> tuple[int, ...]:
    changed = list(order)
    changed[i], changed[j] = changed[j], changed[i]
    return tuple(changed)
