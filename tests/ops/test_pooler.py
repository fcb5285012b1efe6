"""Two hosts behind pgbouncer, which lends connections to Postgres from transaction to transaction."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from events.base.settings import RUTTER_PREPARE_THRESHOLD, WrongSetting
from events.store import pooler
from events.store.connection import TimeoutPool, connect, make_pool
from events.store.pooler import is_pooled
from ops.base.errors import OpsError
from ops.cli import rutter as command
from ops.runtime.identity import server_identity
from ops.runtime.launcher import require_signing_key
from ops.runtime.ports import free_port
from service.application.queries import game_queries
from service.base.database import retry_on_disconnect
from tests.acceptance.client import Client
from tests.acceptance.up import RutterUp
from tests.installation import HOME, paths, rutter
from tests.servers import reachable_folder
from tests.tools import need
from tests.waiting import PATIENCE, until

CONNECTIONS = 4
"""That pgbouncer keeps to Postgres for each login: fewer than its clients have."""
KEY = "5e" * 32


@pytest.mark.parametrize(
    ("said", "threshold"), [("", 5), ("none", None), ("None", None), ("0", 0), ("12", 12)]
)
def test_when_statements_are_prepared(said, threshold):
    """Left out: as psycopg does it."""
    assert RUTTER_PREPARE_THRESHOLD.read({RUTTER_PREPARE_THRESHOLD.name: said}) == threshold


@pytest.fixture
def unnoticed(monkeypatch):
    """This process has neither been told of a pooler nor looked for one."""
    monkeypatch.setattr(pooler, "NOTICED", [])
    monkeypatch.setattr(pooler, "_looked_at", set())
    monkeypatch.delenv(RUTTER_PREPARE_THRESHOLD.name, raising=False)


@pytest.mark.integration
@pytest.mark.parametrize(("said", "threshold"), [("none", None), ("7", 7), ("", 5)])
def test_the_pool_of_a_command_prepares_no_more_than_a_pooler_allows(
    unnoticed, monkeypatch, servers, said, threshold
):
    monkeypatch.setenv(RUTTER_PREPARE_THRESHOLD.name, said)
    with make_pool(servers.owner_url, 2) as pool, pool.connection() as connection:
        assert (connection.prepare_threshold, pool.max_size) == (threshold, 2)
    with connect(servers.owner_url) as connection:
        assert (connection.prepare_threshold, connection.autocommit) == (threshold, False)


@pytest.mark.parametrize("said", ["never", "-1", "1.5", "²"])
def test_a_threshold_that_is_none(said):
    """It is refused with a sentence."""
    with pytest.raises(WrongSetting, match="it takes `none`"):
        RUTTER_PREPARE_THRESHOLD.read({RUTTER_PREPARE_THRESHOLD.name: said})


def test_hosts_of_one_database_share_a_key(tmp_path):
    """A second host would otherwise make a key of its own; the sentence says how to make one for all."""
    shared = {"DATABASE_URL": "postgresql://db/rutter"}
    with pytest.raises(OpsError, match="rutter keygen"):
        require_signing_key(tmp_path, shared)
    require_signing_key(tmp_path, {})
    require_signing_key(tmp_path, {**shared, "RUTTER_SIGNING_KEY": KEY})
    (tmp_path / "signing.key").write_text(KEY)
    require_signing_key(tmp_path, shared)


def test_keys_are_made(capsys):
    """64 hex digits, others each time."""
    made = set()
    for _ in range(2):
        command(["keygen"], standalone_mode=False)
        made.add(capsys.readouterr().out.strip())
    assert len(made) == 2
    assert all(len(bytes.fromhex(key)) == 32 for key in made)


@pytest.mark.integration
def test_without_a_pooler_none_is_noticed(unnoticed, servers):
    with connect(servers.owner_url, autocommit=True) as one, connect(servers.owner_url) as other:
        assert one.prepare_threshold == other.prepare_threshold == 5
    assert not is_pooled()


@pytest.mark.integration
def test_a_pooler_that_nobody_named_is_noticed(unnoticed, bouncer, capsys):
    """Before the first statement is prepared; the log says which setting to make."""
    url = bouncer.environment["DATABASE_URL"]
    with connect(url) as connection:
        assert connection.prepare_threshold is None
    assert is_pooled()
    assert "Set RUTTER_PREPARE_THRESHOLD=none." in capsys.readouterr().out


@pytest.mark.integration
def test_many_connections_prepare_nothing_through_a_pooler(unnoticed, bouncer):
    """More of them than the pooler has, each with the same statements often enough."""
    with TimeoutPool(bouncer.environment["DATABASE_URL"], "test", max_size=12) as pool:
        with ThreadPoolExecutor(12) as many:
            assert sum(many.map(lambda number: ask_often(pool, number), range(12))) == sum(range(12)) * 20
        with pool.connection() as connection:
            prepared = connection.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()
    assert prepared == (0,)


def ask_often(pool, number):
    with pool.connection() as connection:
        return sum(connection.execute("SELECT %s::int", (number,)).fetchone()[0] for _ in range(20))


@pytest.mark.integration
@pytest.mark.parametrize("error", pooler.POOLER_ERRORS)
def test_a_statement_that_fails_for_a_pooler_is_no_internal_error(unnoticed, api, monkeypatch, error):
    """It is asked again without being prepared; where that does not help either, the database is away."""
    failures = [error("_pg3_0")]

    def fail(*_, **__):
        if failures:
            raise failures.pop()
        return []

    monkeypatch.setattr(game_queries, "list_games", retry_on_disconnect(fail))
    assert api.get("/v1/games")["games"] == []
    assert is_pooled()
    failures.extend(error("_pg3_0") for _ in range(50))
    assert api.refused("GET", "/v1/games") == (503, "unavailable")


@pytest.mark.integration
def test_a_pool_that_learns_of_a_pooler_later_prepares_nothing_more(unnoticed, servers):
    with TimeoutPool(servers.owner_url, "test", max_size=1) as pool:
        with pool.connection() as connection:
            assert connection.prepare_threshold == 5
        pooler.note_pooler_error(pooler.DuplicatePreparedStatement("_pg3_0"))
        with pool.connection() as connection:
            assert connection.prepare_threshold is None


@pytest.mark.integration
@pytest.mark.parametrize("command", ["up", "failed", "replay"])
def test_a_database_that_refuses_connections_ends_with_a_sentence(tmp_path, servers, command):
    """No traceback: what is wrong, and which settings to look at."""
    url = urlsplit(servers.owner_url)._replace(netloc=f"rutter:secret-word@127.0.0.1:{free_port()}").geturl()
    environment = {
        "PATH": os.environ["PATH"],
        **paths(),
        "DATABASE_URL": url,
        "REDIS_URL": servers.redis_url,
        "RUTTER_SIGNING_KEY": KEY,
    }
    done = subprocess.run(
        rutter(command, "--data", str(reachable_folder(tmp_path / "data"))),
        env=environment, cwd=HOME, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 1
    (last,) = [line for line in done.stderr.splitlines() if line.startswith("rutter: ")]
    assert last.startswith("rutter: The database cannot be used: ")
    assert "refused" in last
    assert last.endswith("Start it, and check DATABASE_URL and RUTTER_MIGRATE_URL.")
    assert "Traceback" not in done.stdout + done.stderr
    assert "secret-word" not in done.stdout + done.stderr


@dataclass
class Bouncer:
    """pgbouncer in transaction mode, before a database of its own."""

    environment: dict[str, str]
    straight: str
    """The database by its owner, past the pooler."""


@pytest.fixture(scope="module")
def bouncer(servers, tmp_path_factory):
    program = need("pgbouncer")
    name = f"rutter_pooled_{os.getpid()}"
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    folder = reachable_folder(tmp_path_factory.mktemp("bouncer") / "bouncer")
    folder.mkdir(exist_ok=True)
    port, logins = free_port(), {}
    urls = {"DATABASE_URL": servers.database_url, "RUTTER_MIGRATE_URL": servers.owner_url}
    for variable, url in urls.items():
        parts = urlsplit(url)
        logins[parts.username] = parts.password
        urls[variable] = f"postgresql://{parts.username}:{parts.password}@127.0.0.1:{port}/{name}"
    _configure(folder, urlsplit(servers.owner_url).port, port, logins)
    who = server_identity()
    for path in (folder, *folder.iterdir()):
        who.own(path)
    child = subprocess.Popen([program, folder / "pgbouncer.ini"], **who.popen_arguments())
    until(lambda: is_listening(port), "pgbouncer listens")
    environment = {
        **urls,
        "REDIS_URL": f"{servers.redis_url.removesuffix('/0')}/2",
        "RUTTER_SIGNING_KEY": KEY,
        RUTTER_PREPARE_THRESHOLD.name: "none",
    }
    yield Bouncer(environment, urlsplit(servers.owner_url)._replace(path=f"/{name}").geturl())
    child.terminate()
    child.wait()
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
    shutil.rmtree(folder, ignore_errors=True)


def is_listening(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def _configure(folder: Path, postgres: int | None, port: int, logins: dict[str, str]) -> None:
    (folder / "users.txt").write_text("".join(f'"{name}" "{word}"\n' for name, word in logins.items()))
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\n* = host=127.0.0.1 port={postgres}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
        f"listen_port = {port}\nunix_socket_dir =\nauth_type = scram-sha-256\n"
        f"auth_file = {folder}/users.txt\nlog_connections = 0\nlog_disconnections = 0\n"
        f"pool_mode = transaction\ndefault_pool_size = {CONNECTIONS}\nmax_client_conn = 300\n"
        f"logfile = {folder}/log\n"
    )


@pytest.fixture(scope="module")
def hosts(bouncer, tmp_path_factory):
    """Two, one of which has to notice the pooler; two migrators at once prepare the database before."""
    env = {"PATH": os.environ["PATH"], **paths(), **bouncer.environment}
    folders = [str(reachable_folder(tmp_path_factory.mktemp("migrator") / "data")) for _ in range(2)]
    with ThreadPoolExecutor(2) as many:
        done = list(
            many.map(
                lambda folder: subprocess.run(
                    rutter("migrate", "--data", folder),
                    env=env,
                    cwd=HOME,
                    capture_output=True,
                    text=True,
                    check=False,
                ),
                folders,
            )
        )
    assert [one.returncode for one in done] == [0] * 2, [one.stderr for one in done]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    untold = {
        name: said for name, said in bouncer.environment.items() if name != RUTTER_PREPARE_THRESHOLD.name
    }
    running = [
        RutterUp(reachable_folder(tmp_path_factory.mktemp(name) / name), settings=settings)
        for name, settings in (("one", bouncer.environment), ("two", untold))
    ]
    try:
        for one in running:
            one.start()
        yield running
    finally:
        for one in running:
            one.discard()


@pytest.mark.integration
@pytest.mark.slow
def test_games_are_played_by_two_hosts_behind_a_pooler(hosts, bouncer):
    """Every second call goes to the other host; no answer is an error, and one key signs all."""
    first, second = (Client(one.address) for one in hosts)
    ada = first.account("Ada")
    eyes = [ada, Client(second.address, ada.token)]
    made = ada.post(
        "/v1/games", {"title": "example", "seats": [{"you": True}, {"bot": "random"}]}, status=201
    )
    path, turn = f"/v1/games/{made['id']}", 0

    def move():
        nonlocal turn
        turn += 1
        told = eyes[turn % 2].get(f"{path}/decisions")
        if told["legal"]:
            answer = eyes[turn % 2].send("POST", f"{path}/commands", told["legal"][0]["command"])
            assert answer.status in (200, 409), answer.text
        return eyes[turn % 2].get(path)["status"] == "finished"

    until(move, "the game ends")

    def look(number):
        return [eyes[number % 2].again().send("GET", f"{path}{what}").status for what in LOOKS]

    with ThreadPoolExecutor(16) as many:
        assert {status for found in many.map(look, range(16)) for status in found} == {200}
    keys = [one.get("/v1/keys")["keys"] for one in eyes]
    assert keys[0] == keys[1]
    with psycopg.connect(bouncer.straight) as connection:
        left = connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
        prepared = connection.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()
    assert (left, prepared) == ((0,), (0,)), "nothing is left in the connections to Postgres"


LOOKS = ("", "/events", "/history", "/decisions", "/table", "?at=3", "/audit")
