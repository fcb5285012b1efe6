"""Hints between processes that a game has grown, on one channel of Redis.

A hint is ``<origin> <game id> <seq>``, of several games ``<origin> <game id> <seq> <game id> <seq> ...``.
After a `seq` stands ``!`` if the game now waits for a bot or the server, for whom nothing may be gathered.

Between processes of the API there are more, with these in place of a game's id. ``token:<id>``: a token was
revoked. ``stream:<id>``: a stream was opened with that token. ``account:<id>``: an account has changed.
``notice:<id>``: an account was told something. ``talk:<id>``: something was said in that talk, or at a table
of that account. ``talk:<id>/<n>``: the words of message *n* of that talk were erased. ``presence:<id>``:
other people have that game open.

The channel is that of one database of Redis, for Redis itself tells all of them what is said on a channel. So
two installations that share a server, each with a database of its own, do not hear one another.

A hint carries no data and may be lost: a process that gets one reads the log, and looks there now and then
without one. So Redis may be away at any time; what it costs is time.
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Container, Iterable
from queue import Empty, SimpleQueue
from typing import Any

import msgspec
import structlog
from redis import Redis
from redis.client import PubSub
from redis.exceptions import RedisError

from events.base.backoff import Backoff

CHANNEL = "rutter:appended"
"""The beginning of the channel's name; the number of the database of Redis follows."""
PROMPT = "!"
"""Stands after the number of an event whose game waits for a bot or the server."""
NOTICE = "notice"
"""The prefix of the id of an account that was told something."""
FREE = "free"
"""The word a worker sends in place of a game's id when it has done a task: there is room for the next."""
GATHER_SECONDS = 0.02
"""Seconds between two messages of a process, unless a game waits for a bot or the server.

What is told meanwhile goes together, for it is the message that costs something, in every process that hears
it. What is told after a pause waits for nothing.
"""
PAUSE = 2.0
"""Seconds without another attempt after Redis could not be reached."""
LISTEN_SECONDS = 2.0
"""Seconds for which one look at the channel waits for a hint."""
LISTEN_PAUSE = 0.05
"""Seconds after a hint in which a process that has no use for the next at once leaves them to gather."""
WAITED_SECONDS = 0.001
"""Seconds of a wait for a hint that had not come yet."""
MOST_TOLD = 200
"""Accounts at most of which one message tells that they were told something."""
LAST_SECONDS = 2.0
"""The most seconds that a process which stops waits until what is still to be told has been."""

log = structlog.get_logger()


class HeardHints(msgspec.Struct, frozen=True):
    """The hints that were heard in a while."""

    games: frozenset[str] = frozenset()
    """The games that have grown."""
    prompt: bool = False
    """True if one of them waits for a bot or the server, or a worker for its next task."""
    freed: bool = False
    """True if a worker has done a task."""


