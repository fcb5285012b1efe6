"""Connections to Postgres, and the deadline of a request, which is asked wherever it waits for them.

A live stream has no deadline once its first bytes are out: its later queries are part of no request.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, LiteralString, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from flask import g, has_request_context
from psycopg import Connection, InterfaceError, OperationalError
from psycopg.errors import DiskFull, QueryCanceled
from psycopg_pool import PoolTimeout

from events.store.connection import TimeoutConnection, TimeoutPool, is_machine_away
from events.store.event_log import Pool
from events.store.pooler import POOLER_ERRORS, is_pooled, note_pooler_error
from service.base.rate_limits import TimeLimits

P = ParamSpec("P")
R = TypeVar("R")

RETRY_PAUSES = (0.02, 0.2, 0.6, 1.5)
"""Seconds to wait before each new try to ask the database."""
TIMEOUT_GRACE = 0.5
"""Seconds beyond its own limit in which Postgres may say that a statement took too long."""


def get_remaining_seconds() -> float | None:
    """Return the seconds that the request has left, perhaps none; None outside of a request."""
    if not has_request_context() or "deadline" not in g:
        return None
    return float(g.deadline - time.monotonic())


class ExhaustedPool(Exception):
    """An error: other requests have all connections. Trying again at once would only add to the load."""


class LazyPool(TimeoutPool):
    """A pool that connects when it is first used, so that processes forked before share no connection.

    A request waits only a moment for a connection, and none of its statements takes longer than requests of
    its class may. Postgres cancels the statement then; if it does not even say so, the connection is closed.
    Behind a pooler it is always closed: a limit set there would stay for the next user of the connection to
    Postgres. In a pool for *reading*, Postgres refuses to write.
    """

    def __init__(self, url: str, most: int, wait: TimeLimits, *, reading: bool = False) -> None:
        super().__init__(
            url,
            "rutter-api",
            max_size=max(1, most),
            timeout=wait.connection,
            configure=partial(_configure_connection, seconds=wait.usual, reading=reading),
        )
        self._wait = wait
        self._opening = threading.Lock()

    def getconn(self, timeout: float | None = None) -> Connection[tuple[Any, ...]]:
        """Return a connection; open the pool before the first.

        Raises ExhaustedPool where all are at work, PoolTimeout where none can be made or time is over.
        """
        if self.closed:
            with self._opening:
                if self.closed:
                    self.open()
        left = get_remaining_seconds()
        long = has_request_context() and bool(g.get("long"))
        if left is not None and left <= 0:
            raise PoolTimeout("the time of this request is over")
        try:
            connection = super().getconn(min(timeout or self.timeout, left or math.inf))
        except PoolTimeout:
            if self.lent >= self.max_size:
                raise ExhaustedPool(f"all {self.max_size} connections are at work") from None
            raise
        seconds = self._wait.long if long else self._wait.usual
        left = get_remaining_seconds()
        rest = seconds if left is None else max(0.0, left)
        return self._apply_time_limits(connection, seconds, rest)

    def _apply_time_limits(
        self, connection: Connection[tuple[Any, ...]], seconds: float, rest: float
    ) -> Connection[tuple[Any, ...]]:
        """Return *connection* with the limit of this class of requests; a statement has the *rest* of it."""
        try:
            if _SESSION_TIMEOUTS.get(connection) != seconds:
                _set_session_timeout(connection, seconds)
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
    _set_session_timeout(connection, seconds)


def _set_session_timeout(connection: Connection[Any], seconds: float) -> None:
    _set_statement_timeout(connection, seconds)
    if not is_pooled():
        connection.execute(f"SET statement_timeout = {round(seconds * 1000)}")
    _SESSION_TIMEOUTS[connection] = seconds


def retry_on_disconnect(action: Callable[P, R]) -> Callable[P, R]:
    """Repeat *action* where the database was away for a moment: only for what may be done twice.

    After a restart of the database every connection of a pool is dead, and each is noticed only in use. Where
    one machine of several is away, the action is tried once more.
    """

    @wraps(action)
    def retry(*arguments: P.args, **named: P.kwargs) -> R:
        tried = False
        for pause in RETRY_PAUSES:
            try:
                return action(*arguments, **named)
            except QueryCanceled:
                raise  # it had its time
            except DiskFull:  # not for a moment
                raise
            except POOLER_ERRORS as error:
                note_pooler_error(error)
            except (OperationalError, InterfaceError, PoolTimeout) as error:
                left = get_remaining_seconds()
                away = is_machine_away(error)
                if (left is not None and left <= pause) or (away and tried):
                    raise
                tried = tried or away
                time.sleep(pause)
        return action(*arguments, **named)

    return retry


def format_utc(column: LiteralString) -> LiteralString:
    """Return SQL that writes a time as RFC 3339 in UTC."""
    return f"to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"


def make_lazy_pool(url: str, most: int, wait: TimeLimits, *, reading: bool = False) -> Pool:
    """Return a pool of autocommit connections, not opened yet; for *reading* it may be of a replica."""
    return LazyPool(url, most, wait, reading=reading)
