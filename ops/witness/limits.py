"""Limits on the requests that one address, and all together, may make of a witness."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

MOST_ADDRESSES = 10_000


class RateLimiter:
    """So many requests at once, and so many a second from then on.

    Args:
        burst: requests at once.
        rate: requests a second.
        clock: seconds that only rise.
    """

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._rate = rate
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def take(self, who: str) -> float:
        """Use one up: 0, or the seconds to wait where there is none."""
        now = self._clock()
        with self._lock:
            left, since = self._left.get(who, (self._burst, now))
            left = min(self._burst, left + (now - since) * self._rate)
            if left < 1:
                return (1 - left) / self._rate
            if who not in self._left and len(self._left) >= MOST_ADDRESSES:
                self._drop_idle(now)
            self._left[who] = (left - 1, now)
            return 0.0

    def _drop_idle(self, now: float) -> None:
        """Drop those who have their whole allowance again; all where there are none."""
        full = self._burst / self._rate
        self._left = {who: kept for who, kept in self._left.items() if now - kept[1] < full}
        if len(self._left) >= MOST_ADDRESSES:
            self._left.clear()
