"""Follows the log by position and keeps the read models up to date.

The log is divided into lanes by game. Each projection has a checkpoint in each lane, whose row is locked
while somebody works there, so any number of runners share the work. Rows are written game by game, each
statement for itself, and the checkpoint moves after them: no transaction spans games, which may lie on
different machines. Whoever dies between the two leaves rows that are written again, with the same content.

A projection that fails on a game is tried once more on that game alone, from the log and nothing else. If it
still fails the game is parked for that projection, with the error, and tried again by the next program; all
other games, and all other projections of this one, go on. An error of the installation parks nothing.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import psycopg
import structlog
from psycopg import Connection

from events.folding import fold_one
from events.game import Game, start
from events.log import EventLog
from events.record import Record
from events.replay import SNAPSHOT_EVERY, Replay, rules_of
from projections import history, lobby
from projections.failed import describe, place
from projections.program import program

LANES = 64
"""As many as the sequencer deals games out to."""
CHECKPOINTS_AT_ONCE = 16
"""Most checkpoints that one step holds; the others are left to other runners."""
BATCH = 500
"""Most events of one lane that one step projects."""
KEPT = 500
"""Games that a runner keeps in memory to fold on from."""

Row = tuple[Any, ...]
Rows = dict[str, list[Row]]
"""Rows by the name of their projection."""

BEHIND = (
    "SELECT name, lane, position FROM es.projection p WHERE name = ANY(%s) AND position <"
    # The end of the lane's index, not a join: the planner might read the whole log for one.
    " (SELECT l.position FROM es.log l WHERE l.lane = p.lane ORDER BY l.position DESC LIMIT 1)"
    " ORDER BY position, lane, name LIMIT %s FOR UPDATE SKIP LOCKED"
)
"""Checkpoints with something after them that nobody holds."""
NEXT = (
    "SELECT position, game_id::text, seq FROM es.log"
    # Pairs, which only the lane's index has in order: by position alone the planner might read all lanes.
    " WHERE (lane, position) > (%s, %s) AND (lane, position) <= (%s, %s) ORDER BY lane, position LIMIT %s"
)
"""The part of a lane after one position and not after another."""

log = structlog.get_logger()


class Projection(Protocol):
    """What a module of this package offers for the table of its name."""

    def write(self, connection: Connection[Any], rows: Sequence[Row]) -> None:
        """Put rows of one game in place, unless what stands there is as new."""

    def stored(self, connection: Connection[Any], game_id: str) -> list[Row]:
        """The rows of a game, in order, as they would be given to `write`."""

    def clear(self, connection: Connection[Any], game_id: str) -> None:
        """Delete the rows of a game."""


PROJECTIONS: Mapping[str, Projection] = {"history": history, "lobby": lobby}


class Runner:
    """Follows the log with all projections. Any number may run at once, in any number of processes."""

    def __init__(self, events: EventLog) -> None:
        self.events = events
        self._replay = Replay(events, newest=10, earlier=10)
        self._last: dict[tuple[tuple[str, ...], str], Game] = {}
        self._prepared = False

    def step(self) -> int:
        """Project the next events of those lanes that are furthest behind; how many there were.

        0 when nothing is left, or others are at work on all that is.
        """
        with self.events.pool.connection() as connection, connection.transaction():
            if not self._prepared:
                prepare(connection)
                self._prepared = True
            held = connection.execute(BEHIND, (list(PROJECTIONS), CHECKPOINTS_AT_ONCE)).fetchall()
            together: dict[tuple[int, int], list[str]] = defaultdict(list)
            for name, lane, position in held:
                together[lane, position].append(name)
            return sum(
                self.advance(connection, tuple(sorted(names)), lane, position)
                for (lane, position), names in together.items()
            )

    def advance(
        self,
        connection: Connection[Any],
        names: tuple[str, ...],
        lane: int,
        position: int,
        until: int = 2**62,
    ) -> int:
        """Project one batch of a lane after *position* and not after *until*; how many events it had.

        *connection* holds the lane's checkpoints of *names*, which all stand at *position*.
        """
        rows = connection.execute(NEXT, (lane, position, lane, until, BATCH)).fetchall()
        if not rows:
            return 0
        wanted: dict[str, list[int]] = defaultdict(list)
        for _, game_id, seq in rows:
            wanted[game_id].append(seq)
        for game_id, seqs in wanted.items():
            self._game(names, game_id, seqs)
        connection.execute(
            "UPDATE es.projection SET position = %s WHERE lane = %s AND name = ANY(%s)",
            (rows[-1][0], lane, list(names)),
        )
        return len(rows)

    def project(self, names: Iterable[str], game: Game, records: Iterable[Record]) -> tuple[Game, Rows]:
        """The game after *records* that follow on *game*, and what the projections have to say about them."""
        rows: Rows = {name: [] for name in names}
        for record in records:
            game = fold_one(game, record)
            if "history" in rows:
                rows["history"] += history.rows(game, record)
            if game.seq % SNAPSHOT_EVERY == 0:
                self.events.snapshot(game, rules_of(game))
        if "lobby" in rows:
            rows["lobby"] = [lobby.row(game)]
        return game, rows

    def _game(self, names: tuple[str, ...], game_id: str, seqs: list[int]) -> None:
        before = self._last.get((names, game_id))
        if before is None or before.seq != seqs[0] - 1:  # else this runner was the last to project it
            before = None
            names = self._not_parked(names, game_id)
            if not names:
                return
        try:
            game = before or self._before(game_id, seqs[0])
            records = self.events.read(game_id, game.seq, seqs[-1] - game.seq)
            game, rows = self.project(names, game, records)
            self._write(rows)
        except Exception as error:
            if not of_game(error):
                raise
            self._last.pop((names, game_id), None)
            for name in names:
                self.alone(name, game_id, seqs[-1])
            return
        if len(self._last) > KEPT:
            self._last.clear()
        self._last[names, game_id] = game

    def alone(self, name: str, game_id: str, seq: int) -> bool:
        """Project a game up to event *seq* from the log alone; it is parked if that fails.

        Neither a damaged snapshot nor another projection may set a healthy game aside. Answers whether it
        went well.
        """
        try:
            _, rows = self.project((name,), start(game_id), self.events.read(game_id, 0, seq))
            self._write(rows)
        except Exception as error:
            if not of_game(error):
                raise
            self.park(name, game_id, error)
            return False
        return True

    def _write(self, rows: Rows) -> None:
        with self.events.pool.connection() as connection:
            for name, told in rows.items():
                PROJECTIONS[name].write(connection, told)

    def _not_parked(self, names: tuple[str, ...], game_id: str) -> tuple[str, ...]:
        with self.events.pool.connection() as connection:
            parked = connection.execute(
                "SELECT projection FROM es.parked WHERE game_id = %s", (game_id,)
            ).fetchall()
        return tuple(name for name in names if (name,) not in parked)

    def park(self, name: str, game_id: str, error: Exception) -> None:
        """Set a game aside, of which the projection *name* could not tell."""
        kind = type(error).__name__
        log.warning("projection_parked", projection=name, game=game_id, error=kind, at=place(error))
        with self.events.pool.connection() as connection:
            connection.execute(
                "INSERT INTO es.parked (projection, game_id, seq, error, program)"
                " SELECT %s, %s, coalesce(max(seq), 0), %s, %s FROM es.event WHERE game_id = %s"
                " ON CONFLICT (projection, game_id) DO UPDATE SET error = EXCLUDED.error,"
                " program = EXCLUDED.program",
                (name, game_id, describe(error), program(), game_id),
            )

    def project_again(self) -> int:
        """Project the games that were set aside by another program, or that the operator wants tried again.

        How many are told of again.
        """
        with self.events.pool.connection() as connection:
            parked = connection.execute(
                "SELECT projection, game_id::text FROM es.parked WHERE program <> %s", (program(),)
            ).fetchall()
        return sum(self._again(name, game_id) for name, game_id in parked if name in PROJECTIONS)

    def _again(self, name: str, game_id: str) -> bool:
        """Up to the lane's checkpoint, which is held: nobody skips an event, and none is told too early."""
        lane = uuid.UUID(game_id).bytes[-1] & (LANES - 1)
        with self.events.pool.connection() as connection, connection.transaction():
            held = connection.execute(
                "SELECT position FROM es.projection WHERE name = %s AND lane = %s FOR UPDATE", (name, lane)
            ).fetchone()
            last = connection.execute(
                "SELECT coalesce(max(seq), 0) FROM es.log"
                " WHERE lane = %s AND position <= %s AND game_id = %s",
                (lane, held[0] if held else 0, game_id),
            ).fetchone()
            if last and last[0] and not self.alone(name, game_id, last[0]):
                return False
            connection.execute(
                "DELETE FROM es.parked WHERE projection = %s AND game_id = %s", (name, game_id)
            )
        log.info("projection_resumed", projection=name, game=game_id)
        return True

    def _before(self, game_id: str, seq: int) -> Game:
        return self._replay.at(game_id, seq - 1) if seq > 1 else start(game_id)


def of_game(error: Exception) -> bool:
    """Whether an error is that of one game; else it is the installation's, and met again with any game."""
    if isinstance(error, psycopg.Error):
        return isinstance(error, psycopg.DataError | psycopg.IntegrityError)
    return not isinstance(error, OSError | MemoryError)


def prepare(connection: Connection[Any]) -> None:
    """Make the checkpoints of all projections, where they are not there yet."""
    connection.execute(
        "INSERT INTO es.projection (name, lane)"
        " SELECT name, lane FROM unnest(%s::text[]) name, generate_series(0, %s::int) lane"
        " ON CONFLICT DO NOTHING",
        (list(PROJECTIONS), LANES - 1),
    )
