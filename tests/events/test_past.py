"""Old events are read from a copy of the database as far as it has them, and nothing else is done there."""

import os
from dataclasses import replace

import psycopg
import pytest
from psycopg import sql
from psycopg_pool import ConnectionPool

from events import past
from events.catalogue import find_title
from events.games import Games, SeatPlan
from events.log import EventLog
from events.past import PastLog
from events.replay import NoSuchEvent, rules_of
from ops.ports import free_port
from ops.wsgi import create_app
from service.limits import Figures
from service.pool import late_pool
from service.settings import Settings
from tests.playing import Noted, advance, three_or_so
from tests.service.client import Api

pytestmark = pytest.mark.integration

TITLE = "colonial"


def connections(url):
    return ConnectionPool(url, min_size=1, max_size=4, kwargs={"autocommit": True}, open=True, timeout=10)


def beside(url, name):
    return url.rpartition("/")[0] + f"/{name}"


@pytest.fixture(scope="module")
def databases(servers, template):
    """A game in a database, a copy of that, and how far the game had come when it was copied.

    The copy is one that does not follow any more: so what it lacks, it lacks whenever the tests run.
    """
    names = [f"rutter_{word}_{os.getpid()}" for word in ("newest", "copy")]
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:

        def make(name, source):
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(source))
            )

        make(names[0], template)
        newest, copy = (beside(servers.database_url, name) for name in names)
        with connections(newest) as pool:
            games, title = Games(EventLog(pool)), find_title(TITLE)
            seats = [SeatPlan()] * three_or_so(TITLE)
            game = advance(games, games.create(title, title.Options(), seats), 80)
        make(names[1], names[0])
        with connections(newest) as pool:
            after = advance(Games(EventLog(pool)), game, 20, seed=2)
        assert game.seq > 250, "the game is too short to have snapshots"
        assert after.seq > game.seq
        yield newest, copy, game, after
        for name in names:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def logs(databases):
    """The newest log, which notes what it is asked; its copy, which can only be read; games on both."""
    with (
        connections(databases[0]) as pool,
        late_pool(databases[1], 4, Figures.load(None).wait, reading=True) as copy,
    ):
        newest = Noted(pool)
        yield newest, copy, Games(newest, past=PastLog(newest, copy))


def snapshots(pool):
    with pool.connection() as connection:
        return connection.execute("SELECT seq, state FROM es.snapshot ORDER BY seq").fetchall()


def test_what_the_copy_has_is_read_there(logs, databases):
    """Whole pages and single states: the database itself is not asked."""
    newest, _, games = logs
    _, _, copied, after = databases
    assert [r.seq for r in games.past(after, 0, 100)] == list(range(1, 101))
    assert games.load(copied.id, copied.seq) == copied
    assert newest.asked == []


def test_what_the_copy_lacks_is_read_in_the_database(logs, databases):
    """A page that it has in part, and a state that is newer; the newest one is never asked of a copy."""
    newest, _, games = logs
    _, _, copied, after = databases
    some = games.past(after, copied.seq - 5)
    assert [r.seq for r in some] == list(range(copied.seq - 4, after.seq + 1))
    assert newest.asked == [copied.seq - 5]
    newest.asked.clear()
    assert games.load(after.id, after.seq - 1).seq == after.seq - 1
    assert newest.asked != []
    newest.asked.clear()
    assert games.load(after.id) == after
    assert newest.asked[0] == 0
    with pytest.raises(NoSuchEvent):
        games.load(after.id, after.seq + 1)


def test_nothing_is_written_in_the_copy(logs, databases):
    """Postgres would refuse it; a snapshot that falls due on the way is kept in the database."""
    newest, copy, games = logs
    _, _, copied, _ = databases
    for url in databases[:2]:
        with psycopg.connect(url) as connection:
            connection.execute("DELETE FROM es.snapshot")
    assert games.load(copied.id, 250).seq == 250
    assert [seq for seq, _ in snapshots(newest.pool)] == [200]
    assert snapshots(copy) == []
    with copy.connection() as connection, pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        connection.execute("DELETE FROM es.snapshot")


def test_a_wrong_snapshot_in_the_copy_is_left_there(logs, databases):
    """And not believed: the database is asked."""
    newest, copy, games = logs
    _, _, copied, _ = databases
    with psycopg.connect(databases[1]) as connection:
        connection.execute(
            "INSERT INTO es.snapshot (game_id, rules, seq, hash, state) VALUES (%s, %s, %s, '', '')",
            (copied.id, rules_of(copied), copied.seq - 4),
        )
    wrong = snapshots(copy)
    assert wrong
    plain = Games(EventLog(newest.pool))
    assert games.load(copied.id, copied.seq - 3) == plain.load(copied.id, copied.seq - 3)
    assert snapshots(copy) == wrong


def test_a_copy_that_is_away_is_not_asked_for_a_while(databases, monkeypatch):
    """The database answers, at once from the second time on."""
    monkeypatch.setattr(past, "AWAY_SECONDS", float("inf"))
    _, _, copied, _ = databases
    nowhere = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    with (
        connections(databases[0]) as pool,
        late_pool(nowhere, 2, Figures.load(None).wait, reading=True) as copy,
    ):
        newest, asked = Noted(pool), []
        lend = copy.getconn
        copy.getconn = lambda timeout=None: asked.append(1) or lend(timeout)
        games = Games(newest, past=PastLog(newest, copy))
        for _ in range(3):
            assert len(games.past(copied, 0, 10)) == 10
        assert len(asked) == 1
        assert newest.asked == [0, 0, 0]


def test_the_service_shows_the_same_with_a_copy_as_without(databases, servers):
    """Events, history, states of the past, the bundle and exports, some of them newer than the copy."""
    newest, copy, copied, after = databases
    plain = Settings(newest, servers.redis_url, signing_key="5e" * 32, log_requests=False, limits="off")
    apps = [create_app(plain), create_app(replace(plain, read_url=copy))]
    try:
        for path in (
            "/events?limit=1000",
            f"/events?after={copied.seq - 5}&limit=10",
            "/history?limit=1000",
            f"?at={copied.seq - 7}",
            f"?at={after.seq - 1}",
            "/audit",
        ):
            told = [Api(app).send("GET", f"/v1/games/{after.id}{path}") for app in apps]
            assert [answer.status_code for answer in told] == [200, 200], path
            assert told[0].data == told[1].data, path
    finally:
        for app in apps:
            app.extensions["rutter"].close()


def test_the_copy_is_named_by_a_setting():
    """None, where it is left out."""
    told = Settings.from_environment(
        {"DATABASE_URL": "postgresql://a", "DATABASE_READ_URL": "postgresql://b"}
    )
    assert (told.database_url, told.read_url) == ("postgresql://a", "postgresql://b")
    assert Settings.from_environment({"DATABASE_READ_URL": ""}).read_url is None
