"""A real Redis (or Valkey) of our own, with a password and an append-only file."""

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import ClassVar

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from ops.base.errors import ServerFailure
from ops.runtime.binaries import redis_program
from ops.runtime.data_folder import DataFolder
from ops.runtime.identity import Identity
from ops.runtime.log_files import read_tail
from ops.runtime.processes import MARK, ChildProcess, PidFile, Program

STOP_SIGNALS = ((signal.SIGTERM, 8.0), (signal.SIGKILL, 2.0))
START_SECONDS = 30.0


class EmbeddedRedis:
    """Redis in `<data>/redis`, on 127.0.0.1, with a password.

    It holds only what can be made again from the log (queues, caches, hints), and keeps even that.
    """

    name = "redis"
    PASSWORDS: ClassVar[tuple[str, ...]] = ("password",)
    """The settings that are passwords."""

    def __init__(self, data: DataFolder, user: Identity, *, port: int, password: str, durable: bool) -> None:
        self._data = data
        self._user = user
        self._port = port
        self._password = password
        self._durable = durable
        self._server = redis_program(user)
        self._folder = data.path / "redis"
        self._log = data.logs / "redis.log"
        self._pid_file = PidFile(data)
        self._child: ChildProcess | None = None

    @property
    def url(self) -> str:
        """The URL by which clients connect."""
        return f"redis://:{self._password}@127.0.0.1:{self._port}/0"

    @property
    def pid(self) -> int | None:
        """The id of the running server process."""
        return self._child.pid if self._child and self._child.alive else None

    def start(self) -> None:
        """Bring the server up, with what it held before.

        Raises:
            ServerFailure: it does not come up; the message names its log.
        """
        configuration = self._write_configuration()
        before = self._log.stat().st_size if self._log.exists() else 0
        self._child = ChildProcess(self._program(configuration))
        self._pid_file.add(self._child)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if not self._child.alive or time.monotonic() > deadline:
                self.stop()
                said = read_tail(self._log, since=before)
                raise ServerFailure(f"Redis did not start. Its log {self._log} ends:\n{said}")
            time.sleep(0.02)

    def stop(self) -> None:
        """Shut the server down; its file is complete."""
        if self._child:
            self._child.end()
            self._pid_file.remove_entry(self.name)
            self._child = None

    def _write_configuration(self) -> Path:
        """Write the settings to a file: every user of the machine can read command lines."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._user.own(self._folder)
        path = self._folder / "redis.conf"
        text = (
            f"bind 127.0.0.1\n"
            f"port {self._port}\n"
            f"requirepass {self._password}\n"
            f"dir {_quote(self._folder)}\n"
            f"appendonly {'yes' if self._durable else 'no'}\n"
            'save ""\n'
            "hz 1\n"  # its own tasks a second while nothing happens; clients are answered at once
            "maxmemory-policy noeviction\n"  # a queue must never lose a job to make room
        )
        if not path.exists() or path.read_text() != text:  # a full disk must not keep the server down
            path.touch(mode=0o600)
            path.write_text(text)
        self._user.own(path)
        return path

    def _program(self, configuration: Path) -> Program:
        return Program(
            name=self.name,
            command=[str(self._server), str(configuration)],
            environment={"PATH": os.defpath, "LC_ALL": "C", MARK: str(self._data.path)},
            log=self._log,
            ladder=STOP_SIGNALS,
            identity=self._user,
        )

    def _answers(self) -> bool:
        with self._make_client() as client, contextlib.suppress(redis.RedisError):
            return bool(client.ping())
        return False

    def _make_client(self) -> redis.Redis:
        # The library's own patience (several tries, growing pauses) would only blur ours.
        return redis.Redis.from_url(self.url, socket_timeout=3, retry=Retry(NoBackoff(), 0))


def _quote(path: Path) -> str:
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'
