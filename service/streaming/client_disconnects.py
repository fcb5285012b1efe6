"""Disconnects of stream clients: noticed at once, not when the next sign of life cannot be sent."""

from __future__ import annotations

import select
import selectors
import socket
import threading
from collections.abc import Callable

POLL_SECONDS = 1.0
"""The longest wait for a disconnect, in seconds; new connections are watched at the latest then."""


class DisconnectWatcher:
    """A watcher of the connections of the streams of one process. Safe for use by many threads."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._lock = threading.Lock()
        self._gone: dict[int, tuple[socket.socket, Callable[[], None]]] = {}
        self._looking: threading.Thread | None = None

    def watch(self, connection: socket.socket, gone: Callable[[], None]) -> None:
        """Call *gone*, in a thread of ours, when the client of *connection* hangs up."""
        number = connection.fileno()
        with self._lock:
            if number in self._gone:  # closed without a word, and its number given to another
                self._forget(number)
            self._gone[number] = (connection, gone)
            self._selector.register(number, selectors.EVENT_READ)
            if self._looking is None:  # not before it is needed: a thread is lost when a process forks
                self._looking = threading.Thread(target=self._run, name="disconnects", daemon=True)
                self._looking.start()

    def unwatch(self, connection: socket.socket) -> None:
        """Watch *connection* no more; harmless when done twice. To be done before it is closed."""
        with self._lock:
            number = connection.fileno()
            watched = self._gone.get(number)
            if watched is not None and watched[0] is connection:
                self._forget(number)

    def poll(self, seconds: float = 0.0) -> None:
        """Report the clients that have hung up by now, or do so within so many seconds."""
        for key, _ in self._selector.select(seconds):
            with self._lock:
                watched = self._gone.get(key.fd)
                # Another thread may have been first; the number may be of a new client, which says nothing.
                if watched is None or not _is_readable(watched[0]):
                    continue
                # A client that sends while it listens is watched no longer: it would wake us for ever.
                self._forget(key.fd)
            if _has_ended(watched[0]):
                watched[1]()

    def _forget(self, number: int) -> None:
        del self._gone[number]
        self._selector.unregister(number)

    def _run(self) -> None:
        while True:
            self.poll(POLL_SECONDS)


def _is_readable(connection: socket.socket) -> bool:
    """Return True if there is something to read, even the end. Never waits, whatever the time-out."""
    waiting = select.poll()
    try:
        waiting.register(connection, select.POLLIN)
    except ValueError:  # closed
        return True
    return bool(waiting.poll(0))


def _has_ended(connection: socket.socket) -> bool:
    """Return True if what can be read of a connection is its end."""
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
