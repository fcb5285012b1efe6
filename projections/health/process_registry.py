"""The processes at work: dispatchers and workers say every moment that they are alive.

The signs stand in the database and not in Redis, so that it can be told apart which of both is away. They go
by its clock, so that hosts need not agree on the time. They are rows and not locks, so that a pooler may
stand between.
"""

from __future__ import annotations

import os
import socket
import uuid
from typing import NamedTuple

from events.store.event_log import Pool

DISPATCHER = "dispatcher"
DELIVER = "deliver"
WORKERS = ("ai", "think", "house", DELIVER)
"""Duties of workers."""
BEAT_SECONDS = 2.0
"""Seconds between two signs of life of one process."""
DEAD_AFTER = 7.0
"""Seconds without one after which a process counts as dead."""
FORGOTTEN_AFTER = 3600.0
"""Seconds after which a dead one is forgotten."""


def make_process_name(duty: str) -> str:
    """Return a name for this process that no other one has.

    Not even one with the same process id before it has the same.
    """
    return f"{duty}-{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"


class ProcessSign(NamedTuple):
    """The report of a process that is alive."""

    duty: str
    job: str | None
    """The id of the job that a worker is at, empty while it is at none; None where it does not say."""


def report_alive(pool: Pool, name: str, duty: str, job: str | None = None) -> None:
    """Say that *name* is alive, does *duty* and is at *job*, as :class:`ProcessSign` has it."""
    with pool.connection() as connection:
        connection.execute(
            # A sign that a crash of the database loses is given again: the disk is not waited for.
            "WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true))"
            " INSERT INTO es.alive (name, duty, job, beat_at)"
            " SELECT %s, %s, %s, clock_timestamp() FROM relaxed"
            " ON CONFLICT (name) DO UPDATE SET job = EXCLUDED.job, beat_at = EXCLUDED.beat_at",
            (name, duty, job),
        )


def report_end(pool: Pool, name: str) -> None:
    """Say that *name* ends now, in order."""
    with pool.connection() as connection:
        connection.execute("DELETE FROM es.alive WHERE name = %s", (name,))


def list_duties(pool: Pool) -> dict[str, str]:
    """Return the duty of each process that is alive, by its name."""
    return {name: sign.duty for name, sign in list_signs(pool).items()}


def list_signs(pool: Pool) -> dict[str, ProcessSign]:
    """Return the last report of each process that is alive, by its name."""
    with pool.connection() as connection:
        rows = connection.execute(
            "SELECT name, duty, job FROM es.alive"
            " WHERE beat_at > clock_timestamp() - make_interval(secs => %s)",
            (DEAD_AFTER,),
        ).fetchall()
    return {name: ProcessSign(duty, job) for name, duty, job in rows}


def has_died(pool: Pool, name: str) -> bool:
    """Return True if *name* said once that it is alive and never that it ends.

    A process that gives no sign of life any more was then killed, or hangs.
    """
    with pool.connection() as connection:
        return connection.execute("SELECT 1 FROM es.alive WHERE name = %s", (name,)).fetchone() is not None


def forget_dead(pool: Pool) -> None:
    """Delete the rows of processes that died long ago."""
    with pool.connection() as connection:
        connection.execute(
            "DELETE FROM es.alive WHERE beat_at < clock_timestamp() - make_interval(secs => %s)",
            (FORGOTTEN_AFTER,),
        )
