"""Old events are read from a copy of the database as far as it has them, and nothing else is done there."""

import os
import threading
from dataclasses import replace

import psycopg
import pytest
from psycopg import sql
from psycopg_pool import ConnectionPool

from events.rules.catalogue import find_title
from events.store.event_log import EventLog
from events.store.games import Games, NoSuchEvent, SeatPlan, rules_key
from events.store.replica import AgreedTree, ReplicaLog
from events.store.signing_keys import Keyring
from ops.runtime.ports import free_port
from ops.server.wsgi import create_app
from projections.tree import replica
from projections.tree.replica import Replica, ReplicaState, ReplicaStatus
from service.base.database import make_lazy_pool
from service.base.rate_limits import LimitSettings
from service.base.settings import Settings
from tests.archiving import follow
from tests.playing import Noted, advance, three_or_so
from tests.service.client import Api

pytestmark = pytest.mark.integration

TITLE = "colonial"
SEED = b"\x5e" * 32


def connections(url):
    return ConnectionPool(url, min_size=1, max_size=4, kwargs={"autocommit": True}, open=True, timeout=10)


def beside(url, name):
    return url.rpartition("/")[0] + f"/{name}"


@pytest.fixture(scope="module")
def databases(servers, template):
    """A game in a database, a copy of that, and how far the game had come when it was copied.

    The copy is one that does not follow any more: so what it lacks, it lacks whenever the tests run.
    """
    names = [f"rutter_{word}_{os.getpid()}" for word in ("newest", "copy", "untouched")]
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:

        def make(name, source):
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(source))
            )

        make(names[0], template)
        newest, copy = (beside(servers.database_url, name) for name in names[:2])
        with connections(newest) as pool:
            games, title = Games(EventLog(pool)), find_title(TITLE)
            seats = [SeatPlan()] * three_or_so(TITLE)
            game = advance(games, games.create(title, title.Options(), seats), 80)
            follow(EventLog(pool), Keyring(pool, [SEED]))
        make(names[1], names[0])
        make(names[2], names[0])
        with connections(newest) as pool:
            after = advance(Games(EventLog(pool)), game, 20, seed=2)
            follow(EventLog(pool), Keyring(pool, [SEED]))
        assert game.seq > 250, "the game is too short to have snapshots"
        assert after.seq > game.seq
        yield newest, copy, game, after
        for name in names:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def branch(databases, servers):
    """A copy on which the game went on otherwise: as on a server that was left behind."""
    name = f"rutter_branch_{os.getpid()}"
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(f"rutter_untouched_{os.getpid()}")
            )
        )
        url = beside(servers.database_url, name)
        try:
            with connections(url) as pool:
                advance(Games(EventLog(pool)), databases[2], 20, seed=5)
            yield url
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(autouse=True)
def looks_are_ordered(monkeypatch):
    """No look comes between by itself."""
    monkeypatch.setattr(replica, "LOOK_SECONDS", 1e9)


def compared(copy, newest, state=ReplicaState.GOOD):
    """The copy, after a look at it."""
    found = Replica(copy, newest)
    found.look()
    assert found.get_status().state is state
    return found


@pytest.fixture
def logs(databases):
    """The newest log, which notes what it is asked; its copy, which can only be read; games on both."""
    with (
        connections(databases[0]) as pool,
        make_lazy_pool(databases[1], 4, LimitSettings.load(None).wait, reading=True) as copy,
    ):
        newest = Noted(pool)
        yield newest, copy, Games(newest, past=ReplicaLog(newest, compared(copy, pool)))


def snapshots(pool):
    with pool.connection() as connection:
        return connection.execute("SELECT seq, state FROM es.snapshot ORDER BY seq").fetchall()


def test_what_the_copy_has_is_read_there(logs, databases):
    """Whole pages and single states: the database itself is not asked."""
    newest, _, games = logs
    _, _, copied, after = databases
    assert [r.seq for r in games.read_past(after, 0, 100)] == list(range(1, 101))
    assert games.load(copied.id, copied.seq) == copied
    assert newest.asked == []


def test_what_the_copy_lacks_is_read_in_the_database(logs, databases):
    """A page that it has in part, and a state that is newer; the newest one is never asked of a copy."""
    newest, _, games = logs
    _, _, copied, after = databases
    some = games.read_past(after, copied.seq - 5)
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
            (copied.id, rules_key(copied), copied.seq - 4),
        )
    wrong = snapshots(copy)
    assert wrong
    plain = Games(EventLog(newest.pool))
    assert games.load(copied.id, copied.seq - 3) == plain.load(copied.id, copied.seq - 3)
    assert snapshots(copy) == wrong


def test_a_copy_that_is_away_is_not_asked_for_a_while(databases):
    """The database answers, at once from the second time on."""
    _, _, copied, _ = databases
    nowhere = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    with (
        connections(databases[0]) as pool,
        make_lazy_pool(nowhere, 2, LimitSettings.load(None).wait, reading=True) as copy,
    ):
        newest, asked = Noted(pool), []
        lend = copy.getconn
        copy.getconn = lambda timeout=None: asked.append(1) or lend(timeout)
        games = Games(newest, past=ReplicaLog(newest, compared(copy, pool, ReplicaState.AWAY)))
        for _ in range(3):
            assert len(games.read_past(copied, 0, 10)) == 10
        assert len(asked) == 1
        assert newest.asked == [0, 0, 0]


