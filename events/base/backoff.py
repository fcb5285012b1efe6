"""Pauses after failures."""

from __future__ import annotations

import time
from collections.abc import Callable


class Backoff:
    """The pauses after failures: each twice as long as the one before, until something succeeds.

    Args:
        first: seconds of the pause after the first failure.
        longest: seconds that no pause exceeds; by default all are as long as the first.
        clock: returns the seconds of a steady clock.
    """

    def __init__(
        self, first: float, longest: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._first = first
        self._longest = first if longest is None else longest
        self._clock = clock
        self._next = min(first, self._longest)
        self._until = float("-inf")

    def fail(self) -> float:
        """Begin the pause after a failure, and return its seconds."""
        pause, self._next = self._next, min(2 * self._next, self._longest)
        self.hold(pause)
        return pause

    def hold(self, seconds: float) -> None:
        """Begin a pause of so many seconds; it counts as no failure."""
        self._until = self._clock() + seconds

    def reset(self) -> None:
        """Start over after a success: no pause is under way, and the next is the first."""
        self._next = min(self._first, self._longest)
        self._until = float("-inf")

    def is_pausing(self) -> bool:
        """Return True while a pause is under way."""
        return self._clock() < self._until

    def seconds_left(self) -> float:
        """Return the seconds until the pause is over; 0 where none is under way."""
        return max(0.0, self._until - self._clock())
