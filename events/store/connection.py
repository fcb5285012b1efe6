"""Connections to Postgres on which nobody waits for ever.

A server that is gone is noticed by the network; one that has fallen silent (a broken proxy, a frozen host) is
not, and `statement_timeout` is kept by the very server that does not answer. So the client watches the time
as well. So does a request: it has a time by which it must be answered.
"""

from __future__ import annotations

import itertools
import math
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from ctypes import PyDLL, c_void_p
from functools import partial
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

import msgspec
import psycopg
from psycopg import Connection, InterfaceError, OperationalError, pq
from psycopg.abc import PQGen
from psycopg.conninfo import make_conninfo
from psycopg.errors import (
    InternalError_,
    InvalidSqlStatementName,
    ProtocolViolation,
    ReadOnlySqlTransaction,
    _WaitTimeout,
    error_from_result,
)
from psycopg.pq import ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult
from psycopg.waiting import Wait
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout, TooManyRequests

from events.store import list_dumper, pooler
from events.store.pooler import POOLER_ERRORS, adapt_to_pooler, is_pooled

Result = TypeVar("Result")

list_dumper.register()

KEEPALIVE_SETTINGS: dict[str, int] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
"""Settings of a connection under which the network notices within half a minute that the server is gone."""


RECONNECT_SECONDS = 2.0
"""Seconds for which a pool tries by itself to connect again, with growing pauses.

Then the next caller that needs a connection makes it try again. Left to itself it would sleep for a minute
after a minute's outage.
"""


CONNECT_PATIENCE = 3.0
"""Seconds that a request waits for a connection while one is being made: a slow machine takes long for that.

Where connections fail, or the database has fallen silent, it waits no longer than while all are at work.
"""

TIMEOUT_GRACE = 0.5
"""Seconds beyond its own limit in which Postgres may say that a statement took too long."""

MACHINE_SECONDS = 3.0
"""Seconds for a statement where the database is the coordinator of a cluster, but for long requests.

The coordinator itself waits for a machine that is frozen, with all locks of the statement.
"""
MOST_PREPARED = 32
"""The most statements that :meth:`TimeoutConnection.write` prepares on one connection."""
_COORDINATES = "SELECT 1 WHERE current_setting('citus.version', true) <> ''"

DATABASE_AWAY = (
    OperationalError,
    InterfaceError,
    PoolTimeout,
    PoolClosed,
    TooManyRequests,
    ReadOnlySqlTransaction,
    *POOLER_ERRORS,
)
"""The errors that mean that the database, or one of its machines, cannot be had or takes no writes."""
_NODE_AWAY = (
    "connection marked as essential",
    "connection to the remote node",
    "could not commit transaction for shard",
    "failed to prepare transaction",
)
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
        and not isinstance(error, ProtocolViolation)  # so a pooler says that it has no connection at present
    )


def connect(url: str, *, autocommit: bool = False, connect_timeout: int = 30) -> Connection[tuple[Any, ...]]:
    """Return one connection, for a command that needs no pool: it prepares no more than a pooler allows."""
    connection = psycopg.connect(url, autocommit=True, connect_timeout=connect_timeout)
    adapt_to_pooler(connection, url)
    connection.autocommit = autocommit
    return connection


def make_pool(url: str, most: int) -> ConnectionPool[Connection[tuple[Any, ...]]]:
    """Return a pool of at most so many autocommit connections, for a command; not opened yet."""
    return ConnectionPool(
        url,
        min_size=1,
        max_size=most,
        kwargs={"autocommit": True},
        configure=lambda connection: adapt_to_pooler(connection, url),
        open=False,
    )