def test_a_copy_that_falls_silent_between_two_looks_is_asked_once(databases):
    """The reader gets what they asked for, and nobody else waits."""
    newest_url, copy_url, copied, _ = databases
    with (
        connections(newest_url) as pool,
        make_lazy_pool(copy_url, 2, LimitSettings.load(None).wait, reading=True) as copy,
    ):
        newest, asked = Noted(pool), []
        followed = compared(copy, pool)
        games = Games(newest, past=ReplicaLog(newest, followed))

        def lend(timeout=None):
            asked.append(threading.current_thread())
            raise psycopg.OperationalError("gone")

        copy.getconn = lend
        for _ in range(3):
            assert len(games.read_past(copied, 0, 10)) == 10
        mine = asked.count(threading.current_thread())  # another thread looks if it is a cluster
        assert (mine, newest.asked) == (1, [0, 0, 0])
        assert followed.get_status().state is ReplicaState.AWAY
        del copy.getconn
        followed.look()
        assert len(games.read_past(copied, 0, 10)) == 10
        assert newest.asked == [0, 0, 0]


def test_a_copy_that_went_on_by_itself_is_not_believed(databases, branch):
    """It has other events of the same game: none of these is shown, whether they are in its tree or not."""
    newest_url, _, copied, after = databases
    with connections(newest_url) as pool:
        told = EventLog(pool).read(after.id)
    with connections(branch) as pool:
        other = EventLog(pool).read(after.id)
        assert other[: copied.seq] == told[: copied.seq]
        assert other[copied.seq] != told[copied.seq]
        agree(newest_url, branch, ReplicaState.GOOD, after.id, told, copied.seq)
        follow(EventLog(pool), Keyring(pool, [SEED]))
        agree(newest_url, branch, ReplicaState.OTHER, after.id, told, 0)


def agree(newest_url, copy_url, state, game, told, until):
    """Every page is as *told*; single events are read in the copy that are not after *until*."""
    with (
        connections(newest_url) as pool,
        make_lazy_pool(copy_url, 2, LimitSettings.load(None).wait, reading=True) as copy,
    ):
        newest = Noted(pool)
        past = ReplicaLog(newest, compared(copy, pool, state))
        for after in (0, until - 3, until - 1, until, until + 2):
            newest.asked.clear()
            if after >= 0:
                assert past.read(game, after, 1) == told[after : after + 1]
                assert newest.asked == ([] if after < until else [after])
        assert past.read(game, 0, len(told)) == told


def test_each_read_makes_sure_of_the_copy_that_answers_it(databases, branch):
    """One address may lead to several, by a pooler. What is no copy has nothing of the agreed tree."""
    newest_url, copy_url, copied, after = databases
    wait = LimitSettings.load(None).wait
    with (
        connections(newest_url) as pool,
        make_lazy_pool(copy_url, 2, wait, reading=True) as copy,
        make_lazy_pool(branch, 2, wait, reading=True) as another,
    ):
        follow(EventLog(pool), Keyring(pool, [SEED]))
        with connections(branch) as there:
            follow(EventLog(there), Keyring(there, [SEED]))
        newest = Noted(pool)
        followed = compared(copy, pool)
        past = ReplicaLog(newest, followed)
        told = EventLog(pool).read(after.id)
        past._log_of_copy.pool = another
        # It does hold that tree, and has beyond it what is its own.
        assert past.read(after.id, 0, 10) == told[:10]
        assert newest.asked == []
        assert past.read(after.id, copied.seq, 1) == told[copied.seq :][:1]
        assert newest.asked == [copied.seq]
        # Of the same size, but it does not hold that tree.
        size = followed.get_agreed_tree().size
        followed._tell(ReplicaStatus(ReplicaState.GOOD, AgreedTree(size, b"\0" * 32)))
        newest.asked.clear()
        assert past.read(after.id, 0, 10) == told[:10]
        assert newest.asked == [0]


def test_a_copy_of_another_log_is_told(databases, servers, template):
    """By its key, and where it has no log at all; a copy that holds more than the database is none either."""
    newest_url, copy_url, _, _ = databases
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        name = sql.Identifier(f"rutter_other_{os.getpid()}")
        wait = LimitSettings.load(None).wait
        for source in (template, None):
            made = sql.Identifier(source or "template1")
            connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(name, made))
            url = beside(servers.database_url, name.as_string().strip('"'))
            try:
                if source:
                    with connections(url) as pool:
                        assert Keyring(pool, [b"k" * 32]).origin
                with connections(newest_url) as pool, make_lazy_pool(url, 2, wait, reading=True) as copy:
                    assert compared(copy, pool, ReplicaState.OTHER).get_agreed_tree() is None
            finally:
                connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
        with connections(copy_url) as pool, make_lazy_pool(newest_url, 2, wait, reading=True) as copy:
            assert compared(copy, pool, ReplicaState.OTHER).get_agreed_tree() is None


def test_a_copy_that_stands_still_is_told(databases, monkeypatch):
    """By the age of the first tree that it lacks. What it has is read there."""
    newest_url, copy_url, _, after = databases
    wait = LimitSettings.load(None).wait
    with connections(newest_url) as pool, make_lazy_pool(copy_url, 2, wait, reading=True) as copy:
        monkeypatch.setattr(replica, "BEHIND_SECONDS", 0.0)
        followed = compared(copy, pool, ReplicaState.BEHIND)
        assert followed.get_status().behind > 0
        newest = Noted(pool)
        assert len(ReplicaLog(newest, followed).read(after.id, 0, 10)) == 10
        assert newest.asked == []
        monkeypatch.setattr(replica, "BEHIND_SECONDS", 1e9)
        compared(copy, pool, ReplicaState.GOOD)


def test_the_service_shows_the_same_with_a_copy_as_without(databases, servers):
    """Events, history, states of the past, the bundle and exports, some of them newer than the copy."""
    newest, copy, copied, after = databases
    plain = Settings(newest, servers.redis_url, signing_key=SEED.hex(), log_requests=False, limits="off")
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
