"""A game as one request meets it: the game, who holds its seats, who looks."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from events.store.replay import NoSuchEvent, UnknownGame
from events.table.game import Game
from events.table.vacancies import may_return
from service.accounts import Account
from service.asking import asking, known_as, looking, signed_in, token
from service.permissions import insist_on_seeing, may
from service.process import process
from service.seats import Holders, Viewer, mine, viewer
from service.spectators import veiled
from service.wire.problems import Problem, unknown_game
from service.wire.queries import UUID


class OneGame(msgspec.Struct, frozen=True):
    """What a request for a game needs to know before it does anything."""

    game: Game
    """The newest state that whoever looks may know of."""
    holders: Holders
    viewer: Viewer
    newest: Game
    """The newest state that there is: for requests that change it, never for what is shown."""


def read_game_id(text: str) -> str:
    """*text* as a game id. Raises a 404 problem for what cannot be one."""
    if not UUID.fullmatch(text):
        raise unknown_game()
    return text.lower()


def seen(text: str, salt: str | None = None, *, invited: bool = False) -> Game:
    """The game of that id, if whoever asks may know of it; *salt* is that of a seat which is kept for him.

    Nothing of it may be shown before :func:`as_seen`. Raises a 401 problem, and UnknownGame for a private
    game as for one that there is not.
    """
    game = process().games.load(read_game_id(text))
    insist_on_seeing(process(), known_as(game.id), game, salt, invited=invited)
    return game


def as_seen(game: Game, account: Account | None) -> Game:
    """*game*, the newest state, as far as *account* may see it now."""
    here = process()
    if game.terms.delay is None or "see_now" in may(here, account, game):
        return game
    seq = here.spectators.visible_seq(game, here.games.now())
    if seq == game.seq:
        return game
    then = here.games.load(game.id, max(seq, 1))
    return then if seq and then.state is not None else veiled(game, then, seq)


def meet(
    text: str, seat: int | str | None = None, scope: str | None = "game:read", *, invited: bool = False
) -> OneGame:
    """The game of that id and who looks at it; without *scope* the token shows what everybody may see.

    *invited*: whether he brings an invitation to it.

    Raises problems: 401, 403 for a seat that is another's or that the token is not for, 404.
    """
    return _met(seen(text, invited=invited), seat, scope)


def at_hand(text: str) -> OneGame | None:
    """The game of that id as this process remembers it, for somebody who has a seat in it there.

    It may be behind the log: what is decided on it counts only if the log takes it. None where it is not
    remembered, or does not let him in yet: whether he may is told by the newest state. Raises 401 and 404
    problems.
    """
    game = process().games.replay.find_cached(read_game_id(text))
    if game is None:
        return None
    try:
        insist_on_seeing(process(), known_as(game.id), game)
    except UnknownGame:
        return None
    met = _met(game, None, None)
    return met if met.viewer.mine else None


def _met(game: Game, seat: int | str | None, scope: str | None) -> OneGame:
    who = asking() if scope is None else looking(game.id, scope)
    now = as_seen(game, who)
    seats = process().seats
    holders = seats.holders(game)
    shown = holders if now is game else seats.holders(now)
    return OneGame(now, shown, _viewer(now, holders, who, seat, scope), game)


def _viewer(
    game: Game, holders: Holders, who: Account | None, seat: int | str | None, scope: str | None
) -> Viewer:
    """Through whose eyes *game* is seen: after its end through any seat's, for it has no secrets left."""
    if game.has_ended and isinstance(seat, int) and seat < len(game.seats):
        return Viewer(who, mine(holders, who), seat)
    if scope is not None and who is None and token() is not None and seat not in (None, "spectator"):
        signed_in(scope, game=game.id)
    return viewer(holders, who, seat)


def meet_again(text: str, seat: int | str | None = None) -> OneGame:
    """Like :func:`meet`, also for who has left the *seat* he asks for: he meets the game as it was then.

    Of what happened later he learns nothing by that seat, without it as much as anybody.
    """
    game = seen(text)
    who = looking(game.id)
    left = process().seats.left(game, who)
    until = [held.until for held in left if held.seat == seat]
    met = _met(game, None if until else seat, "game:read")
    if not until or seat in met.viewer.mine or met.game.has_ended:
        returning = tuple(held.seat for held in left if may_return(game, held))
        looks = replace(met.viewer, seat=seat) if until and isinstance(seat, int) else met.viewer
        return replace(met, viewer=replace(looks, left=returning))
    then = process().games.load(game.id, until[-1])
    return OneGame(then, process().seats.holders(then), replace(met.viewer, seat=seat), game)


def earlier(game: Game, at: int | None) -> Game:
    """*game*, as somebody sees it, after event *at* (None: as it is). Raises NoSuchEvent."""
    if at is None or at == game.seq:
        return game
    check_event(game, at)
    return process().games.load(game.id, at)


def check_event(game: Game, at: int) -> None:
    """Raise NoSuchEvent for what is beyond *game* as somebody sees it."""
    if at > game.seq:
        raise NoSuchEvent(
            f"the newest event of this game is {game.seq}"
            if game.seq
            else "nothing of this game is shown yet but who sits there"
        )


def insist_on_all_eyes(met: OneGame, otherwise: str) -> None:
    """See that nothing of a game is hidden from whoever asks: it has ended, or it is an analysis game whose
    people are all him. Else raises a 409 problem that says *otherwise*.
    """
    game, people = met.game, [n for n, seat in enumerate(met.game.seats) if seat.taken and seat.bot is None]
    if not game.has_ended and not (game.analysis and bool(people) and set(people) <= set(met.viewer.mine)):
        raise Problem(409, "game_running", otherwise)
