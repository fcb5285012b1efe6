"""Hints over Redis that a game has new events.

A hint says only "game X has event N". Whoever gets it reads the log; whoever misses it reads the log a little
later. So a lost message costs time and never data, and commands are accepted while Redis is away.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import structlog
from redis import Redis
from redis.client import PubSub
from redis.exceptions import RedisError

CHANNEL = "rutter:appended"

log = structlog.get_logger()


class Hints:
    """Publishes hints, and waits for them."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._pubsub: PubSub | None = None

    def publish(self, game_id: str, seq: int) -> None:
        """Tell whoever listens. Never fails: nothing depends on it."""
        try:
            self._redis.publish(CHANNEL, f"{game_id} {seq}")
        except RedisError as error:
            log.warning("hint_lost", game=game_id, seq=seq, error=str(error))

    def wait(self, seconds: float) -> str | None:
        """Wait until a hint arrives or *seconds* are over; the game's id, or None. Raises RedisError."""
        if self._pubsub is None:
            self._pubsub = self._redis.pubsub(ignore_subscribe_messages=True)
            self._pubsub.subscribe(CHANNEL)
        try:
            message = self._pubsub.get_message(timeout=seconds)
        except RedisError:
            self._pubsub = None
            raise
        if message is None:
            return None
        data = message["data"]
        return (data.decode() if isinstance(data, bytes) else str(data)).split(" ")[0]

    def listen(self, seconds: float) -> Iterator[str | None]:
        """Ids of games with new events, for ever; None where none came for *seconds* or Redis was away."""
        while True:
            try:
                yield self.wait(seconds)
            except RedisError:
                time.sleep(min(seconds, 1.0))
                yield None
