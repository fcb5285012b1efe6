"""What the platform itself records about a game: its creation, its seats, its randomness, its end.

A title knows nothing of these facts; they wrap the title's own, and speak of the table, not of the game,
so that no rulebook's word for an event meets one of theirs.
"""

from __future__ import annotations

from typing import Any

from events.fact import NOBODY, Fact

VERSION = 1
"""Version of the platform's own facts."""


class TableOpened(Fact, frozen=True):
    """The first event of every game: rules pinned, randomness committed."""

    title: str
    version: int
    data_hash: str
    options: dict[str, Any]
    seats: int
    chance: dict[str, str]
    """Commitments: ``s_0``, ``deal``, ``hide``, ``bot`` (hex), see :class:`events.chance.Secrets`."""
    draws: int
    """L, the number of public draws that the reverse chain provides for."""
    analysis: bool
    """True where a player chose the secrets, or play began from a position: proves nothing to others."""
    origin: dict[str, Any] | None
    """``{"game", "seq"}`` where the game was forked from another."""
    key: str | None = None
    """What stands for the game's id in its randomness (32 hex digits), where a seed is to repeat it."""


class PositionSet(Fact, frozen=True):
    """An analysis game begins from this position instead of the title's set-up."""

    position: dict[str, Any]

    secrets = {"position": NOBODY}  # noqa: RUF012 - a declaration, read only


class SeatTaken(Fact, frozen=True):
    """Somebody sits down: a bot of that name, or (None) an account that the log does not name."""

    seat: int
    bot: str | None


class SeatCommitted(Fact, frozen=True):
    """A seat commits to its contribution to the randomness."""

    seat: int
    commitment: str


class SeatRevealed(Fact, frozen=True):
    """A seat opens its contribution (hex). From the first of these on nobody can commit any more."""

    seat: int
    contribution: str


class TableBegun(Fact, frozen=True):
    """All seats are taken and all contributions in: the randomness of the game is fixed."""

    mix: str
    """U (hex), see :func:`events.chance.mix`."""
    missing: tuple[int, ...]
    """Seats that had committed and did not reveal: their contribution counts as empty."""


class TableClosed(Fact, frozen=True):
    """The game has ended: its result, and the secrets behind its randomness."""

    winners: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    disclosed: dict[str, str]
    """``anchor``, ``deal``, ``hide``, ``bot`` (hex)."""


FACTS: dict[str, type[Fact]] = {
    kind.__name__: kind
    for kind in (TableOpened, PositionSet, SeatTaken, SeatCommitted, SeatRevealed, TableBegun, TableClosed)
}
