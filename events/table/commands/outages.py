"""Time in which the service was away: nobody could answer, so it does not count."""

from __future__ import annotations

from typing import ClassVar

from events.base.timestamps import is_recorded_form, parse_timestamp
from events.clocks.clock import DAY, IDLE_SPAN_MS, CorrespondenceClock, count_elapsed_ms
from events.proof.randomness import Keys
from events.rules.fact import Fact
from events.rules.steps import INVALID_PARAMETERS, Command, Rejected
from events.table.commands.checks import NO_CLOCK
from events.table.commands.time_outs import NOT_DUE
from events.table.engine import Batch
from events.table.game import Game
from events.table.lifecycle_facts import ClockAdjusted
from events.table.record import Actor

MIN_OUTAGE_MS = IDLE_SPAN_MS
MAX_OUTAGE_MS = DAY
"""Shorter ones are not worth an event; of longer ones no more is given back at once."""


class TableOutage(Command, frozen=True):
    """Give back the time between two instants in which the service was away."""

    house: ClassVar[bool] = True

    since: str
    until: str


def give_back_time(game: Game, _actor: Actor, command: TableOutage, at: str, _keys: Keys) -> Batch:
    """Give every seat that was on the clock the time that counted meanwhile. Raises :class:`Rejected`.

    Nobody else sees whether there was one, so it is bounded by what the log shows: nothing of this game
    happened in it. No time is given back twice, for the clocks run again from there.
    """
    if game.clock is None:
        raise Rejected(NO_CLOCK, "This game has no clock. Nothing needs to be done.")
    if not (is_recorded_form(command.since) and is_recorded_form(command.until)) or command.until > at:
        raise _invalid_outage()
    since, until = parse_timestamp(command.since), parse_timestamp(command.until)
    length = (until - since) // 1000
    if not MIN_OUTAGE_MS <= length <= MAX_OUTAGE_MS:
        raise _invalid_outage()
    if not any(begin <= command.since and command.until <= end for begin, end in _idle_spans(game, at)):
        raise Rejected(
            NOT_DUE,
            "Something happened in the game during the outage, so no time is given back. Nothing needs to be"
            " done.",
        )
    quiet = game.clock.quiet if isinstance(game.clock, CorrespondenceClock) else None
    facts: list[Fact] = []
    for seat, clock in enumerate(game.clocks):
        if clock.since is not None and clock.since < until:
            lost = count_elapsed_ms(quiet, max(since, clock.since), until)
            facts += [ClockAdjusted(seat, lost, "outage")] if lost else []
    if not facts:
        raise Rejected(NOT_DUE, "No seat lost time in the outage. Nothing needs to be done.")
    return Batch(facts)


def longest_idle_span(game: Game, away: TableOutage, now: str) -> TableOutage | None:
    """Return the longest part of an outage in which nothing happened in *game*; None if all are too short.

    The service is known to be away from its last sign of life on, and a command may have come after that.
    """
    parts = [(max(begin, away.since), min(end, away.until)) for begin, end in _idle_spans(game, now)]
    since, until = max(parts, key=lambda part: parse_timestamp(part[1]) - parse_timestamp(part[0]))
    return (
        TableOutage(since, until)
        if parse_timestamp(until) - parse_timestamp(since) >= MIN_OUTAGE_MS * 1000
        else None
    )


def _idle_spans(game: Game, now: str) -> list[tuple[str, str]]:
    """Return the times in which nothing happened in *game*, until *now*."""
    return [*game.calm, (game.at, now)]


def _invalid_outage() -> Rejected:
    return Rejected(
        INVALID_PARAMETERS,
        "These are not the times of an outage. Name one in the past, 5 seconds to 24 hours long.",
    )
