"""Connections to Postgres on which nobody waits for ever.

A server that is gone is noticed by the network; one that has fallen silent (a broken proxy, a frozen host) is
not, and `statement_timeout` is kept by the very server that does not answer. So the client watches the time
as well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import psycopg
from psycopg import Connection, InterfaceError, OperationalError
from psycopg.abc import PQGen
from psycopg.errors import InternalError_, ProtocolViolation, _WaitTimeout
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout, TooManyRequests

from events.store import pooler
from events.store.pooler import POOLER_ERRORS, adapt_to_pooler

Result = TypeVar("Result")

KEEPALIVE_SETTINGS: dict[str, int] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
"""Settings of a connection under which the network notices within half a minute that the server is gone."""


RECONNECT_SECONDS = 2.0
"""For which a pool tries by itself to connect again, with growing pauses; then the next caller that needs a
connection makes it try again. (Left to itself it would sleep for a minute after a minute's outage.)
"""


DATABASE_AWAY = (
    OperationalError,
    InterfaceError,
    PoolTimeout,
    PoolClosed,
    TooManyRequests,
    *POOLER_ERRORS,
)
"""The errors that mean that the database cannot be had, or one of its machines."""
_NODE_AWAY = ("connection marked as essential", "connection to the remote node")
"""Parts of what Citus says of a machine that fails in the middle of a statement, as of a fault of its own."""

_CONNECTION_EXCEPTION = "08"
"""The class of SQLSTATE in which Citus tells of a machine that it cannot reach."""


class NodeAway(OperationalError):
    """A machine of the cluster failed within a statement; whether that was carried out is not known."""


def is_machine_away(error: BaseException) -> bool:
    """Return True if the database itself says that another machine does not answer: one of a cluster.

    What lies on that machine cannot be had, and all else can.
    """
    return isinstance(error, NodeAway) or (
        isinstance(error, psycopg.Error)
        and (error.sqlstate or "").startswith(_CONNECTION_EXCEPTION)
        and not isinstance(error, ProtocolViolation)  # so a pooler says that it has no connection just now
    )


def connect(url: str, *, autocommit: bool = False, connect_timeout: int = 30) -> Connection[tuple[Any, ...]]:
    """One connection, for a command that needs no pool: it prepares no more than a pooler allows."""
    connection = psycopg.connect(url, autocommit=True, connect_timeout=connect_timeout)
    adapt_to_pooler(connection, url)
    connection.autocommit = autocommit
    return connection


def make_pool(url: str, most: int) -> ConnectionPool[Connection[tuple[Any, ...]]]:
    """A pool of at most so many autocommit connections, for a command; not opened yet."""
    return ConnectionPool(
        url,
        min_size=1,
        max_size=most,
        kwargs={"autocommit": True},
        configure=lambda connection: adapt_to_pooler(connection, url),
        open=False,
    )


def _do_nothing(_connection: Connection[tuple[Any, ...]]) -> None:
    """Leave a connection as it is."""


class TimeoutConnection(Connection[tuple[Any, ...]]):
    """A connection that is given up when a statement is not answered within its patience.

    Whether the statement was carried out is then not known, as with any connection that breaks.
    """

    statement_timeout: float | None = None
    """Seconds for one statement; None: for ever."""
    timed_out = False
    """True once the connection was given up for want of an answer."""

    def wait(self, gen: PQGen[Result], interval: float = 0.1, timeout: float | None = None) -> Result:
        """Wait for an answer. Raises OperationalError, the connection closed, where none comes in time.

        Raises :class:`NodeAway` where Citus calls a machine that failed a fault of its own.
        """
        given = timeout if timeout is not None else self.statement_timeout
        try:
            return super().wait(gen, interval, given)
        except InternalError_ as error:
            if any(words in str(error) for words in _NODE_AWAY):
                raise NodeAway(str(error)) from error
            raise
        except _WaitTimeout:
            if timeout is not None or self.statement_timeout is None:
                raise
            self.timed_out = True
            self.pgconn.finish()
            raise OperationalError(
                f"the database has not answered for {self.statement_timeout:.1f} s; "
                "the connection is given up"
            ) from None


class TimeoutPool(ConnectionPool[Connection[tuple[Any, ...]]]):
    """A pool of such connections, in autocommit mode, which answers again as soon as the database is.

    Args:
        url: of the database.
        name: by which the database and our log call it.
        settings: of :class:`ConnectionPool`.
    """

    def __init__(self, url: str, name: str, **settings: Any) -> None:
        configure: Callable[[Connection[tuple[Any, ...]]], None] = settings.pop("configure", _do_nothing)

        def prepare(connection: Connection[tuple[Any, ...]]) -> None:
            adapt_to_pooler(connection, url)
            configure(connection)

        self.lent = 0
        """The number of connections that are lent now."""
        self._counting = threading.Lock()
        super().__init__(
            url,
            connection_class=TimeoutConnection,
            kwargs={
                "autocommit": True,
                "connect_timeout": 5,
                "application_name": name,
                **KEEPALIVE_SETTINGS,
            },
            configure=prepare,
            min_size=1,
            reconnect_timeout=RECONNECT_SECONDS,
            open=False,
            name=name,
            **settings,
        )

    def getconn(self, timeout: float | None = None) -> Connection[tuple[Any, ...]]:
        """Lend a connection. It prepares nothing once a pooler was noticed."""
        connection = super().getconn(timeout)
        with self._counting:
            self.lent += 1
        if pooler.NOTICED:
            connection.prepare_threshold = None
        return connection

    def putconn(self, conn: Connection[tuple[Any, ...]]) -> None:
        """Take a connection back; where it has fallen silent the others are not trusted any more either."""
        with self._counting:
            self.lent -= 1
        super().putconn(conn)
        if isinstance(conn, TimeoutConnection) and conn.timed_out:
            self.drain()
