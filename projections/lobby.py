"""The lobby: one row a game, with what anyone may know of it at a glance, and what it waits for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from psycopg import Connection

from events import opening
from events.fact import Json
from events.game import Game

COLUMNS = (
    "game_id",
    "title",
    "version",
    "status",
    "seats",
    "waiting_for",
    "house",
    "bot",
    "analysis",
    "outcome",
    "seq",
    "created_at",
    "due",
)


def row(game: Game) -> tuple[Any, ...]:
    """The lobby's row of a game, in the order of the columns."""
    awaited = game.title.awaited(game.state) if game.status == "running" else ()
    since = opening.due(game)
    waiting_for = sorted({d.seat for d in awaited if d.seat is not None})
    return (
        game.id,
        game.title_id,
        game.version,
        game.status,
        _json([_seat(game, number) for number in range(len(game.seats))]),
        waiting_for,
        any(d.seat is None for d in awaited),
        next((seat for seat in waiting_for if game.seats[seat].bot), None),
        game.analysis,
        _json(game.result) if game.result else None,
        game.seq,
        datetime.fromisoformat(game.created_at),
        datetime.fromisoformat(since) if since else None,
    )


def _seat(game: Game, number: int) -> Json:
    seat = game.seats[number]
    if not seat.taken:
        return {"seat": number, "open": True}
    return {"seat": number, "bot": seat.bot} if seat.bot else {"seat": number, "claim": game.claims[number]}


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def write(connection: Connection[Any], rows: Sequence[tuple[Any, ...]]) -> None:
    """Put a game's row in place, unless a newer one stands there."""
    for values in rows:
        connection.execute(_UPSERT, values)


def stored(connection: Connection[Any], game_id: str) -> list[tuple[Any, ...]]:
    """The row of a game, if there is one."""
    return connection.execute(_STORED, (game_id,)).fetchall()


def clear(connection: Connection[Any], game_id: str) -> None:
    """Delete the row of a game."""
    connection.execute("DELETE FROM lobby WHERE game_id = %s", (game_id,))


_UPSERT = (
    f"INSERT INTO lobby ({', '.join(COLUMNS)}) VALUES ({', '.join(['%s'] * len(COLUMNS))})"  # noqa: S608 - constants
    " ON CONFLICT (game_id) DO UPDATE SET "
    + ", ".join(f"{c} = EXCLUDED.{c}" for c in COLUMNS[1:])
    + " WHERE lobby.seq < EXCLUDED.seq"
)
_AS_TEXT = ("game_id", "seats", "outcome")
_STORED = (
    f"SELECT {', '.join(f'{c}::text' if c in _AS_TEXT else c for c in COLUMNS)}"  # noqa: S608 - constants
    " FROM lobby WHERE game_id = %s"
)
