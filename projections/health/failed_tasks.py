"""Failed tasks: they are tried again after a pause and then set aside, with their error.

A game whose task is held or set aside is not asked for (`lobby.held`). It is taken up again when its pause is
over, or when another program runs than the one that failed. The same happens when the operator says so
(`rutter failed --retry`), or when another player moves in the game.
"""

from __future__ import annotations

import traceback
from datetime import datetime, timedelta
from typing import Any, LiteralString

import msgspec
import structlog

from events.store.event_log import Pool
from projections.base.build_id import get_build_id

PAUSES = (0.0, 2.0, 10.0)
"""Seconds before a task is tried again that has failed so many times; then it is set aside."""
AWAY_PAUSE = 1.0
"""The same while the machine of the game is away."""
LONGEST_MESSAGE = 200
"""Characters of an error's own words that are kept: states may be long, and are secret."""
PROJECTION = "projection "
"""The prefix of the name of a projection, where it stands beside kinds of tasks."""

# What is said of a task and whether its game is held change in one transaction: a process that dies between
# the two would leave a game that is held and never released. All values are computed here: on several
# machines a statement that changes rows may call nothing that depends on the time.
_FIRST = (
    "INSERT INTO es.failed (game_id, kind, seq, error, attempts, program)"
    " VALUES (%(game)s, %(kind)s, %(seq)s, %(error)s, 0, %(program)s) ON CONFLICT (game_id, kind) DO NOTHING"
)
_EARLIER = (
    "SELECT seq, program, attempts, since, clock_timestamp() FROM es.failed"
    " WHERE game_id = %(game)s AND kind = %(kind)s FOR UPDATE"
)
_CHANGE = (
    "UPDATE es.failed SET seq = %(seq)s, error = %(error)s, program = %(program)s, attempts = %(attempts)s,"
    " since = %(since)s, again_at = %(again_at)s WHERE game_id = %(game)s AND kind = %(kind)s"
)
_HOLD = "UPDATE lobby SET held = true WHERE game_id = %(game)s"
_DONE = (
    "WITH over AS (DELETE FROM es.failed WHERE game_id = %(game)s AND kind = %(kind)s RETURNING 1)"
    " UPDATE lobby SET held = false WHERE game_id = %(game)s AND held AND EXISTS (SELECT FROM over)"
)
_OVER = (
    # What went on by another's move, and waits for nobody of us now, did not fail after all.
    "l.seq > f.seq AND NOT l.held AND NOT (l.status = 'running'"
    " AND (l.house OR l.bot IS NOT NULL OR l.thinking <> '{}'))"
)
_RELEASE = (
    "WITH over AS (UPDATE es.failed SET again_at = 'infinity' WHERE game_id = %(game)s AND kind = %(kind)s)"
    " UPDATE lobby SET held = false WHERE game_id = %(game)s AND held"
)
FAILED: LiteralString = "SELECT 1 FROM es.failed LIMIT 1"
"""The query that finds a row if any task is held or set aside."""
_RETRY_TASKS: LiteralString = "UPDATE es.failed SET again_at = now() WHERE again_at IS NULL"
_RETRY_PROJECTIONS: LiteralString = "UPDATE es.parked SET program = '' WHERE true"

log = structlog.get_logger()


class Failure(msgspec.Struct, frozen=True):
    """A task, or a projection of a game, that was set aside."""

    game: str
    seq: int
    kind: str
    """``bot``, ``think SEAT``, ``house``, ``opening``, ``clock``, ``vacation``, ``outage``, ``steward`` or
    ``projection NAME``."""
    error: str
    since: datetime


def describe(error: BaseException) -> str:
    """Return an error in a line for the operator: its type, the beginning of what it says, and its place."""
    said = str(error).partition("\n")[0].replace("\0", " ").encode(errors="replace").decode()
    if len(said) > LONGEST_MESSAGE:
        said = said[:LONGEST_MESSAGE] + " ..."
    return f"{type(error).__name__}: {said} ({locate(error)})"


def locate(error: BaseException) -> str:
    """Return the place where an error was raised, the innermost function first: all that a log may hold."""
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join(
        f"{'/'.join(frame.filename.split('/')[-3:])}:{frame.lineno} {frame.name}" for frame in frames[:-4:-1]
    )


