"""The logins of server processes: never the owner of the log, who could alter it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg import Connection

from events.base.settings import DATABASE_URL, RUTTER_OWNER_MAY_SERVE
from events.store.connection import connect


class UnsafeOwner(RuntimeError):
    """DATABASE_URL logs in as a role that could alter the log."""


def is_log_owner(connection: Connection[Any]) -> bool:
    """Return True if this login could alter the log: it owns the table, or may act as its owner."""
    row = connection.execute(
        "SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class"
        " WHERE relname = 'event' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'es')"
    ).fetchone()
    return bool(row and row[0])


def require_other_role(environment: Mapping[str, str] | None = None) -> None:
    """Raise :class:`UnsafeOwner` if the service finds itself owner of the log.

    A database that is away is no reason: nothing is served without it either.
    """
    if RUTTER_OWNER_MAY_SERVE.read(environment):
        return
    try:
        with connect(DATABASE_URL.read(environment), connect_timeout=5) as connection:
            owner = is_log_owner(connection)
    except psycopg.OperationalError:
        return
    if owner:
        raise UnsafeOwner(
            "DATABASE_URL logs in as the owner of es.event, who could alter the log. Log in as another role, "
            "to which `rutter grant --app ROLE` has given its privileges, or set "
            f"{RUTTER_OWNER_MAY_SERVE.name}=1 to accept it."
        )
