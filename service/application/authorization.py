"""Permissions on games: the one place that decides them, and every address asks here.

Between look and append seats change hands. So the guards in this module ask once more, in the very state on
which a command is decided. Who is behind the seats is read again only where players have come or gone.
"""

from __future__ import annotations

from typing import Literal

from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.store.games import Guard, UnknownGame
from events.table.game import Game
from events.table.record import Actor, seat_of
from events.table.terms import account_digest
from projections.read_models import reliability
from service.application.container import Services
from service.application.request_context import derive_command_id, get_chosen_id
from service.application.tournament_context import get_tournament_permissions
from service.base.database import retry_on_disconnect
from service.base.people import Account
from service.stores.seat_claims import get_own_seats

Permission = Literal["see", "see_now", "sit", "act", "direct"]
"""The permissions: to know of it, to see it without delay, to take an open seat, to play, to direct."""


def get_permissions(
    services: Services, account: Account | None, game: Game, salt: str | None = None, *, invited: bool = False
) -> frozenset[Permission]:
    """Return what *account* may do with *game*, as a set of permissions.

    *salt* is what was told to the account for which a seat is kept in the log. *invited* is true if it has
    shown an invitation. Both let it sit; whether the invitation is still good is asked when it does.
    """
    found: set[Permission] = set()
    if account is not None:
        if get_own_seats(services.seat_claims.holders(game), account):
            found |= {"see", "see_now", "act"}
        if services.directors.find_director_name(game, account) is not None:
            found |= {"see", "see_now", "sit", "direct"}
        if services.seat_claims.former_tenures(game, account):
            found.add("see")
        if invited or _is_expected(services, account, game, salt):
            found |= {"see", "sit"}
    if services.visibility.get(game) != "private":
        found |= {"see", "sit"}
    if game.tournament is not None and "see" not in found:
        found |= _get_permissions_by_tournament(services, account, game.tournament["id"])
    return frozenset(found)


def _get_permissions_by_tournament(
    services: Services, account: Account | None, tournament: str
) -> set[Permission]:
    """Return the permissions on a game that its tournament gives.

    Accounts that may see the tournament may see its games; those that help to run it see them at once.
    """
    state = services.tournaments.load(tournament)
    given = get_tournament_permissions(
        services, account, state, services.tournament_people.get_participation(state, account)
    )
    found: set[Permission] = {"see"} if "see" in given else set()
    return found | ({"see_now"} if "assist" in given else set())


def _is_expected(services: Services, account: Account, game: Game, salt: str | None) -> bool:
    """Return True if *account* made the game, belongs to its club, or has a seat kept for it."""
    return (
        services.seat_claims.owner(game) == account.id
        or services.clubs.find_position(game, account) is not None
        or account.id in services.reservations.get(game).values()
        or (salt is not None and _is_invited(account, game, salt))
    )


def _is_invited(account: Account, game: Game, salt: str) -> bool:
    """Return True if a seat is kept for the account that the log names with this salt."""
    return account_digest(bytes.fromhex(salt), account.id, game.service) in (game.terms.invited or ())


def require_visible(
    services: Services, account: Account | None, game: Game, salt: str | None = None, *, invited: bool = False
) -> None:
    """Raise UnknownGame, as for a game that there is not, if *account* may not know of *game*."""
    visibility = services.visibility.get_stored(game)
    if visibility == "hidden":
        raise UnknownGame(game.id)
    if visibility == "private" and "see" not in get_permissions(
        services, account, game, salt, invited=invited
    ):
        raise UnknownGame(game.id)


# --- at the moment when the log decides --------------------------------------------------------------------


def check_may_act(
    services: Services, account: Account, actor: Actor, game: Game, *, removing: bool = False
) -> None:
    """Check that *actor* is the name of *account* in the state *game*.

    Raises Rejected where the seat was given away, or where the account directs the table no more.
    """
    own = get_own_seats(services.seat_claims.holders(game), account)
    if isinstance(actor, int):
        if actor not in own:
            raise Rejected("not_a_player", "You no longer hold this seat. Read the game to see its holder.")
    elif services.directors.require_director_name(game, account, own, removing=removing) != actor:
        raise Rejected("not_a_director", "You no longer direct this game. Ask one of its directors.")


def previous_command_seat(services: Services, account: Account, game: Game, key: str) -> Seat | None:
    """Return the seat for which *account* gave a command with this *key*, though it holds it no more.

    A request can be sent again after the account has left, or was removed. Of later holders nothing is
    answered. A command counts that stands in the log before the end of the account's own holding. So does one
    that freed the seat of a table that had not begun, which everybody sees.
    """
    until = {held.seat: held.until for held in services.seat_claims.former_tenures(game, account)}
    for seat in services.seat_claims.list_claimed_seats(game.id, account):
        for known in (get_chosen_id(key), derive_command_id(game.id, seat, key)):
            done = services.games.find_earlier(game.id, known) if known else None
            if done is None or seat_of(done.last.envelope().by) != seat:
                continue
            first = done.records[0]
            if first.seq <= until.get(seat, 0) or first.type == "SeatFreed":
                return seat
    return None


def may_join_guard(
    services: Services, account: Account, *, anywhere: bool = False, again: bool = False
) -> Guard:
    """Return a guard that *account* may take a seat.

    It has no seat yet where it may have one only: where time is counted, or *anywhere*. And it is as reliable
    as the table has settled, unless it sat there before and comes *again*.
    """

    def check(game: Game) -> None:
        if not again:
            _check_reliability(services, account, game)
        if anywhere or game.clock is not None:
            check_one_seat(get_own_seats(services.seat_claims.holders(game), account))

    return check


def check_one_seat(own: tuple[Seat, ...]) -> None:
    """Raise :class:`Rejected` for an account that plays already."""
    if own:
        detail = f"You already hold seat {own[0]}. In this game an account may hold one seat: play that one."
        raise Rejected("already_seated", detail)


def _check_reliability(services: Services, account: Account, game: Game) -> None:
    """Raise :class:`Rejected` for an account that leaves too many decisions unanswered for this table."""
    settled = game.terms.seating
    if settled is None or services.seat_claims.owner(game) == account.id:
        return
    has = get_reliability(services, account)
    if has < settled.reliability:
        detail = f"This game needs a reliability of {settled.reliability} or more, and yours is {has}."
        raise Rejected("not_eligible", f"{detail} Answer in time in other games, and yours rises.")


@retry_on_disconnect
def get_reliability(services: Services, account: Account) -> int:
    """Return the percentage, 0 to 100, of the due decisions that *account* has answered in time."""
    return reliability.read_record(services.pool, account.id, services.games.now()).percent
