"""Old events are read from a streaming replica, whether it has come as far as is asked or not."""

import contextlib
import os
import shutil
import subprocess
import time

import psycopg
import pytest

from events.catalogue import find_title
from events.games import Games, SeatPlan
from events.log import EventLog
from events.past import PastLog
from ops.binaries import postgres_programs
from ops.embedded_postgres import SETTINGS, SUPERUSER, THROW_AWAY
from ops.identity import server_identity
from ops.ports import free_port
from service.limits import Figures
from service.pool import late_pool
from tests.playing import Noted, advance, three_or_so
from tests.servers import reachable_folder

pytestmark = pytest.mark.integration

TITLE = "colonial_empires"
PATIENCE = 120
"""Seconds for what takes a moment on a machine that has nothing else to do."""


@pytest.fixture(scope="module")
def replica(servers, tmp_path_factory):
    """The URL of a replica of the whole server, as its superuser."""
    if servers.pid("postgres") is None:
        pytest.skip("the tests were given a server, whose superuser they do not know")
    who, port = server_identity(), free_port()
    programs = postgres_programs(who)
    folder = reachable_folder(tmp_path_factory.mktemp("replica") / "replica")
    folder.mkdir(exist_ok=True)
    who.own(folder)
    source = servers._embedded_postgres()._url_of(SUPERUSER, "postgres")
    plain = {"LC_ALL": "C", "PATH": os.environ["PATH"], "HOME": "/"}
    data, settings = folder / "data", {**SETTINGS, **THROW_AWAY, "port": str(port)}
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
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(url) as connection:
            if connection.execute(question, values).fetchone() == (True,):
                return
        time.sleep(0.05)
    raise AssertionError(question)


def caught_up(pool, replica):
    with pool.connection() as connection:
        row = connection.execute("SELECT pg_current_wal_insert_lsn()::text").fetchone()
    wait_for(replica, "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", row[0])


def order(replica, what, then):
    with psycopg.connect(replica, autocommit=True) as connection:
        connection.execute(f"SELECT {what}()")
    wait_for(replica, "SELECT pg_get_wal_replay_pause_state() = %s", then)


def test_a_replica_is_asked_as_far_as_it_has_come(pool, database, replica):
    """It lags, and the database answers; it has caught up, and the database is spared."""
    port, name = replica.rpartition(":")[2].partition("/")[0], database.rpartition("/")[2]
    own = f"{database.rpartition('@')[0]}@127.0.0.1:{port}/{name}"
    writer, title = Games(EventLog(pool)), find_title(TITLE)
    game = writer.create(title, title.Options(), [SeatPlan()] * three_or_so(TITLE))
    game = advance(writer, game, 10)
    caught_up(pool, replica)
    with late_pool(own, 2, Figures.load(None).wait, reading=True) as copy:
        newest = Noted(pool)
        reader = Games(newest, past=PastLog(newest, copy))
        assert [r.seq for r in reader.past(game)] == list(range(1, game.seq + 1))
        assert newest.asked == []
        order(replica, "pg_wal_replay_pause", "paused")
        later = advance(writer, game, 10, seed=2)
        assert later.seq > game.seq
        assert [r.seq for r in reader.past(later)] == list(range(1, later.seq + 1))
        assert newest.asked == [0]
        assert len(reader.past(later, 0, game.seq)) == game.seq
        assert newest.asked == [0]
        order(replica, "pg_wal_replay_resume", "not paused")
        caught_up(pool, replica)
        assert reader.past(later) == EventLog(pool).read(later.id)
        assert reader.load(later.id, later.seq) == later
        assert newest.asked == [0]
