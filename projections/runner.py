"""Follows the log by position and keeps the read models up to date, exactly once.

The checkpoints move in the same transaction as the rows. A game whose events cannot be projected is
parked with the error (and shows in the metrics); all others go on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import structlog
from psycopg import Connection, Cursor

from events.game import Game, fold_one, start
from events.log import EventLog
from events.record import Record
from events.replay import SNAPSHOT_EVERY, Replay, rules_of
from projections import history, lobby

BATCH = 500
"""Events projected in one transaction."""
PROJECTIONS = ("history", "lobby")
"""Their names, which are also those of their tables."""

log = structlog.get_logger()


class Runner:
    """Follows the log with all projections. Several may run: row locks let one at a time work."""

    def __init__(self, events: EventLog) -> None:
        self.events = events
        self._replay = Replay(events, newest=10, earlier=10)
        self._last: dict[str, Game] = {}

    def step(self) -> int:
        """Project the next events in one transaction; how many there were."""
        with self.events.pool.connection() as connection, connection.transaction():
            return self.advance(connection, lock(connection, PROJECTIONS))

    def advance(self, connection: Connection[Any], positions: dict[str, int]) -> int:
        """Bring those projections that are furthest behind one batch on, inside the caller's transaction."""
        if not positions:
            return 0
        low = min(positions.values())
        behind = [name for name, position in positions.items() if position == low]
        ahead = min((p for p in positions.values() if p > low), default=low + BATCH)
        rows = connection.execute(
            "SELECT position, game_id::text, seq FROM es.log WHERE position > %s AND position <= %s"
            " ORDER BY position",
            (low, min(ahead, low + BATCH)),
        ).fetchall()
        if not rows:
            return 0
        wanted: dict[str, list[int]] = defaultdict(list)
        for _, game_id, seq in rows:
            wanted[game_id].append(seq)
        for game_id, seqs in wanted.items():
            self._game(connection, behind, game_id, seqs)
        connection.execute(
            "UPDATE es.projection SET position = %s WHERE name = ANY(%s)", (rows[-1][0], behind)
        )
        for name in behind:
            positions[name] = rows[-1][0]
        return len(rows)

    def _game(self, connection: Connection[Any], names: list[str], game_id: str, seqs: list[int]) -> None:
        parked = connection.execute(
            "SELECT projection FROM es.parked WHERE game_id = %s AND projection = ANY(%s)", (game_id, names)
        ).fetchall()
        names = [name for name in names if (name,) not in parked]
        if not names:
            return
        try:
            with connection.transaction():
                self._write(connection.cursor(), names, game_id, seqs)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            log.exception("projection_parked", projections=names, game=game_id, seq=seqs[0])
            for name in names:
                connection.execute(
                    "INSERT INTO es.parked (projection, game_id, seq, error) VALUES (%s,%s,%s,%s)"
                    " ON CONFLICT DO NOTHING",
                    (name, game_id, seqs[0], repr(error)[:2000]),
                )

    def _write(self, cursor: Cursor[Any], names: list[str], game_id: str, seqs: Sequence[int]) -> None:
        game = self._before(game_id, seqs[0])
        for record in self.events.read(game_id, game.seq, seqs[-1] - game.seq):
            game = self._event(cursor, names, game, record)
        if "lobby" in names:
            lobby.write(cursor, game)
        if len(self._last) > BATCH:
            self._last.clear()
        self._last[game_id] = game

    def _event(self, cursor: Cursor[Any], names: list[str], game: Game, record: Record) -> Game:
        game = fold_one(game, record)
        if "history" in names:
            history.write(cursor, game, record)
        if game.seq % SNAPSHOT_EVERY == 0:
            self.events.snapshot(game, rules_of(game))
        return game

    def _before(self, game_id: str, seq: int) -> Game:
        game = self._last.get(game_id)
        if game is not None and game.seq == seq - 1:
            return game
        return self._replay.at(game_id, seq - 1) if seq > 1 else start(game_id)


def lock(connection: Connection[Any], names: Sequence[str], *, wait: bool = False) -> dict[str, int]:
    """The checkpoints of *names*, locked until the transaction ends; those that another follower holds are
    left out (or, with *wait*, waited for).
    """
    for name in names:
        connection.execute("INSERT INTO es.projection (name) VALUES (%s) ON CONFLICT DO NOTHING", (name,))
    statement = _WAIT if wait else _SKIP
    return dict(connection.execute(statement, (list(names),)).fetchall())


_WAIT = "SELECT name, position FROM es.projection WHERE name = ANY(%s) ORDER BY name FOR UPDATE"
_SKIP = "SELECT name, position FROM es.projection WHERE name = ANY(%s) ORDER BY name FOR UPDATE SKIP LOCKED"
