"""The live streams of one process: what each of them follows, and how to wake them.

A stream follows games, by their ids, or what an account is told: any word that hints are given for.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from queue import Empty, SimpleQueue
from typing import Self

from service.streaming.broadcaster import Broadcaster, StreamOutlet, WaitingStream


class HubFull(Exception):
    """No more streams here."""


class StreamListener:
    """One stream's place in the hub."""

    def __init__(self, hub: StreamHub) -> None:
        self.closing = False
        self.replaced = False
        """Whether it is closed because there is another in its place."""
        self.words: set[str] = set()
        self.outlet: StreamOutlet | None = None
        """Where others may write while it waits."""
        self._hub = hub
        self._wakes: SimpleQueue[str] = SimpleQueue()

    def wake(self, word: str = "") -> None:
        """Let :meth:`wait` return. May be called from a signal handler."""
        self._wakes.put(word)

    def wait(self, seconds: float) -> frozenset[str]:
        """Wait for hints; what they were given for, nothing where none came or others told it meanwhile.

        Raises OSError where the client does not take what others told.
        """
        if self.outlet is not None:
            self.outlet.open()
        try:
            heard = {self._wakes.get(timeout=seconds)}
        except Empty:
            return frozenset()
        finally:
            if self.outlet is not None:
                self.outlet.suspend()
        while not self._wakes.empty():  # several hints, one look
            heard.add(self._wakes.get())
        return frozenset(heard)

    def follow(self, word: str) -> None:
        """Be woken by hints for *word* as well."""
        self._hub.follow(self, word)

    def leave(self, word: str) -> None:
        """Be woken by them no more."""
        self._hub.leave(self, word)

    def close(self) -> None:
        """Give the place back; harmless when done twice."""
        self._hub.remove(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class StreamHub:
    """All live streams of this process."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.stopped = False
        self._open: set[StreamListener] = set()
        self._listeners: dict[str, set[StreamListener]] = defaultdict(set)
        self._count = 0
        self._tells = 0
        self._told: dict[str, int] = {}
        self._lock = threading.RLock()  # re-entrant: stop() runs in a signal handler
        self._herald = Broadcaster()

    @property
    def count(self) -> int:
        """How many streams are open."""
        return self._count

    def listen(self, *words: str) -> StreamListener:
        """A place for one more stream. Raises :class:`HubFull`."""
        with self._lock:
            if self._count >= self.capacity or self.stopped:
                raise HubFull
            listener = StreamListener(self)
            self._open.add(listener)
            self._count += 1
            for word in words:
                self.follow(listener, word)
            return listener

    def follow(self, listener: StreamListener, word: str) -> None:
        """Let a stream that is open be woken by hints for *word*."""
        with self._lock:
            if listener in self._open:
                listener.words.add(word)
                self._told.setdefault(word, self._tells)
                self._listeners[word].add(listener)

    def leave(self, listener: StreamListener, word: str) -> None:
        """Let a stream be woken by them no more."""
        with self._lock:
            listener.words.discard(word)
            places = self._listeners.get(word, set())
            places.discard(listener)
            if not places:
                self._listeners.pop(word, None)
                self._told.pop(word, None)

    def remove(self, listener: StreamListener) -> None:
        """The stream is over."""
        with self._lock:
            if listener in self._open:
                self._open.remove(listener)
                self._count -= 1
                for word in list(listener.words):
                    self.leave(listener, word)

    def notify(self, word: str) -> None:
        """A game has grown, or an account was told something: wake those who follow it."""
        with self._lock:
            self._tells += 1
            if word in self._told:
                self._told[word] = self._tells
        told: list[WaitingStream] = []
        for listener in self._listeners_of(word):
            if listener.outlet is None:
                listener.wake(word)
            else:
                told.append(listener)
        if told:
            self._herald.enqueue(word, told)

    def last_notified(self, word: str) -> int:
        """When something was told of *word* last, counted in all that was ever told here.

        That it began to be followed counts too; where nobody follows it, it is now: nobody knows better.
        """
        with self._lock:
            return self._told.get(word, self._tells)

    def end_streams_of(self, word: str, by: StreamListener | None = None) -> None:
        """End the streams that follow *word*: there is another in their place, *by* if it is one of these."""
        for listener in self._listeners_of(word):
            if listener is not by:
                listener.replaced = listener.closing = True
                listener.wake()

    def _listeners_of(self, word: str) -> list[StreamListener]:
        with self._lock:
            return list(self._listeners.get(word, ()))

    def stop(self) -> None:
        """End all streams: the process is about to go."""
        self.stopped = True
        with self._lock:
            listeners = list(self._open)
        for listener in listeners:
            listener.closing = True
            listener.wake()
