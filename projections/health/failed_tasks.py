"""Failed tasks: they are tried again after a pause and then set aside, with their error.

A game whose task is held or set aside is not asked for (`lobby.held`). It is taken up again when its pause is
over, or when another program runs than the one that failed. The same happens when the operator says so
(`rutter failed --retry`), or when somebody else moves in the game.
"""

from __future__ import annotations

import traceback
from datetime import datetime

import msgspec
import structlog

from events.store.event_log import Pool
from projections.base.build_id import get_build_id

PAUSES = (0.0, 2.0, 10.0)
"""Seconds before a task is tried again that has failed so many times; then it is set aside."""
LONGEST_MESSAGE = 200
"""Characters of an error's own words that are kept: states may be long, and are secret."""
PROJECTION = "projection "
"""The prefix of the name of a projection, where it stands beside kinds of tasks."""

_AGAIN = "f.seq = EXCLUDED.seq AND f.program = EXCLUDED.program"
_PAUSE = "now() + make_interval(secs => (%(pauses)s::float8[])"
_ATTEMPT = f"least(%(last)s, CASE WHEN {_AGAIN} THEN f.attempts + 1 ELSE 1 END)"
# What is said of a task and whether its game is held change in one statement: a process that dies between
# two, or loses an answer, would leave a game that is held and never released.
_RECORD = (
    "WITH told AS (INSERT INTO es.failed AS f (game_id, kind, seq, error, attempts, program, again_at)"  # noqa: S608
    f" VALUES (%(game)s, %(kind)s, %(seq)s, %(error)s, 1, %(program)s, {_PAUSE}[1]))"
    " ON CONFLICT (game_id, kind) DO UPDATE SET seq = EXCLUDED.seq, error = EXCLUDED.error,"
    f" program = EXCLUDED.program, attempts = CASE WHEN {_AGAIN} THEN f.attempts + 1 ELSE 1 END,"
    " since = CASE WHEN f.seq = EXCLUDED.seq THEN f.since ELSE EXCLUDED.since END,"
    f" again_at = {_PAUSE}[{_ATTEMPT}])"
    " RETURNING attempts, again_at IS NULL AS aside, again_at > now() AS waits),"
    " held AS (UPDATE lobby SET held = true WHERE game_id = %(game)s"
    " AND EXISTS (SELECT FROM told WHERE aside OR waits))"
    " SELECT attempts, aside FROM told"
)
_DONE = (
    "WITH over AS (DELETE FROM es.failed WHERE game_id = %(game)s AND kind = %(kind)s RETURNING 1)"
    " UPDATE lobby SET held = false WHERE game_id = %(game)s AND held AND EXISTS (SELECT FROM over)"
)
_RELEASE = (
    "WITH over AS (UPDATE es.failed SET again_at = 'infinity' WHERE game_id = %(game)s AND kind = %(kind)s)"
    " UPDATE lobby SET held = false WHERE game_id = %(game)s AND held"
)

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
    pool: Pool, game_id: str, kind: str, seq: int, error: str, *, final: bool = False, passing: bool = False
) -> bool:
    """Note that a task of *kind* failed after event *seq*; return True if it is set aside for good.

    *final*: trying again would give the same. *passing*: it is the installation's fault and not the game's.
    It is then tried again, after the longest pause, for as long as it takes.
    """
    pauses = [] if final else list(PAUSES)
    with pool.connection() as connection:
        row = connection.execute(
            _RECORD,
            {
                "game": game_id,
                "kind": kind,
                "seq": seq,
                "error": error,
                "program": get_build_id(),
                "pauses": pauses,
                "last": len(pauses) if passing else len(pauses) + 1,
            },
        ).fetchone()
        assert row is not None  # noqa: S101 - one row is written
        attempts, aside = row
    log.warning(
        "task_set_aside" if aside else "task_failed",
        game=game_id,
        kind=kind,
        seq=seq,
        attempts=attempts,
    )
    return bool(aside)


def clear(pool: Pool, game_id: str, kind: str) -> None:
    """Note that a task of *kind* went well: what failed before is over."""
    with pool.connection() as connection:
        connection.execute(_DONE, {"game": game_id, "kind": kind})


def release(pool: Pool) -> int:
    """Let go of the tasks whose pause is over, and of those that another program set aside.

    Returns their number.
    """
    with pool.connection() as connection:
        due = connection.execute(
            "SELECT game_id, kind FROM es.failed WHERE again_at <= now()"
            " UNION ALL SELECT game_id, kind FROM es.failed WHERE again_at IS NULL AND program <> %s",
            (get_build_id(),),
        ).fetchall()
        for game_id, kind in due:
            connection.execute(_RELEASE, {"game": game_id, "kind": kind})
        # What went on by another's move, and waits for nobody of us now, did not fail after all.
        connection.execute(
            "DELETE FROM es.failed f USING lobby l WHERE l.game_id = f.game_id AND l.seq > f.seq"
            " AND NOT l.held AND NOT (l.status = 'running'"
            " AND (l.house OR l.bot IS NOT NULL OR l.thinking <> '{}'))"
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
    with pool.connection() as connection:
        tasks = connection.execute(
            "UPDATE es.failed SET again_at = now()"
            " WHERE again_at IS NULL AND (%s::uuid IS NULL OR game_id = %s)",
            (game_id, game_id),
        ).rowcount
        projections = connection.execute(
            "UPDATE es.parked SET program = '' WHERE %s::uuid IS NULL OR game_id = %s", (game_id, game_id)
        ).rowcount
    return tasks + projections
