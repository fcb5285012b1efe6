"""Two hosts behind pgbouncer, which lends connections to Postgres from transaction to transaction."""

from __future__ import annotations

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from events.base.settings import RUTTER_PREPARE_THRESHOLD, WrongSetting
from ops.base.errors import OpsError
from ops.cli import rutter as command
from ops.runtime.identity import server_identity
from ops.runtime.launcher import require_signing_key
from ops.runtime.ports import free_port
from tests.acceptance.client import Client
from tests.acceptance.up import RutterUp
from tests.installation import HOME, paths, rutter
from tests.servers import reachable_folder
from tests.tools import need
from tests.waiting import until

CONNECTIONS = 4
"""That pgbouncer keeps to Postgres for each login: fewer than its clients have."""
KEY = "5e" * 32


@pytest.mark.parametrize(
    ("said", "threshold"), [("", 5), ("none", None), ("None", None), ("0", 0), ("12", 12)]
)
def test_when_statements_are_prepared(said, threshold):
    """Left out: as psycopg does it."""
    assert RUTTER_PREPARE_THRESHOLD.read({RUTTER_PREPARE_THRESHOLD.name: said}) == threshold


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
    """Two, with folders of their own; four migrators bring the database up to date at once before."""
    env = {"PATH": os.environ["PATH"], **paths(), **bouncer.environment}
    folders = [str(reachable_folder(tmp_path_factory.mktemp("migrator") / "data")) for _ in range(4)]
    with ThreadPoolExecutor(4) as many:
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
    assert [one.returncode for one in done] == [0] * 4, [one.stderr for one in done]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    running = [
        RutterUp(reachable_folder(tmp_path_factory.mktemp(name) / name), settings=bouncer.environment)
        for name in ("one", "two")
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
        assert {status for found in many.map(look, range(32)) for status in found} == {200}
    keys = [one.get("/v1/keys")["keys"] for one in eyes]
    assert keys[0] == keys[1]
    with psycopg.connect(bouncer.straight) as connection:
        left = connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
        prepared = connection.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()
    assert (left, prepared) == ((0,), (0,)), "nothing is left in the connections to Postgres"


LOOKS = ("", "/events", "/history", "/decisions", "/table", "?at=3", "/audit")
