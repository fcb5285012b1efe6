"""The live streams of one process: which game each of them follows, and how to wake them."""

from __future__ import annotations

import threading
from collections import defaultdict
from queue import Empty, SimpleQueue
from typing import Self


class Full(Exception):
    """No more streams here."""


class Listener:
    """One stream's place in the hub."""

    def __init__(self, hub: Hub, game_id: str) -> None:
        self.game_id = game_id
        self.closing = False
        self._hub = hub
        self._wakes: SimpleQueue[None] = SimpleQueue()

    def wake(self) -> None:
        """Let :meth:`wait` return. May be called from a signal handler."""
        self._wakes.put(None)

    def wait(self, seconds: float) -> bool:
        """Wait for a hint; whether one came."""
        try:
            self._wakes.get(timeout=seconds)
        except Empty:
            return False
        while not self._wakes.empty():  # several hints, one look
            self._wakes.get()
        return True

    def close(self) -> None:
        """Give the place back; harmless when done twice."""
        self._hub.remove(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Hub:
    """All live streams of this process."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.stopped = False
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self._count = 0
        self._lock = threading.RLock()  # re-entrant: stop() runs in a signal handler

    @property
    def count(self) -> int:
        """How many streams are open."""
        return self._count

    def listen(self, game_id: str) -> Listener:
        """A place for one more stream. Raises :class:`Full`."""
        with self._lock:
            if self._count >= self.capacity or self.stopped:
                raise Full
            listener = Listener(self, game_id)
            self._listeners[game_id].add(listener)
            self._count += 1
            return listener

    def remove(self, listener: Listener) -> None:
        """The stream is over."""
        with self._lock:
            places = self._listeners.get(listener.game_id, set())
            if listener in places:
                places.remove(listener)
                self._count -= 1
                if not places:
                    del self._listeners[listener.game_id]

    def tell(self, game_id: str) -> None:
        """A game has grown: wake those who follow it."""
        with self._lock:
            listeners = list(self._listeners.get(game_id, ()))
        for listener in listeners:
            listener.wake()

    def stop(self) -> None:
        """End all streams: the process is about to go."""
        self.stopped = True
        with self._lock:
            listeners = [one for several in self._listeners.values() for one in several]
        for listener in listeners:
            listener.closing = True
            listener.wake()
