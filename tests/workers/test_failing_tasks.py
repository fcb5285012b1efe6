"""Whatever is raised in a task is settled as its failure, with the error, and holds up no other's task."""

from __future__ import annotations

import uuid

import psycopg
import pytest
import redis as redis_client
from psycopg.errors import ConnectionFailure, DuplicatePreparedStatement, ProgramLimitExceeded
from psycopg_pool import PoolTimeout

from events.base.timestamps import add_milliseconds
from events.clocks import clock as clocks
from events.store import pooler
from events.store.games import Games, SeatPlan
from events.store.tournaments import Tournaments
from events.table.clock_updates import seat_deadline
from events.table.terms import Terms
from events.tournament import commands as asks
from projections.health import failed_tasks, heartbeat
from tests.workers.test_clocks import bots_move, dispatcher, game, on_the_clock, sweep, types
from tests.workers.test_dispatcher import redis
from tests.workers.test_stewards import Event
from workers import connections, jobs, timer_commands, vacations
from workers.periodic_tasks import is_server_away
from workers.tournament_runner import STEWARD, TournamentRunner

__all__ = ["dispatcher", "game", "redis"]
pytestmark = pytest.mark.integration

OWN = [
    ValueError("\0 and \ud800"),
    OverflowError("too large"),
    MemoryError(),
    RecursionError("too deep"),
    KeyError("seat"),
    BrokenPipeError(32, "Broken pipe"),
    ProgramLimitExceeded("index row size exceeds maximum"),
]
AWAY = [
    psycopg.OperationalError("gone"),
    psycopg.InterfaceError("closed"),
    PoolTimeout("no connection"),
    redis_client.ConnectionError("gone"),
    ConnectionResetError(104, "reset"),
    DuplicatePreparedStatement("_pg3_0"),
]


@pytest.fixture(autouse=True)
def at_once(pool, monkeypatch):
    """Nothing is failing yet, failed tasks are tried again without a pause, and no pooler stays noticed."""
    monkeypatch.setattr(pooler, "NOTICED", [])
    monkeypatch.setattr(failed_tasks, "PAUSES", (0.0, 0.0))
    with pool.connection() as connection:
        connection.execute("DELETE FROM es.failed")


def told(pool):
    """What the operator sees: stream, kind and the kind of the error."""
    return [(one.game, one.kind, one.error.partition(":")[0]) for one in failed_tasks.list_set_aside(pool)]


def failing(monkeypatch, kind, stream, error):
    """Let every load of one stream raise *error*."""
    load = kind.load

    def fail(self, wanted, *more):
        if wanted == stream:
            raise error
        return load(self, wanted, *more)

    monkeypatch.setattr(kind, "load", fail)


@pytest.mark.parametrize("error", OWN, ids=lambda error: type(error).__name__)
def test_a_job_that_raises_is_set_aside_with_its_error(timed, game, pool, monkeypatch, error):
    monkeypatch.setattr(connections, "get_games", lambda: timed)
    made = game()
    failing(monkeypatch, Games, made.id, error)
    passing = isinstance(error, OSError)
    for _ in range(len(failed_tasks.PAUSES) + 1):
        assert jobs.play(made.id, made.seq, 0) == 0
    assert told(pool) == ([] if passing else [(made.id, "bot", type(error).__name__)])
    with pool.connection() as connection:
        (attempts,) = connection.execute("SELECT attempts FROM es.failed").fetchone()
    assert attempts == len(failed_tasks.PAUSES) + 1


@pytest.mark.parametrize("error", AWAY, ids=lambda error: type(error).__name__)
def test_a_server_that_is_away_is_nobodys_failure(timed, game, pool, monkeypatch, error):
    monkeypatch.setattr(connections, "get_games", lambda: timed)
    monkeypatch.setattr(jobs, "RECONNECT_PAUSE", 0)
    made = game()
    failing(monkeypatch, Games, made.id, error)
    assert is_server_away(error)
    assert jobs.play(made.id, made.seq, 0) == 0
    with pool.connection() as connection:
        assert connection.execute("SELECT count(*) FROM es.failed").fetchone() == (0,)


@pytest.mark.parametrize("error", OWN[:2], ids=lambda error: type(error).__name__)
def test_a_timer_that_raises_holds_up_no_other(dispatcher, timed, clock, game, pool, monkeypatch, error):
    bad, good = (bots_move(timed, game()) for _ in range(2))
    dispatcher.catch_up()
    clock.go_to(max(seat_deadline(made, on_the_clock(made)[0]) for made in (bad, good)))
    with monkeypatch.context() as broken:
        failing(broken, Games, bad.id, error)
        for _ in range(len(failed_tasks.PAUSES) + 1):
            sweep(dispatcher)
    assert "SeatTimedOut" in types(timed, good)
    assert told(pool) == [(bad.id, "clock", type(error).__name__)]


