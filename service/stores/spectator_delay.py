"""The delay of spectators: the newest event of a game with a delay that they may see.

Spectators are those who neither play nor direct the game. One number bounds every address of a game: that
event, which ends a command. It rises with time alone. So a stream that waits for it need not ask the
database: the commands to come are known here.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

import msgspec

from events.base.bounded_cache import BoundedCache
from events.base.timestamps import add_milliseconds
from events.store.event_log import Pool
from events.table.game import Game
from events.table.terms import Delay
from service.base.database import retry_on_disconnect

LAST_EVENT_TYPES = ("TableClosed", "TableAbandoned")
"""The last event of every game."""


class SpectatorLimit(msgspec.Struct, frozen=True):
    """The limit of what spectators may see of a game."""

    seq: int
    """The newest event that they may see; 0 while they may see none."""
    due: str | None
    """The time at which they will see more; None where nothing more is known of."""


class _GameProgress(msgspec.Struct):
    """The known progress of one game that spectators have not seen yet."""

    lock: Any = msgspec.field(default_factory=threading.Lock)
    read: int = 0
    """The newest event that was looked at."""
    seen: int = 0
    coming: deque[tuple[str, int]] = msgspec.field(default_factory=deque)
    """The time of recording and the last event of each command that spectators have yet to see."""
    ended: str | None = None


class SpectatorDelay:
    """The limits of what spectators of delayed games may see, from the log."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._courses: BoundedCache[_GameProgress] = BoundedCache(500)

    def visible_seq(self, game: Game, now: str) -> int:
        """Return the newest event of *game* that spectators may see at the time *now*; 0 for none."""
        return self.get_limit(game, now).seq

    def get_limit(self, game: Game, now: str, *, look: bool = False) -> SpectatorLimit:
        """Return the limit of what spectators of *game* see at the time *now*.

        The log is read where *game* is newer than what is known of it; with *look* also where nothing is
        known to come.
        """
        delay = game.terms.delay
        if delay is None:
            return SpectatorLimit(game.seq, None)
        course = self._courses.get(game.id)
        if course is None:
            course = _GameProgress()
            self._courses.put(game.id, course)
        with course.lock:
            unknown = course.ended is None and (delay.until_end or not course.coming)
            if course.read < game.seq or (look and unknown):
                self._read_new_events(game.id, course)
            return _compute_limit(course, delay, add_milliseconds(now, -delay.ms))

    @retry_on_disconnect
    def _read_new_events(self, game_id: str, course: _GameProgress) -> None:
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT seq, body::json->>'at', body::json->>'cmd', body::json->>'t' FROM es.event"
                " WHERE game_id = %s AND seq > %s ORDER BY seq",
                (game_id, course.read),
            ).fetchall()
        for place, (seq, at, command, kind) in enumerate(rows):
            course.read = seq
            if place + 1 == len(rows) or rows[place + 1][2] != command:  # it ends a command
                course.coming.append((at, seq))
            if kind in LAST_EVENT_TYPES:
                course.ended = at


def _compute_limit(course: _GameProgress, delay: Delay, until: str) -> SpectatorLimit:
    """Return the limit for spectators who see what was recorded at the time *until* or before it."""
    if delay.until_end and (course.ended is None or course.ended > until):
        return SpectatorLimit(0, None if course.ended is None else add_milliseconds(course.ended, delay.ms))
    while course.coming and course.coming[0][0] <= until:
        course.seen = course.coming.popleft()[1]
    return SpectatorLimit(
        course.seen, add_milliseconds(course.coming[0][0], delay.ms) if course.coming else None
    )


def redact_for_spectators(game: Game, then: Game, seq: int) -> Game:
    """Return *game* for spectators who see its events up to *seq* only, amid its opening or before it.

    *then* is the game after that event, or its first. They learn who sits at the table and whether it has
    begun, so that they know where to take a seat. They learn nothing of the play, nor that it has ended.
    """
    if game.status == "open":
        return msgspec.structs.replace(game, seq=seq, head=then.head, cmd=then.cmd, at=then.at)
    status = "running" if game.state is not None else "open"
    return msgspec.structs.replace(then, seq=seq, status=status, seats=game.seats, claims=game.claims)
