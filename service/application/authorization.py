"""Permissions on games: the one place that decides them, and every address asks here."""

from __future__ import annotations

from typing import Literal

from events.store.replay import UnknownGame
from events.table.game import Game
from events.table.terms import account_digest
from service.application.container import Services
from service.application.tournament_context import get_tournament_permissions
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
    if services.visibility.is_hidden(game):
        raise UnknownGame(game.id)
    if services.visibility.get(game) == "private" and "see" not in get_permissions(
        services, account, game, salt, invited=invited
    ):
        raise UnknownGame(game.id)
