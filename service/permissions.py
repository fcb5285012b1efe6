"""Who may do what with a game: the one place that decides it, and every address asks here."""

from __future__ import annotations

from typing import Literal

from events.store.replay import UnknownGame
from events.table.game import Game
from events.table.terms import account_digest
from service.accounts import Account
from service.process import Process
from service.seats import mine
from service.tournaments import permissions

Permission = Literal["see", "see_now", "sit", "act", "direct"]
"""To know of it, to see it without delay, to take an open seat, to play, to direct it."""


def may(
    process: Process, account: Account | None, game: Game, salt: str | None = None, *, invited: bool = False
) -> frozenset[Permission]:
    """What *account* may do with *game*.

    *salt* is what was told to somebody for whom a seat is kept in the log, *invited* whether he has shown an
    invitation. Both let him sit; whether the invitation is still good is asked when he does.
    """
    found: set[Permission] = set()
    if account is not None:
        if mine(process.seats.holders(game), account):
            found |= {"see", "see_now", "act"}
        if process.directors.name(game, account) is not None:
            found |= {"see", "see_now", "sit", "direct"}
        if process.seats.left(game, account):
            found.add("see")
        if invited or _is_awaited(process, account, game, salt):
            found |= {"see", "sit"}
    if process.access.of(game) != "private":
        found |= {"see", "sit"}
    if game.tournament is not None and "see" not in found:
        found |= _of_tournament(process, account, game.tournament["id"])
    return frozenset(found)


def _of_tournament(process: Process, account: Account | None, tournament: str) -> set[Permission]:
    """Who may know of a tournament may know of its games; who helps to run it sees them at once."""
    state = process.tournaments.load(tournament)
    given = permissions(process, account, state, process.entrants.part(state, account))
    found: set[Permission] = {"see"} if "see" in given else set()
    return found | ({"see_now"} if "assist" in given else set())


def _is_awaited(process: Process, account: Account, game: Game, salt: str | None) -> bool:
    """Whether *account* made the game, belongs to its club, or has a seat kept for it."""
    return (
        process.seats.owner(game) == account.id
        or process.clubs.place(game, account) is not None
        or account.id in process.reservations.of(game).values()
        or (salt is not None and _is_invited(account, game, salt))
    )


def _is_invited(account: Account, game: Game, salt: str) -> bool:
    """Whether a seat is kept for the account that the log names with this salt."""
    return account_digest(bytes.fromhex(salt), account.id, game.service) in (game.terms.invited or ())


def insist_on_seeing(
    process: Process, account: Account | None, game: Game, salt: str | None = None, *, invited: bool = False
) -> None:
    """Raise UnknownGame, as for a game that there is not, for whoever may not know of it."""
    if process.access.gone(game):
        raise UnknownGame(game.id)
    if process.access.of(game) == "private" and "see" not in may(
        process, account, game, salt, invited=invited
    ):
        raise UnknownGame(game.id)
