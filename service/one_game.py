"""A game as one request meets it: the game, who holds its seats, who looks."""

from __future__ import annotations

import msgspec

from events.game import Game
from events.replay import NoSuchEvent
from service.asking import asking
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


def meet(text: str, seat: int | str | None = None) -> OneGame:
    """The game of that id and who looks at it. Raises problems: 401, 403 for another's seat, 404."""
    who = asking()
    game = process().games.load(read_game_id(text))
    holders = process().seats.holders(game)
    return OneGame(game, holders, viewer(holders, who, seat))


def earlier(game: Game, at: int | None) -> Game:
    """*game* after event *at* (None: as it is)."""
    if at is None or at == game.seq:
        return game
    if at > game.seq:
        raise NoSuchEvent(f"the newest event of this game is {game.seq}")
    return process().games.load(game.id, at)
