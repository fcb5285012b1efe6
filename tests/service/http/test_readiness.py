"""What `readyz` says: not ready where commands are not carried out, else what is lacking."""

import contextlib
from dataclasses import replace
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg.errors import InternalError_
from psycopg_pool import PoolTimeout

from events.rules.catalogue import find_title
from events.store.connection import REQUEST_TIME, ExhaustedPool, NodeAway, RequestTime, TimeoutPool
from events.store.event_log import EventLog
from events.store.games import Games, SeatPlan
from ops.runtime.ports import free_port
from ops.server.wsgi import create_app
from projections.health import cluster_nodes, failed_tasks, process_registry
from projections.runner import Runner
from projections.tree import replica
from service.health import readiness
from service.http import problems
from tests.cluster_stand_in import standing_in
from tests.losing_proxy import LosingProxy, Loss
from tests.service.client import Api, check_problem
from tests.waiting import until
from workers.periodic_tasks import is_server_away

pytestmark = pytest.mark.integration


PATIENT = 600.0
"""Seconds that nothing here takes, however busy the machine is."""


@pytest.fixture
def whole(pool, monkeypatch):
    """Everybody is at work, nothing is left over from other tests, and what was said stays true for long."""
    monkeypatch.setattr(process_registry, "DEAD_AFTER", PATIENT)
    for name in ("CONNECT_SECONDS", "STUCK_SECONDS", "LAG_SECONDS"):
        monkeypatch.setattr(readiness, name, PATIENT)
    with pool.connection() as connection:
        connection.execute("DELETE FROM es.alive")
        connection.execute("DELETE FROM es.failed")
        connection.execute("DELETE FROM es.parked")
    for duty in (process_registry.DISPATCHER, *process_registry.WORKERS):
        process_registry.report_alive(pool, f"the {duty}", duty)
    log = EventLog(pool)
    log.sequence()
    while Runner(log).step():
        pass


@contextlib.contextmanager
def closing_app(settings):
    """An application of its own, which is closed at the end."""
    app = create_app(settings)
    try:
        yield app
    finally:
        app.extensions["rutter"].close()


def codes(api):
    """Status code, status, and the codes of what is lacking."""
    answer = api.send("GET", "/readyz")
    shown = answer.get_json()
    assert all(lack["detail"].endswith(".") for lack in shown["lacking"])
    return answer.status_code, shown["status"], [lack["code"] for lack in shown["lacking"]]


def new_game(pool):
    title = find_title("colonial_empires")
    return Games(EventLog(pool)).create(title, title.Options(), [SeatPlan()] * 2)


def test_ready(api, whole):
    """With everything at work nothing is lacking."""
    assert codes(api) == (200, "ready", [])


@pytest.mark.parametrize(
    ("duty", "code"),
    [
        ("dispatcher", "dispatcher_missing"),
        ("ai", "worker_missing"),
        ("think", "worker_missing"),
        ("house", "worker_missing"),
    ],
)
def test_who_is_dead_is_told(api, whole, pool, duty, code):
    """A process that has not said for some seconds that it is alive. People play on."""
    with pool.connection() as connection:
        connection.execute(
            "UPDATE es.alive SET beat_at = beat_at - make_interval(secs => %s) WHERE duty = %s",
            (PATIENT, duty),
        )
    assert codes(api) == (200, "degraded", [code])
    process_registry.report_alive(pool, "another", duty)
    assert codes(api) == (200, "ready", [])


def test_a_sequencer_that_stands_still_is_told(api, whole, pool):
    """By the age of what waits for its position."""
    new_game(pool)
    assert codes(api) == (200, "ready", [])
    with pool.connection() as connection:
        connection.execute("DELETE FROM es.fresh")
        connection.execute(
            "INSERT INTO es.fresh (game_id, first, seq, made_at)"
            " SELECT game_id, 1, max(seq), now() - interval '1 hour' FROM es.event e"
            " WHERE NOT EXISTS (SELECT FROM es.log l WHERE l.game_id = e.game_id) GROUP BY game_id"
        )
    shown = api.get("/readyz")
    found = [(lack["code"], lack["seconds"] >= 3600) for lack in shown["lacking"]]
    assert found == [("sequencer_stuck", True)]


def test_late_read_models_are_told(api, whole, pool, monkeypatch):
    """By the age of the oldest event that they have not seen."""
    new_game(pool)
    EventLog(pool).sequence()
    assert codes(api) == (200, "ready", [])
    monkeypatch.setattr(readiness, "LAG_SECONDS", -1.0)
    (lack,) = api.get("/readyz")["lacking"]
    assert lack["code"] == "projection_lag"
    assert lack["seconds"] >= 0


