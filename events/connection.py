"""Connections to Postgres on which nobody waits for ever.

A server that is gone is noticed by the network; one that has fallen silent (a broken proxy, a frozen host) is
not, and `statement_timeout` is kept by the very server that does not answer. So the client watches the time
as well.
"""

from __future__ import annotations

from typing import Any, TypeVar

from psycopg import Connection, OperationalError
from psycopg.abc import PQGen
from psycopg.errors import _WaitTimeout

Result = TypeVar("Result")

ALERT: dict[str, int] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
"""Settings of a connection under which the network notices within half a minute that the server is gone."""


class PunctualConnection(Connection[tuple[Any, ...]]):
    """A connection that is given up when a statement is not answered within its patience.

    Whether the statement was carried out is then not known, as with any connection that breaks.
    """

    patience: float | None = None
    """Seconds for one statement; None: for ever."""

    def wait(self, gen: PQGen[Result], interval: float = 0.1, timeout: float | None = None) -> Result:
        """Wait for an answer. Raises OperationalError, the connection closed, where none comes in time."""
        if timeout is not None or self.patience is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.patience)
        except _WaitTimeout:
            self.pgconn.finish()
            raise OperationalError(
                f"the database has not answered for {self.patience:.1f} s; the connection is given up"
            ) from None
