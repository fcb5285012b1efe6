"""A game as one request meets it: the game, who holds its seats, who looks."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response

from events.game import Game
from events.replay import NoSuchEvent
from service import present
from service.auth import asking
from service.preconditions import not_modified
from service.problems import unknown_game
from service.process import process
from service.queries import UUID
from service.seats import Holders, Viewer, viewer


class OneGame(msgspec.Struct, frozen=True):
    """What a request for a game needs to know before it does anything."""

    game: Game
    """The newest state."""
    holders: Holders
    viewer: Viewer


def game_id(text: str) -> str:
    """*text* as a game id. Raises a 404 problem for what cannot be one."""
    if not UUID.fullmatch(text):
        raise unknown_game()
    return text.lower()


def meet(text: str, seat: int | str | None = None) -> OneGame:
    """The game of that id and who looks at it. Raises problems: 401, 403 for another's seat, 404."""
    who = asking()
    game = process().games.load(game_id(text))
    holders = process().seats.holders(game)
    return OneGame(game, holders, viewer(game, holders, who, seat))


def earlier(game: Game, at: int | None) -> Game:
    """*game* after event *at* (None: as it is)."""
    if at is None or at == game.seq:
        return game
    if at > game.seq:
        raise NoSuchEvent(f"the newest event of this game is {game.seq}")
    return process().games.load(game.id, at)


PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


def tagged(seq: int, build: Any, status: int = 200, *, settled: bool = True) -> Response:
    """The answer that *build* makes, with its ETag; 304 without building where the client has it.

    Not *settled* is what may change under the same seq (a past view that also tells the newest event).
    """
    headers = {"ETag": f'"{seq}"', **PRIVATE}
    if settled and status == 200 and not_modified(str(seq)):
        return Response(status=304, headers=headers)
    return present.answer(build(), status, headers)
