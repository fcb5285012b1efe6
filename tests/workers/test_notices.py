"""What the server tells by itself: time that is nearly up, and time that was."""

from __future__ import annotations

import uuid

import pytest

from events.base.timestamps import add_milliseconds
from events.clocks.clock import LiveClock
from events.store.games import utc_now
from events.table.clock_updates import seat_deadline
from tests.workers.test_clocks import bots_move, dispatcher, game, on_the_clock, sweep
from tests.workers.test_dispatcher import redis

__all__ = ["dispatcher", "game", "redis"]
pytestmark = pytest.mark.integration


@pytest.fixture
def held(pool):
    """Gives the claims of a game to an account of their own; answers its id."""

    def give(made):
        account = str(uuid.uuid4())
        with pool.connection() as connection:
            connection.execute("INSERT INTO account (id, name) VALUES (%s, 'Holder')", (account,))
            connection.execute(
                "INSERT INTO seat_claim (game_id, claim, seat, account_id)"
                " SELECT %s, %s, seat, %s FROM generate_series(0, 3) seat",
                (made.id, made.claims[made.persons[0]], account),
            )
        return account

    return give


def told(pool, account):
    with pool.connection() as connection:
        return connection.execute(
            "SELECT type, seq, data FROM notice WHERE account_id = %s ORDER BY number", (account,)
        ).fetchall()


def test_a_seat_whose_time_runs_out_is_told_before_and_after(dispatcher, timed, clock, game, held, pool):
    """That little is left, once; that it was up; and, when a bot takes the seat, that it is vacant."""
    clock.go_to(utc_now())  # what is old is not told
    made = bots_move(
        timed, game(LiveClock(base_ms=600_000, increment_ms=0), excuses=0, misses=1, least_people=1)
    )
    account = held(made)
    (seat, *_) = on_the_clock(made)
    until = seat_deadline(made, seat)
    sweep(dispatcher)
    assert dispatcher.notify_deadlines() == 0
    clock.go_to(add_milliseconds(until, -1000))
    assert dispatcher.notify_deadlines() == len(on_the_clock(made))
    assert dispatcher.notify_deadlines() == 0
    clock.go_to(until)
    sweep(dispatcher)
    found = told(pool, account)
    near = [data for type_, _, data in found if type_ == "game.deadline_near"]
    assert {"seat": seat, "deadline": until} in near
    late = [(seq, data) for type_, seq, data in found if type_ == "game.timed_out"]
    facts = [r.seq for r in timed.records(made.id) if r.type == "SeatTimedOut"]
    assert facts
    assert late[0][1] == {"seat": seat, "deadline": until, "excused": False, "misses": 1}
    vacated = [data for type_, _, data in found if type_ == "game.vacated"]
    assert {"seat": seat, "vacated": seat, "reason": "time"} in vacated