class _Stack(deque[Any]):
    """The idle connections of a pool, of which the one that was used last is lent first.

    Its process in Postgres has what it needs: prepared statements and what it knows of tables. Lent in turn,
    each of ten connections would plan every statement again and wake a process that has long slept.
    """

    append = deque.appendleft
    """A pool takes from the left."""


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

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._written: dict[str, bytes] = {}
        """The names of the statements that :meth:`write` has prepared."""
        self._numbers = itertools.count()

    def write(self, statement: str, values: Sequence[str | int | bytes | None]) -> None:
        """Carry out a statement without rows that is used again and again, in autocommit mode.

        Does what :meth:`execute` does, which gives up Python's lock eight times for one statement. In a busy
        process each time another thread may take its turn, so the statement waits for all of them.
        """
        if self.prepare_threshold is None or (
            statement not in self._written and len(self._written) >= MOST_PREPARED
        ):
            self.execute(statement, values)
            return
        try:
            self._write_prepared(statement, values)
        except InvalidSqlStatementName:  # psycopg deallocates all statements after a rollback, these too
            self._written.clear()
            self._write_prepared(statement, values)

    def _write_prepared(self, statement: str, values: Sequence[str | int | bytes | None]) -> None:
        name = self._written.get(statement)
        if name is None:
            name = b"written_%d" % next(self._numbers)
            places = itertools.count(1)
            query = re.sub("%s", lambda _: f"${next(places)}", statement).encode()
            self.wait(_exchange(self.pgconn, lambda: self.pgconn.send_prepare(name, query)))
            self._written[statement] = name
        self.wait(_exchange(self.pgconn, lambda: self.pgconn.send_query_prepared(name, *_dump(values))))

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


def write(connection: Connection[Any], statement: str, values: Sequence[str | int | bytes | None]) -> None:
    """Carry out a statement as :meth:`TimeoutConnection.write` does, on a connection of any kind."""
    if isinstance(connection, TimeoutConnection):
        connection.write(statement, values)
    else:
        connection.execute(statement, values)


def _dump(values: Sequence[str | int | bytes | None]) -> tuple[list[bytes | None], list[Format]]:
    """Return values as the protocol has them, each with its format."""
    return (
        [value if value is None or type(value) is bytes else str(value).encode() for value in values],
        [Format.BINARY if type(value) is bytes else Format.TEXT for value in values],
    )


def _find_libpq() -> PyDLL | None:
    """Return the library by which psycopg speaks to Postgres, if this build of psycopg lets it be found."""
    try:
        library = PyDLL(sys.modules[pq.PGconn.__module__].__file__)
        for name in ("PQisBusy", "PQflush", "PQconsumeInput", "PQtransactionStatus"):
            getattr(library, name).argtypes = [c_void_p]
    except (OSError, AttributeError):
        return None
    return library


_libpq = _find_libpq()
"""psycopg gives up Python's lock for each call of libpq, and other threads take their turn.

So what never waits is asked of libpq directly. What fails is asked again through psycopg, which says why.
"""
_AT_END = frozenset(map(int, (TransactionStatus.IDLE, TransactionStatus.INTRANS, TransactionStatus.INERROR)))
"""The states of a connection that has answered; a broken one's is not known."""


def _is_busy(pgconn: Any) -> bool:
    """Return True if more of a result is still to come."""
    return bool(pgconn.is_busy() if _libpq is None else _libpq.PQisBusy(pgconn.pgconn_ptr))


def _is_at_end(pgconn: Any) -> bool:
    """Return True if all results were fetched; False where that is not known."""
    return _libpq is not None and _libpq.PQtransactionStatus(pgconn.pgconn_ptr) in _AT_END


def _flush(pgconn: Any) -> bool:
    """Send what is still to be sent. Return True if some of it is left."""
    left = -1 if _libpq is None else _libpq.PQflush(pgconn.pgconn_ptr)
    return bool(left if left >= 0 else pgconn.flush())


def _consume_input(pgconn: Any) -> None:
    """Read what has come."""
    if _libpq is None or not _libpq.PQconsumeInput(pgconn.pgconn_ptr):
        pgconn.consume_input()


def _exchange(pgconn: PGconn, send: Callable[[], None]) -> PQGen[None]:
    """Send one statement, and wait until Postgres is ready for another. Raises its error if it fails."""
    send()
    while _flush(pgconn):  # it fills what the network takes at once: Postgres may have something to say first
        yield Wait.RW
        _consume_input(pgconn)
    failed: PGresult | None = None  # an error of the transaction's end comes after the statement's own result
    yield Wait.R
    _consume_input(pgconn)
    while True:
        while _is_busy(pgconn):
            yield Wait.R
            _consume_input(pgconn)
        result = None if _is_at_end(pgconn) else pgconn.get_result()
        if result is None:
            break
        if result.status == ExecStatus.FATAL_ERROR:
            failed = failed or result
    if failed is not None:
        raise error_from_result(failed)


