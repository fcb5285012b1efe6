"""Statements about one game go to its machine of a cluster, where the operator wants that."""

import contextlib
from collections import defaultdict
from dataclasses import replace

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import QueryCanceled
from psycopg_pool import PoolTimeout

from events.base.settings import RUTTER_CLUSTER_DIRECT
from events.store import direct_pools, pooler
from events.store.connection import (
    REQUEST_TIME,
    TIMEOUT_GRACE,
    LazyPool,
    NodeAway,
    RequestTime,
    TimeoutPool,
    limit_answers,
)
from events.store.event_log import EventLog, VersionConflict
from events.store.games import Games
from projections import runner as runner_module
from projections.read_models import history
from projections.read_models.catalogue import PROJECTIONS
from service.base.rate_limits import TimeLimits
from tests.cluster_stand_in import move, standing_in
from tests.playing import advance
from tests.waiting import PATIENCE, until
from workers.bots import find_bot_version

pytestmark = pytest.mark.integration

LIMITS = TimeLimits(usual=8, long=30, connection=5.0)
HOST = "localhost"
"""Another name of the address at which the database of tests answers."""
NOWHERE = ("127.0.0.1", 1)
"""An address at which no database answers."""


@pytest.fixture(autouse=True)
def wanted(monkeypatch):
    monkeypatch.setenv(RUTTER_CLUSTER_DIRECT.name, "1")


@pytest.fixture
def coordinator(database):
    """The pool of a process to the coordinator."""
    with TimeoutPool(database, "test", max_size=3, timeout=PATIENCE) as pool:
        yield pool


@pytest.fixture
def spread(cluster, database):
    """The cluster, whose machine `one` is this database by another name, and `two` nowhere; the port."""
    address = conninfo_to_dict(database)
    assert address["host"] != HOST
    port = int(address["port"])
    move(cluster, "one", HOST, port)
    move(cluster, "two", *NOWHERE)
    return port


def find_host(log, game):
    """The host that is asked about a game."""
    with log.lend(game.id) as connection:
        return connection.info.host


def ask_directly(log, game):
    """Wait until the machine of a game is asked itself."""
    until(lambda: find_host(log, game) == HOST, "the machine is asked itself")


def refuse(*_values, **_settings):
    raise AssertionError("the coordinator is asked")


def test_a_game_is_read_and_goes_on_without_the_coordinator(coordinator, spread, both, monkeypatch):
    """As soon as its machine has answered; until then nobody waits for it."""
    log, (first, second) = EventLog(coordinator), both
    games = Games(log, find_bot=find_bot_version)
    ask_directly(log, first)
    assert find_host(log, second) != HOST
    before = advance(games, first, 1)
    monkeypatch.setattr(coordinator, "getconn", refuse)
    grown = advance(games, before, 3)
    assert [record.seq for record in log.read(first.id)] == list(range(1, grown.seq + 1))
    assert log.keys(first.id)
    with pytest.raises(AssertionError):
        log.read(second.id)


def test_the_errors_of_an_append_are_those_of_the_log(coordinator, spread, both):
    """A writer that comes second is told so, and nothing is written."""
    log, (first, _) = EventLog(coordinator), both
    ask_directly(log, first)
    with pytest.raises(VersionConflict):
        log.append(first.id, log.read(first.id)[-1:])
    assert len(log.read(first.id)) == first.seq


def test_sentences_are_written_there_and_other_rows_are_not(coordinator, spread, both, monkeypatch):
    """What lies with a game goes to its machine; what is asked over all games stays on the coordinator."""
    log, (first, _) = EventLog(coordinator), both
    ask_directly(log, first)
    hosts = defaultdict(set)

    def note(name):
        def write(connection, rows):
            if name != "history" or any(row[0] == first.id for row in rows):
                hosts[name].add(connection.info.host)
            return PROJECTIONS[name].write(connection, rows)

        return replace(PROJECTIONS[name], write=write)

    monkeypatch.setattr(runner_module, "PROJECTIONS", {name: note(name) for name in PROJECTIONS})
    monkeypatch.setattr(runner_module, "is_coordinator", lambda _connection: True)
    log.sequence()
    runner = runner_module.Runner(log)
    while runner.step():
        pass
    assert hosts["history"] == {HOST}
    assert hosts["lobby"]
    assert all(HOST not in hosts[name] for name in PROJECTIONS if name != "history")
    with coordinator.connection() as connection:
        assert {row[1] for row in history.read_rows(connection, first.id)} == set(range(1, first.seq + 1))


