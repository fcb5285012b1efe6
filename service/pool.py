"""Connections to Postgres."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from psycopg import Connection, InterfaceError, OperationalError
from psycopg.errors import DiskFull
from psycopg_pool import ConnectionPool, PoolTimeout

from events.log import Pool

P = ParamSpec("P")
R = TypeVar("R")

PAUSES = (0.02, 0.2, 0.6, 1.5)
"""Seconds to wait before the database is asked again."""


class LatePool(ConnectionPool[Connection[tuple[Any, ...]]]):
    """A pool that connects when it is first used: whoever forks before that shares no connection."""

    def __init__(self, url: str, most: int) -> None:
        super().__init__(
            url,
            min_size=1,
            max_size=max(1, most),
            timeout=4.0,  # seconds to wait for a free connection before one tries again or gives up
            kwargs={"autocommit": True, "connect_timeout": 5, "application_name": "rutter-api"},
            open=False,
            name="rutter-api",
        )
        self._opening = threading.Lock()

    def getconn(self, timeout: float | None = None) -> Connection[tuple[Any, ...]]:
        """A connection; opens the pool before the first."""
        if self.closed:
            with self._opening:
                if self.closed:
                    self.open()
        return super().getconn(timeout)


def patient(action: Callable[P, R]) -> Callable[P, R]:
    """*action*, again where the database was away for a moment: only for what may be done twice.

    After a restart of the database every connection of a pool is dead, and each is noticed only in use.
    """

    @wraps(action)
    def again(*arguments: P.args, **named: P.kwargs) -> R:
        for pause in PAUSES:
            try:
                return action(*arguments, **named)
            except DiskFull:  # not for a moment
                raise
            except (OperationalError, InterfaceError, PoolTimeout):
                time.sleep(pause)
        return action(*arguments, **named)

    return again


def late_pool(url: str, most: int) -> Pool:
    """A pool of autocommit connections, not opened yet."""
    return LatePool(url, most)
