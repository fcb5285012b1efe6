"""The newest events of the games that are followed here: read once, encoded once, however many follow.

A hint makes all streams of a game ask at the same moment what is new. One of them reads the log; a page that
is not full says that there is no more, so nobody asks a second time before the next hint.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from events.base.lru_cache import LruCache
from events.table.game import Game
from events.table.record import Record
from service.base.single_flight import SingleFlight

PAGE = 200
"""Most events that are read at once."""
TRUST_SECONDS = 0.5
"""Seconds for which an end is believed by those whom no hint has woken: one may have been lost."""

ReadEvents = Callable[[str, int, int], list[Record]]
"""The events of a game after one of them, so many at the most."""


class _LogEnd(msgspec.Struct, frozen=True):
    """Where the log of a game ended."""

    seq: int
    told: int
    """What had been told by the time it was read."""
    at: float


class _Reading(msgspec.Struct, frozen=True):
    """What the log held, and what had been told by the time it was read."""

    page: list[Record]
    told: int


class EventCache:
    """What streams of one process read.

    Args:
        read: reads the log.
        load: the newest state of a game.
        told: counts hints; for a game it rises with each hint, and never falls.
    """

    def __init__(self, read: ReadEvents, load: Callable[[str], Game], told: Callable[[str], int]) -> None:
        self._read, self._load, self._told = read, load, told
        self._pages: LruCache[list[Record]] = LruCache(500)
        """By game and event what follows on it. Never empty, so never wrong."""
        self._ends: LruCache[_LogEnd] = LruCache(5000)
        self._messages: LruCache[bytes] = LruCache(5000)
        self._reading: SingleFlight[_Reading] = SingleFlight()
        self._loading: SingleFlight[Game] = SingleFlight()
        self._writing: SingleFlight[bytes] = SingleFlight()

    def records_after(self, game_id: str, seq: int, *, hinted: bool) -> list[Record]:
        """Some events that follow on *seq*; none where it is the last. Raises what reading the log raises.

        *hinted*: whether a hint makes us look. Then what was read after it was given is all there is.
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
        """The game after event *seq*, which has happened, or a later one."""
        game = self._loading.do(game_id, lambda: self._load(game_id))
        return game if game.seq >= seq else self._load(game_id)

    def encoded_message(
        self, key: tuple[str, int, int | None, bool], encode: Callable[[], bytes], *, keep: bool
    ) -> bytes:
        """One event for one pair of eyes: game, seq, seat, and whether the game has ended.

        *keep*: whether it will always read so. What can be erased is encoded for those who are told now.
        """
        kept = self._messages.get(key) if keep else None
        if kept is None:
            kept = self._writing.do(key, encode)
            if keep:
                self._messages.put(key, kept)
        return kept
