"""The processes of the service on servers of their own, without a supervisor: what is killed stays dead."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from ops.database.privileges import migrate_and_grant
from ops.runtime.data_folder import DataFolder
from ops.runtime.fork_client import CAN_FORK, ForkServerClient
from ops.runtime.launcher import PRELOADED, PRELOADED_LIBRARIES
from ops.runtime.ports import free_port
from ops.runtime.processes import ChildProcess, PidFile, Program, execute
from tests.servers import reachable_folder, start_test_servers
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
DUTIES = {
    "dispatcher": ["dispatcher"],
    "ai": ["work", "ai"],
    "think": ["work", "think"],
    "house": ["work", "house"],
    "deliver": ["work", "deliver"],
}
MODULES = {
    **{name: ["workers", *words] for name, words in DUTIES.items()},
    "api": ["gunicorn", "-c", "ops/server/gunicorn_conf.py", "ops.server.wsgi:create_app()"],
    "fork-server": ["ops.runtime.fork_server", *PRELOADED, *PRELOADED_LIBRARIES],
}


class LooseProcesses:
    """Postgres, Redis, API, dispatcher and workers; each can be killed, and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = reachable_folder(folder)
        self.folder.mkdir(exist_ok=True)
        self.folder.chmod(0o755)
        self.servers = start_test_servers(folder, durable=True)
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._children: dict[str, ChildProcess] = {}
        self._forks = ForkServerClient(self._program("fork-server"), PidFile(DataFolder(self.folder)))
        migrate_and_grant(self.servers.addresses)

    def start(self, *names: str) -> None:
        """Start the API ("api") or a duty."""
        for name in names:
            self._children[name] = ChildProcess(
                self._program(name), self._forks.launch if CAN_FORK else execute
            )

    def kill(self, name: str) -> None:
        """SIGKILL one process, not its children."""
        if name in ("postgres", "redis"):
            pid = self.servers.pid(name)
            assert pid is not None
        else:
            pid = self._children[name].pid
        os.kill(pid, signal.SIGKILL)
        if name in self._children:
            self._children[name].wait(PATIENCE)

    @contextlib.contextmanager
    def stopped(self, name: str) -> Iterator[None]:
        """SIGSTOP one process: it lives, and does nothing."""
        process = psutil.Process(self._children[name].pid)
        process.suspend()
        try:
            yield
        finally:
            process.resume()

    def children(self, name: str) -> list[psutil.Process]:
        """What a process has started."""
        return psutil.Process(self._children[name].pid).children(recursive=True)

    def readiness(self) -> tuple[int, dict[str, Any]]:
        """Status and body of `readyz`; (0, {}) where nobody answers."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(f"{self.address}/readyz", timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, json.load(refusal)
        except OSError:
            return 0, {}

    def lacks(self) -> list[str]:
        """The codes of what is lacking."""
        return [lack["code"] for lack in self.readiness()[1].get("lacking", [])]

    def log(self, name: str) -> str:
        """The end of the log of a process."""
        return (self.folder / f"{name}.log").read_text(errors="replace")[-3000:]

    def is_ready(self) -> bool:
        """Whether nothing is lacking."""
        return self.readiness()[1].get("status") == "ready"

    def listens(self) -> bool:
        """Whether anybody accepts connections at the API's port."""
        with socket.socket() as door:
            return door.connect_ex(("127.0.0.1", self.port)) == 0

    def discard(self) -> None:
        """End everything."""
        for child in self._children.values():
            child.end()
        self._forks.end()
        self.servers.discard()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _program(self, name: str) -> Program:
        environment = {
            **os.environ,
            "DATABASE_URL": self.servers.database_url,
            "REDIS_URL": self.servers.redis_url,
            "RUTTER_DATA": str(self.folder),
            "RUTTER_BIND": f"127.0.0.1:{self.port}",
            "RUTTER_API_PROCESSES": "2",
            "RUTTER_LIMITS": "off",  # players of tests are quicker than people
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "RUTTER_OWNER_MAY_SERVE": "1",
        }
        words = [sys.executable, "-m", *MODULES[name]]
        return Program(name, words, environment, self.folder / f"{name}.log", folder=ROOT)
