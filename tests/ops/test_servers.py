"""The embedded servers: what is written stays, whatever is killed."""

import contextlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from ops.base.errors import OccupiedFolder, OpsError, ServerFailure
from ops.runtime.data_folder import DataFolder
from ops.runtime.embedded_postgres import EmbeddedPostgres
from ops.runtime.identity import Identity
from ops.runtime.ports import RANGE, free_port, is_free
from ops.runtime.processes import PidFile
from ops.runtime.servers import Servers, find_or_start_servers
from tests.servers import reachable_folder, with_cluster
from tests.waiting import until

pytestmark = pytest.mark.integration
NONE_GIVEN: dict[str, str] = {}


@pytest.fixture
def new(tmp_path) -> Iterator[Path]:
    """A folder that nothing is in."""
    folder = reachable_folder(tmp_path / "data")
    yield folder
    if folder.exists():
        with contextlib.suppress(OpsError):
            used = DataFolder(folder)
            used.lock()
            PidFile(used).end_leftovers()  # ends what a test has left running
            used.unlock()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def data(new) -> Path:
    """A folder with a cluster."""
    return with_cluster(new)


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[Servers]:
    """Servers at work, for tests that only look at them."""
    folder = with_cluster(reachable_folder(tmp_path_factory.mktemp("running") / "data"))
    with open_servers(folder) as servers:
        yield servers
    shutil.rmtree(folder, ignore_errors=True)


def open_servers(data: Path) -> Servers:
    return Servers(data, environment=NONE_GIVEN)


def execute(servers: Servers, statement: str) -> list[tuple]:
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def cache(servers: Servers) -> redis.Redis:
    return redis.Redis.from_url(servers.redis_url, decode_responses=True)


def write(servers: Servers) -> None:
    execute(servers, "CREATE TABLE voyage (port text); INSERT INTO voyage VALUES ('Lisboa')")
    with cache(servers) as client:
        client.set("course", "south")


def on_disk(servers: Servers) -> None:
    """Redis writes its file through once a second; return once nothing waits for that."""

    def nothing_waits() -> bool:
        with cache(servers) as client:
            told = client.info("persistence")
        return not told["aof_buffer_length"] and not told["aof_pending_bio_fsync"]

    until(nothing_waits, "all is on disk")


def assert_still_there(servers: Servers) -> None:
    assert execute(servers, "SELECT port FROM voyage") == [("Lisboa",)]
    with cache(servers) as client:
        assert client.get("course") == "south"


def kill(servers: Servers, name: str) -> None:
    pid = servers.pid(name)
    os.kill(pid, signal.SIGKILL)
    until(lambda: servers.pid(name) is None, f"{name} is gone")


def test_what_was_written_is_there_after_a_stop(new):
    with open_servers(new) as servers:
        write(servers)
        address = servers.database_url, servers.redis_url
    with open_servers(new) as servers:
        assert_still_there(servers)
        assert (servers.database_url, servers.redis_url) == address


@pytest.mark.slow
@pytest.mark.parametrize("victims", [["postgres"], ["redis"], ["redis", "postgres"]])
def test_a_killed_server_comes_back_at_its_address_with_its_data(data, victims):
    with open_servers(data) as servers:
        write(servers)
        address = servers.database_url, servers.redis_url
        on_disk(servers)
        for name in victims:
            kill(servers, name)
        until(lambda: (servers.watch(), all(map(servers.pid, ("postgres", "redis"))))[1], "both are back")
        assert (servers.database_url, servers.redis_url) == address
        assert_still_there(servers)


def test_watching_healthy_servers_does_nothing(running):
    before = [running.pid("postgres"), running.pid("redis")]
    assert running.watch() == []
    assert [running.pid("postgres"), running.pid("redis")] == before


def test_a_killed_owner_leaves_servers_that_the_next_one_takes_over(data):
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(data)], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )
    with owner:
        assert owner.stdout.readline() == "written\n"
        orphans = [entry["pid"] for entry in json.loads((data / "roll.json").read_text()).values()]
        owner.kill()
    assert all(map(psutil.pid_exists, orphans))
    with open_servers(data) as servers:
        assert sorted(servers.cleared_up) == ["postgres", "redis"]
        assert_still_there(servers)


OWNER = """
import signal, sys
from pathlib import Path
from tests.ops import test_servers as t
servers = t.open_servers(Path(sys.argv[1])).start()
t.write(servers)
t.on_disk(servers)
print("written", flush=True)
signal.pause()
"""


def test_a_second_rutter_on_the_same_folder_is_refused_in_words(running):
    data = running.folder.path
    with pytest.raises(OccupiedFolder, match=f"runs already on {data}.*process {os.getpid()}"):
        open_servers(data).start()
    assert (data / "run.json").exists(), "the running one is left alone"
    assert execute(running, "SELECT 1") == [(1,)]


def test_a_short_command_uses_the_running_servers(running, monkeypatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)
    with find_or_start_servers(running.folder.path) as urls:
        assert urls == (running.database_url, running.owner_url, running.redis_url)