def is_coordinator(connection: Connection[Any]) -> bool:
    """Return True if this database may have parts on other machines: it has Citus."""
    return connection.execute(_COORDINATES, prepare=False).fetchone() is not None


@contextmanager
def limit_answers(connection: Connection[Any], seconds: float) -> Iterator[None]:
    """Wait at the most so long for each answer within; a connection that is late is given up."""
    usual = None
    if isinstance(connection, TimeoutConnection):
        usual = connection.statement_timeout
        connection.statement_timeout = min(seconds + TIMEOUT_GRACE, usual or math.inf)
    try:
        yield
    finally:
        if isinstance(connection, TimeoutConnection):
            connection.statement_timeout = usual


class TimeoutPool(ConnectionPool[Connection[tuple[Any, ...]]]):
    """A pool of such connections, in autocommit mode, which answers again as soon as the database is.

    Args:
        url: of the database.
        name: by which the database and our log call it.
        settings: of :class:`ConnectionPool`.
    """

    def __init__(self, url: str, name: str, **settings: Any) -> None:
        configure: Callable[[Connection[tuple[Any, ...]]], None] = settings.pop("configure", _do_nothing)
        self._configure_as_given, self._settings = configure, settings

        def prepare(connection: Connection[tuple[Any, ...]]) -> None:
            adapt_to_pooler(connection, url)
            configure(connection)
            self._failures, self._is_silent = self._count_failures(), False

        self._url = url
        self._failures = 0
        """The number of connections that could not be made before the newest that could."""
        self._is_silent = False
        """True if a connection was given up for want of an answer, and none made since."""
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
        self._pool = _Stack()

    def make_neighbour(self, host: str, port: int, greet: Callable[[Connection[Any]], None]) -> TimeoutPool:
        """Return a pool like this at another address, not opened yet; *greet* sees each new connection."""

        def configure(connection: Connection[tuple[Any, ...]]) -> None:
            greet(connection)
            self._configure_as_given(connection)

        url = make_conninfo(self._url, host=host, port=port)
        return TimeoutPool(url, self.name, configure=configure, **self._settings)

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
            self._is_silent = True
            self.drain()

    def seems_away(self) -> bool:
        """Return True if the last try to connect failed, or the database has fallen silent since the last."""
        return self._is_silent or self._count_failures() > self._failures

    def _count_failures(self) -> int:
        return self.get_stats().get("connections_errors", 0)


# --- the time of a request -----------------------------------------------------------------------------


class RequestTime(msgspec.Struct, frozen=True):
    """The time that a request has."""

    deadline: float
    """The time of :func:`time.monotonic` by which it must be answered."""
    long: bool
    """True if it may read very much."""


REQUEST_TIME: ContextVar[RequestTime | None] = ContextVar("request_time", default=None)
"""The time of the request that this thread answers; None outside of a request.

A live stream has none once its first bytes are out: its later queries are part of no request.
"""


def get_remaining_seconds() -> float | None:
    """Return the seconds that the request has left, perhaps none; None outside of a request."""
    given = REQUEST_TIME.get()
    return None if given is None else given.deadline - time.monotonic()


class WaitLimits(Protocol):
    """Seconds that the database may take for a request of each class, and for a connection."""

    @property
    def usual(self) -> float: ...  # noqa: D102 - see the class
    @property
    def long(self) -> float: ...  # noqa: D102 - see the class
    @property
    def connection(self) -> float: ...  # noqa: D102 - see the class


class ExhaustedPool(Exception):
    """An error: other requests have all connections. Trying again at once would only add to the load."""


