"""Limits on the requests and connections that one address, and all together, may have at a witness."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from collections.abc import Callable
from threading import Lock

MOST_ADDRESSES = 10_000


IPV6_PREFIX = 64
"""Bits of an IPv6 address that tell subscribers apart: each has all addresses that begin with them."""


class ConnectionLimiter:
    """So many connections at once, and no more than so many of them from one address.

    Args:
        most: connections in all.
        each: connections of one address; of IPv6, of one subscriber.
    """

    def __init__(self, most: int, each: int) -> None:
        self._most = most
        self._each = each
        self._open: Counter[str] = Counter()
        self._lock = Lock()

    def take(self, address: str) -> bool:
        """Count a new connection; False if it is one too many."""
        who = name_subscriber(address)
        with self._lock:
            if self._open.total() >= self._most or self._open[who] >= self._each:
                return False
            self._open[who] += 1
            return True

    def release(self, address: str) -> None:
        """Count a connection that was taken as closed."""
        who = name_subscriber(address)
        with self._lock:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


def name_subscriber(address: str) -> str:
    """Return the part of an address that its holder cannot choose."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((int(found), IPV6_PREFIX), strict=False))
    return str(found)


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
