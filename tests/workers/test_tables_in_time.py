"""The dispatcher sees to it that what a table waits for in vain does not keep it for ever."""

from __future__ import annotations

import pytest

from events.base.timestamps import DAY_MS, add_milliseconds
from events.clocks.absence_policy import Absence
from events.store.games import SeatPlan
from events.table.commands.leaving import TableLeave
from events.table.commands.offers import TableOffer
from events.table.terms import Terms
from projections.runner import Runner
from workers import timers

pytestmark = pytest.mark.integration


@pytest.fixture
def sweep(timed, pool, clock):
    """One look of the dispatcher at what is due."""

    def look():
        timed.log.sequence()
        runner = Runner(timed.log)
        while runner.step():
            pass
        return timers.run_due_timers(timed, pool, clock())

    return look


def made(timed, title, *plans, **terms):
    return timed.create(title, title.Options(), plans, terms=Terms(**terms))


def test_a_table_that_nobody_joins_is_abandoned(timed, title, clock, sweep):
    """When its time is up, and not before."""
    game = made(timed, title, SeatPlan(), SeatPlan(taken=False), expires_at=add_milliseconds(clock(), 60_000))
    clock.wait(59)
    sweep()
    assert timed.load(game.id).status == "open"
    clock.wait(1)
    sweep()
    assert timed.load(game.id).status == "abandoned"


def test_a_pause_ends_by_itself(timed, title, clock, sweep):
    """The server goes on with the game at the time that was settled."""
    game = made(timed, title, SeatPlan(), SeatPlan("random"), SeatPlan("random"))
    until = add_milliseconds(clock(), DAY_MS)
    timed.table_command(game.id, 0, TableOffer("pause", until))
    clock.wait(86_000)
    sweep()
    assert timed.load(game.id).paused is not None
    clock.go_to(until)
    sweep()
    game = timed.load(game.id)
    assert (game.paused, game.seats[1].bot) == (None, "random")


def test_a_seat_that_nobody_takes_is_given_to_a_bot(timed, title, clock, sweep):
    """The game waited for somebody for as long as was settled, then a bot plays on."""
    game = made(timed, title, *[SeatPlan()] * 3, absence=Absence(then="open", fill_ms=60_000))
    timed.table_command(game.id, 1, TableLeave())
    clock.wait(59)
    sweep()
    assert timed.load(game.id).seats[1].vacant
    clock.wait(1)
    sweep()
    game = timed.load(game.id)
    assert (game.seats[1].bot, game.paused) == ("steady", None)
    sweep()
    assert timed.load(game.id).seq == game.seq, "what is done is not done again"