@pytest.mark.slow
def test_two_folders_side_by_side(data, tmp_path):
    other = with_cluster(reachable_folder(tmp_path / "other"))
    try:
        with open_servers(data) as one, open_servers(other) as two:
            write(one)
            assert execute(two, "SELECT to_regclass('voyage')") == [(None,)]
            assert one.redis_url != two.redis_url
    finally:
        shutil.rmtree(other)


@pytest.mark.slow
def test_a_half_made_cluster_is_put_aside(new):
    """What an interrupted copy or a foreign initdb left behind looks like a cluster and is none."""
    data = new
    half = data / "postgres"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    (data / "postgres.new-interrupted").mkdir()
    with open_servers(data) as servers:
        write(servers)
        assert_still_there(servers)
    assert len(list(data.glob("postgres.unusable-*"))) == 1
    assert list(data.glob("postgres.new-*")) == []


@pytest.mark.slow
def test_an_interrupted_initdb_leaves_no_cluster(new, monkeypatch):
    data = new
    monkeypatch.setattr(EmbeddedPostgres, "_initdb", fail_half_way)
    with pytest.raises(ServerFailure):
        open_servers(data).start()
    monkeypatch.undo()
    assert not (data / "postgres").exists()
    with open_servers(data) as servers:
        assert execute(servers, "SELECT 1") == [(1,)]


def fail_half_way(_: EmbeddedPostgres, workshop: Path) -> None:
    (workshop / "cluster").mkdir()
    raise ServerFailure("the power went")


@pytest.mark.slow
def test_a_pid_file_that_names_another_program_does_not_keep_postgres_down(data):
    with open_servers(data) as servers:
        write(servers)
    pid_file = data / "postgres" / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{data / 'postgres'}\n")
    shutil.chown(pid_file, *owner_of(data / "postgres"))
    with open_servers(data) as servers:
        assert_still_there(servers)


def owner_of(path: Path) -> tuple[int, int]:
    return path.stat().st_uid, path.stat().st_gid


@pytest.mark.slow
def test_a_cluster_of_another_major_version_is_refused_in_words(data):
    with open_servers(data):
        pass
    (data / "postgres" / "PG_VERSION").write_text("9\n")
    with pytest.raises(OpsError, match="was made by Postgres 9"):
        open_servers(data).start()
    assert not DataFolder(data).is_in_use()


@pytest.mark.slow
def test_a_port_that_was_taken_meanwhile_is_replaced(data):
    with open_servers(data) as servers:
        write(servers)
    settings = json.loads((data / "servers.json").read_text())
    import socket

    with socket.create_server(("127.0.0.1", settings["postgres"]["port"])), open_servers(data) as servers:
        assert str(settings["postgres"]["port"]) not in servers.database_url
        assert_still_there(servers)


def test_passwords_stand_only_in_private_files_and_on_no_command_line(running):
    data = running.folder.path
    passwords = [entry["password"] for entry in json.loads((data / "servers.json").read_text()).values()]
    commands = [psutil.Process(running.pid(name)).cmdline() for name in ("postgres", "redis")]
    assert not [word for command in commands for word in command if any(p in word for p in passwords)]
    for name in ("servers.json", "run.json", "redis/redis.conf"):
        assert stat.S_IMODE((data / name).stat().st_mode) == 0o600


def test_servers_ask_for_the_password(running):
    wrong = running.database_url.replace(running.database_url.split(":")[2].split("@")[0], "guess")
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(wrong)
    port = running.redis_url.rsplit(":", 1)[1].split("/")[0]
    with redis.Redis(port=int(port)) as client, pytest.raises(redis.AuthenticationError):
        client.ping()


def test_given_addresses_are_used_and_nothing_is_started(new):
    data = new
    given = {"DATABASE_URL": "postgresql://elsewhere/db", "REDIS_URL": "redis://elsewhere"}
    with Servers(data, environment=given) as servers:
        assert (servers.database_url, servers.redis_url) == tuple(given.values())
        assert servers.owner_url == servers.database_url
        assert servers.pid("postgres") is servers.pid("redis") is None
        assert not (data / "postgres").exists()


@pytest.mark.slow
def test_stopping_twice_is_allowed(data):
    servers = open_servers(data).start()
    servers.stop()
    servers.stop()
    assert not (data / "run.json").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is barred")
def test_root_is_told_which_folder_bars_the_way():
    with tempfile.TemporaryDirectory() as closed:  # 0700
        with pytest.raises(OpsError, match=f"cannot pass {closed} "):
            open_servers(Path(closed) / "data").start()
        assert stat.S_IMODE(Path(closed).stat().st_mode) == 0o700


def test_a_closed_folder_is_a_barrier_only_to_others(tmp_path):
    assert Identity().barrier(tmp_path) is None


def test_ports_stay_out_of_the_range_of_outgoing_connections():
    port = free_port()
    assert port in RANGE
    assert is_free(port)
