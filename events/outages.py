"""Time in which the service was away: nobody could answer, so it does not count."""

from __future__ import annotations

from typing import ClassVar

from events.clock import CALM_MS, DAY, Correspondence, counted_ms
from events.engine import Batch
from events.fact import Fact
from events.game import Game
from events.moments import micros, moment
from events.proof import Keys
from events.record import Actor
from events.steps import INVALID_PARAMETERS, Command, Rejected
from events.table import ClockAdjusted
from events.table_roles import NO_CLOCK
from events.time_outs import NOT_DUE

LEAST_MS = CALM_MS
MOST_MS = DAY
"""Shorter ones are not worth an event; of longer ones no more is given back at once."""


class TableOutage(Command, frozen=True):
    """Give back the time between two instants in which the service was away."""

    house: ClassVar[bool] = True

    since: str
    until: str


def outage(game: Game, _actor: Actor, command: TableOutage, at: str, _keys: Keys) -> Batch:
    """Every seat that was on the clock meanwhile gets what of it counted. Raises :class:`Rejected`.

    Nobody else sees whether there was one, so it is bounded by what the log shows: nothing of this game
    happened in it. No time is given back twice, for the clocks run anew from there.
    """
    if game.clock is None:
        raise Rejected(NO_CLOCK, "No time is counted at this table.")
    try:
        since, until = micros(command.since), micros(command.until)
    except (ValueError, TypeError):
        raise _none() from None
    length = (until - since) // 1000
    if (moment(since), moment(until)) != (command.since, command.until) or command.until > at:
        raise _none()
    if not LEAST_MS <= length <= MOST_MS:
        raise _none()
    if not any(begin <= command.since and command.until <= end for begin, end in _calm(game, at)):
        raise Rejected(NOT_DUE, "Something happened in this game meanwhile.")
    quiet = game.clock.quiet if isinstance(game.clock, Correspondence) else None
    facts: list[Fact] = []
    for seat, clock in enumerate(game.clocks):
        if clock.since is not None and clock.since < until:
            lost = counted_ms(quiet, max(since, clock.since), until)
            facts += [ClockAdjusted(seat, lost, "outage")] if lost else []
    if not facts:
        raise Rejected(NOT_DUE, "No seat lost time by it.")
    return Batch(facts)


def felt(game: Game, away: TableOutage, now: str) -> TableOutage | None:
    """The longest part of an outage in which nothing happened in *game*; None where none is worth an event.

    The service is known to be away from its last sign of life on, and a command may have come after that.
    """
    parts = [(max(begin, away.since), min(end, away.until)) for begin, end in _calm(game, now)]
    since, until = max(parts, key=lambda part: micros(part[1]) - micros(part[0]))
    return TableOutage(since, until) if micros(until) - micros(since) >= LEAST_MS * 1000 else None


def _calm(game: Game, now: str) -> list[tuple[str, str]]:
    """The times in which nothing happened in *game*, until *now*."""
    return [*game.calm, (game.at, now)]


def _none() -> Rejected:
    return Rejected(INVALID_PARAMETERS, "An outage is past, and 5 seconds to 24 hours long.")
