"""Points of a table: the worth of places, the sharing of equal places, the cost of leaving.

The unit is 1/2520 point, so that up to ten can share exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

UNIT = 2520
"""Units of a point."""
SHARE = 1_000_000
"""The most that the shares of a table add up to."""
_DEFAULT = 5 * UNIT

Forfeit = Literal["last", "substitute", "zero"]
"""The rule for the worth of a seat that its entrant left before the end.

``last``: the last place, whatever place a substitute reaches. ``substitute``: as played, half of it to a
substitute who is an entrant, else nothing. ``zero``: as played, but nothing for the entrant.
"""


def place_values(entrants: int, table: Mapping[str, Sequence[int]]) -> tuple[int, ...]:
    """Return the worth of each place at a table, in units; *table*: points by size, as settled.

    >>> place_values(4, {}), place_values(3, {"3": [5, 3, 1]})
    ((12600, 8400, 4200, 0), (12600, 7560, 2520))
    """
    settled = table.get(str(entrants))
    if settled is not None:
        return tuple(points * UNIT for points in settled)
    if entrants == 1:
        return (_DEFAULT,)
    return tuple(_DEFAULT * (entrants - place) // (entrants - 1) for place in range(1, entrants + 1))


def share_points(places: Sequence[int], values: Sequence[int]) -> tuple[int, ...]:
    """Return the points by seat. Equal places (1 is best) share what they cover, rounded down.

    >>> share_points([1, 2, 2, 4], [12600, 7560, 5040, 2520])
    (12600, 6300, 6300, 2520)
    """
    return tuple(
        sum(values[place - 1 : place - 1 + places.count(place)]) // places.count(place) for place in places
    )


def move_up_stayers(places: Sequence[int], left: Sequence[int | None]) -> tuple[int, ...]:
    """Return *places* with those who left (by seat the event of it) last; the later leaver is better.

    >>> move_up_stayers([2, 1, 3, 4], [None, 57, None, 90])
    (1, 4, 2, 3)
    """
    stayed = [place for place, gone in zip(places, left, strict=True) if gone is None]
    gone_at = [gone for gone in left if gone is not None]
    return tuple(
        1 + sum(other < place for other in stayed)
        if gone is None
        else 1 + len(stayed) + sum(other > gone for other in gone_at)
        for place, gone in zip(places, left, strict=True)
    )


def score_shares(scores: Sequence[int]) -> tuple[int, ...]:
    """Return each seat's share of all scores, in millionths; scores below zero lift the others.

    >>> score_shares([0, 0, 0, 0]), score_shares([-2, 0, 4])
    ((250000, 250000, 250000, 250000), (0, 250000, 750000))
    """
    lowest = min(0, *scores) if scores else 0
    total = sum(score - lowest for score in scores)
    if total == 0:
        return (SHARE // len(scores),) * len(scores)
    return tuple(SHARE * (score - lowest) // total for score in scores)
