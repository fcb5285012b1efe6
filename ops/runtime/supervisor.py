"""The processes beside the servers: one that dies is started again, after a growing pause."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import structlog

from events.base.backoff import Backoff
from events.base.settings import LONGEST_RESTART_PAUSE, RUTTER_RESTART_PAUSE
from ops.runtime.data_folder import DataFolder
from ops.runtime.fork_client import ForkServerClient
from ops.runtime.processes import ChildProcess, Launch, PidFile, Program, execute

log = structlog.get_logger()

SETTLED_AFTER = 30.0  # seconds of work after which a process counts as healthy again


@dataclass
class _SupervisedProgram:
    """One program, who does it now, and how it went so far."""

    program: Program
    launch: Launch
    child: ChildProcess
    since: float
    backoff: Backoff
    is_planned: bool = False
    """True if it has ended, and will be started again when the pause is over."""


class Supervisor:
    """Programs that should run as long as we do.

    Args:
        data: the folder whose pid file names them.
        first_pause: seconds before a program that has ended is started again; doubled each time that it
            ends soon. By default `RUTTER_RESTART_PAUSE`, or half a second.
    """

    def __init__(self, data: DataFolder, first_pause: float | None = None) -> None:
        self._pid_file = PidFile(data)
        self._first_pause = RUTTER_RESTART_PAUSE.read() if first_pause is None else first_pause
        self._programs: list[_SupervisedProgram] = []
        self._fork_server: ForkServerClient | None = None
        self._last_steps: list[Callable[[], None]] = []

    def fork_from(self, server: Program) -> None:
        """Start what can be forked from this fork server from now on."""
        self._fork_server = ForkServerClient(server, self._pid_file)

    def start(self, program: Program, *, forked: bool = False) -> None:
        """Start a program and keep it running from now on.

        With *forked* it is a module of Python, and is forked from the fork server if there is one.
        """
        launch = self._fork_server.launch if forked and self._fork_server else execute
        child = self._launch(program, launch)
        backoff = Backoff(self._first_pause, LONGEST_RESTART_PAUSE)
        self._programs.append(_SupervisedProgram(program, launch, child, time.monotonic(), backoff))

    def call_when_stopped(self, action: Callable[[], None]) -> None:
        """Have *action* called once, when the last of them is gone."""
        self._last_steps.append(action)

    def watch(self) -> None:
        """Start again whatever has ended; to be called often."""
        now = time.monotonic()
        for running in self._programs:
            if running.child.alive:
                continue
            if not running.is_planned:
                running.child.sweep()  # at once: an orphan would hold the port, and answer
                self._plan(running, now)
            elif not running.backoff.is_pausing():
                self._relaunch(running, now)

    def pid(self, name: str) -> int | None:
        """Return the process id of a program while it runs."""
        return next((p.child.pid for p in self._programs if p.program.name == name and p.child.alive), None)

    def pids(self) -> list[int]:
        """Return the process ids of all that run."""
        return [running.child.pid for running in self._programs if running.child.alive]

    def stop(self) -> None:
        """End all of them together, each by its own ladder; returns when the last one is gone."""
        climbs = [_send_stop_signals(running.child) for running in self._programs]
        while climbs := [climb for climb in climbs if next(climb, False)]:
            time.sleep(0.02)
        for running in self._programs:
            running.child.sweep()
            self._pid_file.remove_entry(running.program.name)
        self._programs = []
        if self._fork_server:
            self._fork_server.end()
        while self._last_steps:
            self._last_steps.pop()()

    def _launch(self, program: Program, launch: Launch) -> ChildProcess:
        child = ChildProcess(program, launch)
        self._pid_file.add(child)
        return child

    def _relaunch(self, running: _SupervisedProgram, now: float) -> None:
        try:
            running.child = self._launch(running.program, running.launch)
            running.since, running.is_planned = now, False
        except OSError as problem:  # no room for one more process, or for anything
            log.warning("process_not_started", process=running.program.name, reason=problem.strerror)
            running.backoff.fail()

    def _plan(self, running: _SupervisedProgram, now: float) -> None:
        if now - running.since > SETTLED_AFTER:
            running.backoff.reset()
        running.is_planned = True
        log.warning(
            "process_ended",
            process=running.program.name,
            exit_status=running.child.exit_status,
            restart_in_seconds=running.backoff.fail(),
            log=str(running.program.log),
        )


def _send_stop_signals(child: ChildProcess) -> Iterator[bool]:
    """Send the signals of the ladder in their time; yields while the process is not gone yet."""
    for number, seconds in child.program.ladder:
        child.send(number)
        deadline = time.monotonic() + seconds
        while child.alive and time.monotonic() < deadline:
            yield True
        if not child.alive:
            return
