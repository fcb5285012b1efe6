"""Numbers of games by title and status: counted as lobby rows change, never by reading them.

A count changes in the transaction of the row that it counts. It does so only when the row's title, status or
being stuck is another: a few times in the life of a game. Each lane has counts of its own, as it has one
runner at a time, so that no lane waits for another.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, LiteralString

import msgspec
from psycopg import Connection

from projections.base.lanes import lane_of

_STANDING: LiteralString = "SELECT title, status, stuck FROM lobby WHERE game_id = %s FOR UPDATE"
_ADD: LiteralString = (
    "INSERT INTO tally (lane, title, status, stuck, games) VALUES (%s, %s, %s, %s, %s)"
    " ON CONFLICT (lane, title, status, stuck) DO UPDATE SET games = tally.games + EXCLUDED.games"
)
_COUNTED: LiteralString = "SELECT title, status, stuck, games FROM tally WHERE lane = %s AND games <> 0"
_COUNT: LiteralString = (
    "SELECT title, status, stuck, count(*) FROM lobby WHERE game_id = ANY(%s) GROUP BY 1, 2, 3"
)
_TOTALS: LiteralString = "SELECT title, status, stuck, sum(games) FROM tally GROUP BY 1, 2, 3"


class CountKey(msgspec.Struct, frozen=True, order=True):
    """The key by which games are counted."""

    title: str
    status: str
    stuck: bool
    """True if a fault of its rules stopped the game."""


Counts = Mapping[CountKey, int]
"""Numbers of games."""


def read_key(connection: Connection[Any], game_id: str) -> CountKey | None:
    """Return the key under which a game is counted, if it is.

    Nobody else changes that before the transaction ends.
    """
    row = connection.execute(_STANDING, (game_id,)).fetchone()
    return CountKey(*row) if row else None


def move_count(
    connection: Connection[Any], game_id: str, before: CountKey | None, after: CountKey | None
) -> None:
    """Count a game as *after*, no more as *before*; None: not at all. In the transaction of its row."""
    if before != after:
        moves = {one: number for one, number in ((before, -1), (after, 1)) if one is not None}
        _add(connection, lane_of(game_id), moves)


def recount_lane(connection: Connection[Any], lane: int, games: Collection[str]) -> bool:
    """Count the lobby's rows of *games*, which are all of the lane; return True if the counts were right.

    The caller holds the lane.
    """
    before = _read(connection, _COUNTED, lane)
    after = _read(connection, _COUNT, list(games))
    if before != after:
        connection.execute("DELETE FROM tally WHERE lane = %s", (lane,))
        _add(connection, lane, after)
    return before == after


def read_totals(connection: Connection[Any]) -> Counts:
    """Return the numbers of games, in all lanes together."""
    return _read(connection, _TOTALS)


def _add(connection: Connection[Any], lane: int, counts: Counts) -> None:
    for one, number in sorted(counts.items()):
        connection.execute(_ADD, (lane, one.title, one.status, one.stuck, number))


def _read(connection: Connection[Any], statement: LiteralString, *values: object) -> Counts:
    rows = connection.execute(statement, values or None).fetchall()
    return {CountKey(*columns): int(number) for *columns, number in rows}
