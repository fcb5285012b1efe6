"""Connections to Postgres."""

from __future__ import annotations

import threading
from typing import Any

from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.log import Pool


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


def late_pool(url: str, most: int) -> Pool:
    """A pool of autocommit connections, not opened yet."""
    return LatePool(url, most)
