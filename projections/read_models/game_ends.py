"""The order in which the ends of games became known, by which exports go on where they stopped.

An end is numbered in the transaction that tells it to the lobby, under one lock. So numbers become visible in
their order, and a reader of one has missed none before it. The end of a delayed game has a number for those
at its table, and another for everybody else when its delay is over.
"""

from __future__ import annotations

from typing import Any, LiteralString

from psycopg import Connection

from events.store.event_log import Pool

_TOLD: LiteralString = "SELECT FROM game_end WHERE game_id = %s"
_NEXT: LiteralString = "UPDATE game_end_counter SET newest = newest + %s RETURNING newest"
_ADD: LiteralString = "INSERT INTO game_end (game_id, audience, number) VALUES (%s, %s, %s)"
_ADD_LATER: LiteralString = (
    "INSERT INTO game_end (game_id, audience, due) VALUES (%s, 'others',"
    " %s::timestamptz + make_interval(secs => %s::float8 / 1000))"
)
_OVERDUE: LiteralString = "SELECT game_id::text FROM game_end WHERE number IS NULL AND due <= %s::timestamptz"
_NUMBER: LiteralString = (
    "UPDATE game_end SET number = %s WHERE game_id = %s AND audience = 'others' AND number IS NULL"
)


def add_end(connection: Connection[Any], game_id: str, delay: dict[str, Any] | None) -> None:
    """Number the end of a game, unless it was; *connection* is in the transaction that tells of it.

    *delay* is that of the lobby: its length, and the time of the end.
    """
    if connection.execute(_TOLD, (game_id,)).fetchone() is not None:
        return
    connection.execute(_ADD, (game_id, "all" if delay is None else "table", _take_numbers(connection, 1)))
    if delay is not None:
        connection.execute(_ADD_LATER, (game_id, delay["at"], delay["ms"]))


def number_overdue(pool: Pool, now: str) -> int:
    """Number the ends of delayed games whose delay is over at *now*; return how many."""
    with pool.connection() as connection:
        if connection.execute(f"{_OVERDUE} LIMIT 1", (now,)).fetchone() is None:
            return 0
        with connection.transaction():
            _take_numbers(connection, 0)  # others wait until these have theirs
            found = connection.execute(f"{_OVERDUE} ORDER BY due, game_id", (now,)).fetchall()
            last = _take_numbers(connection, len(found))
            for number, (game_id,) in enumerate(found, last - len(found) + 1):
                connection.execute(_NUMBER, (number, game_id))
    return len(found)


def _take_numbers(connection: Connection[Any], count: int) -> int:
    """Take so many numbers, and hold the counter until the transaction ends; return the last of them."""
    row = connection.execute(_NEXT, (count,)).fetchone()
    assert row is not None  # noqa: S101 - there is one
    return int(row[0])
