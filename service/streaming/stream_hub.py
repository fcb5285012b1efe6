"""The live streams of one process, the words that each of them follows, and their waking.

A stream follows games, by their ids, or what an account is told: any word that hints are given for.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from queue import Empty, SimpleQueue
from typing import Self

from projections.messages.hints import Hints
from service.streaming.broadcaster import Broadcaster, StreamOutlet, WaitingStream


class FullHub(Exception):
    """An error: this process takes no more streams."""


class StreamListener:
    """One stream's place in the hub."""

    def __init__(self, hub: StreamHub) -> None:
        self.closing = False
        self.replaced = False
        """True if it is closed because there is another in its place."""
        self.words: set[str] = set()
        self.outlet: StreamOutlet | None = None
        """The outlet in which others may write while the stream waits."""
        self._hub = hub
        self._wakes: SimpleQueue[str] = SimpleQueue()
        self._details: SimpleQueue[str] = SimpleQueue()

    def wake(self, word: str = "", detail: str = "") -> None:
        """Let :meth:`wait` return. May be called from a signal handler."""
        if detail:
            self._details.put(detail)
        self._wakes.put(word)

    def take_details(self) -> set[str]:
        """Return the details of the hints since the last call."""
        found = set()
        while not self._details.empty():
            found.add(self._details.get())
        return found

    def wait(self, seconds: float) -> frozenset[str]:
        """Wait for hints; return their words, none where no hint came or others have told it meanwhile.

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
        """Wake this stream by hints for *word* as well."""
        self._hub.follow(self, word)

    def leave(self, word: str) -> None:
        """Stop waking this stream by hints for *word*."""
        self._hub.leave(self, word)

    def close(self) -> None:
        """Leave the hub; harmless when done twice."""
        self._hub.remove(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class StreamHub:
    """All live streams of this process. *hints* wake those that follow what is announced here."""

    def __init__(self, capacity: int, hints: Hints | None = None) -> None:
        self._hints = hints or Hints(None)
        self.capacity = capacity
        self.stopped = False
        self._open: set[StreamListener] = set()
        self._listeners: dict[str, set[StreamListener]] = defaultdict(set)
        self._count = 0
        self._tells = 0
        self._told: dict[str, int] = {}
        """By word that is followed, the number of its last hint."""
        self._lock = threading.RLock()  # re-entrant: stop() runs in a signal handler
        self._herald = Broadcaster()
        self._hints.wake_here(self._told, self.notify)

    @property
    def count(self) -> int:
        """The number of streams that are open."""
        return self._count

    def listen(self, *words: str) -> StreamListener:
        """Open one more stream, which follows *words*. Raises :class:`FullHub`."""
        with self._lock:
            if self._count >= self.capacity or self.stopped:
                raise FullHub
            listener = StreamListener(self)
            self._open.add(listener)
            self._count += 1
            for word in words:
                self.follow(listener, word)
        self._hints.resume()
        return listener

    def follow(self, listener: StreamListener, word: str) -> None:
        """Wake a stream that is open by hints for *word*."""
        with self._lock:
            if listener in self._open:
                listener.words.add(word)
                self._told.setdefault(word, self._count_tells())
                self._listeners[word].add(listener)

    def leave(self, listener: StreamListener, word: str) -> None:
        """Stop waking a stream by hints for *word*."""
        with self._lock:
            listener.words.discard(word)
            places = self._listeners.get(word, set())
            places.discard(listener)
            if not places:
                self._listeners.pop(word, None)
                self._told.pop(word, None)

    def remove(self, listener: StreamListener) -> None:
        """Remove a stream that is over."""
        with self._lock:
            if listener in self._open:
                self._open.remove(listener)
                self._count -= 1
                for word in list(listener.words):
                    self.leave(listener, word)

    def notify(self, word: str, *, wake: bool = False, detail: str = "") -> None:
        """Wake the streams that follow *word*: a game has grown, or an account has a notice.

        With *wake* each looks for itself: others cannot write what is new to it. It keeps *detail* until it
        takes it.
        """
        with self._lock:
            self._tells += 1
            if word in self._told:
                self._told[word] = self._count_tells()
        told: list[WaitingStream] = []
        for listener in self._listeners_of(word):
            if wake or listener.outlet is None:
                listener.wake(word, detail)
            else:
                told.append(listener)
        if told:
            self._herald.enqueue(word, told)

    def last_notified(self, word: str) -> int:
        """Return the number of the last hint for *word*, counted over all hints of this hub.

        The start of following counts as a hint. Where nobody follows *word*, it is the newest number.
        """
        with self._lock:
            return self._told.get(word, self._count_tells())

    def _count_tells(self) -> int:
        """Return the newest number: what was announced for a word that nobody follows counts as well."""
        return self._tells + self._hints.announced

    def end_streams_of(self, word: str, by: StreamListener | None = None) -> None:
        """End the streams that follow *word*, except *by*, which takes their place."""
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
