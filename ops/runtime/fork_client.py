"""The supervisor's end of the fork server (`fork_server.py`): starts it, asks it, hears who has ended.

Forked processes are children of the fork server. Where that dies its processes are killed at once: nobody
would hear of their end. The supervisor starts them again, from a new fork server.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

import structlog

from ops.runtime.processes import (
    ChildProcess,
    PidFile,
    Program,
    RunningProcess,
    birth_time,
    execute,
    kill_leader,
)

log = structlog.get_logger()

ANSWER_SECONDS = 120.0
"""A fork server that does not answer for so long is killed; its first answer comes when all is loaded."""
LEAVE_SECONDS = 2.0
"""Seconds in which it is gone after its last process."""
CAN_FORK = sys.platform.startswith("linux")
"""Elsewhere the system's own libraries do not bear a fork."""


@dataclass
class ForkedProcess:
    """A process of the fork server: what `subprocess.Popen` is to one of our own."""

    server: ForkServerClient
    pid: int
    born: float
    status: int | None = None

    def poll(self) -> int | None:
        """Return its exit status, or None while it runs."""
        self.server.hear()
        return self.status

    def wait(self, timeout: float) -> int:
        """Wait for its end. Raises `subprocess.TimeoutExpired`."""
        deadline = time.monotonic() + timeout
        while self.status is None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            self.server.hear(left)
        return self.status


class ForkServerClient:
    """A fork server, started when it is needed and again when it has died.

    Args:
        program: runs `ops/runtime/fork_server.py`.
        pid_file: it is entered there.
    """

    def __init__(self, program: Program, pid_file: PidFile) -> None:
        self._program = program
        self._pid_file = pid_file
        self._process: ChildProcess | None = None
        self._channel: socket.socket | None = None
        self._received = b""
        self._running: dict[int, ForkedProcess] = {}
        self._answers: list[dict[str, Any]] = []
        self._guard = threading.RLock()

    def launch(self, program: Program, output: IO[bytes]) -> RunningProcess:
        """Fork a process that runs *program*, which is a module of Python.

        Raises:
            OSError: it cannot be forked, or the fork server itself does not come up.
        """
        with self._guard:
            self.hear()
            if self._channel is None:
                self._start()
            self._send(_make_request(program), [output.fileno()])
            answer = self._await_answer()
            if "failed" in answer:
                raise OSError(answer["failed"], os.strerror(answer["failed"]))
            forked: ForkedProcess = answer["started"]
            return forked

    def hear(self, seconds: float = 0) -> None:
        """Take in what the fork server has said, waiting so long for it to say anything."""
        with self._guard:
            if self._channel is None:
                return
            look = select.poll()
            look.register(self._channel, select.POLLIN)
            if not look.poll(seconds * 1000):
                return
            try:
                data = self._channel.recv(65536)
            except OSError:
                data = b""
            if not data:
                self._lose()
                return
            *lines, self._received = (self._received + data).split(b"\n")
            for line in lines:
                self._note(json.loads(line))

    def end(self) -> None:
        """End it, and what is left of its processes."""
        with self._guard:
            if self._process is None:
                return
            self._disconnect()
            if not self._process.wait(LEAVE_SECONDS):
                self._process.end()
            self._kill_forked()
            self._pid_file.remove_entry(self._program.name)
            self._process = None

    def _start(self) -> None:
        self._channel, theirs = socket.socketpair()
        self._received, self._answers = b"", []
        try:
            with theirs:
                self._process = ChildProcess(
                    self._program, lambda program, output: execute(program, output, theirs.fileno())
                )
        except OSError:
            self._disconnect()
            raise
        self._pid_file.add(self._process)

    def _await_answer(self) -> dict[str, Any]:
        """Return the fork server's answer to a request. Raises OSError where it gives none."""
        deadline = time.monotonic() + ANSWER_SECONDS
        while self._channel is not None:
            if (left := deadline - time.monotonic()) > 0:
                self.hear(left)
            else:
                self._lose()
            if self._answers:
                return self._answers.pop()
        raise OSError(errno.ECHILD, f"the fork server ended, see {self._program.log}")

    def _send(self, message: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        """Send a message; a failure is noticed later, when the answers end."""
        if self._channel is not None:
            data = json.dumps(message).encode() + b"\n"
            with contextlib.suppress(OSError):
                sent = socket.send_fds(self._channel, [data], descriptors)
                self._channel.sendall(data[sent:])

    def _note(self, message: dict[str, Any]) -> None:
        if "ended" in message:
            if ended := self._running.pop(message["ended"], None):
                ended.status = message["status"]
            self._send({"collect": message["ended"]})
        elif "started" in message:
            pid = message["started"]
            self._running[pid] = ForkedProcess(self, pid, birth_time(pid))
            self._answers.append({"started": self._running[pid]})
        else:
            self._answers.append(message)

    def _lose(self) -> None:
        """End whatever the fork server has forked: it has died, or must."""
        self._disconnect()
        if self._process:
            self._process.send(signal.SIGKILL)
            self._process.wait(5)
            status = self._process.exit_status
            log.warning("fork_server_ended", exit_status=status, log=str(self._program.log))
        self._kill_forked()

    def _kill_forked(self) -> None:
        for forked in self._running.values():
            kill_leader(forked.pid, forked.born)
            forked.status = -signal.SIGKILL
        self._running = {}

    def _disconnect(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._channel = None


def _make_request(program: Program) -> dict[str, Any]:
    """Return the request for a program whose command is ``python -m MODULE WORDS``."""
    _python, _dash_m, module, *words = program.command
    return {
        "start": {
            "name": program.name,
            "module": module,
            "words": words,
            "environment": dict(program.environment),
            "folder": str(program.folder),
        }
    }
