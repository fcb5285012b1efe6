"""A game as one request meets it: the game, who holds its seats, who looks."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from events.absences import may_return
from events.game import Game
from events.replay import NoSuchEvent
from service.accounts import Account
from service.asking import asking, known_as, looking, signed_in, token
from service.permissions import insist_on_seeing
from service.process import process
from service.seats import Holders, Viewer, mine, not_your_seat, viewer
from service.wire.problems import unknown_game
from service.wire.queries import UUID


class OneGame(msgspec.Struct, frozen=True):
    """What a request for a game needs to know before it does anything."""

    game: Game
    """The newest state."""
    holders: Holders
    viewer: Viewer
    left: bool = False
    """Whether this is the game as somebody knew it who has left the seat through which he looks."""


def read_game_id(text: str) -> str:
    """*text* as a game id. Raises a 404 problem for what cannot be one."""
    if not UUID.fullmatch(text):
        raise unknown_game()
    return text.lower()


def seen(text: str, salt: str | None = None) -> Game:
    """The game of that id, if whoever asks may know of it; *salt* is that of a seat which is kept for him.

    Raises a 401 problem, and UnknownGame for a private game as for one that there is not.
    """
    game = process().games.load(read_game_id(text))
    insist_on_seeing(process(), known_as(game.id), game, salt)
    return game


def meet(text: str, seat: int | str | None = None, scope: str | None = "game:read") -> OneGame:
    """The game of that id and who looks at it; without *scope* the token shows what everybody may see.

    Raises problems: 401, 403 for a seat that is another's or that the token is not for, 404.
    """
    who = _looking(text, seat, scope)
    game = seen(text)
    holders = process().seats.holders(game)
    return OneGame(game, holders, viewer(holders, who, seat))


def _looking(text: str, seat: int | str | None, scope: str | None) -> Account | None:
    """Through whose eyes the game may be seen; for a *seat* that is named the token must be for that."""
    if scope is None:
        return asking()
    game_id = read_game_id(text)
    who = looking(game_id, scope)
    if who is None and token() is not None and seat not in (None, "spectator"):
        signed_in(scope, game=game_id)
    return who


def meet_again(text: str, seat: int | str | None = None) -> OneGame:
    """Like :func:`meet`, also for who has left the *seat* he asks for: he meets the game as it was then.

    Of what happened later he learns nothing by that seat, without it as much as anybody.
    """
    who = _looking(text, seat, "game:read")
    game = seen(text)
    holders = process().seats.holders(game)
    left = process().seats.left(game, who)
    returning = tuple(held.seat for held in left if may_return(game, held))
    if not isinstance(seat, int) or seat in mine(holders, who):
        looks = viewer(holders, who, seat)
        return OneGame(game, holders, replace(looks, left=returning))
    ended = [held.until for held in left if held.seat == seat]
    if not ended:
        raise not_your_seat(mine(holders, who))
    then = process().games.load(game.id, ended[-1])
    return OneGame(then, process().seats.holders(then), Viewer(who, mine(holders, who), seat), left=True)


def earlier(game: Game, at: int | None) -> Game:
    """*game* after event *at* (None: as it is)."""
    if at is None or at == game.seq:
        return game
    if at > game.seq:
        raise NoSuchEvent(f"the newest event of this game is {game.seq}")
    return process().games.load(game.id, at)