class _Outlet:
    """One thread's connection to Redis, on which it does not wait for an answer before it needs to.

    To borrow a connection and to be woken for the answer costs four times as much as the message.
    """

    def __init__(self, redis: Redis) -> None:
        self._pool = redis.connection_pool
        self._connection: Any = None
        self._unanswered: str | None = None

    def publish(self, channel: str, message: str) -> None:
        """Send *message*. Raises RedisError or OSError, as :meth:`confirm` does."""
        try:
            if self._connection is None:
                self._connection = self._pool.get_connection()
            elif self._connection.can_read(timeout=0):  # the server has hung up, for no answer is due
                self._connection.disconnect()
            self._connection.send_command("PUBLISH", channel, message)
        except (RedisError, OSError):
            self.close()
            raise
        self._unanswered = message

    def confirm(self) -> str | None:
        """Read the answer to the last message. Return that message if there is none, to be sent again."""
        message, self._unanswered = self._unanswered, None
        if message is not None:
            try:
                self._connection.read_response()
            except (RedisError, OSError):
                self.close()
                return message
        return None

    def close(self) -> None:
        """Give the connection back, as one that is not connected."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(RedisError, OSError):
                connection.disconnect()
            self._pool.release(connection)


class Hints:
    """Tells of new events, here and in other processes, and hears from them.

    Without Redis nothing is said to other processes, or heard from them.
    """

    def __init__(self, redis: Redis | None) -> None:
        self.redis = redis
        self.hearing = False
        """True if hints of other processes arrive now (in the thread that :meth:`listen` starts)."""
        self._origin = uuid.uuid4().hex[:12]
        self._backoff = Backoff(PAUSE)
        self._stopped = threading.Event()
        self._resumed = threading.Event()
        """Set if the pause of the thread that listens is to end."""
        self._channel: PubSub | None = None
        self._heard: deque[tuple[str, bool]] = deque()
        """The further hints that the last message told of."""
        self.announced = 0
        """The number of hints given to :meth:`announce`."""
        self._followed: Container[str] = ()
        """The words that are followed in this process."""
        self._wake: Callable[[str], None] | None = None
        self._untold: SimpleQueue[tuple[str, str] | None] = SimpleQueue()
        self._urgent = threading.Event()
        """Set if what is to be told next waits for nothing: a game waits, or this process stops."""
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self.untold = 0
        """The number of hints given to :meth:`tell` that Redis was not asked to take yet."""

    @property
    def channel(self) -> str:
        """The name of the channel."""
        settings = {} if self.redis is None else self.redis.connection_pool.connection_kwargs
        return f"{CHANNEL}:{settings.get('db') or 0}"

    def wake_here(self, followed: Container[str], wake: Callable[[str], None]) -> None:
        """Call *wake* with each word that is announced here while it is one of *followed*."""
        self._followed, self._wake = followed, wake

    def announce(self, stream: str, seq: int, awaits_server: bool) -> None:
        """Tell everybody that event *seq* was appended: those who follow here, and other processes.

        *awaits_server*: the game or tournament now waits for a bot or the server.
        """
        with self._lock:
            self.announced += 1
        if self._wake is not None and stream in self._followed:
            self._wake(stream)
        self.tell(stream, seq, prompt=awaits_server)

    def tell(self, game_id: str, seq: int, *, prompt: bool = False) -> None:
        """Tell the others at once, from a thread of its own: nobody waits for Redis to take it.

        What is told soon after the last goes there together, of each game only the newest.
        """
        if self.redis is None:
            return
        with self._lock:
            self.untold += 1
            if self._thread is None:  # not before it is needed: a thread is lost when a process forks
                self._thread = threading.Thread(target=self._tell_always, name="tells", daemon=True)
                self._thread.start()
        self._untold.put((game_id, _write_seq(seq, prompt=prompt)))
        if prompt:
            self._urgent.set()

    def _tell_always(self) -> None:
        outlet = _Outlet(self.redis)  # type: ignore[arg-type]
        while (first := self._untold.get()) is not None:
            self._urgent.clear()  # before the others are taken: what is put after this sets it again
            hints, last = [first], False
            with contextlib.suppress(Empty):
                while not last:
                    more = self._untold.get_nowait()
                    last = more is None
                    hints += [more] if more else []
            try:
                self._tell(outlet, self._write(dict(hints).items()))
            except Exception:  # whatever it is: the next hints are told all the same
                log.exception("hints_lost")
            with self._lock:
                self.untold -= len(hints)
            if not last:
                self._urgent.wait(GATHER_SECONDS)
            self._confirm(outlet)
            if last:
                return

    def _tell(self, outlet: _Outlet, message: str) -> None:
        """Send a message of the thread that tells; its answer is read before the next."""
        if self._backoff.is_pausing():
            return
        try:
            outlet.publish(self.channel, message)
        except (RedisError, OSError):
            self._send(message)

    def _confirm(self, outlet: _Outlet) -> None:
        """Send the last message again if Redis has not taken it: that it is told twice does no harm."""
        try:
            lost = outlet.confirm()
        except Exception:  # as above
            log.exception("hints_lost")
            outlet.close()
            return
        if lost is not None:
            self._send(lost)

    def publish(self, game_id: str, seq: int) -> bool:
        """Tell the others, and return True if Redis took it. Never raises."""
        return self._publish([(game_id, str(seq))])

    def publish_append(self, game_id: str, seq: int, prompt: bool) -> bool:
        """Tell the others of an event; *prompt*: the game now waits for a bot or the server."""
        return self._publish([(game_id, _write_seq(seq, prompt=prompt))])

    def _publish(self, hints: Iterable[tuple[str, str]]) -> bool:
        return self._send(self._write(hints))

    def _write(self, hints: Iterable[tuple[str, str]]) -> str:
        """Return the message that tells of *hints*."""
        return " ".join((self._origin, *(f"{game_id} {seq}" for game_id, seq in hints)))

    def _send(self, message: str) -> bool:
        if self.redis is None or self._backoff.is_pausing():
            return False
        try:
            self.redis.publish(self.channel, message)
        except (RedisError, OSError):
            self._backoff.fail()
            return False
        return True

    def publish_notice(self, account: str) -> None:
        """Tell the others that *account* was told something."""
        self.publish_notices([account])

    def publish_notices(self, accounts: Iterable[str]) -> None:
        """Tell the others that these accounts were told something: of many at once, of each once."""
        words = [(f"{NOTICE}:{account}", "0") for account in dict.fromkeys(accounts)]
        for begin in range(0, len(words), MOST_TOLD):
            self._publish(words[begin : begin + MOST_TOLD])

    def wait(self, seconds: float) -> str | None:
        """Wait for a hint of another process: the id of the game that has grown, or None.

        For one thread only. Raises RedisError while Redis is away.
        """
        if self.redis is None:
            self._stopped.wait(seconds)
            return None
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and not self._stopped.is_set():
            heard = self._read_next(left)
            if heard is not None:
                return heard[0]
        return None

    def gather(self, seconds: float, pause: float) -> HeardHints:
        """Wait for a hint that a game has grown, or a worker is free; and for more to come with it.

        The first is waited for *seconds*. More are waited for until *pause* has passed since the call. So a
        hint that comes later waits for none. Once a game waits for a bot or the server, only what has come
        already is heard. As :meth:`wait` otherwise.
        """
        if self.redis is None:
            self._stopped.wait(seconds)
            return HeardHints()
        games: set[str] = set()
        prompt = freed = False
        called = time.monotonic()
        until = called + seconds
        while not self._stopped.is_set():
            left = 0.0 if prompt else max(0.0, until - time.monotonic())
            heard = self._read_next(left)
            if heard is None:
                if prompt or time.monotonic() >= until:
                    break
                continue
            word, now = heard
            if ":" in word:
                continue  # it is for processes of the API
            if not games and not freed:
                until = called + pause
            freed = freed or word == FREE
            prompt = prompt or now or word == FREE
            if word != FREE:
                games.add(word)
        return HeardHints(frozenset(games), prompt, freed)

    def _read_next(self, seconds: float) -> tuple[str, bool] | None:
        """Return the next hint within so many seconds, and True if it is prompt; None without one."""
        if not self._heard:
            if self._channel is None:
                channel = self.redis.pubsub(ignore_subscribe_messages=True)  # type: ignore[union-attr]
                channel.subscribe(self.channel)
                self._channel = channel
            message = self._channel.get_message(timeout=seconds)
            if message is None:
                return None
            origin, *words = bytes(message["data"]).decode(errors="replace").split(" ")
            if origin != self._origin:
                self._heard.extend(
                    (word, seq.endswith(PROMPT)) for word, seq in zip(words[::2], words[1::2], strict=False)
                )
        return self._heard.popleft() if self._heard else None

    def listen(
        self,
        heard: Callable[[str], None],
        missed: Callable[[], None],
        is_prompt: Callable[[], bool] = lambda: True,
    ) -> None:
        """Call *heard* with the id of each game that another process told of, in a thread of its own.

        *missed* is called whenever hints can be heard again that could not be for a while. Unless somebody
        waits for the next hint (*is_prompt*), hints gather for a moment after each: they are heard together.
        :meth:`resume` ends that moment.
        """
        if self.redis is not None:
            threading.Thread(
                target=self._listen, args=(heard, missed, is_prompt), name="hints", daemon=True
            ).start()

    def _listen(
        self, heard: Callable[[str], None], missed: Callable[[], None], is_prompt: Callable[[], bool]
    ) -> None:
        while not self._stopped.is_set():
            try:
                began = time.monotonic()
                told = self._read_next(LISTEN_SECONDS)
                took = time.monotonic() - began
                if not self.hearing:
                    self.hearing = True
                    missed()
                if told is not None:
                    heard(told[0])
                if took >= LISTEN_SECONDS:
                    continue  # nothing came, so that nothing gathers
                waited = took > WAITED_SECONDS  # else it had come with the one before
                self._resumed.clear()  # before it is asked: what begins to wait after this sets it again
                if waited and not self._stopped.is_set() and not is_prompt():
                    self._resumed.wait(LISTEN_PAUSE)
            except (RedisError, OSError):
                self.hearing = False
                self._forget_channel()
                self._stopped.wait(PAUSE)
        self._forget_channel()

    def resume(self) -> None:
        """Hear at once what has gathered, for now it is waited for."""
        self._resumed.set()

    def _forget_channel(self) -> None:
        channel, self._channel = self._channel, None
        if channel is not None:
            with contextlib.suppress(RedisError, OSError):
                channel.close()

    def is_redis_alive(self) -> bool:
        """Return True if Redis answers."""
        if self.redis is None:
            return False
        try:
            return bool(self.redis.ping())
        except (RedisError, OSError):
            return False

    def stop(self) -> None:
        """Stop listening.

        What is still to be told has been when this returns (or Redis takes too long for it). The caller
        closes the connection next, and nobody may be reading from it then.
        """
        self._stopped.set()
        self._resumed.set()
        self._untold.put(None)
        self._urgent.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(LAST_SECONDS)


def _write_seq(seq: int, *, prompt: bool) -> str:
    return f"{seq}{PROMPT}" if prompt else str(seq)
