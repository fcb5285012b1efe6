"""A machine of a cluster that does not answer is noticed, and then nobody waits for it."""

import math

import psycopg
import pytest
from psycopg.errors import ProtocolViolation, QueryCanceled
from psycopg_pool import PoolTimeout

from events.store import machines
from events.store.connection import (
    MACHINE_SECONDS,
    REQUEST_TIME,
    LazyPool,
    NodeAway,
    RequestTime,
    TimeoutPool,
    is_machine_away,
    limit_answers,
)
from events.store.event_log import EventLog
from service.base.rate_limits import TimeLimits
from tests.cluster_sql import record_statements
from tests.cluster_stand_in import rename
from tests.waiting import PATIENCE, until
from workers import connections

pytestmark = pytest.mark.integration


def test_games_of_a_silent_machine_are_refused_without_asking_it(pool, cluster, both, monkeypatch):
    """Those of the others are read as ever; it is asked again when it answers."""
    monkeypatch.setattr(machines, "LOOK_AGAIN_SECONDS", 0.0)
    log, (first, second) = EventLog(pool), both
    assert [machine.name for machine in log.machines.look()] == []
    assert [machine.shards for machine in log.machines.known] == [2, 5]
    rename(cluster, "two", "dead")
    assert [machine.name for machine in log.machines.look()] == ["dead"]
    assert len(log.read(first.id)) == first.seq
    with record_statements() as asked:
        for ask in (log.read, log.keys, log.is_archived):
            with pytest.raises(NodeAway) as away:
                ask(second.id)
            assert is_machine_away(away.value)
        with pytest.raises(NodeAway):
            log.append(second.id, log.read(first.id)[:1])
    assert [text for text in asked if second.id in text or "es.game_secret" in text] == []
    rename(cluster, "dead", "two")

    def answers():
        try:
            return log.read(second.id)
        except NodeAway:
            return None

    assert len(until(answers, "the machine is asked again")) == second.seq


def test_a_statement_that_fails_makes_all_be_looked_at(pool, cluster, both):
    """But not where no connection was to be had, for then no machine was asked."""
    known = EventLog(pool).machines
    rename(cluster, "one", "dead")
    for error in (PoolTimeout("all are at work"), ProtocolViolation("query_wait_timeout")):
        with pytest.raises(type(error)), known.watch(both[0].id):
            raise error
    assert known._begun == float("-inf")
    with pytest.raises(QueryCanceled), known.watch(both[1].id):
        raise QueryCanceled("took too long")
    until(lambda: known.silent, "they are looked at")
    assert [machine.group for machine in known.silent] == [1]
    assert known.list_unreachable([game.id for game in both]) == {both[0].id}


def test_one_machine_is_not_looked_at(pool, both):
    """Where the database is no cluster nothing is known, and nothing refused."""
    known = EventLog(pool).machines
    assert known.look() == ()
    assert known.known == ()
    with known.watch(both[0].id):
        pass


def test_an_answer_is_awaited_for_a_limited_time(database):
    """Within the block; the connection that was late is closed, and the others wait as before."""
    with TimeoutPool(database, "test", max_size=1) as pool:
        with (
            pool.connection() as connection,
            limit_answers(connection, 0.0),
            pytest.raises(psycopg.OperationalError, match="has not answered"),
        ):
            connection.execute("SELECT pg_sleep(600)")
        with pool.connection() as connection:
            connection.statement_timeout = PATIENCE
            with limit_answers(connection, 1.0):
                assert connection.statement_timeout == 1.5
            assert connection.statement_timeout == PATIENCE


LIMITS = TimeLimits(usual=8, long=30, connection=5.0)


@pytest.mark.parametrize(("options", "limit"), [("", "8s"), ("options=-c%20citus.version%3D14", "3s")])
def test_statements_are_shorter_on_a_cluster(database, monkeypatch, options, limit):
    """Its coordinator waits for a frozen machine with all locks of the statement."""
    url = f"{database}{'&' if '?' in database else '?'}{options}" if options else database
    request = RequestTime(math.inf, long=False)
    with LazyPool(url, 1, LIMITS) as pool, pool.connection() as connection:
        assert connection.execute("SHOW statement_timeout").fetchone() == (limit,)
        known = REQUEST_TIME.set(request)
    with LazyPool(url, 1, LIMITS) as pool, pool.connection() as connection:
        assert (connection.statement_timeout < 2 * MACHINE_SECONDS) == bool(options)
        REQUEST_TIME.reset(known)
    monkeypatch.setenv("DATABASE_URL", url)
    with connections.open_pool(1) as pool, pool.connection() as connection:
        assert connection.execute("SHOW statement_timeout").fetchone() == ("3s" if options else "0",)
        waits = connection.statement_timeout
        assert (waits < 2 * MACHINE_SECONDS) == bool(options)
