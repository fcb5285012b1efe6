"""The lanes in which a runner has something to project, and a look at all lanes now and then.

To look at each lane's end costs the same however little is new. So a runner reads the newest positions,
which appear in their order, and remembers their lanes. A lane is forgotten when all of its checkpoints have
passed what was seen there, whichever runner moved them. The look at all lanes finds what another runner left
undone, and what a database that was set back holds now.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from psycopg import Connection

SWEEP_SECONDS = 2.0
"""Seconds between two looks at all lanes."""

Checkpoint = tuple[str, int, int]
"""A projection, a lane, and the position up to which the projection has told of it."""

_FROM_BEHIND = (
    "FROM es.projection p WHERE name = ANY(%s) AND position <"
    # The end of the lane's index, not a join: the planner might read the whole log for one.
    " (SELECT l.position FROM es.log l WHERE l.lane = p.lane ORDER BY l.position DESC LIMIT 1)"
)
BEHIND = (
    f"SELECT name, lane, position {_FROM_BEHIND}"
    " ORDER BY position, lane, name LIMIT %s FOR UPDATE SKIP LOCKED"
)
"""Checkpoints with something after them that nobody holds, in all lanes."""
ANY_BEHIND = f"SELECT 1 {_FROM_BEHIND} LIMIT 1"
"""The query that finds a row if a checkpoint of any lane has something after it, held or not."""
BEHIND_NEWS = (
    "SELECT p.name, p.lane, p.position FROM es.projection p"
    " JOIN unnest(%s::smallint[], %s::bigint[]) AS news (lane, position) ON news.lane = p.lane"
    " WHERE p.name = ANY(%s) AND p.position < news.position"
    " ORDER BY p.position, p.lane, p.name LIMIT %s FOR UPDATE OF p SKIP LOCKED"
)
"""The same in the lanes with news, each up to the newest position that was seen there."""
STILL_BEHIND = (
    "SELECT DISTINCT p.lane FROM es.projection p"
    " JOIN unnest(%s::smallint[], %s::bigint[]) AS news (lane, position) ON news.lane = p.lane"
    " WHERE p.name = ANY(%s) AND p.position < news.position"
)
"""Those of the lanes with news that have not been told of, held by others or not."""
NEWS = "SELECT lane, max(position) FROM es.log WHERE position > %s GROUP BY lane"
"""The lanes of the events after a position, each with its newest one."""
NEWEST = "SELECT coalesce(max(position), 0) FROM es.log"


class LaneNews:
    """The knowledge that one runner has of the lanes, for the projections *names*."""

    def __init__(self, names: Iterable[str], now: Callable[[], float] = time.monotonic) -> None:
        self._names = list(names)
        self._now = now
        self._seen: int | None = None
        """The newest position that was looked at; None before the first look."""
        self._dirty: dict[int, int] = {}
        """By lane the newest position of which not all projections are known to have told."""
        self._sweep_at = float("-inf")

    def is_sweep_due(self) -> bool:
        """Return True if it is time for a look at all lanes."""
        return self._now() >= self._sweep_at

    def look(self, connection: Connection[Any]) -> bool:
        """Look for what is new; return False if nothing is known to be left to tell."""
        sweeps = self.is_sweep_due()
        if sweeps:
            row = connection.execute(NEWEST).fetchone()
            newest = int(row[0]) if row else 0
            if self._seen is None or newest < self._seen:  # the first look, or a database that was set back
                self._dirty.clear()
                self._seen = newest
            if newest == self._seen and not self._dirty and not self._is_any_behind(connection):
                self._sweep_at = self._now() + SWEEP_SECONDS
                return False
        for lane, position in connection.execute(NEWS, (self._seen,)).fetchall():
            self._dirty[lane] = position
            self._seen = max(self._seen or 0, position)
        return sweeps or bool(self._dirty)

    def _is_any_behind(self, connection: Connection[Any]) -> bool:
        return connection.execute(ANY_BEHIND, (self._names,)).fetchone() is not None

    def hold(self, connection: Connection[Any], most: int) -> list[Checkpoint]:
        """Lock the checkpoints that are furthest behind, those that nobody holds; *most* at the most.

        To be called after :meth:`look`, within the transaction that moves them.
        """
        if self.is_sweep_due():
            held: list[Checkpoint] = connection.execute(BEHIND, (self._names, most)).fetchall()
            if len(held) < most:
                self._sweep_at = self._now() + SWEEP_SECONDS
            return held
        news = (list(self._dirty), list(self._dirty.values()))
        return connection.execute(BEHIND_NEWS, (*news, self._names, most)).fetchall()

    def settle(self, connection: Connection[Any], moved: Sequence[Checkpoint]) -> None:
        """Forget the lanes of which all is told, once the transaction that *moved* checkpoints is over."""
        reached = {(name, lane): position for name, lane, position in moved}
        for lane, position in list(self._dirty.items()):
            if all(reached.get((name, lane), -1) >= position for name in self._names):
                del self._dirty[lane]
        if self._dirty:
            # Others hold these, or have told of them: only the checkpoints themselves know.
            news = (list(self._dirty), list(self._dirty.values()))
            behind = {lane for (lane,) in connection.execute(STILL_BEHIND, (*news, self._names))}
            self._dirty = {lane: position for lane, position in self._dirty.items() if lane in behind}

    def sweep_soon(self) -> None:
        """Look at all lanes at the next step."""
        self._sweep_at = float("-inf")