def test_a_machine_that_cannot_be_had_is_asked_by_the_coordinator(
    coordinator, cluster, spread, both, monkeypatch
):
    """It is tried again after a while, at the address that it then has."""
    monkeypatch.setattr(direct_pools, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(direct_pools, "PLACES_SECONDS", 0.0)
    log, (_, second) = EventLog(coordinator), both
    assert find_host(log, second) != HOST
    assert len(log.read(second.id)) == second.seq
    cluster.execute("UPDATE pg_dist_node SET nodename = %s, nodeport = %s WHERE groupid = 2", (HOST, spread))
    ask_directly(log, second)


def test_another_server_at_the_address_is_asked_nothing(coordinator, spread, both, monkeypatch):
    """An address such as 127.0.0.1 is another machine's here than for the coordinator."""
    monkeypatch.setattr(direct_pools, "_SERVER_ID_THERE", "SELECT 'another', %s::text, %s::int, %s::text")
    log, (first, _) = EventLog(coordinator), both
    met, usual = [], direct_pools._Machine._greet
    monkeypatch.setattr(direct_pools._Machine, "_greet", lambda *one: met.append(one) or usual(*one))
    assert find_host(log, first) != HOST
    until(lambda: len(met) > 1, "it was met, and then again")
    assert find_host(log, first) != HOST


def ask(log, game, *statements):
    """Ask the machine of a game."""
    with log.lend(game.id) as connection:
        for statement in statements:
            connection.execute(statement)


def test_a_machine_that_shuts_down_within_a_statement(coordinator, cluster, spread, both):
    """Whether the statement was carried out is not known; the coordinator is asked, and others go on."""
    log, (first, second) = EventLog(coordinator), both
    ask_directly(log, first)
    with pytest.raises(NodeAway):
        ask(log, first, "SELECT pg_terminate_backend(pg_backend_pid())", "SELECT 1")
    assert find_host(log, first) != HOST
    assert len(log.read(second.id)) == second.seq
    assert len(log.read(first.id)) == first.seq


def test_a_machine_that_does_not_answer(coordinator, spread, both, monkeypatch):
    """It is given up, and nobody waits a second time for it at once; then the coordinator is asked."""
    monkeypatch.setattr(direct_pools, "LATE_SECONDS", PATIENCE)
    log, (first, second) = EventLog(coordinator), both
    ask_directly(log, first)
    with pytest.raises(QueryCanceled), log.lend(first.id) as connection, soon(connection):
        connection.execute("SELECT pg_sleep(600)")
    with pytest.raises(NodeAway):
        ask(log, first)
    assert find_host(log, second) != HOST
    monkeypatch.setattr(direct_pools, "LATE_SECONDS", 0.0)
    assert find_host(log, first) != HOST


def test_a_machine_to_which_no_connection_can_be_made(coordinator, spread, both, monkeypatch):
    """A frozen one takes the connection and never answers: the coordinator is asked soon.

    Where the time of the request is over nothing more is asked, and the machine is trusted as before.
    """
    log, (first, _) = EventLog(coordinator), both
    ask_directly(log, first)
    machine = log.machines.direct._machines[HOST, spread]

    def wait_in_vain(seconds):
        raise PoolTimeout(f"no connection within {seconds} s")

    monkeypatch.setattr(machine.pool, "getconn", wait_in_vain)
    token = REQUEST_TIME.set(RequestTime(0.0, long=False))
    try:
        for _ in range(2):
            with pytest.raises(PoolTimeout):
                ask(log, first)
    finally:
        REQUEST_TIME.reset(token)
    for _ in range(2):
        assert find_host(log, first) != HOST


def soon(connection):
    """Wait for no answer within."""
    return limit_answers(connection, 0.0)


def test_errors_of_statements_stay_what_they_are(coordinator, spread, both):
    """Only what tells of a machine that fails is told as that."""
    log, (first, _) = EventLog(coordinator), both
    ask_directly(log, first)
    with pytest.raises(psycopg.errors.DivisionByZero):
        ask(log, first, "SELECT 1 / 0")
    with pytest.raises(QueryCanceled):
        ask(log, first, "SET statement_timeout = 1", "SELECT pg_sleep(600)")
    assert find_host(log, first) == HOST


def test_requests_reach_machines_within_their_limits(database, spread, both):
    """A connection of a request has the same limits at a machine as at the coordinator."""
    with LazyPool(database, 2, LIMITS) as pool:
        log, (first, _) = EventLog(pool), both
        ask_directly(log, first)
        with log.lend(first.id) as connection:
            assert connection.statement_timeout == LIMITS.usual + TIMEOUT_GRACE
            assert connection.execute("SHOW statement_timeout").fetchone() == (f"{LIMITS.usual}s",)


@pytest.mark.parametrize("why", ["unwanted", "pooler", "one machine", "other pool"])
def test_the_coordinator_alone_is_asked(why, coordinator, owner, both, pool, monkeypatch):
    """Unless the operator wants otherwise, behind a pooler, of a single machine, and by commands."""
    with contextlib.ExitStack() as stack:
        if why != "one machine":
            stack.enter_context(standing_in(owner))
        if why == "unwanted":
            monkeypatch.delenv(RUTTER_CLUSTER_DIRECT.name)
        if why == "pooler":
            monkeypatch.setattr(pooler, "NOTICED", ["one is here"])
        log = EventLog(pool if why == "other pool" else coordinator)
        assert len(log.read(both[0].id)) == both[0].seq
        assert log.machines.direct is None or log.machines.direct._machines == {}
