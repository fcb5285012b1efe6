"""What the server does when a time is up, on a real log: time-outs, bots that play on, outages."""

from __future__ import annotations

import threading

import pytest

from events.base.timestamps import add_milliseconds, parse_timestamp
from events.clocks.absence_policy import Absence
from events.clocks.clock import CorrespondenceClock, LiveClock
from events.rules.steps import Rejected
from events.store.games import SeatPlan
from events.table.clock_updates import seat_deadline
from events.table.commit_reveal import next_due as opens
from events.table.terms import Terms
from projections.health import heartbeat
from projections.read_models import timers
from tests.workers.test_dispatcher import redis
from workers import connections, jobs, timer_commands
from workers.dispatcher import Dispatcher

__all__ = ["redis"]
pytestmark = pytest.mark.integration

LIVE = LiveClock(base_ms=60_000, increment_ms=10_000)
PERSON = SeatPlan()
BOT = SeatPlan("random")


@pytest.fixture
def dispatcher(timed, clock, redis, pool, monkeypatch):
    """A dispatcher, and jobs, at the time of the test; games of other tests are out of sight."""
    monkeypatch.setattr(connections, "get_games", lambda: timed)
    with pool.connection() as connection:
        connection.execute("UPDATE lobby SET status = 'forgotten', due = NULL")
        connection.execute("DELETE FROM outage")
        connection.execute("DELETE FROM house_heartbeat")
    return Dispatcher(timed.log, redis, now=clock)


@pytest.fixture
def game(timed, title):
    """Makes a running game of colonial_empires: two people and two bots."""

    def make(clock=LIVE, people=2, **absence):
        plans = [PERSON] * people + [BOT] * (4 - people)
        return timed.create(
            title, title.Options(), plans, terms=Terms(clock=clock, absence=Absence(**absence))
        )

    return make


def sweep(dispatcher):
    """Bring the read models up to date, then let what is due be done."""
    dispatcher.catch_up()
    dispatcher.run_timers()
    dispatcher.catch_up()


def types(games, game):
    return [record.type for record in games.records(game.id)]


def on_the_clock(game):
    return [seat for seat in range(4) if seat_deadline(game, seat)]


def bots_move(games, game):
    """Bots play until nothing but people is awaited."""
    now = games.load(game.id)
    while (decision := jobs.find_bot_decision(now)) is not None:
        jobs.make_bot_move(games, now, decision)
        now = games.load(game.id)
    return now


def others_move(games, game, seat):
    """All but *seat* play until it is asked."""
    now = bots_move(games, game)
    while seat_deadline(now, seat) is None:
        decision = now.title.awaited(now.state)[0]
        games.command(now.id, decision.seat, now.title.default(now.state, decision))
        now = bots_move(games, now)
    return now


def test_an_absent_player_is_timed_out_until_a_bot_plays_on(dispatcher, timed, clock, game):
    """Excused, defaulted, given to the bot, each when its time has come and once; the bot plays on."""
    made = bots_move(timed, game(excuses=1, misses=2, least_people=1))
    (seat, *_) = on_the_clock(made)
    sweep(dispatcher)
    assert "SeatTimedOut" not in types(timed, made), "nothing is due yet"
    clock.go_to(add_milliseconds(seat_deadline(made, seat), -1))
    sweep(dispatcher)
    assert "SeatTimedOut" not in types(timed, made), "a millisecond is left"
    for already in range(3):
        clock.go_to(seat_deadline(others_move(timed, made, seat), seat))
        sweep(dispatcher)
        sweep(dispatcher)
        told = [r for r in timed.records(made.id) if r.type == "SeatTimedOut"]
        mine = [r for r in told if f'"seat":{seat}'.encode() in r.body]
        assert len(mine) == already + 1
    now = timed.load(made.id)
    assert now.seats[seat].bot == "steady"
    assert now.seats[seat].tenure == 2
    before = now.seats[seat].commands
    while now.seats[seat].commands == before:
        decision = now.title.awaited(now.state)[0]
        if now.seats[decision.seat].bot:
            jobs.make_bot_move(timed, now, decision)
        else:
            timed.command(now.id, decision.seat, now.title.default(now.state, decision))
        now = timed.load(made.id)


def test_the_player_who_answers_first_is_not_punished(timed, clock, game, title):
    """An answer after the deadline is taken; the time-out that was on its way follows on another state, and
    is given up. Two dispatchers that give the same time-out make one event.
    """
    made = bots_move(timed, game())
    (seat, *_) = on_the_clock(made)
    late = clock.go_to(add_milliseconds(seat_deadline(made, seat), 500))
    decision = next(d for d in title.awaited(made.state) if d.seat == seat)
    timed.command(made.id, seat, title.default(made.state, decision))
    timer_commands.apply_due_timers(timed, made, late, turns=True)
    assert "SeatTimedOut" not in types(timed, made)
    other = bots_move(timed, game(people=1, excuses=1))
    (seat, *_) = on_the_clock(other)
    due = clock.go_to(seat_deadline(other, seat))
    both = [
        threading.Thread(
            target=timer_commands.apply_due_timers, args=(timed, other, due), kwargs={"turns": True}
        )
        for _ in range(2)
    ]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert types(timed, other).count("SeatTimedOut") == 1


