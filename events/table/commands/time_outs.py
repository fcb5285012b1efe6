"""Time-outs: the steps of the server when a seat's time is up.

First the excuses that the seat has are used up. Then the title's default answers one decision after the
other. At last the seat is vacant and somebody else plays on, as the table has settled. A time-out takes one
default at most.
"""

from __future__ import annotations

from typing import ClassVar

from events.proof.randomness import Keys
from events.rules.fact import Seat
from events.rules.steps import Command, Decision, Rejected
from events.table import engine, lifecycle_facts
from events.table.clock_updates import absence_settings, seat_deadline
from events.table.commands.checks import NO_CLOCK
from events.table.engine import Batch
from events.table.game import Game
from events.table.record import Actor
from events.table.vacancies import halt_table, vacate_seat

NOT_DUE = "not_due"


class TableTimeOut(Command, frozen=True):
    """Time out a seat whose time is up."""

    house: ClassVar[bool] = True

    seat: Seat
    deadline: str
    """The time until which the seat could have answered, as the log tells."""


def time_out(game: Game, _actor: Actor, command: TableTimeOut, at: str, keys: Keys) -> Batch:
    """Return the facts of a time-out. Raises :class:`Rejected` for one that is not due."""
    awaited = _require_due(game, command, at)
    sits = game.seats[command.seat]
    excused = sits.excuses > 0
    misses = sits.misses + (not excused)
    kinds = tuple(sorted(decision.kind for decision in awaited))
    timed_out = lifecycle_facts.SeatTimedOut(command.seat, kinds, command.deadline, excused, misses)
    if excused:
        return Batch([timed_out])
    if misses >= (absence_settings(game).misses or 1):
        return Batch([timed_out, *vacate_seat(game, command.seat, "time", at, keys)])
    return _apply_default(game, timed_out, awaited[0], at, keys)


def _require_due(game: Game, command: TableTimeOut, at: str) -> list[Decision]:
    """Return the decisions awaited from a seat whose time is up. Raises :class:`Rejected` if it is not up."""
    if game.clock is None:
        raise Rejected(NO_CLOCK, "This game has no clock. Nothing needs to be done.")
    if not 0 <= command.seat < len(game.seats) or seat_deadline(game, command.seat) != command.deadline:
        raise Rejected(NOT_DUE, "The clock of this seat does not run until that time. Read it again.")
    if at < command.deadline:
        raise Rejected(NOT_DUE, f"This seat has time until {command.deadline}. Wait until then.")
    return [d for d in game.title.awaited(game.state) if d.seat == command.seat]


def _apply_default(
    game: Game, timed_out: lifecycle_facts.SeatTimedOut, decision: Decision, at: str, keys: Keys
) -> Batch:
    """Return the facts of the title's default for *decision*.

    If the rules refuse the default, the game stops: that is a fault of ours.
    """
    command = game.title.default(game.state, decision)
    try:
        batch = engine.decide(game, timed_out.seat, command, *keys)
    except Rejected:
        return Batch([timed_out, *halt_table(game, timed_out.seat, at)])
    batch.facts.insert(0, timed_out)
    return batch
