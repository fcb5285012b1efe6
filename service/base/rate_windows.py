"""Moving windows, over which the requests of clients are counted: in Redis, or in this process.

In Redis a window is kept as the library `limits` keeps it. The library takes two trips to count a request and
to say what is left, and one more for each further window. Here one trip does all of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import msgspec
from limits import RateLimitItem
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from redis import Redis
from redis.exceptions import RedisError

_PREFIX = "rutter:limits"
"""Begins the name of each window in Redis."""


class Allowance(msgspec.Struct, frozen=True):
    """The allowance that is left of a rate."""

    partition: str
    quota: int
    window: int
    """The length of the window, in seconds."""
    left: int
    reset: int
    """The seconds until more is left."""
    exceeded: bool = False


class RateWindow(msgspec.Struct, frozen=True):
    """A moving window to look at."""

    name: str
    """The name that the headers of an answer give it."""
    item: RateLimitItem
    who: tuple[str, ...]
    """The words that tell it apart from the windows of others."""
    spend: bool
    """True to count a request in it."""

    def make_allowance(self, left: int, reset: float, *, exceeded: bool) -> Allowance:
        """Return the allowance of this window, of which more is left at the time *reset*."""
        seconds = self.item.get_expiry()
        rest = min(seconds, max(1, math.ceil(reset - time.time())))
        return Allowance(self.name, self.item.amount, seconds, max(0, left), rest, exceeded=exceeded)


class OwnWindows:
    """The moving windows of this process alone."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def look(self, windows: Sequence[RateWindow]) -> list[Allowance]:
        """Return what is left of the windows, up to the first that is exceeded; count in them as they say."""
        found: list[Allowance] = []
        for window in windows:
            granted = not window.spend or self._limiter.hit(window.item, *window.who)
            reset, left = self._limiter.get_window_stats(window.item, *window.who)
            exceeded = not granted or (not window.spend and left <= 0)
            found.append(window.make_allowance(left, reset, exceeded=exceeded))
            if exceeded:
                break
        return found


_LOOK = b"""
local found = {}
for n, key in ipairs(KEYS) do
    local limit, since = tonumber(ARGV[4 * n - 2]), tonumber(ARGV[4 * n - 1])
    local last = redis.call('lindex', key, limit - 1)
    local full = last and tonumber(last) >= since
    if ARGV[4 * n + 1] == '1' and not full then
        redis.call('lpush', key, ARGV[1])
        redis.call('ltrim', key, 0, limit - 1)
        redis.call('expire', key, ARGV[4 * n])
    end
    local low, high, oldest = 0, limit - 1, ARGV[1]
    while low <= high do
        local middle = math.floor((low + high) / 2)
        local entry = redis.call('lindex', key, middle)
        if entry and tonumber(entry) >= since then
            low, oldest = middle + 1, entry
        else
            high = middle - 1
        end
    end
    found[n] = {full and 1 or 0, low, oldest}
    if full then break end
end
return found
"""
"""Looks at several windows, each a list of times with the newest first, up to the first one that is full.

KEYS are the lists. ARGV are the time, and four values for each window: its limit, the time since which it
counts, its seconds, and 1 to count a request in it. It returns three values for each window: 1 if it was
full, the number of times in it now, and the oldest of them.
"""


class SharedWindows:
    """The moving windows in Redis, which all processes share."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._script = redis.register_script(_LOOK)

    def is_reachable(self) -> bool:
        """Return True if Redis answers."""
        try:
            return bool(self._redis.ping())
        except (RedisError, OSError):
            return False

    def look(self, windows: Sequence[RateWindow]) -> list[Allowance]:
        """Return what is left of the windows, up to the first that is exceeded; count in them as they say.

        Raises RedisError and OSError.
        """
        now = time.time()
        keys = [f"{_PREFIX}:{window.item.key_for(*window.who)}" for window in windows]
        values: list[Any] = [repr(now)]
        for window in windows:
            seconds = window.item.get_expiry()
            values += (window.item.amount, repr(now - seconds), seconds, int(window.spend))
        return [
            window.make_allowance(
                window.item.amount - count, float(oldest) + window.item.get_expiry(), exceeded=full == 1
            )
            for window, (full, count, oldest) in zip(
                windows, self._script(keys=keys, args=values), strict=False
            )
        ]
