"""What goes wrong with time, line by line: processes that are killed, clocks that are wrong, servers away."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from events.base.timestamps import add_milliseconds
from events.table.clock_updates import seat_deadline
from events.table.commands.offers import TableOffer
from projections.health import heartbeat
from tests.waiting import PATIENCE
from tests.workers.test_clocks import bots_move, dispatcher, game, on_the_clock, sweep, types
from tests.workers.test_dispatcher import redis
from workers import timer_commands, timers
from workers.dispatcher import Dispatcher

__all__ = ["dispatcher", "game", "redis"]
pytestmark = pytest.mark.integration

ROOT = Path(__file__).resolve().parents[2]

KILLED = """
import os, signal, sys
from psycopg_pool import ConnectionPool
from events.store.games import Games
from events.store.event_log import EventLog
from workers import timer_commands
url, game_id, now, dies = sys.argv[1:]
games = Games(EventLog(ConnectionPool(url, kwargs={"autocommit": True}, open=True)), now=lambda: now)
append = EventLog.append
def killed(self, *args, **kwargs):
    if dies == "after":
        append(self, *args, **kwargs)
    os.kill(os.getpid(), signal.SIGKILL)
EventLog.append = killed
timer_commands.apply_due_timers(games, games.load(game_id), now, turns=True)
"""


@pytest.mark.parametrize("dies", ["before", "after"])
def test_killed_while_it_gives_a_time_out(timed, clock, game, database, dispatcher, dies):
    """A process is killed between deciding a time-out and appending it, or before it could say that it was
    appended: the sweep gives it again under the same id, and one event stands in the log.
    """
    made = bots_move(timed, game())
    (seat, *_) = on_the_clock(made)
    now = clock.go_to(seat_deadline(made, seat))
    words = [sys.executable, "-c", KILLED, database, made.id, now, dies]
    done = subprocess.run(
        words, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False, timeout=PATIENCE
    )
    assert done.returncode == -signal.SIGKILL
    before = types(timed, made).count("SeatTimedOut")
    assert before == (dies == "after")
    sweep(dispatcher)
    sweep(dispatcher)
    mine = [
        r for r in timed.records(made.id) if r.type == "SeatTimedOut" and f'"seat":{seat}' in r.body.decode()
    ]
    assert len(mine) == 1


def test_the_dispatcher_is_down_for_three_hours(dispatcher, timed, clock, game, pool):
    """Games stand, players act although it is late, and are not punished for it; when the dispatcher is back
    the others' time-outs come, and nothing is given back: the service itself was there.
    """
    made = bots_move(timed, game())
    sweep(dispatcher)
    one = on_the_clock(made)[0]
    clock.go_to(add_milliseconds(seat_deadline(made, one), 3 * 3_600_000))
    heartbeat.beat(pool)  # the service gives signs of life all the while
    now = timed.load(made.id)
    assert now.seq == made.seq
    decision = next(d for d in now.title.awaited(now.state) if d.seat == one)
    timed.command(made.id, one, now.title.default(now.state, decision))
    now = bots_move(timed, now)
    sweep(dispatcher)
    told = types(timed, made)
    assert "ClockAdjusted" not in told
    late = [seat for seat in on_the_clock(now) if seat_deadline(now, seat) <= clock()]
    timed_out = [r for r in timed.records(made.id) if r.type == "SeatTimedOut"]
    assert {r.envelope().command["seat"] for r in timed_out} == set(late)
    assert one not in late


def test_the_clock_is_set_back_by_ten_minutes(dispatcher, timed, clock, game, capsys):
    """Events keep the newest time, it is said that the clock is behind, and no time is up before it has
    caught up with the log.
    """
    made = bots_move(timed, game())
    (seat, *_) = on_the_clock(made)
    late = clock.go_to(seat_deadline(made, seat))
    timed.table_command(made.id, None, timer_commands.TableTimeOut(seat, late))
    stood = bots_move(timed, timed.load(made.id))
    clock.at = add_milliseconds(late, -600_000)
    (asked, *_) = on_the_clock(stood)
    decision = next(d for d in stood.title.awaited(stood.state) if d.seat == asked)
    done = timed.command(made.id, asked, stood.title.default(stood.state, decision))
    assert done.records[0].envelope().at == late
    assert "clock_behind" in capsys.readouterr().out
    now = bots_move(timed, done.game)
    (asked, *_) = on_the_clock(now)
    due = seat_deadline(now, asked)
    clock.go_to(add_milliseconds(due, 10_000))
    now = timed.table_command(made.id, asked, TableOffer("end")).game
    assert (
        timer_commands.apply_due_timers(timed, now, add_milliseconds(due, 5_000), turns=True).seq == now.seq
    )
    assert "clock_behind" in capsys.readouterr().out
    sweep(dispatcher)
    assert types(timed, made).count("SeatTimedOut") >= 2


def test_the_clock_is_set_forward_by_ten_minutes(dispatcher, timed, clock, game, pool, monkeypatch):
    """The host's time and the database's differ by more than two seconds: nothing is up until they agree."""
    made = bots_move(timed, game())
    clock.go_to(seat_deadline(made, on_the_clock(made)[0]))
    dispatcher.catch_up()
    true = timer_commands.datetime

    class Ahead(true):
        @classmethod
        def now(cls, zone=None):
            return true.now(zone) + (true(2000, 1, 1, 0, 10) - true(2000, 1, 1))

    monkeypatch.setattr(timer_commands, "datetime", Ahead)
    timers.run_due_timers(timed, pool, clock())
    assert "SeatTimedOut" not in types(timed, made)
    monkeypatch.setattr(timer_commands, "datetime", true)
    timers.run_due_timers(timed, pool, clock())
    assert "SeatTimedOut" in types(timed, made)


def test_without_redis_time_goes_on(timed, clock, game, pool, redis, monkeypatch):
    """Time-outs need no queue: they come while Redis is away, and players go on playing."""
    from redis import Redis

    from workers import connections

    monkeypatch.setattr(connections, "get_games", lambda: timed)
    nowhere = Redis.from_url("redis://127.0.0.1:1/0", socket_timeout=0.2)
    alone = Dispatcher(timed.log, nowhere, now=clock)
    made = bots_move(timed, game())
    clock.go_to(seat_deadline(made, on_the_clock(made)[0]))
    sweep(alone)
    assert "SeatTimedOut" in types(timed, made)
