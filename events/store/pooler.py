"""Poolers before the database, such as pgbouncer, which lend one connection to many clients in turn.

Behind one, a prepared statement or a setting of a session is met by another client, or is missing. So nothing
may be prepared, and nothing set for a session. RUTTER_PREPARE_THRESHOLD=none says so; where it is not set, a
pooler is noticed.
"""

from __future__ import annotations

import threading
from typing import Any

import psycopg
import structlog
from psycopg import Connection
from psycopg.errors import DuplicatePreparedStatement, InvalidSqlStatementName

from events.base.settings import RUTTER_PREPARE_THRESHOLD

POOLER_ERRORS = (DuplicatePreparedStatement, InvalidSqlStatementName)
"""The errors of statements that were prepared through a pooler."""
LOOKS = 5
"""The number of times that two connections are asked which process of Postgres serves them."""
CONNECT_SECONDS = 5
"""Seconds in which a second connection must be there for such a look."""

log = structlog.get_logger()

_looking = threading.Lock()
_looked_at: set[str] = set()
"""The URLs of the databases before which a pooler was looked for."""
NOTICED: list[str] = []
"""The reason for which a pooler is assumed, once there is one."""


def is_pooled() -> bool:
    """Return True if a pooler stands before the database: no connection then keeps its own settings."""
    return bool(NOTICED) or RUTTER_PREPARE_THRESHOLD.read() is None


def note_pooler_error(error: BaseException) -> None:
    """Prepare no more statements in this process after one that failed for a pooler; let other errors be."""
    if isinstance(error, POOLER_ERRORS):
        _note_pooler(f"A statement failed: {type(error).__name__}.")


def _note_pooler(reason: str) -> None:
    if not is_pooled():
        NOTICED.append(reason)
        log.warning("pooler_noticed", reason=reason, advice=f"Set {RUTTER_PREPARE_THRESHOLD.name}=none.")


def adapt_to_pooler(connection: Connection[Any], url: str) -> None:
    """Let *connection*, in autocommit mode, prepare no more than a pooler allows; look for one if need be."""
    if not (is_pooled() or RUTTER_PREPARE_THRESHOLD.is_set()):
        with _looking:  # others wait for the answer, before they prepare anything
            if url not in _looked_at:
                _look_for_pooler(connection, url)
                _looked_at.add(url)
    connection.prepare_threshold = None if is_pooled() else RUTTER_PREPARE_THRESHOLD.read()


def _look_for_pooler(connection: Connection[Any], url: str) -> None:
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS) as other:
            if shares_sessions(connection, other):
                _note_pooler("Two connections are served by one process of Postgres.")
    except psycopg.OperationalError as error:
        log.info("pooler_not_looked_for", error=type(error).__name__)


def shares_sessions(first: Connection[Any], second: Connection[Any]) -> bool:
    """Return True if two connections in autocommit mode do not have one process of Postgres each."""
    asked = [[_get_pid(connection) for connection in (first, second)] for _ in range(LOOKS)]
    firsts, seconds = (set(pids) for pids in zip(*asked, strict=True))
    return len(firsts | seconds) != 2 or len(firsts) != 1


def _get_pid(connection: Connection[Any]) -> int:
    row = connection.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    return int(row[0]) if row else 0
