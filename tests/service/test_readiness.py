"""What `readyz` says: not ready where commands are not carried out, else what is lacking."""

from dataclasses import replace
from urllib.parse import urlsplit

import psycopg
import pytest

from events.catalogue import find_title
from events.games import Games, SeatPlan
from events.log import EventLog
from ops.losing_proxy import LosingProxy, Loss
from ops.wsgi import create_app
from projections import alive, failed
from projections.runner import Runner
from service import readiness
from service.receipts import Receipts
from tests.acceptance.up import until
from tests.service.client import Api

pytestmark = pytest.mark.integration


@pytest.fixture
def whole(pool):
    """Everybody is at work, and nothing is left over from other tests."""
    with pool.connection() as connection:
        connection.execute("DELETE FROM es.alive")
        connection.execute("DELETE FROM es.failed")
        connection.execute("DELETE FROM es.parked")
    for duty in (alive.DISPATCHER, *alive.WORKERS):
        alive.beat(pool, f"the {duty}", duty)
    log = EventLog(pool)
    log.sequence()
    while Runner(log).step():
        pass


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
        connection.execute("UPDATE es.alive SET beat_at = beat_at - interval '8 s' WHERE duty = %s", (duty,))
    assert codes(api) == (200, "degraded", [code])
    alive.beat(pool, "another", duty)
    assert codes(api) == (200, "ready", [])


def test_a_sequencer_that_stands_still_is_told(api, whole, pool):
    """By the age of what waits for its position."""
    new_game(pool)
    assert codes(api) == (200, "ready", [])
    with pool.connection() as connection:
        connection.execute("DELETE FROM es.fresh")
        connection.execute(
            "INSERT INTO es.fresh (game_id, first, seq, made_at)"
            " SELECT game_id, 1, max(seq), now() - interval '1 minute' FROM es.event e"
            " WHERE NOT EXISTS (SELECT FROM es.log l WHERE l.game_id = e.game_id) GROUP BY game_id"
        )
    shown = api.get("/readyz")
    assert [(lack["code"], lack["seconds"] >= 60) for lack in shown["lacking"]] == [("sequencer_stuck", True)]


def test_late_read_models_are_told(api, whole, pool, monkeypatch):
    """By the age of the oldest event that they have not seen."""
    new_game(pool)
    EventLog(pool).sequence()
    assert codes(api) == (200, "ready", [])
    monkeypatch.setattr(readiness, "LAG_SECONDS", -1.0)
    (lack,) = api.get("/readyz")["lacking"]
    assert lack["code"] == "projection_lag"
    assert lack["seconds"] >= 0


def test_what_is_set_aside_is_told(api, whole, pool):
    """How many tasks, and how many games of read models."""
    game = new_game(pool)
    failed.record(pool, game.id, "bot", game.seq, "an error", final=True)
    with pool.connection() as connection:
        connection.execute("INSERT INTO es.parked VALUES ('history', %s, 1, 'an error')", (game.id,))
    shown = api.get("/readyz")
    assert shown["status"] == "degraded"
    assert [(lack["code"], lack["count"]) for lack in shown["lacking"]] == [
        ("projection_parked", 1),
        ("tasks_failed", 1),
    ]


def test_a_database_that_takes_no_writes_is_not_ready(owner, settings, database):
    """Such as a replica: a command sent here would not be carried out."""
    name = database.rpartition("/")[2].partition("?")[0]
    app = create_app(settings)
    try:
        with psycopg.connect(owner, autocommit=True) as connection:
            connection.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        status, said, lacking = codes(Api(app))
        assert (status, said, lacking[0]) == (503, "not_ready", "read_only")
    finally:
        with psycopg.connect(owner, autocommit=True) as connection:
            connection.execute("SET default_transaction_read_only = off")
            connection.execute(f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
        app.extensions["rutter"].close()


def test_a_key_that_cannot_sign_is_not_ready(app, whole):
    """No receipt could be given for a command."""

    class Broken:
        def line(self, text):
            raise OSError("the key is gone")

    process = app.extensions["rutter"]
    app.extensions["rutter"] = replace(process, receipts=Receipts(Broken))
    try:
        assert codes(Api(app)) == (503, "not_ready", ["cannot_sign"])
    finally:
        app.extensions["rutter"] = process


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
    with proxy.losing(1.0, Loss.SILENCE):
        one.get("/v1/me")
        status, said, lacking = codes(api)
        assert (status, said) == (200, "degraded")
        assert {"redis_away", "limits_local"} <= set(lacking)
    until(lambda: codes(api) == (200, "ready", []), "Redis counts again")


def test_without_any_redis_the_limits_are_told_too(settings, whole):
    """Who set none up, and who has no limits, knows it from here."""
    for limits, told in (("", ["redis_away", "limits_local"]), ("off", ["redis_away"])):
        app = create_app(replace(settings, redis_url=None, limits=limits or None))
        try:
            assert codes(Api(app)) == (200, "degraded", told)
        finally:
            app.extensions["rutter"].close()