def test_a_machine_that_is_away_holds_up_its_own_games_alone(
    dispatcher, timed, clock, game, pool, monkeypatch
):
    """A stand-in for a cluster: what is asked of one game fails as Citus fails. It is never set aside."""
    away, good = (bots_move(timed, game()) for _ in range(2))
    dispatcher.catch_up()
    clock.go_to(max(seat_deadline(made, on_the_clock(made)[0]) for made in (away, good)))
    with monkeypatch.context() as broken:
        failing(broken, Games, away.id, ConnectionFailure("connection to the remote node failed"))
        monkeypatch.setattr(connections, "get_games", lambda: timed)
        for _ in range(len(failed_tasks.PAUSES) + 2):
            sweep(dispatcher)
            assert jobs.play(away.id, away.seq, 0) == 0
    assert "SeatTimedOut" in types(timed, good)
    assert told(pool) == []
    with pool.connection() as connection:
        pauses = connection.execute("SELECT again_at - clock_timestamp() FROM es.failed").fetchall()
    assert pauses
    assert all(pause.total_seconds() <= failed_tasks.AWAY_PAUSE for (pause,) in pauses)


def test_a_vacation_that_raises_holds_up_no_other(timed, clock, title, pool, monkeypatch, dispatcher):
    """Two players are away; the game of one cannot be read."""
    settings = {"kind": "correspondence", "per_decision_ms": 86_400_000, "vacation_ms": 864_000_000}
    made = []
    for _ in range(2):
        account, claim = str(uuid.uuid4()), str(uuid.uuid4())
        with pool.connection() as connection:
            connection.execute("INSERT INTO account (id, name) VALUES (%s, 'Away')", (account,))
            connection.execute(
                "INSERT INTO vacation (account_id, begins, ends) VALUES (%s, %s, %s)",
                (account, clock(), add_milliseconds(clock(), 864_000_000)),
            )
        made.append(
            sit_down(timed, title, pool, account, claim, Terms(clock=clocks.parse_settings(settings)))
        )
    dispatcher.catch_up()
    bad, good = made
    with monkeypatch.context() as broken:
        failing(broken, Games, bad, OverflowError("too large"))
        for _ in range(len(failed_tasks.PAUSES) + 1):
            vacations.apply_vacations(timed, pool, vacations.find_vacations(pool, clock()))
        assert vacations.apply_vacations(timed, pool, vacations.find_vacations(pool, clock())) == 0
    assert timed.load(good).seats[0].vacation is not None
    assert told(pool) == [(bad, "vacation", "OverflowError")]


def sit_down(games, title, pool, account, claim, terms):
    """A game in which an account holds the first seat; its id."""

    def seated():
        with pool.connection() as connection:
            connection.execute(
                "INSERT INTO seat_claim (game_id, seat, claim, account_id) VALUES (%s, 0, %s, %s)",
                (game_id, claim, account),
            )
        return {}

    game_id = str(uuid.uuid4())
    plans = [SeatPlan(), *[SeatPlan("random")] * 3]
    games.create(title, title.Options(), plans, game_id=game_id, command_id=claim, terms=terms, seated=seated)
    return game_id


def test_an_outage_is_settled_though_one_game_raises(dispatcher, timed, clock, game, pool, monkeypatch):
    """What nobody can read is set aside; all timers go on."""
    bad, good = (bots_move(timed, game()) for _ in range(2))
    dispatcher.catch_up()
    given = []
    compensate = timer_commands._compensate_game

    def note(games, game_id, outage):
        compensate(games, game_id, outage)
        given.append(game_id)

    monkeypatch.setattr(timer_commands, "_compensate_game", note)
    failing(monkeypatch, Games, bad.id, LookupError("rules"))
    with pool.connection() as connection:
        connection.execute("INSERT INTO outage (since, until) VALUES (now() - interval '1 hour', now())")
    timer_commands.compensate_outages(timed, pool, heartbeat.beat(pool))
    assert good.id in given
    assert bad.id not in given
    assert (bad.id, "outage", "LookupError") in told(pool)
    assert timer_commands.compensate_outages(timed, pool, heartbeat.beat(pool)) == 0


def test_a_tournament_that_raises_is_set_aside_until_somebody_acts(games, database, pool, monkeypatch):
    """Others are served meanwhile; the next event gives it another try, and what failed is forgotten."""
    bad, good = Event(games, database), Event(games, database)
    bad.project()
    steward = TournamentRunner(Tournaments(games.log), games)
    with monkeypatch.context() as broken:
        failing(broken, Tournaments, bad.id, OverflowError("date value out of range"))
        for _ in range(len(failed_tasks.PAUSES) + 1):
            steward()
        assert good.state.rounds
        assert told(pool) == [(bad.id, STEWARD, "OverflowError")]
        tries = []
        broken.setattr(TournamentRunner, "serve", lambda _, one: tries.append(one) or 0)
        steward()
        assert bad.id not in tries
    bad.tournaments.command(bad.id, "d1", asks.PauseTournament(in_an_hour(games), "schedule"))
    bad.tournaments.command(bad.id, "d1", asks.ResumeTournament())
    bad.project()
    steward()
    assert bad.state.rounds
    assert told(pool) == []


def in_an_hour(games):
    return add_milliseconds(games.now(), 3_600_000)


def test_the_operator_has_a_tournament_tried_again(games, database, pool, monkeypatch):
    event = Event(games, database)
    event.project()
    failed_tasks.record(pool, event.id, STEWARD, event.state.seq, "an error", final=True)
    steward = TournamentRunner(Tournaments(games.log), games)
    steward()
    assert not event.state.rounds
    assert failed_tasks.retry(pool, event.id) == 1
    failed_tasks.release(pool)
    steward()
    assert event.state.rounds
    assert told(pool) == []
