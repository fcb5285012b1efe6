"""Two hosts behind pgbouncer, which lends connections to Postgres from transaction to transaction."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from events.base.settings import RUTTER_PREPARE_THRESHOLD, WrongSetting
from events.rules.catalogue import find_title
from events.store import pooler, stream_writer
from events.store.connection import TimeoutPool, connect, is_machine_away, make_pool
from events.store.games import SeatPlan
from events.store.pooler import is_pooled, is_through_pooler
from ops.base.errors import OpsError
from ops.cli import rutter as command
from ops.runtime.identity import server_identity
from ops.runtime.launcher import require_signing_key
from ops.runtime.ports import free_port
from ops.server.wsgi import create_app
from service.application.queries import game_queries
from service.base import database
from service.base.database import retry_on_disconnect
from tests.acceptance.client import Client
from tests.acceptance.up import RutterUp
from tests.installation import HOME, paths, rutter
from tests.playing import advance
from tests.servers import reachable_folder
from tests.service.client import Api
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
@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_a_pooler_is_noticed_by_each_connection_alone(unnoticed, servers, tmp_path, mode):
    """However its connections to Postgres are shared out just then: here each client has one for itself."""
    folder = reachable_folder(tmp_path / "bouncer")
    with pgbouncer(servers, folder, pool_mode=mode) as pooled:
        urls = pooled(servers.owner_url), servers.owner_url
        with ExitStack() as ends:
            connections = [ends.enter_context(psycopg.connect(url)) for url in urls for _ in range(4)]
            found = [is_through_pooler(one) for one in connections]
    assert found == [True] * 4 + [False] * 4


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


@contextmanager
def pgbouncer(servers, folder: Path, **settings: str | int) -> Iterator[Callable[[str], str]]:
    """One in transaction mode; a function that turns the URL of a database into one behind it."""
    program, port = need("pgbouncer"), free_port()
    folder.mkdir(exist_ok=True)
    logins = {p.username: p.password for p in map(urlsplit, (servers.database_url, servers.owner_url))}
    _configure(folder, urlsplit(servers.owner_url).port, port, logins, settings)
    who = server_identity()
    for path in (folder, *folder.iterdir()):
        who.own(path)
    child = subprocess.Popen([program, folder / "pgbouncer.ini"], **who.popen_arguments())
    try:
        until(lambda: is_listening(port), "pgbouncer listens")
        yield lambda url: through(url, port)
    finally:
        child.terminate()
        child.wait()
        shutil.rmtree(folder, ignore_errors=True)


def through(url: str, port: int) -> str:
    """The URL of the same database behind that port of this machine."""
    parts = urlsplit(url)
    return f"postgresql://{parts.username}:{parts.password}@127.0.0.1:{port}{parts.path}"


def is_listening(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def _configure(
    folder: Path,
    postgres: int | None,
    port: int,
    logins: Mapping[str | None, str | None],
    settings: Mapping[str, str | int],
) -> None:
    (folder / "users.txt").write_text("".join(f'"{name}" "{word}"\n' for name, word in logins.items()))
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\n* = host=127.0.0.1 port={postgres}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
        f"listen_port = {port}\nunix_socket_dir =\nauth_type = scram-sha-256\n"
        f"auth_file = {folder}/users.txt\nlog_connections = 0\nlog_disconnections = 0\n"
        f"pool_mode = transaction\nmax_client_conn = 300\nlogfile = {folder}/log\n"
        + "".join(f"{name} = {value}\n" for name, value in settings.items())
    )


@pytest.fixture
def narrow(servers, tmp_path, monkeypatch):
    """A pgbouncer with one connection for each login; it refuses those who wait for half a second."""
    monkeypatch.setenv(RUTTER_PREPARE_THRESHOLD.name, "none")
    folder = reachable_folder(tmp_path / "bouncer")
    with pgbouncer(servers, folder, default_pool_size=1, query_wait_timeout="0.5") as pooled:
        yield pooled


class Holder:
    """Keeps the only connection of a pooler, until two errors of this thread have been judged."""

    def __init__(self, url: str) -> None:
        self.refusals: list[str | None] = []
        self._thread = threading.get_ident()
        self._connection = psycopg.connect(url, prepare_threshold=None)
        self._connection.execute("SELECT")  # begins a transaction

    def is_machine_away(self, error: BaseException) -> bool:
        """Judge as the program does; the second time let the connection go."""
        if threading.get_ident() == self._thread and isinstance(error, psycopg.Error):
            self.refusals.append(error.sqlstate)
            if len(self.refusals) == 2:
                self.let_go()
        return is_machine_away(error)

    def let_go(self) -> None:
        """End the transaction; what waits for the connection has it."""
        if not self._connection.closed:
            self._connection.rollback()
            self._connection.close()


@pytest.mark.integration
@pytest.mark.parametrize("module", [database, stream_writer], ids=["read", "write"])
def test_a_pooler_without_a_connection_just_now_is_no_machine_that_is_away(
    unnoticed, narrow, settings, tmp_path, monkeypatch, module
):
    """What it refuses twice is tried further, and done."""
    figures = tmp_path / "figures.toml"
    figures.write_text("[wait]\nusual = 100\nconnection = 100")  # however busy the machine is
    url = narrow(settings.database_url)
    app = create_app(replace(settings, database_url=url, limits=str(figures)))
    try:
        games, title = app.extensions["rutter"].games, find_title("example")
        game = games.create(title, title.Options(), [SeatPlan()] * 2)
        holder = Holder(url)
        monkeypatch.setattr(module, "is_machine_away", holder.is_machine_away)
        try:
            if module is database:
                Api(app).get("/v1/games")
            else:
                assert advance(games, game, 1).seq > game.seq
        finally:
            holder.let_go()
        assert holder.refusals[:2] == ["08P01"] * 2
    finally:
        app.extensions["rutter"].close()


@dataclass
class Bouncer:
    """pgbouncer in transaction mode, before a database of its own."""

    environment: dict[str, str]
    straight: str
    """The database by its owner, past the pooler."""


@pytest.fixture(scope="module")
def bouncer(servers, tmp_path_factory):
    name = f"rutter_pooled_{os.getpid()}"
    folder = reachable_folder(tmp_path_factory.mktemp("bouncer") / "bouncer")
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        with pgbouncer(servers, folder, default_pool_size=CONNECTIONS) as pooled:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            urls = {"DATABASE_URL": servers.database_url, "RUTTER_MIGRATE_URL": servers.owner_url}
            environment = {
                **{
                    variable: pooled(urlsplit(url)._replace(path=f"/{name}").geturl())
                    for variable, url in urls.items()
                },
                "REDIS_URL": f"{servers.redis_url.removesuffix('/0')}/2",
                "RUTTER_SIGNING_KEY": KEY,
                RUTTER_PREPARE_THRESHOLD.name: "none",
            }
            yield Bouncer(environment, urlsplit(servers.owner_url)._replace(path=f"/{name}").geturl())
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


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
