"""Observations for learning programs: their bounds, and the scaling that brings them to -1 to 1.

An observation is the row of :func:`events.research.features.features` and then the latest words of the
command that is being said. Every place has bounds that no game leaves. Where they are near, a place is
divided by the greater of the two. Where they are far, the number of its binary digits is: small numbers stay
apart, and the greatest still fits.
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
DIGITS = 31
"""The binary digits of the greatest number of a row."""


class Bound(msgspec.Struct, frozen=True):
    """The bounds of one place of an observation, and its scaling."""

    name: str
    """The place, as in :func:`events.research.features.layout`; `said[0]` and so on for the words."""
    low: int
    high: int
    scaling: Literal["linear", "log"]
    """`linear`: `x / max(-low, high)`; `log`: `sign(x) * min(1, log2(1 + |x|) / 31)`."""

    def scale(self, value: int) -> float:
        """Return *value* as a number from -1 to 1.

        >>> Bound("cards", 0, 8, "linear").scale(4)
        0.5
        >>> Bound("treasury", -(2**31), 2**31 - 1, "log").scale(-1) == -1 / 31
        True
        """
        if self.scaling == "linear":
            return value / max(-self.low, self.high, 1)
        return copysign(min(1.0, log2(1 + abs(value)) / DIGITS), value)


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
    return (*(_make_bound(place.name, place.low, place.high) for place in layout(title)), *said)


def _make_bound(name: str, low: int, high: int) -> Bound:
    return Bound(name, low, high, "linear" if max(-low, high) <= NEAR else "log")


def observe(title: Title[Any], state: Any, seat: Seat, said: Sequence[int] = ()) -> list[int]:
    """Return what *seat* observes: the row of its view, and the words *said* of its next command."""
    return [*features(title, title.view(state, seat)), *recent_words(said)]


def recent_words(said: Sequence[int]) -> Integers:
    """Return the latest words, each counted from 1, with zeros before them."""
    latest = said[-RECENT_WORDS:]
    return (*(0,) * (RECENT_WORDS - len(latest)), *(word + 1 for word in latest))
