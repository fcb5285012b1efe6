"""Rulings of the directors of a table: to pause it, to go on, more time for a seat, the end.

A director who plays at the table themselves may do none of it. The service must check that, because it knows
the accounts: the log names nobody. Of a ruling the log holds its author and its cause; a sentence beside it
is kept elsewhere.
"""

from __future__ import annotations

from events.base.timestamps import DAY_MS, add_milliseconds
from events.proof.randomness import Keys
from events.rules.fact import Seat
from events.rules.steps import INVALID_PARAMETERS, Command, Rejected
from events.table.commands.checks import (
    NO_CLOCK,
    check_seat,
    check_until,
    require_not_ended,
    require_person,
    require_running,
)
from events.table.commands.offers import time_allowance_ms
from events.table.conduct_facts import RulingCause, TablePaused, TableResumed
from events.table.engine import Batch
from events.table.game import Game
from events.table.lifecycle_facts import ClockAdjusted
from events.table.record import Actor, pseudonym
from events.table.vacancies import abandon_game, fill_with_bots

MAX_ORDERED_PAUSE_MS = 30 * DAY_MS
"""The longest pause that a director may order."""
MAX_ADDED_MS = 60 * DAY_MS
"""The most time that a director may add at once."""


class TablePause(Command, frozen=True):
    """Pause the game."""

    until: str
    """The time until which it lasts."""
    cause: RulingCause
    """The cause, one of a fixed list."""
    text: str | None = None
    """The digest of a sentence, which is kept elsewhere and can be erased."""


class TableResume(Command, frozen=True):
    """Resume a paused game."""


class TableAddTime(Command, frozen=True):
    """Add time to the clock of a seat."""

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    add_ms: int
    """Milliseconds that are added."""


class TableEnd(Command, frozen=True):
    """End the game without a result."""

    cause: RulingCause
    """The cause, one of a fixed list."""
    text: str | None = None
    """The digest of a sentence, which is kept elsewhere and can be erased."""


def pause(game: Game, actor: Actor, command: TablePause, at: str, _keys: Keys) -> Batch:
    """Decide that a director pauses the game. Raises :class:`Rejected`."""
    require_running(game)
    if game.paused is not None:
        raise Rejected(
            "game_paused",
            f"The game is already paused until {game.paused.until}. To change that, resume it first.",
        )
    return Batch(
        [TablePaused(check_until(command.until, at, MAX_ORDERED_PAUSE_MS), pseudonym(actor), command.cause)]
    )


def resume(game: Game, actor: Actor, _command: TableResume, at: str, _keys: Keys) -> Batch:
    """Decide that the game goes on. Raises :class:`Rejected`.

    A director may do so at any time, the server when the time of the pause is up. Bots take the seats that
    nobody has taken.
    """
    require_running(game)
    if game.paused is None:
        raise Rejected("not_paused", "The game is not paused. Nothing needs to be done.")
    if actor is None and at < game.paused.until:
        raise Rejected(
            "not_due",
            f"The game is paused until {game.paused.until}. Wait until then, or ask a director to resume it.",
        )
    return Batch([*fill_with_bots(game), TableResumed()])


def add_time(game: Game, actor: Actor, command: TableAddTime, at: str, _keys: Keys) -> Batch:
    """Decide that a director, or another seat, adds time to a clock. Raises :class:`Rejected`."""
    require_running(game)
    check_seat(game, command.seat)
    if game.clock is None:
        raise Rejected(NO_CLOCK, "This game has no clock, so no time can be added. Nothing needs to be done.")
    if not game.seats[command.seat].person:
        raise Rejected(
            "seat_vacant",
            f"No player holds seat {command.seat}, so it has no clock. Name a seat that a player holds.",
        )
    most = MAX_ADDED_MS
    if isinstance(actor, int):
        if require_person(game, actor) == command.seat:
            raise Rejected("not_allowed", "You cannot add time to your own clock. Name another seat.")
        most = time_allowance_ms(game) - gifts_today_ms(game, actor, at)
    if not 0 < command.add_ms <= most:
        raise Rejected(
            INVALID_PARAMETERS,
            f"`add_ms` is too large or too small. Send 1 to {most}." if most > 0 else _ALLOWANCE_SPENT,
        )
    return Batch([ClockAdjusted(command.seat, command.add_ms, "gift" if isinstance(actor, int) else "other")])


_ALLOWANCE_SPENT = "You have given as much time today as one seat may. Try again tomorrow."


def gifts_today_ms(game: Game, seat: Seat, at: str) -> int:
    """Return the milliseconds that *seat* has given others since the day began that its first gift began."""
    gift = game.gifts.get(seat)
    return gift[1] if gift is not None and at < add_milliseconds(gift[0], DAY_MS) else 0


def end(game: Game, actor: Actor, _command: TableEnd, _at: str, keys: Keys) -> Batch:
    """Decide that a director ends the game, or a table that has not begun. Raises :class:`Rejected`.

    Not allowed once contributions may be known, for the director would choose between outcomes.
    """
    require_not_ended(game)
    if game.status == "open" and (game.closing or all(sits.taken for sits in game.seats)):
        raise Rejected(
            "reveals_open", "All seats are taken and the game is about to begin. Wait until it begins."
        )
    return Batch([abandon_game("director", pseudonym(actor), keys)])
