"""The order in which the ends of games became known, by which exports go on where they stopped.

An end stands at the position of its event in the log of all games. Who reads up to a position before which
the lobby knows all has missed none. What becomes known later stands behind all that was known then: the end
of a delayed game, for those who are not at its table, and that of a game which had been set aside.
"""

from __future__ import annotations

from typing import Any, LiteralString

from psycopg import Connection

from events.store.event_log import Pool
from projections.base.lanes import lane_of

LOBBY = "lobby"
"""The projection that tells of ends."""
Place = tuple[int, int]
"""A position in the log, and a number among those that became known later; 0 for the event there itself."""

_TOLD: LiteralString = "SELECT 1 FROM game_end WHERE game_id = %s"
_POSITION: LiteralString = (  # from the end of the lane, for what has just ended is near it
    "SELECT position FROM es.log WHERE lane = %s AND game_id = %s AND seq = %s ORDER BY position DESC LIMIT 1"
)
_PROJECTED: LiteralString = "SELECT position FROM es.projection WHERE name = %s AND lane = %s"
_LATER: LiteralString = "UPDATE game_end_counter SET newest = newest + %s RETURNING newest"
_SIZE: LiteralString = "SELECT size FROM es.sequencer"
_ADD: LiteralString = "INSERT INTO game_end (game_id, audience, position, nth) VALUES (%s, %s, %s, %s)"
_ADD_DELAYED: LiteralString = (
    "INSERT INTO game_end (game_id, audience, due) VALUES (%s, 'others',"
    " %s::timestamptz + make_interval(secs => %s::float8 / 1000))"
)
_OVERDUE: LiteralString = (
    "SELECT game_id::text FROM game_end WHERE position IS NULL AND due <= %s::timestamptz"
)
_PLACE: LiteralString = (
    "UPDATE game_end SET position = %s, nth = %s WHERE game_id = %s AND audience = 'others'"
    " AND position IS NULL"
)
_FIRST_UNSEEN: LiteralString = (
    "SELECT min(unseen.position) FROM es.projection p CROSS JOIN LATERAL"
    " (SELECT l.position FROM es.log l WHERE l.lane = p.lane AND l.position > p.position"
    " ORDER BY l.position LIMIT 1) unseen WHERE p.name = %s"
)


def add_end(connection: Connection[Any], game_id: str, seq: int, delay: dict[str, Any] | None) -> None:
    """Note that a game ended with event *seq*; *connection* is in the transaction that tells the lobby.

    *delay* is that of the lobby: its length, and the time of the end.
    """
    if connection.execute(_TOLD, (game_id,)).fetchone() is not None:
        return
    place = _find_place(connection, game_id, seq)
    connection.execute(_ADD, (game_id, "all" if delay is None else "table", *place))
    if delay is not None:
        connection.execute(_ADD_DELAYED, (game_id, delay["at"], delay["ms"]))


def _find_place(connection: Connection[Any], game_id: str, seq: int) -> Place:
    """Return the place of an end: that of its event, unless others may have read beyond that."""
    lane = lane_of(game_id)
    found = connection.execute(_POSITION, (lane, game_id, seq)).fetchone()
    projected = connection.execute(_PROJECTED, (LOBBY, lane)).fetchone()
    if found is not None and found[0] > (projected[0] if projected is not None else 0):
        return int(found[0]), 0
    return _take_places(connection, 1)


def add_overdue(pool: Pool, now: str) -> int:
    """Give places to the ends of delayed games whose delay is over at *now*; return how many."""
    with pool.connection() as connection:
        if connection.execute(f"{_OVERDUE} LIMIT 1", (now,)).fetchone() is None:
            return 0
        with connection.transaction():
            _take_places(connection, 0)  # others wait until these have theirs
            found = connection.execute(f"{_OVERDUE} ORDER BY due, game_id", (now,)).fetchall()
            position, last = _take_places(connection, len(found))
            for number, (game_id,) in enumerate(found, last - len(found) + 1):
                connection.execute(_PLACE, (position, number, game_id))
    return len(found)


def _take_places(connection: Connection[Any], count: int) -> Place:
    """Take so many places at the end of the log, and return the last; others wait until the commit."""
    last = connection.execute(_LATER, (count,)).fetchone()
    size = connection.execute(_SIZE).fetchone()  # as it is once others have committed
    assert last is not None  # noqa: S101 - there is one
    assert size is not None  # noqa: S101
    return int(size[0]), int(last[0])


def find_first_unseen(connection: Connection[Any]) -> int | None:
    """Return the first position of which the lobby may not know yet; None if it knows all."""
    row = connection.execute(_FIRST_UNSEEN, (LOBBY,)).fetchone()
    return None if row is None or row[0] is None else int(row[0])
