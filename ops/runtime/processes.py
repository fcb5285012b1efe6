"""Programs in the background: started apart from the terminal, ended step by step, never forgotten.

Each program gets a session of its own, so that Ctrl-C reaches only the supervisor, which then ends the others
in the right order. Each is entered in a :class:`PidFile`: if the supervisor itself is killed, its successor
reads there what is still running, and ends it first. What a program has started in its turn stays in its
session, and carries the data folder's name in its environment: so it is found even where the program itself
is dead, and nothing old answers beside the new.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

import psutil
import structlog

from events.base.settings import RUTTER_STARTED_ON
from ops.runtime.data_folder import DataFolder
from ops.runtime.identity import Identity
from ops.runtime.log_files import LARGEST_LOG, rotate_log

log = structlog.get_logger()

MARK = RUTTER_STARTED_ON.name
"""The environment variable that names the data folder for which a process was started."""

StopSignals = Sequence[tuple[signal.Signals, float]]
"""Signals to send one after the other, each with the seconds to wait for the end."""


@dataclass(frozen=True)
class Program:
    """A program to run, with its environment, log file and user."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    ladder: StopSignals = ((signal.SIGTERM, 8), (signal.SIGKILL, 2))
    identity: Identity = field(default_factory=Identity)
    folder: Path = Path("/")


class RunningProcess(Protocol):
    """A process that was started, as `subprocess.Popen` shows it."""

    @property
    def pid(self) -> int: ...  # noqa: D102 - see there

    def poll(self) -> int | None: ...  # noqa: D102

    def wait(self, timeout: float) -> int: ...  # noqa: D102


Launch = Callable[[Program, IO[bytes]], RunningProcess]
"""Starts a program whose output goes to a file."""


def execute(program: Program, output: IO[bytes], stdin: int = subprocess.DEVNULL) -> RunningProcess:
    """Start a program as a child of this process."""
    return subprocess.Popen(
        list(program.command),
        stdin=stdin,
        stdout=output,
        stderr=output,
        env=dict(program.environment),
        cwd=program.folder,
        start_new_session=True,
        **program.identity.popen_arguments(),
    )


class ChildProcess:
    """A program that we started."""

    def __init__(self, program: Program, launch: Launch = execute) -> None:
        """Start the program by *launch*; its output goes to its log."""
        self.program = program
        with _open_log(program.log) as output:
            self._process = launch(program, output)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """True if the process still runs."""
        return self._process.poll() is None

    @property
    def exit_status(self) -> int | None:
        """None while it runs; negative for the signal that killed it."""
        return self._process.poll()

    def end(self) -> None:
        """End it, by stronger means from step to step, and all that it has started."""
        send_stop_signals(self.program.ladder, self.send, self.wait)
        self.sweep()

    def sweep(self) -> None:
        """Kill what a program that has ended left running in its session."""
        if not self.alive:
            kill_all(session_processes(self.pid))

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


def send_stop_signals(
    ladder: StopSignals, send: Callable[[signal.Signals], None], wait: Callable[[float], bool]
) -> None:
    """Send one signal after the other until the program is gone."""
    for number, seconds in ladder:
        send(number)
        if wait(seconds):
            return


def _open_log(path: Path) -> IO[bytes]:
    """Return the log to append to; nothing is kept where the disk has no room for a new file."""
    try:
        if path.exists() and path.stat().st_size > LARGEST_LOG:
            rotate_log(path)
        return path.open("ab")
    except OSError as problem:
        log.warning("log_not_kept", log=str(path), reason=problem.strerror)
        return Path(os.devnull).open("wb")


def session_processes(leader: int) -> Iterator[psutil.Process]:
    """Yield the processes of the session that *leader* began, once it is dead.

    While one of them lives the system gives the leader's id to nobody else.
    """
    for pid in psutil.pids():
        with contextlib.suppress(OSError):
            if pid != leader and os.getsid(pid) == leader and (process := live_process(pid)):
                yield process


def folder_processes(folder: Path) -> Iterator[psutil.Process]:
    """Yield the processes that were started for a data folder, no matter who their parents are now.

    Our own kin is never among them.
    """
    kin = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid not in kin and process.environ().get(MARK) == str(folder):
                yield process


def kill_all(processes: Iterable[psutil.Process]) -> int:
    """Kill them with SIGKILL and wait until they are gone; return the number there were."""
    found = [process for process in processes if live_process(process.pid)]
    for process in found:
        with contextlib.suppress(psutil.Error):
            process.kill()
    for process in found:
        _make_waiter(process)(5)
    return len(found)


class PidFile:
    """The processes that were started on a data folder, in order, in a file that outlives us.

    A process is known by its id and its moment of birth: ids are used again.
    """

    FILE = "roll.json"

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder

    def add(self, child: ChildProcess) -> None:
        """Note a process just started."""
        try:
            entry = {
                "pid": child.pid,
                "born": birth_time(child.pid),
                "ladder": [[int(number), seconds] for number, seconds in child.program.ladder],
            }
            others = self._folder.read(self.FILE)
            self._folder.write(self.FILE, {**others, child.program.name: entry})
        except psutil.NoSuchProcess:
            return
        except OSError as problem:  # a successor finds it by its mark
            log.warning("roll_not_kept", process=child.program.name, reason=problem.strerror)

    def remove_entry(self, name: str) -> None:
        """Forget a process that has ended."""
        others = self._folder.read(self.FILE)
        if others.pop(name, None):
            with contextlib.suppress(OSError):  # the entry of a dead process does no harm
                self._folder.write(self.FILE, others)

    def end_leftovers(self) -> list[str]:
        """End what a killed predecessor left running, the latest first; answers the names.

        Also what those programs had started: in their sessions, or marked with the name of our folder.
        """
        ended = []
        for name, entry in reversed(self._folder.read(self.FILE).items()):
            process = _find_process(entry["pid"], entry["born"])
            if process:
                ladder = [(signal.Signals(number), seconds) for number, seconds in entry["ladder"]]
                send_stop_signals(ladder, _make_sender(process), _make_waiter(process))
            left = kill_all(session_processes(entry["pid"])) if live_process(entry["pid"]) is None else 0
            if process or left:
                ended.append(name)
        if strays := kill_all(folder_processes(self._folder.path)):
            ended.append(f"{strays} processes without a name")
        self._folder.remove(self.FILE)
        return ended


def live_process(pid: int) -> psutil.Process | None:
    """Return the process of this id, unless it is gone or a zombie that nobody collects."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process
    except psutil.Error:
        return None


def birth_time(pid: int) -> float:
    """Return the moment at which a process was born, in seconds since 1970."""
    return float(psutil.Process(pid).create_time())


def kill_leader(pid: int, born: float) -> None:
    """Kill the process of this id and birth with its group by SIGKILL, and wait until it is gone."""
    if process := _find_process(pid, born):
        _make_sender(process)(signal.SIGKILL)
        _make_waiter(process)(5)


def _find_process(pid: int, born: float) -> psutil.Process | None:
    process = live_process(pid)
    return process if process and abs(process.create_time() - born) < 1 else None


def _make_sender(process: psutil.Process) -> Callable[[signal.Signals], None]:
    def send(number: signal.Signals) -> None:
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            os.killpg(process.pid, number) if number == signal.SIGKILL else process.send_signal(number)

    return send


def _make_waiter(process: psutil.Process) -> Callable[[float], bool]:
    def wait(seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while live_process(process.pid):  # `Process.wait` would also wait until its new parent collects it
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    return wait