@pytest.mark.parametrize(
    "error", [PoolTimeout("the time of this request is over"), ExhaustedPool("all at work")]
)
def test_a_host_that_does_not_answer_in_time_is_not_ready(api, process, whole, monkeypatch, error):
    """It cannot say that it can sign, so it does not say that it is ready."""

    def fail():
        raise error

    monkeypatch.setattr(process.receipts, "require_signer", fail)
    assert codes(api) == (503, "not_ready", ["database_away"])


def test_what_is_set_aside_is_told(api, whole, pool):
    """How many tasks, and how many games of read models."""
    game = new_game(pool)
    failed_tasks.record(pool, game.id, "bot", game.seq, "an error", final=True)
    with pool.connection() as connection:
        connection.execute("INSERT INTO es.parked VALUES ('history', %s, 1, 'an error')", (game.id,))
    shown = api.get("/readyz")
    assert shown["status"] == "degraded"
    assert [(lack["code"], lack["count"]) for lack in shown["lacking"]] == [
        ("projection_parked", 1),
        ("tasks_failed", 1),
    ]


@contextlib.contextmanager
def without_writes(owner, database):
    """New connections to the module's database are those of a replica: they cannot write."""
    name = database.rpartition("/")[2].partition("?")[0]
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    try:
        yield
    finally:
        with psycopg.connect(owner, autocommit=True) as connection:
            connection.execute("SET default_transaction_read_only = off")
            connection.execute(f'ALTER DATABASE "{name}" RESET default_transaction_read_only')


def test_a_database_that_takes_no_writes_is_not_ready(owner, settings, database):
    """Such as a replica: a command sent here would not be carried out."""
    with without_writes(owner, database), closing_app(settings) as app:
        status, said, lacking = codes(Api(app))
        assert (status, said, lacking[0]) == (503, "not_ready", "read_only")


def test_a_database_that_takes_no_writes_is_read(owner, api, settings, database):
    """Games are shown as before. What would change something says that it cannot, and when to come again."""
    ada = api.account()
    game = ada.post("/v1/games", {"title": "colonies", "seats": [{"you": True}] * 3}, status=201)["id"]
    offered = ada.get(f"/v1/games/{game}/decisions")["legal"][0]
    command = {**offered["command"], "seat": offered["seat"]}
    with without_writes(owner, database), closing_app(settings) as app:
        there = Api(app, ada.token)
        for path in ("", "/decisions", "/events", "/history", "/audit", "/table"):
            assert there.send("GET", f"/v1/games/{game}{path}").status_code == 200, path
        for path in (
            "/v1/me",
            "/v1/games",
            "/v1/games?mine=true",
            "/v1/tournaments",
            "/v1/me/notices",
            "/v1/me/turns",
            "/v1/me/export",
        ):
            assert there.send("GET", path).status_code == 200, path
        for method, path, body in (
            ("POST", "/v1/accounts", {"name": "Bob"}),
            ("POST", "/v1/games", {"title": "colonies", "seats": [{"you": True}] * 3}),
            ("POST", f"/v1/games/{game}/commands", command),
            ("PATCH", "/v1/me", {"name": "Ada II"}),
            ("POST", "/v1/me/tokens", {"label": "another", "scopes": ["game:read"]}),
        ):
            answer = there.send(method, path, body)
            assert check_problem(answer) == (503, "read_only"), path
            assert answer.headers["Retry-After"] == "30"
    assert ada.post(f"/v1/games/{game}/commands", command)["events"]


def test_a_key_that_cannot_sign_is_not_ready(app, whole, monkeypatch):
    """No receipt could be given for a command."""

    class Broken:
        def line(self, text):
            raise OSError("the key is gone")

    monkeypatch.setattr(app.extensions["rutter"].receipts, "require_signer", Broken)
    assert codes(Api(app)) == (503, "not_ready", ["cannot_sign"])


BROKEN = """
ALTER TABLE es.fresh RENAME TO kept;
CREATE FUNCTION es.unreachable() RETURNS SETOF es.kept LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION '%s' USING ERRCODE = '%s';
END $$;
CREATE VIEW es.fresh AS SELECT * FROM es.unreachable();
GRANT SELECT ON es.fresh TO PUBLIC;
"""
WHOLE = """
DROP VIEW es.fresh;
DROP FUNCTION es.unreachable;
ALTER TABLE es.kept RENAME TO fresh;
"""


