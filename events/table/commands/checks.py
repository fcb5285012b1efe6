"""Checks that table commands share: the state of the game, the seat, the actor, a time limit."""

from __future__ import annotations

from events.base.timestamps import add_milliseconds, is_recorded_form
from events.rules.fact import Seat
from events.rules.steps import GAME_NOT_RUNNING, INVALID_PARAMETERS, Rejected
from events.table.game import Game
from events.table.record import Actor

NO_CLOCK = "no_clock"
"""No time is counted at this table."""


def require_not_ended(game: Game) -> None:
    """Raise :class:`Rejected` if the game has ended."""
    if game.has_ended:
        raise Rejected(
            GAME_NOT_RUNNING, "The game has ended. You can still read its history and audit bundle."
        )


def require_running(game: Game) -> None:
    """Raise :class:`Rejected` unless the game runs, be it paused."""
    require_not_ended(game)
    if game.status != "running":
        raise Rejected(GAME_NOT_RUNNING, "The game has not begun. Wait until it begins.")


def check_seat(game: Game, seat: Seat) -> None:
    """Raise :class:`Rejected` for a number that is no seat of *game*."""
    if not 0 <= seat < len(game.seats):
        last = len(game.seats) - 1
        raise Rejected("unknown_seat", f"This game has no such seat. Name a seat from 0 to {last}.")


def require_person(game: Game, actor: Actor) -> Seat:
    """Return the seat that acts, which a person must hold. Raises :class:`Rejected`."""
    if not isinstance(actor, int) or not game.seats[actor].person:
        raise Rejected("not_a_player", "Only a player of this game may do this. Take a seat first.")
    return actor


def check_until(until: str, at: str, most_ms: int) -> str:
    """Return *until*, if it is a time after *at* by at most *most_ms*. Raises :class:`Rejected`."""
    if not is_recorded_form(until) or not at < until <= add_milliseconds(at, most_ms):
        raise Rejected(
            INVALID_PARAMETERS,
            "`until` is not an allowed time. Send a time in the future, at the latest "
            f"{add_milliseconds(at, most_ms)}.",
        )
    return until
