"""How far the read models are behind the log."""

from __future__ import annotations

from typing import Any, LiteralString

from psycopg import Connection

BEHIND_SINCE: LiteralString = (
    "SELECT name, extract(epoch FROM clock_timestamp() - (SELECT (e.body::json->>'at')::timestamptz"
    " FROM es.log l JOIN es.event e ON e.game_id = l.game_id AND e.seq = l.seq WHERE l.position = oldest))"
    " FROM (SELECT p.name, min((SELECT l.position FROM es.log l WHERE l.lane = p.lane"
    " AND l.position > p.position ORDER BY l.position LIMIT 1)) AS oldest"
    " FROM es.projection p GROUP BY p.name) unseen"
)
"""By projection how long ago the oldest event happened that it has not seen; null where it has seen all."""


def seconds(connection: Connection[Any]) -> dict[str, float]:
    """By projection the age in seconds of the oldest event that it has not seen; 0 where it has seen all."""
    return {name: max(0.0, float(age or 0)) for name, age in connection.execute(BEHIND_SINCE)}