@pytest.fixture
def cluster(owner, whole):
    """The owner of a database that seems to be the coordinator of two machines."""
    with standing_in(owner) as connection:
        yield connection


@pytest.mark.parametrize("name", ["dead", "silent"])
def test_the_share_of_a_machine_that_is_down_is_told(settings, cluster, monkeypatch, name):
    """Which one it is, and how many shards of the events lie there; the service plays on with the others."""
    monkeypatch.setattr(cluster_nodes, "LOOK_SECONDS", 0.0)
    with closing_app(settings) as app:
        assert codes(Api(app)) == (200, "ready", [])
        cluster.execute("UPDATE pg_dist_node SET nodename = %s WHERE nodename = 'two'", (name,))
        until(lambda: "node_away" in codes(Api(app))[2], "it is missed")
        lacking = Api(app).get("/readyz")["lacking"]
        lack = next(lack for lack in lacking if lack["code"] == "node_away")
        assert lack["count"] == 5
        assert f"do not answer: {name}:5433. " in lack["detail"]
        assert "5 of 7 shards" in lack["detail"]
        cluster.execute("UPDATE pg_dist_node SET nodename = 'two' WHERE nodename = %s", (name,))
        until(lambda: "node_away" not in codes(Api(app))[2], "it is back")


@pytest.mark.parametrize(
    "said",
    [
        ("connection to the remote node failed", "08006"),
        ("failure on connection marked as essential: two:5433", "XX000"),
    ],
    ids=["at once", "within a statement"],
)
def test_what_asks_all_machines_may_fail(settings, cluster, monkeypatch, said):
    """Where one of them is down, and then the host stays ready; else the database is away."""
    monkeypatch.setattr(cluster_nodes, "LOOK_SECONDS", 1e9)  # but for the looks that are ordered
    app = create_app(settings)
    try:
        assert codes(Api(app)) == (200, "ready", [])
        cluster.execute(BROKEN % said)
        status, said, lacking = codes(Api(app))
        assert (status, said, lacking[0]) == (503, "not_ready", "database_away")
        cluster.execute("UPDATE pg_dist_node SET nodename = 'dead' WHERE nodename = 'one'")
        until(lambda: codes(Api(app))[:2] == (200, "degraded"), "the machine is missed")
        assert codes(Api(app))[2][0] == "node_away"
    finally:
        cluster.execute(WHOLE)
        app.extensions["rutter"].close()


BROKEN_ONCE = """
CREATE SEQUENCE es.refusal;
GRANT USAGE ON SEQUENCE es.refusal TO PUBLIC;
CREATE OR REPLACE FUNCTION es.unreachable() RETURNS SETOF es.kept LANGUAGE plpgsql AS $$ BEGIN
  IF nextval('es.refusal') = 1 THEN
    RAISE EXCEPTION 'connection to the remote node failed' USING ERRCODE = '08006';
  END IF;
  RETURN QUERY SELECT * FROM es.kept;
END $$;
"""


def test_a_statement_that_a_machine_fails_before_it_is_back_tells_nothing(settings, cluster):
    """All machines answer when they are looked at after it, so the host is asked once more, and is ready."""
    app = create_app(settings)
    try:
        assert codes(Api(app)) == (200, "ready", [])
        cluster.execute(BROKEN % ("never said", "08006") + BROKEN_ONCE)
        assert codes(Api(app)) == (200, "ready", [])
        (asked,) = cluster.execute("SELECT last_value FROM es.refusal").fetchone()
        assert asked > 1
    finally:
        cluster.execute(WHOLE + "DROP SEQUENCE es.refusal;")
        app.extensions["rutter"].close()


def test_a_look_that_uses_up_the_time_of_the_request_tells_nothing(settings, cluster, monkeypatch):
    """A machine that is just coming back makes it slow. Then all is asked in a time of its own."""
    looks, look = [], readiness._check_nodes

    def look_slowly(services, *, now=False):
        yield from look(services, now=now)
        looks.append(now)
        if len(looks) == 1:
            REQUEST_TIME.set(RequestTime(0.0, long=False))

    with closing_app(settings) as app:
        assert codes(Api(app)) == (200, "ready", [])
        monkeypatch.setattr(readiness, "_check_nodes", look_slowly)
        assert codes(Api(app)) == (200, "ready", [])
        assert looks == [False, True, False]


