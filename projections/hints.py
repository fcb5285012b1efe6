"""Hints between processes that a game has grown: ``<origin> <game id> <seq>`` on one channel of Redis.

Between processes of the API also that a token was revoked, a stream was opened with it, or an account has
changed: ``token:<id>``, ``stream:<id>`` and ``account:<id>`` in place of a game's id; ``notice:<id>`` that an
account was told something.

A hint carries no data and may be lost: whoever gets one reads the log, and looks there now and then
without one. So Redis may be away at any time; what it costs is time.
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Callable

from redis import Redis
from redis.client import PubSub
from redis.exceptions import RedisError

CHANNEL = "rutter:appended"
NOTICE = "notice"
"""Before the id of an account that was told something."""
FREE = "free"
"""What a worker tells in place of a game's id when it has done a task: there is room for the next."""
PAUSE = 2.0
"""Seconds without another attempt after Redis could not be reached."""


class Hints:
    """Tells other processes of new events, and hears from them. Without Redis nothing is said or heard."""

    def __init__(self, redis: Redis | None) -> None:
        self.redis = redis
        self.hearing = False
        """Whether hints of other processes arrive now (in the thread that :meth:`listen` starts)."""
        self._origin = uuid.uuid4().hex[:12]
        self._quiet_until = 0.0
        self._stopped = threading.Event()
        self._channel: PubSub | None = None

    def publish(self, game_id: str, seq: int) -> bool:
        """Tell the others; never raises. Whether Redis took it."""
        if self.redis is None or time.monotonic() < self._quiet_until:
            return False
        try:
            self.redis.publish(CHANNEL, f"{self._origin} {game_id} {seq}")
        except (RedisError, OSError):
            self._quiet_until = time.monotonic() + PAUSE
            return False
        return True

    def noticed(self, account: str) -> None:
        """Tell the others that *account* was told something."""
        self.publish(f"{NOTICE}:{account}", 0)

    def wait(self, seconds: float) -> str | None:
        """Wait for a hint of another process: the id of the game that has grown, or None.

        For one thread only. Raises RedisError while Redis is away.
        """
        if self.redis is None:
            self._stopped.wait(seconds)
            return None
        if self._channel is None:
            channel = self.redis.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
            channel.subscribe(CHANNEL)
            self._channel = channel
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and not self._stopped.is_set():
            message = self._channel.get_message(timeout=left)
            if message is not None:
                origin, game_id, *_ = [*bytes(message["data"]).decode(errors="replace").split(" "), "", ""]
                if origin != self._origin:
                    return game_id
        return None

    def listen(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Call *heard* with the id of each game that another process told of, in a thread of its own.

        *missed* is called whenever hints can be heard again that could not be for a while.
        """
        if self.redis is not None:
            threading.Thread(target=self._listen, args=(heard, missed), name="hints", daemon=True).start()

    def _listen(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        while not self._stopped.is_set():
            try:
                game_id = self.wait(0.9)
                if not self.hearing:
                    self.hearing = True
                    missed()
                if game_id is not None:
                    heard(game_id)
            except (RedisError, OSError):
                self.hearing = False
                self._forget_channel()
                self._stopped.wait(PAUSE)
        self._forget_channel()

    def _forget_channel(self) -> None:
        channel, self._channel = self._channel, None
        if channel is not None:
            with contextlib.suppress(RedisError, OSError):
                channel.close()

    def alive(self) -> bool:
        """Whether Redis answers."""
        if self.redis is None:
            return False
        try:
            return bool(self.redis.ping())
        except (RedisError, OSError):
            return False

    def stop(self) -> None:
        """Stop listening."""
        self._stopped.set()
