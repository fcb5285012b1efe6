"""What the house does when a seat's time is up.

First whatever excuses the seat has, then the title's default for one decision after the other, and at last
the seat is vacant and somebody else plays on, as the table has settled. A time-out takes one default at most.
"""

from __future__ import annotations

from typing import ClassVar

from events import engine, table
from events.absences import stopped, vacate
from events.engine import Batch
from events.fact import Seat
from events.game import Game
from events.proof import Keys
from events.record import Actor
from events.steps import Command, Decision, Rejected
from events.table_roles import NO_CLOCK
from events.timing import absence_of, deadline

NOT_DUE = "not_due"


class TableTimeOut(Command, frozen=True):
    """The time of a seat is up."""

    house: ClassVar[bool] = True

    seat: Seat
    deadline: str
    """Until when it could have answered, as the log tells."""


def time_out(game: Game, _actor: Actor, command: TableTimeOut, at: str, keys: Keys) -> Batch:
    """The facts of a time-out. Raises :class:`Rejected` for one that is not due."""
    awaited = _due(game, command, at)
    sits = game.seats[command.seat]
    excused = sits.excuses > 0
    misses = sits.misses + (not excused)
    kinds = tuple(sorted(decision.kind for decision in awaited))
    timed_out = table.SeatTimedOut(command.seat, kinds, command.deadline, excused, misses)
    if excused:
        return Batch([timed_out])
    if misses >= (absence_of(game).misses or 1):
        return Batch([timed_out, *vacate(game, command.seat, "time", at, keys)])
    return _defaulted(game, timed_out, awaited[0], at, keys)


def _due(game: Game, command: TableTimeOut, at: str) -> list[Decision]:
    """What is awaited from a seat whose time is up. Raises :class:`Rejected` where it is not."""
    if game.clock is None:
        raise Rejected(NO_CLOCK, "No time is counted at this table.")
    if not 0 <= command.seat < len(game.seats) or deadline(game, command.seat) != command.deadline:
        raise Rejected(NOT_DUE, "This seat is not on the clock until that time. Look at its clock again.")
    if at < command.deadline:
        raise Rejected(NOT_DUE, f"This seat has time until {command.deadline}.")
    return [d for d in game.title.awaited(game.state) if d.seat == command.seat]


def _defaulted(game: Game, timed_out: table.SeatTimedOut, decision: Decision, at: str, keys: Keys) -> Batch:
    """The title's default for *decision*. If the rules refuse that the game stops: it is a fault of ours."""
    command = game.title.default(game.state, decision)
    try:
        batch = engine.decide(game, timed_out.seat, command, *keys)
    except Rejected:
        return Batch([timed_out, *stopped(game, timed_out.seat, at)])
    batch.facts.insert(0, timed_out)
    return batch