def test_a_machine_that_fails_within_a_statement_is_away_for_everybody(database):
    """Citus calls it a fault of its own; any other such fault is one."""
    fail = "DO $$ BEGIN RAISE EXCEPTION '{}' USING ERRCODE = 'XX000'; END $$"
    with TimeoutPool(database, "test", max_size=1) as pool, pool.connection() as connection:
        with pytest.raises(NodeAway) as away:
            connection.execute(fail.format("failure on connection marked as essential: two:5433"))
        assert isinstance(away.value, problems.DATABASE_AWAY)
        assert is_server_away(away.value)
        with pytest.raises(InternalError_) as fault:
            connection.execute(fail.format("cache lookup failed"))
        assert not is_server_away(fault.value)


def with_copy(settings, url):
    """What is lacking where old events are read at *url*, once the own database has answered in time."""
    with closing_app(replace(settings, read_url=url)) as app:
        api = Api(app)

        def ask():
            found, answer = codes(api), api.send("GET", "/readyz")
            return (found, answer.get_json()["lacking"]) if found[0] == answer.status_code == 200 else None

        return until(ask, "the own database answers in time")


def test_what_is_wrong_with_the_copy_is_told(settings, whole, owner, database, process, monkeypatch):
    """It is away, of another log, far behind, or none of these; the service goes on in each case."""
    assert process.keyring.origin
    monkeypatch.setattr(replica, "OVERDUE_SECONDS", PATIENT)
    assert with_copy(settings, database)[0] == (200, "ready", [])
    nowhere = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    assert with_copy(settings, nowhere)[0] == (200, "degraded", ["copy_away"])
    elsewhere = f"{owner.rpartition('/')[0]}/postgres"
    assert with_copy(settings, elsewhere)[0] == (200, "degraded", ["copy_of_another_log"])
    monkeypatch.setattr(replica, "BEHIND_SECONDS", -1.0)
    told, (lack,) = with_copy(settings, database)
    assert told == (200, "degraded", ["copy_behind"])
    assert lack["seconds"] == 0


def test_a_copy_that_says_nothing_is_away(settings, whole, database, monkeypatch):
    """Those who ask for readiness do not wait for its connections to be given up."""
    monkeypatch.setattr(replica, "LOOK_SECONDS", 0.2)
    parts = urlsplit(database)
    proxy = LosingProxy(lambda: (parts.hostname, parts.port))
    login = parts.netloc.rpartition("@")[0]
    app = create_app(
        replace(settings, read_url=parts._replace(netloc=f"{login}@127.0.0.1:{proxy.port}").geturl())
    )
    try:
        until(lambda: "copy_away" not in codes(Api(app))[2], "the copy answers")
        with proxy.lose_share(1.0, Loss.SILENCE):
            until(lambda: "copy_away" in codes(Api(app))[2], "its silence is noticed")
        until(lambda: "copy_away" not in codes(Api(app))[2], "it is asked again")
    finally:
        app.extensions["rutter"].close()
        proxy.close()


@pytest.fixture
def limited(settings, servers, tmp_path):
    """The application with limits, its Redis behind a proxy that may lose answers."""
    parts = urlsplit(servers.redis_url)
    proxy = LosingProxy(lambda: (parts.hostname, parts.port))
    login = parts.netloc.rpartition("@")[0]
    url = parts._replace(netloc=f"{login}@127.0.0.1:{proxy.port}").geturl()
    figures = tmp_path / "limits.toml"
    figures.write_text("[read]\nrate = '100000/minute'")
    app = create_app(replace(settings, limits=str(figures), redis_url=url))
    yield Api(app), proxy
    app.extensions["rutter"].close()
    proxy.close()


def test_limits_that_each_process_counts_for_itself_are_told(limited, whole):
    """Where Redis does not answer in time, until it does again; the service is not taken away for that."""
    api, proxy = limited
    one = api.account()
    assert codes(api) == (200, "ready", [])
    with proxy.lose_share(1.0, Loss.SILENCE):
        one.get("/v1/me")
        status, said, lacking = codes(api)
        assert (status, said) == (200, "degraded")
        assert {"redis_away", "limits_local"} <= set(lacking)
    until(lambda: codes(api) == (200, "ready", []), "Redis counts again")


def test_without_any_redis_the_limits_are_told_too(settings, whole):
    """Who set none up, and who has no limits, knows it from here."""
    for limits, told in (("", ["redis_away", "limits_local"]), ("off", ["redis_away"])):
        with closing_app(replace(settings, redis_url=None, limits=limits or None)) as app:
            assert codes(Api(app)) == (200, "degraded", told)