def test_only_free_decisions_start_no_clock(timed, game, title):
    """What a seat may do and nobody waits for neither starts nor stops a clock."""
    made = bots_move(timed, game())
    awaited = {d.seat for d in title.awaited(made.state)}
    assert set(on_the_clock(made)) == {seat for seat in awaited if made.seats[seat].person}


def test_the_read_model_tells_what_is_due(dispatcher, timed, clock, game, pool):
    """A game is due from its first deadline on, and not a millisecond before."""
    made = bots_move(timed, game(CorrespondenceClock(per_decision_ms=3_600_000)))
    dispatcher.catch_up()
    first = min(seat_deadline(timed.load(made.id), seat) for seat in on_the_clock(timed.load(made.id)))
    assert timers.find_first_due(timed.load(made.id)) == first
    assert made.id not in {one.game_id for one in timers.find_due_games(pool, add_milliseconds(first, -1))}
    assert made.id in {one.game_id for one in timers.find_due_games(pool, first)}
    assert opens(made) is None


def test_an_outage_is_given_back_before_any_time_out(dispatcher, timed, clock, game, pool):
    """Ten minutes without any sign of life, over a deadline: the first event afterwards adds what was lost,
    and the time-out comes as much later.
    """
    made = bots_move(timed, game())
    sweep(dispatcher)
    (seat, *_) = on_the_clock(made)
    until = seat_deadline(made, seat)
    back = clock.go_to(add_milliseconds(until, 300_000))
    with pool.connection() as connection:
        connection.execute("UPDATE house_heartbeat SET at = clock_timestamp() - interval '10 minutes'")
    dispatcher.catch_up()
    dispatcher.run_timers()
    first = timed.records(made.id, made.seq)[0]
    assert first.type == "ClockAdjusted"
    assert "SeatTimedOut" not in types(timed, made)
    after = timed.load(made.id)
    assert back < seat_deadline(after, seat)
    assert parse_timestamp(seat_deadline(after, seat)) - parse_timestamp(until) > 359_000_000
    assert heartbeat.beat(pool) == []
    clock.go_to(seat_deadline(after, seat))
    sweep(dispatcher)
    assert "SeatTimedOut" in types(timed, made)


def test_an_outage_is_given_back_to_games_that_the_read_models_do_not_know_yet(
    dispatcher, timed, clock, game, pool
):
    """The server ended right after a game began, before anything followed the log: that comes first."""
    heartbeat.beat(pool)
    made = bots_move(timed, game())
    clock.go_to(add_milliseconds(seat_deadline(made, on_the_clock(made)[0]), 300_000))
    with pool.connection() as connection:
        connection.execute("UPDATE house_heartbeat SET at = clock_timestamp() - interval '10 minutes'")
    dispatcher.run_timers()
    assert timed.records(made.id, made.seq) == []
    sweep(dispatcher)
    assert timed.records(made.id, made.seq)[0].type == "ClockAdjusted"
    assert heartbeat.beat(pool) == []


def test_an_outage_is_given_back_although_a_player_acts_at_that_moment(
    dispatcher, timed, clock, game, pool, title, monkeypatch
):
    """What is given must follow on the state that was looked at, so the newer state is looked at as well."""
    made = game(people=4)
    while len(on_the_clock(made)) < 2:
        decision = title.awaited(made.state)[0]
        timed.command(made.id, decision.seat, title.default(made.state, decision))
        made = timed.load(made.id)
    sweep(dispatcher)
    seat, other, *_ = on_the_clock(made)
    clock.go_to(add_milliseconds(seat_deadline(made, other), 300_000))
    with pool.connection() as connection:
        connection.execute("UPDATE house_heartbeat SET at = clock_timestamp() - interval '10 minutes'")
    give = timed.table_command
    acted = []

    def act_first(game_id, *words, **named):
        if game_id == made.id and not acted:
            decision = next(each for each in title.awaited(made.state) if each.seat == seat)
            acted.append(timed.command(game_id, seat, title.default(made.state, decision)))
        return give(game_id, *words, **named)

    monkeypatch.setattr(timed, "table_command", act_first)
    dispatcher.catch_up()
    dispatcher.run_timers()
    assert acted
    assert "ClockAdjusted" in types(timed, made)
    assert clock() < seat_deadline(timed.load(made.id), other)
    assert heartbeat.beat(pool) == []


def test_a_host_whose_time_is_wrong_gives_no_time_out(dispatcher, timed, clock, game, monkeypatch):
    """Where the database's clock says otherwise nothing is given; when they agree again it is."""
    made = bots_move(timed, game())
    clock.go_to(seat_deadline(made, on_the_clock(made)[0]))
    monkeypatch.setattr(timer_commands, "FAR_SECONDS", -1.0)
    sweep(dispatcher)
    assert "SeatTimedOut" not in types(timed, made)
    monkeypatch.undo()
    monkeypatch.setattr(connections, "get_games", lambda: timed)
    sweep(dispatcher)
    assert "SeatTimedOut" in types(timed, made)


def test_nothing_happens_by_reading(timed, clock, game):
    """A game with a clock and no worker keeps its state, however long its deadline has been over."""
    made = bots_move(timed, game())
    clock.wait(10**7)
    assert timed.load(made.id).seq == made.seq
    assert timed.load(made.id) == made
    with pytest.raises(Rejected, match="not_due"):
        timed.table_command(made.id, None, timer_commands.TableTimeOut(0, clock()))
