"""Poolers before the database, such as pgbouncer, which lend one connection to many clients in turn.

Behind one, a prepared statement or a setting of a session is met by another client, or is missing. So nothing
may be prepared, and nothing set for a session. RUTTER_PREPARE_THRESHOLD=none says so. Where it is not set, a
pooler is noticed: it greets its clients with keys of its own, and the process that serves them has others.

A pooler that keeps sessions does so too, and is treated alike. RUTTER_PREPARE_THRESHOLD with a number is then
faster.
"""

from __future__ import annotations

import threading
from typing import Any

import structlog
from psycopg import Connection
from psycopg.errors import DuplicatePreparedStatement, InvalidSqlStatementName

from events.base.settings import RUTTER_PREPARE_THRESHOLD

POOLER_ERRORS = (DuplicatePreparedStatement, InvalidSqlStatementName)
"""The errors of statements that were prepared through a pooler."""
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
                if is_through_pooler(connection):
                    _note_pooler("Another process of Postgres serves a connection than greeted it.")
                _looked_at.add(url)
    connection.prepare_threshold = None if is_pooled() else RUTTER_PREPARE_THRESHOLD.read()


def is_through_pooler(connection: Connection[Any]) -> bool:
    """Return True if the process that serves a connection is not the one that its greeting named."""
    row = connection.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    return row != (connection.info.backend_pid,)
