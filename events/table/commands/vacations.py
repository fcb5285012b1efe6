"""Vacations: in a game over days the time of a seat stands still while its holder is away.

An account says once that it is away; the server tells each of its games. A table settles how much vacation
there may be (`vacation_ms` of its clock), for each holder of a seat.
"""

from __future__ import annotations

from typing import ClassVar

from events.base.timestamps import add_milliseconds, is_recorded_form
from events.clocks.clock import CorrespondenceClock
from events.proof.randomness import Keys
from events.rules.fact import Seat
from events.rules.steps import INVALID_PARAMETERS, Command, Rejected
from events.table.commands.checks import NO_CLOCK, check_seat, require_running
from events.table.conduct_facts import SeatOnVacation
from events.table.engine import Batch
from events.table.game import Game
from events.table.record import Actor


class TableVacation(Command, frozen=True):
    """Set the vacation of a seat's holder; a time that is not ahead ends it."""

    house: ClassVar[bool] = True

    seat: Seat
    until: str


def set_vacation(game: Game, _actor: Actor, command: TableVacation, at: str, _keys: Keys) -> Batch:
    """Decide that the vacation of a seat's holder begins or ends. Raises :class:`Rejected`."""
    require_running(game)
    check_seat(game, command.seat)
    sits = game.seats[command.seat]
    if not isinstance(game.clock, CorrespondenceClock):
        raise Rejected(NO_CLOCK, "Vacations are only for games over days. Nothing needs to be done.")
    if not sits.person:
        raise Rejected(
            "seat_vacant", f"No player holds seat {command.seat}. Name a seat that a player holds."
        )
    until = _check_time(command.until)
    if until <= at:
        if sits.vacation is None:
            raise Rejected("not_due", "The seat is not on vacation. Nothing needs to be done.")
        return Batch([SeatOnVacation(command.seat, until)])
    if until > add_milliseconds(at, vacation_left_ms(game, command.seat, at)):
        raise Rejected(
            "vacation_spent", "The seat has not enough vacation left in this game. Choose an earlier time."
        )
    return Batch([SeatOnVacation(command.seat, until)])


def vacation_left_ms(game: Game, seat: Seat, at: str) -> int:
    """Return the milliseconds of vacation that the holder of *seat* may still have at the time *at*."""
    if not isinstance(game.clock, CorrespondenceClock):
        return 0
    return max(0, game.clock.vacation_ms - game.seats[seat].vacation_until(at))


def _check_time(until: str) -> str:
    if is_recorded_form(until):
        return until
    raise Rejected(
        INVALID_PARAMETERS, "`until` is not a time as events record it. Send one in UTC with microseconds."
    )
