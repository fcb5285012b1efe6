"""Times for which bots are waited for and think: counted by the workers, told in `/metrics`.

The counts stand in Redis, for all hosts together. Nothing follows from them. Where they are lost they begin
again at 0, which readers of such figures expect of a restart.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from events.base.backoff import Backoff
from projections.messages.hints import PAUSE

KEY = "rutter:thoughts"
WAITED, THOUGHT = "waited", "thought"
BOUNDS = ("0.03", "0.1", "0.3", "1", "3", "10", "30", "100", "300", "+Inf")
"""Upper ends of the ranges that are counted apart, in seconds."""
_TOTAL = "sum"

Times = tuple[list[tuple[str, float]], float]
"""The number of times up to each of :data:`BOUNDS`, and the sum of all in seconds."""


class ThinkingTimes:
    """Notes times, never raises; without Redis nothing is noted."""

    def __init__(self, redis: Redis | None) -> None:
        self._redis = redis
        self._backoff = Backoff(PAUSE)

    def note(self, bot: str, waited: float, thought: float) -> None:
        """Count that *bot* was asked *waited* seconds before it began, and *thought* for so many."""
        if self._redis is None or self._backoff.is_pausing():
            return
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                for kind, seconds in ((WAITED, waited), (THOUGHT, thought)):
                    bound = next(bound for bound in BOUNDS if seconds <= float(bound))
                    pipe.hincrby(KEY, f"{kind} {bot} {bound}", 1)
                    pipe.hincrbyfloat(KEY, f"{kind} {bot} {_TOTAL}", round(seconds, 6))
                pipe.execute()
        except (RedisError, OSError):
            self._backoff.fail()


def read_times(redis: Redis) -> dict[tuple[str, str], Times]:
    """Return the times by kind (:data:`WAITED` or :data:`THOUGHT`) and bot. Raises RedisError."""
    stored: Any = redis.hgetall(KEY)
    counts = {name.decode(): float(number) for name, number in stored.items()}
    both = sorted({tuple(name.split()[:2]) for name in counts})
    return {(kind, bot): _parse_times(counts, f"{kind} {bot}") for kind, bot in both}


def _parse_times(counts: Mapping[str, float], of: str) -> Times:
    rising = accumulate(counts.get(f"{of} {bound}", 0.0) for bound in BOUNDS)
    return list(zip(BOUNDS, rising, strict=True)), counts.get(f"{of} {_TOTAL}", 0.0)
