"""One look at what is due, in place of one for each task that waits for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import LiteralString, NamedTuple

from events.base.timestamps import read_time
from events.store.event_log import Pool
from workers.periodic_tasks import PeriodicTask

DUE_SECONDS = 1.0
"""Seconds between two looks."""
UNTOLD_SECONDS = 30.0
"""Seconds after which a task that no look has woken looks for itself."""


class DueTask(NamedTuple):
    """A task that has something to do when one of the queries finds a row."""

    task: PeriodicTask
    queries: Sequence[LiteralString]
    """SQL that may take the time as `%(now)s`. Each reads only what lies on a cluster's coordinator."""


class DueLook:
    """Asks by one statement which tasks have something to do, and wakes them."""

    def __init__(self, pool: Pool, now: Callable[[], str], tasks: Sequence[DueTask]) -> None:
        self._pool = pool
        self._now = now
        self._tasks = [task.task for task in tasks]
        # Not EXISTS, which drops the order of a query, and with it the index that it goes by.
        found = [
            " OR ".join(f"(SELECT true FROM ({query}) due LIMIT 1) IS TRUE" for query in task.queries)  # noqa: S608 - constants
            for task in tasks
        ]
        self._statement = "SELECT " + ", ".join(found)

    def __call__(self) -> int:
        """Wake the tasks that have something to do; how many."""
        with self._pool.connection() as connection:
            row = connection.execute(self._statement, {"now": read_time(self._now())}).fetchone()
        woken = [task for task, is_due in zip(self._tasks, row or (), strict=True) if is_due]
        for task in woken:
            task.wake()
        return len(woken)
