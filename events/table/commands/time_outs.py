"""Time-outs: the steps of the server when a seat's time is up.

First the excuses that the seat has are used up. Then the title's default answers one decision after the
other. At last the seat is vacant and another player plays on, as the table has settled. A time-out takes one
default at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from events.proof.randomness import Keys
from events.rules.fact import Fact, Seat
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
    _require_due(game, command, at)
    awaited = [d for d in game.title.awaited(game.state) if d.seat == command.seat]
    kinds = tuple(sorted(decision.kind for decision in awaited))
    facts, is_default_due = settle_time_out(game, command, kinds, at, keys)
    if is_default_due:
        return _apply_default(game, facts, awaited[0], at, keys)
    return Batch(facts)


def settle_time_out(
    game: Game, command: TableTimeOut, kinds: Sequence[str], at: str, keys: Keys
) -> tuple[list[Fact], bool]:
    """Return the facts of a time-out that the table alone settles, and if the title's default follows.

    *kinds* are those of the decisions that are awaited of the seat, which only the title's state tells.
    Raises :class:`Rejected` for a time-out that is not due.
    """
    _require_due(game, command, at)
    sits = game.seats[command.seat]
    excused = sits.excuses > 0
    misses = sits.misses + (not excused)
    timed_out = lifecycle_facts.SeatTimedOut(command.seat, tuple(kinds), command.deadline, excused, misses)
    if excused:
        return [timed_out], False
    if misses >= (absence_settings(game).misses or 1):
        return [timed_out, *vacate_seat(game, command.seat, "time", at, keys)], False
    return [timed_out], True


def _require_due(game: Game, command: TableTimeOut, at: str) -> None:
    """Raise :class:`Rejected` unless the time of a seat is up."""
    if game.clock is None:
        raise Rejected(NO_CLOCK, "This game has no clock. Nothing needs to be done.")
    if not 0 <= command.seat < len(game.seats) or seat_deadline(game, command.seat) != command.deadline:
        raise Rejected(NOT_DUE, "The clock of this seat runs until another time. Read the game again.")
    if at < command.deadline:
        raise Rejected(NOT_DUE, f"This seat has time until {command.deadline}. Wait until then.")


def _apply_default(game: Game, facts: list[Fact], decision: Decision, at: str, keys: Keys) -> Batch:
    """Return *facts*, and those of the title's default for *decision*.

    If the rules refuse the default, the game stops: that is a fault of ours.
    """
    assert decision.seat is not None  # noqa: S101 - its time was up
    command = game.title.default(game.state, decision)
    try:
        batch = engine.decide(game, decision.seat, command, *keys)
    except Rejected:
        return Batch([*facts, *halt_table(game, decision.seat, at)])
    batch.facts[:0] = facts
    return batch
