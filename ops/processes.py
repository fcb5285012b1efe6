"""Programs in the background: started apart from the terminal, ended step by step, never forgotten.

Each program gets a session of its own, so that Ctrl-C reaches only the supervisor, which then ends the others
in the right order. Each is entered in the *roll*, a file: if the supervisor itself is killed, its successor
reads there what is still running, and ends it first.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from ops.data_folder import DataFolder
from ops.identity import Identity

LARGEST_LOG = 20_000_000  # bytes; a longer one is put aside (name.log.1) when its program starts

Ladder = Sequence[tuple[signal.Signals, float]]
"""Signals to send one after the other, each with the seconds to wait for the end."""


@dataclass(frozen=True)
class Program:
    """What to run."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    ladder: Ladder = ((signal.SIGTERM, 8), (signal.SIGKILL, 2))
    identity: Identity = field(default_factory=Identity)
    folder: Path = Path("/")


class Child:
    """A program that we started."""

    def __init__(self, program: Program) -> None:
        """Start the program; its output goes to its log."""
        self.program = program
        _put_long_log_aside(program.log)
        with program.log.open("ab") as log:
            self._process = subprocess.Popen(
                list(program.command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=dict(program.environment),
                cwd=program.folder,
                start_new_session=True,
                **program.identity.popen_arguments(),
            )

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    @property
    def exit_status(self) -> int | None:
        """None while it runs; negative for the signal that killed it."""
        return self._process.poll()

    def end(self) -> None:
        """End it, by stronger means from step to step."""
        climb(self.program.ladder, self.send, self.wait)

    def send(self, number: signal.Signals) -> None:
        """Send a signal; SIGKILL goes to everything that the program started in its session."""
        if not self.alive:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number) if number == signal.SIGKILL else os.kill(self.pid, number)

    def wait(self, seconds: float) -> bool:
        """Wait for its end; whether it came."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


def climb(ladder: Ladder, send: Callable[[signal.Signals], None], wait: Callable[[float], bool]) -> None:
    """Send one signal after the other until the program is gone."""
    for number, seconds in ladder:
        send(number)
        if wait(seconds):
            return


def _put_long_log_aside(log: Path) -> None:
    if log.exists() and log.stat().st_size > LARGEST_LOG:
        log.replace(log.with_name(log.name + ".1"))


class Roll:
    """The processes that were started on a data folder, in order, in a file that outlives us.

    A process is known by its id and its moment of birth: ids are used again.
    """

    FILE = "roll.json"

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder

    def enter(self, child: Child) -> None:
        """Note a process just started."""
        with contextlib.suppress(psutil.NoSuchProcess):
            entry = {
                "pid": child.pid,
                "born": psutil.Process(child.pid).create_time(),
                "ladder": [[int(number), seconds] for number, seconds in child.program.ladder],
            }
            others = self._folder.read(self.FILE)
            self._folder.write(self.FILE, {**others, child.program.name: entry})

    def strike(self, name: str) -> None:
        """Forget a process that has ended."""
        others = self._folder.read(self.FILE)
        if others.pop(name, None):
            self._folder.write(self.FILE, others)

    def clear_up(self) -> list[str]:
        """End what a killed predecessor left running, the latest first; answers the names."""
        ended = []
        for name, entry in reversed(self._folder.read(self.FILE).items()):
            if process := _same_process(entry["pid"], entry["born"]):
                ladder = [(signal.Signals(number), seconds) for number, seconds in entry["ladder"]]
                climb(ladder, _sender(process), _waiter(process))
                ended.append(name)
        self._folder.remove(self.FILE)
        return ended


def live_process(pid: int) -> psutil.Process | None:
    """The process of this id, unless it is gone or a zombie that nobody collects."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process
    except psutil.Error:
        return None


def _same_process(pid: int, born: float) -> psutil.Process | None:
    process = live_process(pid)
    return process if process and abs(process.create_time() - born) < 1 else None


def _sender(process: psutil.Process) -> Callable[[signal.Signals], None]:
    def send(number: signal.Signals) -> None:
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            os.killpg(process.pid, number) if number == signal.SIGKILL else process.send_signal(number)

    return send


def _waiter(process: psutil.Process) -> Callable[[float], bool]:
    def wait(seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while live_process(process.pid):  # `Process.wait` would also wait until its new parent collects it
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    return wait
