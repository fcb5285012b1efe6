"""What a seat (or a spectator) sees of a game after an event.

A view depends only on the game, the event and the seat, so one that was computed never changes:
it is kept under just these, and nothing ever has to be invalidated.
"""

from __future__ import annotations

from typing import Any

from events.game import Game
from events.replay import Recent
from events.title import Json, Seat

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
