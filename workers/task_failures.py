"""Failures of tasks that look after one game or tournament each: one that fails holds up no other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from events.store.connection import is_machine_away
from events.store.event_log import Pool
from projections.health import failed_tasks
from workers.periodic_tasks import is_server_away


@contextmanager
def record_failure(pool: Pool, stream: str, kind: str, seq: int, *, final: bool = False) -> Iterator[None]:
    """Record whatever is raised within as a failure of the task *kind* in a game or tournament.

    A server that is away is nobody's failure: that error is raised on. Where it is only the machine of this
    game, the others go on, and this one is tried again soon. *final*: see :func:`failed_tasks.record`.
    """
    try:
        yield
    except Exception as error:
        if is_server_away(error) and not is_machine_away(error):
            raise
        record_error(pool, stream, kind, seq, error, final=final)


def record_error(
    pool: Pool, stream: str, kind: str, seq: int, error: Exception, *, final: bool = False
) -> None:
    """Record an error as :func:`record_failure` does. Errors of the system pass: they are tried again."""
    told = failed_tasks.describe(error)
    away = is_machine_away(error)
    passing = away or isinstance(error, OSError)
    failed_tasks.record(pool, stream, kind, seq, told, final=final and not away, passing=passing, away=away)
