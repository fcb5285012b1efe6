"""What a seat (or a spectator) sees of a game after an event.

A view depends only on the game, the event and the seat, so one that was computed never changes:
it is kept under just these, and nothing ever has to be invalidated.
"""

from __future__ import annotations

from typing import Any

import msgspec
from psycopg import Cursor

from events.fact import Json, Seat
from events.game import Game
from events.replay import Recent

SPECTATOR = -1
"""The viewer of what everybody sees, as the table of newest views stores it."""

_SEEN: Recent[Json] = Recent(4000)


def show(game: Game, seat: Seat | None) -> Json | None:
    """The title's view of *game* through *seat* (None: a spectator); None while the game is open."""
    if game.state is None:
        return None
    key = (game.id, game.seq, seat, game.version)
    view = _SEEN.get(key)
    if view is None:
        view = game.title.view(game.state, seat)
        _SEEN.put(key, view)
    return view


def panels(game: Game, seat: Seat | None) -> list[dict[str, Any]]:
    """The same view, laid out for a page; empty while the game is open."""
    view = show(game, seat)
    return [] if view is None else game.title.panels(view, seat)


def write(cursor: Cursor[Any], game: Game) -> None:
    """Keep the newest view of every seat, so that a game that nobody has in memory can be shown at once."""
    if game.state is None:
        return
    rows = [
        (
            game.id,
            SPECTATOR if seat is None else seat,
            game.seq,
            msgspec.json.encode(show(game, seat)).decode(),
        )
        for seat in (None, *range(len(game.seats)))
    ]
    cursor.executemany(
        "INSERT INTO seat_view (game_id, viewer, seq, view) VALUES (%s,%s,%s,%s)"
        " ON CONFLICT (game_id, viewer) DO UPDATE SET seq = EXCLUDED.seq, view = EXCLUDED.view"
        " WHERE seat_view.seq < EXCLUDED.seq",
        rows,
    )


def newest(cursor: Cursor[Any], game_id: str, seat: Seat | None) -> tuple[int, Json] | None:
    """(seq, view) of the newest view that the projection holds."""
    viewer = SPECTATOR if seat is None else seat
    cursor.execute(
        "SELECT seq, view::text FROM seat_view WHERE game_id = %s AND viewer = %s", (game_id, viewer)
    )
    row = cursor.fetchone()
    return (row[0], msgspec.json.decode(row[1])) if row else None
