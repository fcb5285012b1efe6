"""The lag of the read models behind the log."""

from __future__ import annotations

from typing import Any, LiteralString

from psycopg import Connection

OLDEST_UNSEEN: LiteralString = (
    "SELECT p.name, min((SELECT l.position FROM es.log l WHERE l.lane = p.lane"
    " AND l.position > p.position ORDER BY l.position LIMIT 1)) FROM es.projection p GROUP BY p.name"
)
"""The query for the oldest event that each projection has not seen: its position, null for none."""

AGES: LiteralString = (
    "SELECT l.position, extract(epoch FROM clock_timestamp() - (e.body::json->>'at')::timestamptz)"
    " FROM (SELECT position, game_id, seq FROM es.log WHERE position = ANY (%s)) l"
    " JOIN es.event e ON e.game_id = l.game_id AND e.seq = l.seq"
)
"""The query for the age in seconds of the events at some positions."""


def find_oldest_unseen(connection: Connection[Any]) -> dict[str, int | None]:
    """Return, by projection, the position of the oldest event that it has not seen; None for none."""
    return dict(connection.execute(OLDEST_UNSEEN).fetchall())


def measure_lag(connection: Connection[Any]) -> dict[str, float]:
    """Return, by projection, the age in seconds of the oldest event that it has not seen.

    0 where it has seen all.
    """
    oldest = find_oldest_unseen(connection)
    unseen = sorted({position for position in oldest.values() if position is not None})
    ages = dict(connection.execute(AGES, (unseen,)).fetchall()) if unseen else {}
    return {name: max(0.0, float(ages.get(position, 0))) for name, position in oldest.items()}
