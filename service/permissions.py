"""Who may do what with a game: the one place that decides it, and every address asks here."""

from __future__ import annotations

from typing import Literal

from events.game import Game
from events.replay import UnknownGame
from events.terms import who
from service.access import Visibility
from service.accounts import Account
from service.process import Process
from service.seats import mine

Permission = Literal["see", "sit", "act", "direct"]
"""To know of it, to take an open seat, to play, to direct it."""


def may(
    process: Process, account: Account | None, game: Game, salt: str | None = None
) -> frozenset[Permission]:
    """What *account* may do with *game*; *salt* is what was told to somebody who is invited."""
    return _granted(process, account, game, process.access.of(game), salt)


def _granted(
    process: Process, account: Account | None, game: Game, visibility: Visibility, salt: str | None
) -> frozenset[Permission]:
    found: set[Permission] = set()
    if account is not None:
        if mine(process.seats.holders(game), account):
            found |= {"see", "act"}
        if process.directors.name(game, account) is not None:
            found |= {"see", "sit", "direct"}
        if process.seats.owner(game) == account.id:
            found |= {"see", "sit"}
        if process.seats.left(game, account):
            found.add("see")
        if salt is not None and _is_invited(account, game, salt):
            found |= {"see", "sit"}
    if visibility != "private":
        found |= {"see", "sit"}
    return frozenset(found)


def _is_invited(account: Account, game: Game, salt: str) -> bool:
    """Whether a seat is kept for the account that the log names with this salt."""
    return who(bytes.fromhex(salt), account.id, game.service) in (game.terms.invited or ())


def insist_on_seeing(process: Process, account: Account | None, game: Game, salt: str | None = None) -> None:
    """Raise UnknownGame, as for a game that there is not, for whoever may not know of it."""
    if process.access.of(game) == "private" and "see" not in may(process, account, game, salt):
        raise UnknownGame(game.id)
