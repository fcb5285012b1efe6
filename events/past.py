"""The past, read from a copy of the database: a replica that follows it, a moment behind.

What is recorded never changes, so a copy that has the events which are asked for has the right ones. Where it
has not come so far, or does not answer, the database itself is asked. Nothing is decided from a copy, and
nothing is written there.
"""

from __future__ import annotations

import time

import structlog
from psycopg import InterfaceError, OperationalError
from psycopg_pool import PoolTimeout

from events.game import Game
from events.log import EventLog, Pool
from events.record import Record

AWAY_SECONDS = 5.0
"""For which a copy that did not answer is not asked again."""

log = structlog.get_logger()

AWAY = (OperationalError, InterfaceError, PoolTimeout)


class PastLog(EventLog):
    """The log *newest*, whose old events are read from the database that *copy* connects to."""

    def __init__(self, newest: EventLog, copy: Pool) -> None:
        super().__init__(newest.pool)
        self._newest = newest
        self._copy = EventLog(copy)
        self._away_until = 0.0

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Events with seq > *after*, *limit* of them; from the copy only where it has all of these."""
        if limit is not None and self._is_asked():
            try:
                records = self._copy.read(game_id, after, limit)
            except AWAY as error:
                self._missed(error)
            else:
                if len(records) == limit:
                    return records
        return self._newest.read(game_id, after, limit)

    def newest_snapshot(self, game_id: str, rules: str, at: int) -> Game | None:
        """The newest snapshot that the copy has; one that it cannot use, the log is asked about."""
        if self._is_asked():
            try:
                found, usable = self._copy.look_for_snapshot(game_id, rules, at)
            except AWAY as error:
                self._missed(error)
            else:
                if usable:
                    return found
        return self._newest.newest_snapshot(game_id, rules, at)

    def _is_asked(self) -> bool:
        return time.monotonic() >= self._away_until

    def _missed(self, error: Exception) -> None:
        self._away_until = time.monotonic() + AWAY_SECONDS
        log.warning("copy_away", error=type(error).__name__)
