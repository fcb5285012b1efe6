"""What is new on a live stream, written for those who wait: their threads sleep on.

A stream costs a thread, and to wake five hundred of them for one event costs more than what they then do. So
a stream that waits leaves its connection with a :class:`StreamOutlet`, and one thread asks once for all who
stand at the same place and see the same, and writes it to each. It never waits for a client, and whatever is
not plain is left to the stream's own thread, which is woken and goes on from where the outlet stands: a slow
client, a token that has to be looked up, a seat that was given up, a database that is away. So nothing
becomes right or wrong by an outlet, only cheap.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Hashable, Iterable
from queue import SimpleQueue
from typing import Protocol

import msgspec
import structlog

log = structlog.get_logger("rutter.service")


class StreamPosition(msgspec.Struct, frozen=True):
    """Where a stream stands: what it tells next follows from this and from whose eyes it is seen with."""

    seq: int
    """The last event that was told."""
    ended: bool
    """Whether the game had ended by then, so that everything is shown."""


class StreamUpdate(msgspec.Struct, frozen=True):
    """What follows on a standing."""

    text: bytes
    """Messages; none where nothing is new."""
    standing: StreamPosition
    """Where whoever has been told that stands."""


class StreamOutlet:
    """The connection of one stream: while the stream waits, others may write there what it would.

    Args:
        connection: of the client; each text is one chunk of its answer.
        eyes: whoever has the same sees the same.
        standing: where the stream begins.
        news: what follows; None where the stream's own thread has to look.
        may_hear: whether whoever listens still may, as far as that is known without asking.
    """

    def __init__(
        self,
        connection: socket.socket,
        eyes: Hashable,
        standing: StreamPosition,
        news: Callable[[StreamPosition], StreamUpdate | None],
        may_hear: Callable[[], bool],
    ) -> None:
        self.eyes, self.standing, self.news = eyes, standing, news
        self._connection = connection
        self._may_hear = may_hear
        self._open = False
        self._unsent = b""
        self._lock = threading.Lock()

    def open(self) -> None:
        """From now on others may write: the stream's thread waits."""
        with self._lock:
            self._open = True

    def suspend(self) -> None:
        """From now on nobody writes but the stream's thread: first what the client did not take at once.

        Raises OSError where he does not take it now either.
        """
        with self._lock:
            self._open = False
            unsent, self._unsent = self._unsent, b""
        if unsent:
            self._connection.sendall(unsent)

    @property
    def is_open(self) -> bool:
        """Whether others may write now."""
        return self._open

    def send(self, news: StreamUpdate, since: StreamPosition) -> bool:
        """Write what follows on *since*; False where the stream's own thread has to look."""
        if not self._may_hear():
            return False
        with self._lock:
            if not self._open or self.standing != since:
                return False
            return self._write(news)

    def _write(self, news: StreamUpdate) -> bool:
        if not news.text:
            return True
        chunk = b"%x\r\n%b\r\n" % (len(news.text), news.text)
        try:
            sent = os.write(self._connection.fileno(), chunk)
        except OSError:  # nothing of it: no room, or nobody there
            return False
        self.standing = news.standing
        if sent == len(chunk):
            return True
        self._unsent, self._open = chunk[sent:], False
        return False


class WaitingStream(Protocol):
    """A stream that waits for hints."""

    outlet: StreamOutlet | None

    def wake(self, word: str = "") -> None:
        """Let it look for itself."""
        ...


class Broadcaster:
    """The thread that tells all who follow a game; it begins when there is something to tell."""

    def __init__(self) -> None:
        self._told: SimpleQueue[tuple[str, list[WaitingStream]]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def enqueue(self, word: str, waiting: list[WaitingStream]) -> None:
        """A hint was given for *word*: tell those who follow it and have outlets."""
        with self._lock:
            if self._thread is None:  # not before it is needed: a thread is lost when a process forks
                self._thread = threading.Thread(target=self._run, name="herald", daemon=True)
                self._thread.start()
        self._told.put((word, waiting))

    def _run(self) -> None:
        while True:
            word, waiting = self._told.get()
            for one in _broadcast(waiting):
                one.wake(word)


def _broadcast(waiting: Iterable[WaitingStream]) -> Iterable[WaitingStream]:
    """Tell each of them; those who have to look for themselves."""
    found: dict[tuple[Hashable, StreamPosition], StreamUpdate | None] = {}
    for one in waiting:
        outlet = one.outlet
        try:
            if outlet is None or not _send_update(outlet, found):
                yield one
        except Exception:  # the stream's own thread meets it too, and knows what to do
            log.warning("herald_leaves_it_to_the_stream", exc_info=True)
            yield one


def _send_update(
    outlet: StreamOutlet, found: dict[tuple[Hashable, StreamPosition], StreamUpdate | None]
) -> bool:
    if not outlet.is_open:
        return False
    since = outlet.standing
    key = (outlet.eyes, since)
    if key not in found:
        found[key] = outlet.news(since)
    news = found[key]
    return news is not None and outlet.send(news, since)
