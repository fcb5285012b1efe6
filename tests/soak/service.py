"""The service that is soaked: `rutter up` as a process of its own, to be killed in part or as a whole."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

import psutil
from redis import Redis

from events.base.installation import IMPORT_ROOT, qualify_name
from ops.base.errors import OpsError
from ops.clients.api import ApiClient
from ops.runtime.ports import free_port
from tests.losing_proxy import LosingProxy

READY_SECONDS = 180.0
"""The longest that a start is waited for; how long it may take is judged by the figures."""
LIMITS = '[create]\nrate = "1000/hour"\n'
"""A program that plays a short title on and on begins more games than people do; all other limits stand."""
DISK = 700
"""Mebibytes of the small disk."""


class Disk(NamedTuple):
    """Where the data lie."""

    path: Path
    is_small: bool
    """Whether it can be filled without harm to others."""


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Disk]:
    """A small file system of our own if we may mount one, else an ordinary folder."""
    place = folder / "disk"
    place.mkdir(mode=0o711)
    if os.geteuid() != 0 or not _mount(place):
        yield Disk(place, False)
        return
    try:
        yield Disk(place, True)
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def _mount(place: Path) -> bool:
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m,mode=711", "rutter-soak", str(place)]
    try:
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except OSError:
        return False


class Service:
    """A `rutter up` on a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.disk = folder
        self.data = folder / "data"
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._limits = folder / "limits.toml"
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """How it is started."""
        return [
            "-m",
            qualify_name("ops"),
            "up",
            "--no-demo",
            "--port",
            str(self.port),
            "--data",
            str(self.data),
        ]

    def start(self) -> None:
        """Start it, and wait until it is ready.

        Raises:
            OpsError: it does not come up.
        """
        self._limits.write_text(LIMITS)
        self._process = subprocess.Popen(
            [sys.executable, "-P", *self.command()],
            cwd=IMPORT_ROOT,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._wait_until_announced(self._process)
        self.wait_until_ready()

    def _wait_until_announced(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until *process* says that all runs: what a killed predecessor left answers until then."""
        deadline = time.monotonic() + READY_SECONDS
        while not self._is_announced_by(process.pid):
            if process.poll() is not None or time.monotonic() > deadline:
                raise OpsError("The service did not start.")
            time.sleep(0.1)

    def _is_announced_by(self, pid: int) -> bool:
        try:
            told = json.loads((self.data / "run.json").read_text())
        except (OSError, ValueError):
            return False
        return told.get("pid") == pid and "address" in told

    def environment(self) -> dict[str, str]:
        """Ours, without what would lead it to another database."""
        strange = {"DATABASE_URL", "REDIS_URL", "RUTTER_MIGRATE_URL", "RUTTER_DATA"}
        own = {
            "PYTHONPATH": str(IMPORT_ROOT),
            "RUTTER_LIMITS": str(self._limits),
            "RUTTER_WEBHOOKS_PRIVATE": "1",  # receivers are on this machine
        }
        return {**{k: v for k, v in os.environ.items() if k not in strange}, **own}

    def run(self, *words: str, told_by_status: bool = False) -> str:
        """A command of `rutter`; what it says.

        Raises:
            OpsError: it failed, unless its exit status only tells what it has found.
        """
        done = subprocess.run(
            [sys.executable, "-P", "-m", qualify_name("ops"), *words],
            cwd=IMPORT_ROOT,
            env=self.environment(),
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode and not told_by_status:
            raise OpsError(f"rutter {words[0]}: {done.stderr[-500:]}")
        return done.stdout

    def titles(self) -> list[str]:
        """The titles that it offers."""
        return [title["id"] for title in ApiClient(self.address).get("/v1/titles")["titles"]]

    def wait_until_ready(self) -> None:
        """Wait for `/readyz`.

        Raises:
            OpsError: it is not ready in time.
        """
        api, deadline = ApiClient(self.address), time.monotonic() + READY_SECONDS
        while not api.is_ready():
            if time.monotonic() > deadline:
                raise OpsError(f"The service is not ready after {READY_SECONDS:.0f} s.")
            time.sleep(0.1)

    def server(self, name: str) -> dict[str, Any]:
        """Port and passwords of its Postgres or Redis, as its folder remembers them."""
        found: dict[str, Any] = json.loads((self.data / "servers.json").read_text())[name]
        return found

    def process(self, name: str) -> psutil.Process | None:
        """One of its programs; None while it has none of that name."""
        try:
            return psutil.Process(json.loads((self.data / "roll.json").read_text())[name]["pid"])
        except (OSError, KeyError, ValueError, psutil.Error):
            return None

    def kill(self, name: str) -> None:
        """SIGKILL one of its programs."""
        with contextlib.suppress(psutil.Error):
            if process := self.process(name):
                process.kill()

    def kill_a_child(self, name: str) -> None:
        """SIGKILL one of the processes that one of its programs has started."""
        with contextlib.suppress(psutil.Error, IndexError):
            if process := self.process(name):
                process.children()[0].kill()

    def kill_supervisor(self) -> None:
        """SIGKILL the process that looks after the others."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """Stop it in order."""
        if self._process and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(60)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class ServiceBehindProxies(Service):
    """One whose API and workers reach their servers through proxies that may lose answers."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.proxies = {name: LosingProxy(partial(self._where, name)) for name in ("postgres", "redis")}

    def command(self) -> list[str]:
        """How it is started."""
        doors = [str(proxy.port) for proxy in self.proxies.values()]
        return ["-m", qualify_name("tests.soak.supervisor"), str(self.data), str(self.port), *doors]

    def redis(self) -> Redis:
        """Its Redis, outright."""
        server = self.server("redis")
        return Redis(port=server["port"], password=server["password"], socket_timeout=2)

    def _where(self, name: str) -> tuple[str, int]:
        return "127.0.0.1", int(self.server(name)["port"])

    def __exit__(self, *_: object) -> None:
        self.stop()
        for proxy in self.proxies.values():
            proxy.close()
