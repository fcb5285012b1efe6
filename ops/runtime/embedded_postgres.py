"""A real Postgres of our own: made once, started, made again ready after a crash, stopped."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import psycopg
from psycopg import sql

from ops.base.errors import OpsError, ServerFailure
from ops.runtime.binaries import postgres_programs
from ops.runtime.data_folder import DataFolder
from ops.runtime.identity import Identity
from ops.runtime.log_files import read_tail
from ops.runtime.processes import MARK, ChildProcess, PidFile, Program, live_process

SUPERUSER = "postgres"
"""Makes the other two and their database, and does nothing else."""
OWNER = DATABASE = "rutter"
"""Owns the tables: migrations run as it, and nothing that answers a request."""
APP = "es_app"
"""The login of the service; it cannot rewrite the log."""
STOP_SIGNALS = ((signal.SIGINT, 8.0), (signal.SIGQUIT, 4.0), (signal.SIGKILL, 2.0))  # fast, immediate, dead
START_SECONDS = 60.0
TRANSIENT_ERRORS = ("shared memory", "lock file", "Address already in use", "could not bind")
"""Phrases of the server log while the remains of a killed server are still going away."""
NO_SPACE = "No space left"
"""The phrase of the server log on a full disk, which does not pass in a moment."""

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "wal_writer_delay": "2s",  # of what no commit waits for: signs of life alone
}
VOLATILE_SETTINGS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
"""For tests: faster, and not to be trusted after a power cut (a killed process loses nothing even so)."""


class EmbeddedPostgres:
    """Postgres in `<data>/postgres`, on 127.0.0.1, with a password for each of its roles."""

    name = "postgres"
    PASSWORDS: ClassVar[tuple[str, ...]] = ("password", "owner_password", "app_password")
    """The settings that are passwords: of the superuser, the owner, and the service."""

    def __init__(
        self,
        data: DataFolder,
        user: Identity,
        *,
        port: int,
        password: str,
        owner_password: str,
        app_password: str,
        durable: bool,
    ) -> None:
        self._data = data
        self._user = user
        self._port = port
        self._passwords = {SUPERUSER: password, OWNER: owner_password, APP: app_password}
        self._durable = durable
        self._programs = postgres_programs(user)
        self._cluster = data.path / "postgres"
        self._log = data.logs / "postgres.log"
        self._pid_file = PidFile(data)
        self._child: ChildProcess | None = None
        self._prepared = False

    @property
    def url(self) -> str:
        """The URL by which the service connects."""
        return self._make_url(APP, DATABASE)

    @property
    def owner_url(self) -> str:
        """The URL by which migrations connect."""
        return self._make_url(OWNER, DATABASE)

    @property
    def pid(self) -> int | None:
        """The id of the running server process."""
        return self._child.pid if self._child and self._child.alive else None

    def start(self) -> None:
        """Bring the server up, making the cluster first if there is none.

        Raises:
            ServerFailure: it does not come up; the message shows why.
        """
        if not self._is_complete():
            self._make_cluster()
        self._check_version()
        deadline = time.monotonic() + START_SECONDS
        while not self._start_once(deadline):
            time.sleep(0.3)
        self._prepare_once()

    def _prepare_once(self) -> None:
        """Make roles and database; not again after a crash, when there may be no room to write."""
        if self._prepared:
            return
        try:
            self._make_roles()
            self._make_database()
        except psycopg.Error as problem:
            self.stop()
            raise ServerFailure(
                f"Postgres started, but its roles could not be made: {problem}. Its log is {self._log}."
            ) from None
        self._prepared = True

    def stop(self) -> None:
        """Shut the server down: open transactions are rolled back, everything committed is on disk."""
        if self._child:
            self._child.end()
            self._pid_file.remove_entry(self.name)
            self._child = None

    # -------------------------------------------------------------------------------- making the cluster

    def _is_complete(self) -> bool:
        # The folder gets this name only after initdb has finished: anything without these is not our work.
        return (self._cluster / "PG_VERSION").exists() and (self._cluster / "global" / "pg_control").exists()

    def _make_cluster(self) -> None:
        self._remove_half_made()
        new_folder = Path(tempfile.mkdtemp(dir=self._data.path, prefix="postgres.new-"))
        self._user.own(new_folder)
        try:
            self._initdb(new_folder)
            (new_folder / "cluster").rename(self._cluster)
        finally:
            shutil.rmtree(new_folder)

    def _remove_half_made(self) -> None:
        for leftover in self._data.path.glob("postgres.new-*"):
            shutil.rmtree(leftover)
        if self._cluster.exists():
            self._cluster.rename(self._cluster.with_name(f"postgres.unusable-{time.time_ns()}"))

    def _initdb(self, new_folder: Path) -> None:
        password = new_folder / "password"
        with password.open("x") as handle:
            password.chmod(0o600)
            handle.write(self._passwords[SUPERUSER])
        self._user.own(password)
        command = [
            str(self._programs / "initdb"),
            f"--pgdata={new_folder / 'cluster'}",
            f"--username={SUPERUSER}",
            f"--pwfile={password}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--no-locale",  # sorts by bytes: the same order on every machine
            *([] if self._durable else ["--no-sync", "--wal-segsize=1"]),
        ]
        made = subprocess.run(
            command,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd="/",
            env=_make_environment(),
            **self._user.popen_arguments(),
        )
        if made.returncode != 0:
            raise ServerFailure(f"initdb could not make a cluster in {new_folder}:\n{made.stdout[-2000:]}")

    def _check_version(self) -> None:
        stored = (self._cluster / "PG_VERSION").read_text().strip()
        answer = subprocess.run(
            [self._programs / "postgres", "--version"],
            check=True,
            capture_output=True,
            text=True,
            env=_make_environment(),
        )
        ours = answer.stdout.split()[-1].split(".")[0]
        if stored != ours:
            raise OpsError(
                f"{self._cluster} was made by Postgres {stored}, but Postgres {ours} is installed. "
                f"Run `rutter backup` with Postgres {stored}, then `rutter restore` with Postgres {ours}. Or "
                "choose another --data folder."
            )

    # -------------------------------------------------------------------------------- starting a server

    def _start_once(self, deadline: float) -> bool:
        """Start the server and wait until it answers.

        False if it went away for a reason that passes by itself; every other reason is a `ServerFailure`.
        """
        self._remove_stale_pid_file()
        log_before = self._log.stat().st_size if self._log.exists() else 0
        self._child = ChildProcess(self._program())
        self._pid_file.add(self._child)
        while self._child.alive and time.monotonic() < deadline:
            if self._answers():
                return True
            time.sleep(0.03)
        said = read_tail(self._log, since=log_before)
        passing = NO_SPACE not in said and any(trouble in said for trouble in TRANSIENT_ERRORS)
        if passing and time.monotonic() < deadline:
            return False
        self.stop()
        raise ServerFailure(f"Postgres did not start. Its log {self._log} ends:\n{said}")

    def _program(self) -> Program:
        settings = {**SETTINGS, "port": str(self._port), **({} if self._durable else VOLATILE_SETTINGS)}
        options = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        return Program(
            name=self.name,
            command=[str(self._programs / "postgres"), "-D", str(self._cluster), *options],
            environment={**_make_environment(), MARK: str(self._data.path)},
            log=self._log,
            ladder=STOP_SIGNALS,
            identity=self._user,
        )

    def _remove_stale_pid_file(self) -> None:
        """Remove a pid file whose process is another program by now, or a zombie: Postgres cannot tell.

        Where the process is simply gone, Postgres sees so itself, and needs the file to look for orphans.
        """
        pid_file = self._cluster / "postmaster.pid"
        with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
            pid = int(pid_file.read_text().splitlines()[0])
            if _is_running(pid) and not self._is_ours(pid):
                pid_file.unlink()

    def _is_ours(self, pid: int) -> bool:
        process = live_process(pid)
        return process is not None and str(self._cluster) in process.cmdline()

    def _answers(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError), self._connect():
            return True
        return False

    def _make_roles(self) -> None:
        with self._connect() as connection:
            known = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles")}
            for role in (OWNER, APP):
                verb = "ALTER" if role in known else "CREATE"
                connection.execute(
                    sql.SQL(f"{verb} ROLE {{}} LOGIN PASSWORD {{}}").format(
                        sql.Identifier(role), sql.Literal(self._passwords[role])
                    )
                )
            # To load a copy beside the database, and to end the service's sessions when one is dropped.
            connection.execute(sql.SQL("ALTER ROLE {} CREATEDB").format(sql.Identifier(OWNER)))
            connection.execute(sql.SQL("GRANT pg_signal_backend TO {}").format(sql.Identifier(OWNER)))

    def _make_database(self) -> None:
        with self._connect() as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
            if not known:
                connection.execute(
                    sql.SQL("CREATE DATABASE {} OWNER {}").format(
                        sql.Identifier(DATABASE), sql.Identifier(OWNER)
                    )
                )

    @contextlib.contextmanager
    def _connect(self) -> Iterator[psycopg.Connection]:
        url = self._make_url(SUPERUSER, "postgres")
        with psycopg.connect(url, autocommit=True, connect_timeout=3) as connection:
            yield connection

    def _make_url(self, role: str, database: str) -> str:
        return f"postgresql://{role}:{self._passwords[role]}@127.0.0.1:{self._port}/{database}"


def _make_environment() -> dict[str, str]:
    """Return an environment with nothing of the caller's.

    A PGPORT or a locale of theirs must not steer the server.
    """
    return {"PATH": os.defpath, "LC_ALL": "C"}


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
