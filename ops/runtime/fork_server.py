"""A process that loads the program once, and forks the processes of the service from itself.

`rutter up` starts it: ``python -m ops.runtime.fork_server MODULE...``, with one end of a pair of sockets as
standard input. It imports the modules, calls their `prepare()`, and then starts on request what ``python -m``
would start, in a few milliseconds and on memory that all share. The other end is `fork_client.py`.

Messages are lines of JSON. The supervisor sends ``{"start": {"name", "module", "words", "environment",
"folder"}}`` with the descriptor of the log beside it, and gets ``{"started": PID}`` or ``{"failed": ERRNO}``.
When a process ends it is told ``{"ended": PID, "status": N}``, and answers ``{"collect": PID}``: until then
the id belongs to the dead process, so that no signal can reach a stranger. When the supervisor is gone, the
fork server ends with the last process that it has forked.

Nothing is connected and no thread begun before a fork. A forked process leads a session of its own and has
its own environment, output, folder, signals and random numbers. All run as the user of the fork server. What
the system remembers is the environment in which the fork server was started: `/proc/PID/environ` shows it.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import importlib
import json
import os
import random
import runpy
import selectors
import signal
import socket
import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PIECE = 65536
COMM = Path("/proc/self/comm")
"""The short name that `ps` and `top` show."""


def load(modules: Iterable[str]) -> None:
    """Import modules and call their `prepare()`.

    One that fails is told of and left out: the processes that need it fail likewise, and say so themselves.
    """
    gc.disable()
    for name in modules:
        try:
            module = importlib.import_module(name)
            if hasattr(module, "prepare"):
                module.prepare()
        except Exception:  # noqa: BLE001 - see above
            traceback.print_exc()
    gc.collect()
    gc.freeze()  # what is never looked at by the collector stays shared


class ForkServer:
    """The loop that forks and reaps."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._supervised = True
        self._received = b""
        self._logs: list[int] = []  # descriptors that came with requests
        self._running: set[int] = set()
        self._dead: set[int] = set()
        self._wake, wakened = socket.socketpair()
        self._wakened = wakened
        for end in (self._wake, wakened):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)  # without a handler nothing is wakened
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(channel, selectors.EVENT_READ)
        self._selector.register(wakened, selectors.EVENT_READ)

    def serve(self) -> dict[str, Any] | None:
        """Serve until nothing is left to do.

        Returns:
            None in the fork server; in a forked process what it was forked for.
        """
        while self._supervised or self._running:
            for key, _ in self._selector.select():
                if key.fileobj is self._wakened:
                    with contextlib.suppress(BlockingIOError):
                        self._wakened.recv(PIECE)
                elif (order := self._receive()) is not None:
                    return order
            self._find_dead()
        return None

    def _receive(self) -> dict[str, Any] | None:
        """Obey what has arrived; returns an order in a process that was just forked for it."""
        try:
            data, logs, _, _ = socket.recv_fds(self._channel, PIECE, 8)
        except OSError:
            data, logs = b"", []
        if not data:
            self._detach()
            return None
        self._logs += logs
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "collect" in message:
                self._collect(message["collect"])
            elif self._fork(message["start"]):
                order: dict[str, Any] = message["start"]
                return order
        return None

    def _fork(self, order: dict[str, Any]) -> bool:
        """Fork; true in the new process. The supervisor is told when the process is on its own feet."""
        output = self._logs.pop(0)
        reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        try:
            pid = os.fork()
        except OSError as problem:
            for descriptor in (output, reader, writer):
                os.close(descriptor)
            self._tell({"failed": problem.errno})
            return False
        if pid == 0:
            os.close(reader)
            self._leave()
            _become_independent(order, output, writer)
            return True
        os.close(writer)
        os.close(output)
        with os.fdopen(reader) as status:
            failed = status.read()
        if failed:
            os.waitpid(pid, 0)
            self._tell({"failed": int(failed)})
        else:
            self._running.add(pid)
            self._tell({"started": pid})
        return False

    def _leave(self) -> None:
        """Let go of all that is the fork server's (in a process that was just forked)."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._selector.close()
        for end in (self._channel, self._wake, self._wakened):
            end.close()
        for log in self._logs:
            os.close(log)

    def _find_dead(self) -> None:
        for pid in self._running - self._dead:
            found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if found is not None:
                self._dead.add(pid)
                by_itself = found.si_code == os.CLD_EXITED
                self._tell({"ended": pid, "status": found.si_status if by_itself else -found.si_status})
        if not self._supervised:
            for pid in tuple(self._dead):
                self._collect(pid)

    def _collect(self, pid: int) -> None:
        """Let the system have the id of a dead process."""
        os.waitpid(pid, 0)
        self._running.discard(pid)
        self._dead.discard(pid)

    def _tell(self, message: dict[str, int | None]) -> None:
        if self._supervised:
            try:
                self._channel.sendall(json.dumps(message).encode() + b"\n")
            except OSError:
                self._detach()

    def _detach(self) -> None:
        """Close the channel of the supervisor, which is gone."""
        if self._supervised:
            self._supervised = False
            self._selector.unregister(self._channel)
            self._channel.close()


def _become_independent(order: dict[str, Any], output: int, telling: int) -> None:
    """Make a forked process one of its own; ends it where that fails, and tells why."""
    try:
        os.setsid()
        os.chdir(order["folder"])
        for descriptor in (1, 2):
            os.dup2(output, descriptor)
        os.close(output)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.environ.clear()
        os.environ.update(order["environment"])
    except OSError as problem:
        os.write(telling, str(problem.errno or errno.EIO).encode())
        os._exit(1)
    time.tzset()
    random.seed()
    with contextlib.suppress(OSError):
        COMM.write_text(order["name"][:15])
    gc.enable()
    os.close(telling)


def _end_at_once(status: list[int]) -> None:
    """End a process, after all else that is called at the end.

    To take the program apart would copy most of the memory that processes share, only to let it go.
    """
    if status:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status[0] & 0xFF)


def main(modules: list[str]) -> None:
    """Serve; in each forked process run what it was forked for."""
    status: list[int] = []
    atexit.register(_end_at_once, status)  # registered first, so it is called last
    channel = socket.socket(fileno=os.dup(0))
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    load(modules)
    order = ForkServer(channel).serve()
    if order is None:
        os._exit(0)  # there is nothing to finish, and much to take apart
    sys.argv = [order["module"], *order["words"]]
    try:
        runpy.run_module(order["module"], run_name="__main__", alter_sys=True)
        status.append(0)
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            status.append(ended.code or 0)
        raise


if __name__ == "__main__":
    main(sys.argv[1:])
