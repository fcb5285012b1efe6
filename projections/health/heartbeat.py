"""Signs of life of the service, and the outages that show in them: times in which nobody gave one.

By the database's clock, so that hosts need not agree on the time. A process that comes back after a while in
which none was there writes the outage down before anything else. The process that looks after the clocks
gives players back what they lost, and then marks it as settled.
"""

from __future__ import annotations

import socket
from datetime import datetime
from typing import LiteralString

import msgspec

from events.store.event_log import Pool

BEAT_SECONDS = 2.0
"""Seconds between two signs of life."""
SHARED_SECONDS = 1.5
"""Seconds for which a sign of life of one process serves for the others of its host."""
OUTAGE_SECONDS = 5.0
"""A time without any sign that is longer is an outage."""
MOST_SECONDS = 86_400.0
"""The longest outage in seconds that counts whole: of a longer one only the end counts."""

_BEAT = (
    # The outage and the sign after it are written together, or a process that dies between hides the outage.
    "WITH away AS (INSERT INTO outage (since, until)"
    " SELECT max(at), clock_timestamp() FROM house_heartbeat"
    " HAVING max(at) < clock_timestamp() - make_interval(secs => %(longest)s) ON CONFLICT DO NOTHING"
    " RETURNING since, until),"
    " sign AS (INSERT INTO house_heartbeat (host, at) SELECT %(host)s, clock_timestamp()"
    " WHERE NOT EXISTS (SELECT FROM house_heartbeat"
    " WHERE host = %(host)s AND at > clock_timestamp() - make_interval(secs => %(shared)s))"
    " ON CONFLICT (host) DO UPDATE SET at = EXCLUDED.at)"
    " SELECT greatest(since, until - make_interval(secs => %(most)s)), until"
    " FROM (SELECT since, until FROM outage WHERE NOT settled"
    " UNION ALL SELECT since, until FROM away) unsettled ORDER BY until"
)
UNSETTLED: LiteralString = "SELECT 1 FROM outage WHERE NOT settled"
"""The query that finds a row while an outage is not settled."""


class Outage(msgspec.Struct, frozen=True):
    """A time in which the service was away, by the database's clock."""

    since: datetime
    until: datetime


def beat(pool: Pool, host: str | None = None) -> list[Outage]:
    """Give a sign of life for *host* (this one), unless another process there has just done so.

    Returns the outages for which players have not been given back their time, the first one first.
    """
    values = {
        "host": host or socket.gethostname(),
        "longest": OUTAGE_SECONDS,
        "shared": SHARED_SECONDS,
        "most": MOST_SECONDS,
    }
    with pool.connection() as connection:
        return [Outage(*row) for row in connection.execute(_BEAT, values)]


def settle(pool: Pool, outage: Outage) -> None:
    """Mark an outage as settled: everybody has been given back what it cost."""
    with pool.connection() as connection:
        connection.execute("UPDATE outage SET settled = true WHERE until = %s", (outage.until,))


def measure_drift(pool: Pool, now: datetime) -> float:
    """Return the seconds by which this host's time *now* differs from that of the database."""
    with pool.connection() as connection:
        row = connection.execute("SELECT extract(epoch FROM clock_timestamp() - %s)", (now,)).fetchone()
    return abs(float(row[0])) if row else 0.0
