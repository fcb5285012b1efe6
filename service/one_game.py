"""A game as one request meets it: the game, who holds its seats, who looks."""

from __future__ import annotations

import msgspec

from events.game import Game
from events.replay import NoSuchEvent
from service.asking import looking, signed_in, token
from service.process import process
from service.seats import Holders, Viewer, viewer
from service.wire.problems import unknown_game
from service.wire.queries import UUID


class OneGame(msgspec.Struct, frozen=True):
    """What a request for a game needs to know before it does anything."""

    game: Game
    """The newest state."""
    holders: Holders
    viewer: Viewer


def read_game_id(text: str) -> str:
    """*text* as a game id. Raises a 404 problem for what cannot be one."""
    if not UUID.fullmatch(text):
        raise unknown_game()
    return text.lower()


def meet(text: str, seat: int | str | None = None, scope: str = "game:read") -> OneGame:
    """The game of that id and who looks at it; without *scope* the token shows what everybody may see.

    Raises problems: 401, 403 for a seat that is another's or that the token is not for, 404.
    """
    who = looking(read_game_id(text), scope)
    game = process().games.load(read_game_id(text))
    holders = process().seats.holders(game)
    if who is None and token() is not None and seat not in (None, "spectator"):
        signed_in(scope, game=game.id)
    return OneGame(game, holders, viewer(holders, who, seat))


def earlier(game: Game, at: int | None) -> Game:
    """*game* after event *at* (None: as it is)."""
    if at is None or at == game.seq:
        return game
    if at > game.seq:
        raise NoSuchEvent(f"the newest event of this game is {game.seq}")
    return process().games.load(game.id, at)
