"""People in the words of the service: accounts, viewers of a game, parts in a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from events.rules.fact import Seat
from events.tournament.state import Role, Tournament, entrant_name

AccountKind = Literal["personal", "service"]


class Account(msgspec.Struct, frozen=True):
    """An account of a person, or of a program of theirs."""

    id: str
    name: str
    handle: str | None = None
    kind: AccountKind = "personal"
    owner: str | None = None
    """The id of the account that owns a service account."""


Holders = Mapping[Seat, Account]
"""The accounts at the seats of a game."""


class Viewer(msgspec.Struct, frozen=True):
    """The viewer of a game: the account, its seats, and the seat that it looks from."""

    account: Account | None
    mine: tuple[Seat, ...]
    """The seats that this account holds, in order."""
    seat: Seat | None
    """The seat that the viewer looks from; None for a spectator."""
    left: tuple[Seat, ...] = ()
    """The seats that this account has left and may return to."""


class StoredText(msgspec.Struct, frozen=True):
    """A text that a person wrote, with the salt of its digest."""

    salt: bytes
    text: str


class Participation(msgspec.Struct, frozen=True):
    """The part of an account in a tournament: entrant, director, or neither."""

    entrant: int | None = None
    director: int | None = None
    role: Role | None = None

    @property
    def directs(self) -> bool:
        """True if the account directs the tournament, even as an assistant."""
        return self.director is not None


def get_entrant_label(state: Tournament, number: int, accounts: Mapping[str, Account]) -> str:
    """Return the name of an entrant; ``Entrant 7`` where the account was erased."""
    account = accounts.get(entrant_name(number))
    return f"Entrant {number}" if account is None else account.name
