"""A game as one request meets it: the game, who holds its seats, who looks."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from events.store.games import NoSuchEvent
from events.table.game import Game
from events.table.vacancies import may_return
from service.application.authorization import get_permissions, require_visible
from service.application.container import Services
from service.application.request_context import (
    READING,
    get_services,
    get_token,
    require_scopes,
    viewing_account,
)
from service.base.people import Account, Holders, Viewer
from service.http.problems import Problem, unknown_game_problem
from service.openapi.request_fields import UUID_REGEX
from service.stores.seat_claims import get_own_seats, make_viewer
from service.stores.spectator_delay import redact_for_spectators

ACTING = ("game:read", "game:play", "game:direct")
"""The scopes of which a token needs one to do something in a game that is not public."""


class GameContext(msgspec.Struct, frozen=True):
    """The game, its seats and its viewer, as a request needs them before it does anything."""

    game: Game
    """The newest state that the viewer may know of."""
    holders: Holders
    viewer: Viewer
    newest: Game
    """The newest state that there is: for requests that change it, never for what is shown."""


def read_game_id(text: str) -> str:
    """Return *text* as a game id. Raises a 404 problem for what cannot be one."""
    if not UUID_REGEX.fullmatch(text):
        raise unknown_game_problem()
    return text.lower()


def load_visible_game(
    text: str, salt: str | None = None, *, scopes: tuple[str, ...] = READING, invited: bool = False
) -> Game:
    """Return the game of that id, if the account may know of it; *salt* is that of a seat kept for it.

    A private game needs a token with one of these *scopes*. Nothing of it may be shown before
    :func:`visible_state`. Raises a 401 problem, and UnknownGame for a private game as for one that there is
    not.
    """
    services = get_services()
    game = services.games.load(read_game_id(text))
    require_visible(services, viewing_account(game.id, scopes), game, salt, invited=invited)
    return game


def visible_state(game: Game, account: Account | None) -> Game:
    """Return *game*, the newest state, as far as *account* may see it now."""
    if game.terms.delay is None:
        return game
    services = get_services()
    if "see_now" in get_permissions(services, account, game):
        return game
    seq = services.spectator_delay.visible_seq(game, services.games.now())
    if seq == game.seq:
        return game
    then = services.games.load(game.id, max(seq, 1))
    return then if seq and then.state is not None else redact_for_spectators(game, then, seq)


def load_game_context(
    text: str, seat: int | str | None = None, scopes: tuple[str, ...] = READING, *, invited: bool = False
) -> GameContext:
    """Load the game of that id and its viewer.

    A token without any of these *scopes* shows what everybody may see. *invited*: True if the request brings
    an invitation to the game.

    Raises problems: 401, 403 for a seat that is another's or that the token is not for, 404.
    """
    game = load_visible_game(text, scopes=scopes, invited=invited)
    return _make_context(get_services(), game, seat, viewing_account(game.id, scopes))


def find_cached_context(services: Services, text: str) -> GameContext | None:
    """Find the game of that id in the memory of this process, for an account that has a seat in it there.

    It may be behind the log: what is decided on it counts only if the log takes it. None where it is not
    remembered, or does not let the account in yet: only the newest state tells whether it may. Raises 401 and
    404 problems.
    """
    game = services.games.replay.find_cached(read_game_id(text))
    if game is None:
        return None
    context = _make_context(services, game, None, viewing_account(game.id, ACTING))
    if not context.viewer.mine:
        return None
    # An account with a seat may see any game but a fork that was put away.
    return None if game.analysis and services.visibility.is_hidden(game) else context


def _make_context(services: Services, game: Game, seat: int | str | None, who: Account | None) -> GameContext:
    now = visible_state(game, who)
    holders = services.seat_claims.holders(game)
    shown = holders if now is game else services.seat_claims.holders(now)
    viewer = make_viewer(holders, who) if seat is None else _choose_viewer(now, holders, who, seat)
    return GameContext(now, shown, viewer, game)


def _choose_viewer(game: Game, holders: Holders, who: Account | None, seat: int | str) -> Viewer:
    """Return the viewer of *game* from a *seat*: after its end from any, for it has no secrets left."""
    if isinstance(seat, int) and game.has_ended and seat < len(game.seats):
        return Viewer(who, get_own_seats(holders, who), seat)
    if who is None and get_token() is not None and seat != "spectator":
        require_scopes(*READING, game=game.id)
    return make_viewer(holders, who, seat)


def load_game_or_former_seat(text: str, seat: int | str | None = None) -> GameContext:
    """Load the game as :func:`load_game_context` does; an account that left *seat* gets it as it was then.

    Of what happened later the account learns nothing by that seat, without it as much as anybody.
    """
    game = load_visible_game(text)
    who = viewing_account(game.id)
    left = get_services().seat_claims.former_tenures(game, who)
    until = [held.until for held in left if held.seat == seat]
    context = _make_context(get_services(), game, None if until else seat, who)
    if not until or seat in context.viewer.mine or context.game.has_ended:
        returning = tuple(held.seat for held in left if may_return(game, held))
        looks = replace(context.viewer, seat=seat) if until and isinstance(seat, int) else context.viewer
        return replace(context, viewer=replace(looks, left=returning))
    then = get_services().games.load(game.id, until[-1])
    return GameContext(
        then, get_services().seat_claims.holders(then), replace(context.viewer, seat=seat), game
    )


def load_earlier_game(game: Game, at: int | None) -> Game:
    """Return *game*, as the viewer sees it, after event *at* (None: as it is). Raises NoSuchEvent."""
    if at is None or at == game.seq:
        return game
    check_event(game, at)
    return get_services().games.load(game.id, at)


def check_event(game: Game, at: int) -> None:
    """Raise NoSuchEvent for what is beyond *game* as the viewer sees it."""
    if at > game.seq:
        raise NoSuchEvent(
            f"the newest event of this game is {game.seq}"
            if game.seq
            else "nothing of this game is shown yet except its players"
        )


def require_full_information(context: GameContext, otherwise: str) -> None:
    """Raise a 409 problem that says *otherwise*, unless nothing of a game is hidden from its viewer.

    Nothing is hidden in a game that has ended, nor in an analysis game whose people are all the viewer.
    """
    game, people = (
        context.game,
        [n for n, seat in enumerate(context.game.seats) if seat.taken and seat.bot is None],
    )
    if not game.has_ended and not (
        game.analysis and bool(people) and set(people) <= set(context.viewer.mine)
    ):
        raise Problem(409, "game_running", otherwise)