class LazyPool(TimeoutPool):
    """A pool that connects when it is first used, so that processes forked before share no connection.

    A request waits only a moment for a connection, and none of its statements takes longer than requests of
    its class may. Postgres cancels the statement then; if it does not even say so, the connection is closed.
    Behind a pooler it is always closed: a limit set there would stay for the next user of the connection to
    Postgres. In a pool for *reading*, Postgres refuses to write.
    """

    def __init__(
        self,
        url: str,
        most: int,
        wait: WaitLimits,
        *,
        reading: bool = False,
        greet: Callable[[Connection[Any]], None] = _do_nothing,
    ) -> None:
        super().__init__(
            url,
            "rutter-api",
            max_size=max(1, most),
            timeout=wait.connection,
            configure=partial(self._limit_session, reading=reading, greet=greet),
        )
        self._most, self._reading = most, reading
        self._wait = wait
        self._usual = wait.usual
        self._asked = False
        """True once it is known whether the database is the coordinator of a cluster."""
        self._opening = threading.Lock()

    def make_neighbour(self, host: str, port: int, greet: Callable[[Connection[Any]], None]) -> LazyPool:
        """Return a pool like this at another address, not opened yet; *greet* sees each new connection."""
        url = make_conninfo(self._url, host=host, port=port)
        return LazyPool(url, self._most, self._wait, reading=self._reading, greet=greet)

    def getconn(self, timeout: float | None = None) -> Connection[tuple[Any, ...]]:
        """Return a connection; open the pool before the first.

        Raises ExhaustedPool where all are at work, PoolTimeout where none can be made or time is over.
        """
        if self.closed:
            with self._opening:
                if self.closed:
                    self.open()
        left = get_remaining_seconds()
        if left is not None and left <= 0:
            raise PoolTimeout("the time of this request is over")
        connection = self._borrow(timeout, left or math.inf)
        given = REQUEST_TIME.get()
        seconds = self._wait.long if given is not None and given.long else self._usual
        left = get_remaining_seconds()
        rest = seconds if left is None else min(seconds, max(0.0, left))
        return self._apply_time_limits(connection, seconds, rest)

    def _borrow(self, timeout: float | None, left: float) -> Connection[tuple[Any, ...]]:
        """Wait for a connection: longer while one is being made, if nobody has said for how long."""
        first = min(timeout or self.timeout, left)
        try:
            return super().getconn(first)
        except PoolTimeout:
            self._refuse_if_exhausted()
            more = min(CONNECT_PATIENCE, left) - first
            if timeout is not None or more <= 0 or self.seems_away():
                raise
        try:
            return super().getconn(more)
        except PoolTimeout:
            self._refuse_if_exhausted()
            raise

    def _refuse_if_exhausted(self) -> None:
        if self.lent >= self.max_size:
            raise ExhaustedPool(f"all {self.max_size} connections are at work") from None

    def _limit_session(
        self, connection: Connection[Any], *, reading: bool, greet: Callable[[Connection[Any]], None]
    ) -> None:
        greet(connection)
        if not self._asked:
            if is_coordinator(connection):
                self._usual = min(self._wait.usual, MACHINE_SECONDS)
            self._asked = True
        _configure_connection(connection, self._usual, reading=reading)

    def _apply_time_limits(
        self, connection: Connection[tuple[Any, ...]], seconds: float, rest: float
    ) -> Connection[tuple[Any, ...]]:
        """Return *connection* with the limit of this class of requests; a statement has the *rest* of it."""
        try:
            if _SESSION_TIMEOUTS.get(connection) != seconds:
                set_session_timeout(connection, seconds)
        except BaseException:
            self.putconn(connection)
            raise
        _set_statement_timeout(connection, rest)
        return connection


_SESSION_TIMEOUTS: WeakKeyDictionary[Connection[Any], float] = WeakKeyDictionary()
"""The statement_timeout of each connection, in seconds."""


def _set_statement_timeout(connection: Connection[Any], seconds: float) -> None:
    """Limit the wait for the answer to each statement of *connection* to *seconds*, and a moment more."""
    if isinstance(connection, TimeoutConnection):
        connection.statement_timeout = seconds + TIMEOUT_GRACE


def _configure_connection(connection: Connection[Any], seconds: float, *, reading: bool) -> None:
    if reading and not is_pooled():
        connection.execute("SET default_transaction_read_only = on")
    set_session_timeout(connection, seconds)


def set_session_timeout(connection: Connection[Any], seconds: float) -> None:
    """Limit each statement of *connection* to so many seconds, in Postgres as well where that can be."""
    _set_statement_timeout(connection, seconds)
    if not is_pooled():
        connection.execute(f"SET statement_timeout = {round(seconds * 1000)}")
    _SESSION_TIMEOUTS[connection] = seconds
