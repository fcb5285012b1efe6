"""``python -m workers.probe``: check that this host's dispatcher works, else it is started again.

Only what the database says for certain counts against it: a database that is away is no fault of the
dispatcher, and starting it again would help nobody.
"""

from __future__ import annotations

import socket
import sys

import psycopg

from events.base.settings import DATABASE_URL
from events.store.connection import connect
from projections.health import process_registry

CONNECT_SECONDS = 3
"""Seconds for a connection."""


def is_dispatcher_alive(database_url: str, host: str) -> bool:
    """Return True if a dispatcher on *host* has just reported itself; True as well where nobody can tell."""
    try:
        with connect(database_url, autocommit=True, connect_timeout=CONNECT_SECONDS) as connection:
            found = connection.execute(
                "SELECT 1 FROM es.alive WHERE duty = %s AND starts_with(name, %s)"
                " AND beat_at > clock_timestamp() - make_interval(secs => %s)",
                (
                    process_registry.DISPATCHER,
                    f"{process_registry.DISPATCHER}-{host}-",
                    process_registry.DEAD_AFTER,
                ),
            ).fetchone()
    except psycopg.Error:
        return True
    return found is not None


if __name__ == "__main__":
    sys.exit(0 if is_dispatcher_alive(DATABASE_URL.read(), socket.gethostname()) else 1)
