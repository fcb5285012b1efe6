"""A cache of the newest events of followed games: read once and encoded once for all streams.

A hint makes all streams of a game ask at the same moment what is new. One of them reads the log. A page that
is not full says that there is no more, so nobody asks a second time before the next hint.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from events.base.bounded_cache import BoundedCache
from events.table.game import Game
from events.table.record import Record
from service.base.single_flight import SingleFlight

PAGE = 200
"""The most events that are read at once."""
TRUST_SECONDS = 0.5
"""Seconds for which streams that no hint has woken believe a cached end: a hint may have been lost."""

ReadEvents = Callable[[str, int, int], list[Record]]
"""A function that reads the events of a game after one of them, so many at the most."""


class _LogEnd(msgspec.Struct, frozen=True):
    """The end of the log of a game, as it was last read."""

    seq: int
    told: int
    """The count of hints by the time it was read."""
    at: float


class _Reading(msgspec.Struct, frozen=True):
    """Events read from the log, and the count of hints by the time they were read."""

    page: list[Record]
    told: int


class EventCache:
    """A cache of events and messages that the streams of one process read.

    Args:
        read: reads the log.
        load: the newest state of a game.
        told: counts hints; for a game it rises with each hint, and never falls.
    """

    def __init__(self, read: ReadEvents, load: Callable[[str], Game], told: Callable[[str], int]) -> None:
        self._read, self._load, self._told = read, load, told
        self._pages: BoundedCache[list[Record]] = BoundedCache(500)
        """The events that follow, by game and event. Never empty, so never wrong."""
        self._ends: BoundedCache[_LogEnd] = BoundedCache(5000)
        self._messages: BoundedCache[bytes] = BoundedCache(5000)
        self._reading: SingleFlight[_Reading] = SingleFlight()
        self._loading: SingleFlight[Game] = SingleFlight()
        self._writing: SingleFlight[bytes] = SingleFlight()

    def records_after(self, game_id: str, seq: int, *, hinted: bool) -> list[Record]:
        """Return some events that follow on *seq*; none where it is the last.

        With *hinted* a hint makes us look: then what was read after it was given is all there is.
        Raises what reading the log raises.
        """
        told = self._told(game_id)
        while True:
            page = self._pages.get((game_id, seq))
            if page is not None:
                return page
            if self._is_known_end(game_id, seq, told, hinted=hinted):
                return []
            answer = self._reading.do((game_id, seq), lambda: self._read_new_events(game_id, seq))
            if answer.page or answer.told >= told:  # else another read it before the hint that woke us
                return answer.page

    def _is_known_end(self, game_id: str, seq: int, told: int, *, hinted: bool) -> bool:
        end = self._ends.get(game_id)
        if end is None or end.seq != seq or end.told < told:
            return False
        return hinted or time.monotonic() - end.at < TRUST_SECONDS

    def _read_new_events(self, game_id: str, seq: int) -> _Reading:
        told = self._told(game_id)
        page = self._read(game_id, seq, PAGE)
        if page:
            self._pages.put((game_id, seq), page)
        if len(page) < PAGE:
            self._ends.put(game_id, _LogEnd(page[-1].seq if page else seq, told, time.monotonic()))
        return _Reading(page, told)

    def game_at(self, game_id: str, seq: int) -> Game:
        """Return the game after event *seq*, which has happened, or after a later one."""
        game = self._loading.do(game_id, lambda: self._load(game_id))
        return game if game.seq >= seq else self._load(game_id)

    def get_encoded_message(
        self, key: tuple[str, int, int | None, bool], encode: Callable[[], bytes], *, keep: bool
    ) -> bytes:
        """Return the message of one event for one kind of viewer, encoded once for all of them.

        The *key* is game, seq, seat, and True if the game has ended. With *keep* the message never changes.
        What can be erased is encoded again for those who are told now.
        """
        kept = self._messages.get(key) if keep else None
        if kept is None:
            kept = self._writing.do(key, encode)
            if keep:
                self._messages.put(key, kept)
        return kept
