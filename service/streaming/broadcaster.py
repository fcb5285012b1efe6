"""A thread that writes updates to waiting live streams, so that their own threads sleep on.

A stream costs a thread, and waking five hundred of them for one event costs more than what they then do. So
a stream that waits leaves its connection with a :class:`StreamOutlet`. One thread asks once for all streams
that stand at the same event and see the same, and writes the answer to each.

That thread never waits for a client. It wakes the stream's own thread for a slow client, a token to be looked
up, a seat that was given up, or a database that is away. The stream goes on from the position of the outlet.
So an outlet makes streams cheaper, and changes nothing in what they say.
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
    """The position of a stream: with the viewer's seat it determines what is told next."""

    seq: int
    """The last event that was told."""
    ended: bool
    """True if the game had ended by then, so that everything is shown."""


class StreamUpdate(msgspec.Struct, frozen=True):
    """An update: the messages that follow on a position."""

    text: bytes
    """The messages; empty where nothing is new."""
    standing: StreamPosition
    """The position of a stream after these messages."""


class StreamOutlet:
    """The connection of one stream, to which another thread may write while the stream waits.

    Args:
        connection: of the client; each text is one chunk of its answer.
        eyes: readers with the same eyes see the same.
        standing: where the stream begins.
        news: what follows; None where the stream's own thread has to look.
        may_hear: True while the listener may listen, as far as that is known without asking.
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
        """Let others write from now on, while the stream's thread waits."""
        with self._lock:
            self._open = True

    def suspend(self) -> None:
        """Let only the stream's thread write from now on; send first what the client did not take at once.

        Raises OSError where the client does not take it now either.
        """
        with self._lock:
            self._open = False
            unsent, self._unsent = self._unsent, b""
        if unsent:
            self._connection.sendall(unsent)

    @property
    def is_open(self) -> bool:
        """True if others may write now."""
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
        """Wake the stream, so that it looks for itself."""
        ...


class Broadcaster:
    """The thread that writes to all streams that follow a game; it starts with the first update."""

    def __init__(self) -> None:
        self._told: SimpleQueue[tuple[str, list[WaitingStream]]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def enqueue(self, word: str, waiting: list[WaitingStream]) -> None:
        """Queue the streams *waiting*, which have outlets, to be told what a hint for *word* brought."""
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
    """Write to each stream; yield those that have to look for themselves."""
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