def record(
    pool: Pool,
    game_id: str,
    kind: str,
    seq: int,
    error: str,
    *,
    final: bool = False,
    passing: bool = False,
    away: bool = False,
) -> bool:
    """Note that a task of *kind* failed after event *seq*; return True if it is set aside for good.

    *final*: trying again would give the same. *passing*: it is the installation's fault and not the game's.
    It is then tried again, after the longest pause, for as long as it takes. *away*: the game's machine does
    not answer, and the pause is short each time.
    """
    pauses = [] if final else [AWAY_PAUSE] if away else list(PAUSES)
    program = get_build_id()
    values: dict[str, Any] = {"game": game_id, "kind": kind, "seq": seq, "error": error, "program": program}
    with pool.connection() as connection, connection.transaction():
        connection.execute(_FIRST, values)
        row = connection.execute(_EARLIER, values).fetchone()
        assert row is not None  # noqa: S101 - one row is written
        failed_at, by, before, since, now = row
        attempts = before + 1 if (failed_at, by) == (seq, program) else 1
        place = min(attempts, len(pauses)) if passing else attempts
        pause = pauses[place - 1] if 0 < place <= len(pauses) else None
        aside = pause is None
        values |= {
            "attempts": attempts,
            "since": since if failed_at == seq else now,
            "again_at": None if pause is None else now + timedelta(seconds=pause),
        }
        connection.execute(_CHANGE, values)
        if pause != 0:
            connection.execute(_HOLD, values)
    log.warning(
        "task_set_aside" if aside else "task_failed",
        game=game_id,
        kind=kind,
        seq=seq,
        attempts=attempts,
    )
    return aside


def clear(pool: Pool, game_id: str, kind: str) -> None:
    """Note that a task of *kind* went well: what failed before is over."""
    with pool.connection() as connection:
        connection.execute(_DONE, {"game": game_id, "kind": kind})


def release(pool: Pool) -> int:
    """Let go of the tasks whose pause is over, and of those that another program set aside.

    Returns their number.
    """
    with pool.connection() as connection:
        if connection.execute(FAILED).fetchone() is None:
            return 0  # so it is nearly always
        due = connection.execute(
            "SELECT game_id, kind FROM es.failed WHERE again_at <= now()"
            " UNION ALL SELECT game_id, kind FROM es.failed WHERE again_at IS NULL AND program <> %s",
            (get_build_id(),),
        ).fetchall()
        for game_id, kind in due:
            connection.execute(_RELEASE, {"game": game_id, "kind": kind})
        over = connection.execute(
            f"SELECT f.game_id, f.kind FROM es.failed f JOIN lobby l ON l.game_id = f.game_id WHERE {_OVER}"  # noqa: S608
        ).fetchall()
        for game_id, kind in over:  # looked for first: to delete nothing would take all machines, each time
            connection.execute(
                "DELETE FROM es.failed f USING lobby l WHERE f.game_id = %s AND f.kind = %s"  # noqa: S608
                f" AND l.game_id = f.game_id AND {_OVER}",
                (game_id, kind),
            )
    return len(due)


def list_set_aside(pool: Pool) -> list[Failure]:
    """Return all that is set aside, oldest first."""
    with pool.connection() as connection:
        rows = connection.execute(
            "SELECT game_id::text, seq, kind, error, since FROM es.failed WHERE again_at IS NULL"
            " UNION ALL SELECT game_id::text, seq, %s || projection, error, since FROM es.parked"
            " ORDER BY since, game_id, kind",
            (PROJECTION,),
        ).fetchall()
    return [Failure(*row) for row in rows]


def count(pool: Pool) -> tuple[int, int]:
    """Return the number of tasks, and of projections of games, that are set aside."""
    with pool.connection() as connection:
        row = connection.execute(
            "SELECT (SELECT count(*) FROM es.failed WHERE again_at IS NULL), (SELECT count(*) FROM es.parked)"
        ).fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)


def retry(pool: Pool, game_id: str | None) -> int:
    """Ask for another attempt at what is set aside of one game (None: of all); how much that is."""
    of_game, values = ("", ()) if game_id is None else (" AND game_id = %s", (game_id,))
    with pool.connection() as connection:
        tasks = connection.execute(_RETRY_TASKS + of_game, values).rowcount
        projections = connection.execute(_RETRY_PROJECTIONS + of_game, values).rowcount
    return tasks + projections
