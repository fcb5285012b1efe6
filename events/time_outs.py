"""What the house does when a seat's time is up."""

from __future__ import annotations

from typing import ClassVar

from events.engine import Batch
from events.fact import Seat
from events.game import Game
from events.proof import Keys
from events.record import Actor
from events.steps import Command, Rejected

NO_CLOCK = "no_clock"
NOT_DUE = "not_due"


class TableTimeOut(Command, frozen=True):
    """The time of a seat is up."""

    house: ClassVar[bool] = True

    seat: Seat
    deadline: str
    """Until when it could have answered, as the log tells."""


def time_out(game: Game, _actor: Actor, _command: TableTimeOut, _at: str, _keys: Keys) -> Batch:
    """The facts of a time-out. Raises :class:`Rejected` for one that is not due."""
    if game.clock is None:
        raise Rejected(NO_CLOCK, "No time is counted at this table.")
    raise Rejected(NOT_DUE, "This seat still has time.")
