"""Old events are read from a streaming replica, whether it has come as far as is asked or not."""

import contextlib
import os
import shutil
import subprocess

import psycopg
import pytest
from psycopg_pool import ConnectionPool

from events.rules.catalogue import find_title
from events.store.event_log import EventLog
from events.store.games import Games, SeatPlan
from events.store.replica import ReplicaLog
from events.store.signing_keys import Keyring
from ops.runtime.binaries import postgres_programs
from ops.runtime.embedded_postgres import SETTINGS, SUPERUSER, VOLATILE_SETTINGS
from ops.runtime.identity import server_identity
from ops.runtime.ports import free_port
from projections.tree import replica as replicas
from projections.tree.replica import Replica, ReplicaState
from service.base.database import make_lazy_pool
from service.base.rate_limits import LimitSettings
from tests.archiving import follow
from tests.playing import Noted, advance, three_or_so
from tests.servers import reachable_folder
from tests.waiting import PATIENCE, until

pytestmark = [pytest.mark.integration, pytest.mark.slow]

TITLE = "colonial_empires"


@pytest.fixture
def replica(servers, tmp_path_factory):
    """The URL of a replica of the whole server, as its superuser."""
    if servers.pid("postgres") is None:
        pytest.skip("the tests were given a server, whose superuser they do not know")
    who, port = server_identity(), free_port()
    programs = postgres_programs(who)
    folder = reachable_folder(tmp_path_factory.mktemp("replica") / "replica")
    folder.mkdir(exist_ok=True)
    who.own(folder)
    source = servers._get_embedded_postgres()._make_url(SUPERUSER, "postgres")
    plain = {"LC_ALL": "C", "PATH": os.environ["PATH"], "HOME": "/"}
    data, settings = folder / "data", {**SETTINGS, **VOLATILE_SETTINGS, "port": str(port)}
    copied = subprocess.run(
        [
            programs / "pg_basebackup",
            "-D",
            data,
            "-d",
            source,
            "-R",
            "-X",
            "stream",
            "-c",
            "fast",
            "--no-sync",
        ],
        env=plain,
        cwd="/",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        **who.popen_arguments(),
    )
    assert copied.returncode == 0, copied.stderr
    with (folder / "log").open("w") as log:
        child = subprocess.Popen(
            [programs / "postgres", "-D", data, *(f"--{name}={value}" for name, value in settings.items())],
            env=plain,
            cwd="/",
            stdout=log,
            stderr=log,
            **who.popen_arguments(),
        )
    url = f"{source.rpartition('@')[0]}@127.0.0.1:{port}/postgres"
    try:
        wait_for(url, "SELECT pg_is_in_recovery()")
        yield url
    finally:
        child.terminate()
        child.wait()
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(url, question, *values):
    """Ask until the answer is true."""

    def is_true():
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(url) as connection:
            return connection.execute(question, values).fetchone() == (True,)

    until(is_true, question)


def caught_up(pool, replica):
    with pool.connection() as connection:
        row = connection.execute("SELECT pg_current_wal_insert_lsn()::text").fetchone()
    wait_for(replica, "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", row[0])


def order(replica, what, then):
    with psycopg.connect(replica, autocommit=True) as connection:
        connection.execute(f"SELECT {what}()")
    wait_for(replica, "SELECT pg_get_wal_replay_pause_state() = %s", then)


@pytest.fixture
def followed_game(pool, database, replica, monkeypatch):
    """A game that the replica has under a signed tree: its writer, itself, the keys, the replica's URL."""
    monkeypatch.setattr(replicas, "LOOK_SECONDS", 1e9)  # looks are ordered
    port, name = replica.rpartition(":")[2].partition("/")[0], database.rpartition("/")[2]
    writer, title = Games(EventLog(pool)), find_title(TITLE)
    game = writer.create(title, title.Options(), [SeatPlan()] * three_or_so(TITLE))
    game = advance(writer, game, 10)
    keyring = Keyring(pool, [b"k" * 32])
    follow(writer.log, keyring)
    caught_up(pool, replica)
    return writer, game, keyring, f"{database.rpartition('@')[0]}@127.0.0.1:{port}/{name}"


def test_a_replica_is_asked_as_far_as_it_has_come(pool, replica, followed_game):
    """It lags, and the database answers; it has caught up, and the database is spared."""
    writer, game, keyring, own = followed_game
    with make_lazy_pool(own, 2, LimitSettings.load(None).wait, reading=True) as copy:
        newest = Noted(pool)
        followed = Replica(copy, pool)
        followed.look()
        assert followed.get_status().state is ReplicaState.GOOD
        reader = Games(newest, past=ReplicaLog(newest, followed))
        assert [r.seq for r in reader.read_past(game)] == list(range(1, game.seq + 1))
        assert newest.asked == []
        order(replica, "pg_wal_replay_pause", "paused")
        later = advance(writer, game, 10, seed=2)
        assert later.seq > game.seq
        follow(writer.log, keyring)
        followed.look()
        assert [r.seq for r in reader.read_past(later)] == list(range(1, later.seq + 1))
        assert newest.asked == [0]
        assert len(reader.read_past(later, 0, game.seq)) == game.seq
        assert newest.asked == [0]
        assert followed.get_status().behind > 0
        order(replica, "pg_wal_replay_resume", "not paused")
        caught_up(pool, replica)
        followed.look()
        assert followed.get_status().behind == 0
        assert reader.read_past(later) == EventLog(pool).read(later.id)
        assert reader.load(later.id, later.seq) == later
        assert newest.asked == [0]


def test_a_replica_that_became_a_server_of_its_own_is_not_believed(pool, replica, followed_game):
    """After a switch-over that not everybody has heard of: both go on, each with other events of one game."""
    writer, game, keyring, own = followed_game
    with make_lazy_pool(own, 2, LimitSettings.load(None).wait, reading=True) as copy:
        followed = Replica(copy, pool)
        followed.look()
        assert followed.get_status().state is ReplicaState.GOOD
        newest = Noted(pool)
        reader = Games(newest, past=ReplicaLog(newest, followed))
        with psycopg.connect(replica, autocommit=True) as connection:
            connection.execute("SELECT pg_promote()")
        wait_for(replica, "SELECT NOT pg_is_in_recovery()")
        with ConnectionPool(
            own, max_size=4, kwargs={"autocommit": True}, open=True, timeout=PATIENCE
        ) as other:
            strayed = advance(Games(EventLog(other)), game, 10, seed=5)
            later = advance(writer, game, 10, seed=2)
            follow(writer.log, keyring)
            right = EventLog(pool).read(game.id)
            assert EventLog(other).read(game.id)[game.seq] != right[game.seq]
            # What both had is still read there, and nothing that came after.
            both = min(later.seq, strayed.seq)
            assert reader.read_past(later, 0, game.seq) == right[: game.seq]
            assert newest.asked == []
            assert reader.read_past(later, 0, both) == right[:both]
            assert newest.asked == [0]
            # Nor when it has a tree over them: that is another one.
            follow(EventLog(other), Keyring(other, [b"k" * 32]))
            assert reader.read_past(later, 0, both) == right[:both]
            followed.look()
            assert followed.get_status().state is ReplicaState.OTHER
            newest.asked.clear()
            assert reader.read_past(later, 0, game.seq) == right[: game.seq]
            assert newest.asked == [0]
