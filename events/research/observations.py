"""Observations for learning programs: their bounds, and the scaling that brings them to -1 to 1.

An observation is the row of :func:`events.research.features.features` and then the latest words of the
command that is being said. Every place has bounds that no game leaves. Where they are near, a place is
divided by the greater of the two. Where they are far, its binary digits are counted, as a share of those of
the greatest number: small numbers stay apart, and the greatest still fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import copysign, log2
from typing import Any, Literal

import msgspec

from events.research.encoding import Integers, vocabulary
from events.research.features import features, layout
from events.rules.fact import Seat
from events.rules.title import Title

RECENT_WORDS = 32
"""So many words of the command that is being said stand in the observation, the latest last."""
NEAR = 1024
"""A place is linear if it never exceeds this."""


class Bound(msgspec.Struct, frozen=True):
    """The bounds of one place of an observation, and its scaling."""

    name: str
    """The place, as in :func:`events.research.features.layout`; `said[0]` and so on for the words."""
    low: int
    high: int
    scaling: Literal["linear", "log"]
    """With `m = max(-low, high)`: `linear` is `x / m`, `log` is `sign(x) * log2(1 + |x|) / log2(1 + m)`."""

    @property
    def greatest(self) -> int:
        """The number that is scaled to 1 or to -1."""
        return max(-self.low, self.high, 1)

    def scale(self, value: int) -> float:
        """Return *value* as a number from -1 to 1.

        >>> Bound("cards", 0, 8, "linear").scale(4)
        0.5
        >>> Bound("treasury", 0, 2**20 - 1, "log").scale(2**10 - 1)
        0.5
        """
        if self.scaling == "linear":
            return value / self.greatest
        return copysign(min(1.0, log2(1 + abs(value)) / log2(1 + self.greatest)), value)


@cache
def observation_bounds(title: Title[Any], seats: int) -> tuple[Bound, ...]:
    """Return the bounds of each place of an observation at a table of *seats*.

    The places are the same at every table of a title, so that one network can play at all of them.
    Raises ``ValueError`` for a number of seats that the title does not have.
    """
    if seats not in title.seats:
        raise ValueError(
            f"{title.id} has no table of {seats} seats: give {min(title.seats)} to {max(title.seats)}"
        )
    length = len(vocabulary(title))
    said = (_make_bound(f"said[{place}]", 0, length) for place in range(RECENT_WORDS))
    return (*(_make_bound(place.name, place.least, place.most) for place in layout(title)), *said)


def _make_bound(name: str, low: int, high: int) -> Bound:
    return Bound(name, low, high, "linear" if max(-low, high) <= NEAR else "log")


def observe(title: Title[Any], state: Any, seat: Seat, said: Sequence[int] = ()) -> list[int]:
    """Return what *seat* observes: the row of its view, and the words *said* of its next command."""
    return [*features(title, title.view(state, seat)), *recent_words(said)]


def recent_words(said: Sequence[int]) -> Integers:
    """Return the latest words, each counted from 1, with zeros before them."""
    latest = said[-RECENT_WORDS:]
    return (*(0,) * (RECENT_WORDS - len(latest)), *(word + 1 for word in latest))
