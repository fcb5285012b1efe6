"""The lobby: one row a game, with what anyone may know of it at a glance."""

from __future__ import annotations

from typing import Any

import msgspec
from psycopg import Cursor

from events.fact import Json
from events.game import Game


def entry(game: Game) -> Json:
    """The lobby's row of a game."""
    awaited = game.title.awaited(game.state) if game.status == "running" else ()
    return {
        "game_id": game.id,
        "title": game.title_id,
        "version": game.version,
        "status": game.status,
        "seats": [_seat(game, number) for number in range(len(game.seats))],
        "waiting_for": sorted({d.seat for d in awaited if d.seat is not None}),
        "house": any(d.seat is None for d in awaited),
        "analysis": game.analysis,
        "outcome": msgspec.to_builtins(game.result) if game.result else None,
        "seq": game.seq,
        "created_at": game.created_at,
    }


def _seat(game: Game, number: int) -> Json:
    seat = game.seats[number]
    if not seat.taken:
        return {"seat": number, "open": True}
    return {"seat": number, "bot": seat.bot} if seat.bot else {"seat": number}


_COLUMNS = (
    "game_id",
    "title",
    "version",
    "status",
    "seats",
    "waiting_for",
    "house",
    "analysis",
    "outcome",
    "seq",
    "created_at",
)
_UPSERT = (
    f"INSERT INTO lobby ({', '.join(_COLUMNS)}) VALUES ({', '.join(['%s'] * len(_COLUMNS))})"  # noqa: S608 - constants
    " ON CONFLICT (game_id) DO UPDATE SET "
    + ", ".join(f"{c} = EXCLUDED.{c}" for c in _COLUMNS[1:])
    + " WHERE lobby.seq < EXCLUDED.seq"
)


def write(cursor: Cursor[Any], game: Game) -> None:
    """Put the game's row in place, unless a newer one stands there."""
    row = entry(game)
    row["seats"] = msgspec.json.encode(row["seats"]).decode()
    row["outcome"] = msgspec.json.encode(row["outcome"]).decode() if row["outcome"] else None
    cursor.execute(_UPSERT, [row[c] for c in _COLUMNS])
