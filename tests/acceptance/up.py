"""`rutter up` as a process of its own on a data folder of its own, to be killed in part or as a whole."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import psutil

from events.base.settings import RUTTER_EXTRA_TITLES
from ops.runtime.ports import free_port
from tests import waiting
from tests.acceptance.client import GONE, Client
from tests.installation import HOME, paths, rutter

T = TypeVar("T")
SETTINGS = {"RUTTER_RESTART_PAUSE": "0.05"}
"""What is killed is started again at once."""
OWN_TITLES = {RUTTER_EXTRA_TITLES.name: ""}
"""The service has its own titles alone, as most have. Then it writes its API's description once, and reads it
at each later start, which takes more than a second of a processor less."""


class RutterUp:
    """The whole service as `ops/up` starts it."""

    def __init__(
        self, data: Path, more_path: str | None = None, settings: Mapping[str, str] | None = None
    ) -> None:
        self.data = data
        self._paths = {**SETTINGS, **paths(more_path), **(settings or {})}
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """Start it; answers what it prints until it is ready."""
        words = ["up", "--no-demo", "--no-limits", "--port", str(self.port), "--data", str(self.data)]
        strange = {"DATABASE_URL", "REDIS_URL"}
        self._process = subprocess.Popen(
            rutter(*words),
            cwd=HOME,
            env={
                **{k: v for k, v in os.environ.items() if k not in strange},
                **self._paths,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        said = ""
        for line in self._process.stdout:
            said += line
            if line.startswith("Ctrl-C"):
                return said
        self._process.wait()
        raise AssertionError(said)

    def stop(self) -> int:
        """Stop it in order; its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        self._process.communicate()
        return self._process.returncode

    def pid(self, name: str) -> int:
        """The process id of one of its programs."""
        return int(json.loads((self.data / "roll.json").read_text())[name]["pid"])

    def kill(self, name: str) -> None:
        """SIGKILL one of its programs, and wait until another one has taken its place."""
        before = self.pid(name)
        os.kill(before, signal.SIGKILL)
        until(lambda: self.pid(name) != before, f"{name} is started again")

    def kill_everything(self) -> None:
        """SIGKILL the whole tree of processes, as losing power would."""
        assert self._process is not None
        top = psutil.Process(self._process.pid)
        for process in [top, *top.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.communicate()

    def kill_supervisor(self) -> None:
        """SIGKILL only the process that looks after all others."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def discard(self) -> None:
        """End whatever is left, and delete the folder."""
        if self._process is not None and self._process.poll() is None:
            self.stop()
        shutil.rmtree(self.data, ignore_errors=True)

    def is_ready(self) -> bool:
        """Whether it answers that it is ready."""
        try:
            return Client(self.address).send("GET", "/readyz").status == 200
        except GONE:
            return False


def until(condition: Callable[[], T], what: str, _seconds: float = 0) -> T:
    """Wait as :func:`tests.waiting.until` does; seconds named by a caller say nothing any more."""
    return waiting.until(condition, what)
