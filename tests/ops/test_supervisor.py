"""The processes beside the servers: kept at work, ended together, never forgotten."""

import os
import signal
import sys
from dataclasses import replace

import psutil
import pytest
from structlog.testing import capture_logs

from events.base.settings import RUTTER_RESTART_PAUSE, WrongSetting
from ops.runtime.data_folder import DataFolder
from ops.runtime.log_files import rotate_logs
from ops.runtime.processes import MARK, ChildProcess, PidFile, Program, live_process
from ops.runtime.supervisor import Supervisor
from tests.waiting import until

PATIENT = "import signal; print('working', flush=True); signal.pause()"
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); "
STUBBORN = DEAF + "signal.pause()"


@pytest.fixture
def folder(tmp_path) -> DataFolder:
    folder = DataFolder(tmp_path)
    folder.logs.mkdir()
    return folder


@pytest.fixture
def supervisor(folder):
    supervisor = Supervisor(folder, first_pause=0.05)
    yield supervisor
    supervisor.stop()


def program(folder: DataFolder, script: str, name: str = "worker") -> Program:
    return Program(
        name=name,
        command=[sys.executable, "-c", script],
        environment=dict(os.environ),
        log=folder.logs / f"{name}.log",
        ladder=((signal.SIGTERM, 0.3), (signal.SIGKILL, 10)),
    )


def has_written(folder: DataFolder, word: str, name: str = "worker") -> bool:
    return word in (folder.logs / f"{name}.log").read_text()


def test_a_killed_process_is_started_again(supervisor, folder):
    supervisor.start(program(folder, PATIENT))
    first = supervisor.pid("worker")
    os.kill(first, signal.SIGKILL)
    until(
        lambda: (supervisor.watch(), supervisor.pid("worker") not in (None, first))[1], "it is started again"
    )


def test_one_that_dies_at_once_is_tried_again_after_growing_pauses(folder):
    supervisor = Supervisor(folder, first_pause=0.01)
    with capture_logs() as lines:
        supervisor.start(program(folder, "print('born', flush=True)"))
        log = folder.logs / "worker.log"
        until(
            lambda: (supervisor.watch(), log.read_text().count("born") == 4)[1],
            "it was tried three times more",
        )
        supervisor.stop()
    pauses = [line["restart_in_seconds"] for line in lines if line["event"] == "process_ended"]
    assert pauses[:3] == [0.01, 0.02, 0.04]


def test_the_first_pause_is_a_setting(folder, monkeypatch):
    monkeypatch.delenv("RUTTER_RESTART_PAUSE", raising=False)
    assert RUTTER_RESTART_PAUSE.read() == 0.5
    monkeypatch.setenv("RUTTER_RESTART_PAUSE", "2")
    assert RUTTER_RESTART_PAUSE.read() == 2
    for wrong in ("soon", "-1", "16", "nan"):
        monkeypatch.setenv("RUTTER_RESTART_PAUSE", wrong)
        with pytest.raises(WrongSetting, match="it takes seconds from 0 to 15"):
            Supervisor(folder)


def test_all_are_ended_together_the_deaf_one_by_force(supervisor, folder):
    supervisor.start(program(folder, PATIENT, "one"))
    supervisor.start(program(folder, STUBBORN, "two"))
    supervisor.start(program(folder, STUBBORN, "three"))
    for name in ("two", "three"):
        until(lambda name=name: has_written(folder, "deaf", name), f"{name} is deaf")
    pids = [supervisor.pid(name) for name in ("one", "two", "three")]
    supervisor.stop()
    assert not any(map(psutil.pid_exists, pids))
    assert folder.read(PidFile.FILE) == {}


def test_a_successor_ends_what_stands_in_the_roll(folder):
    child = ChildProcess(program(folder, STUBBORN))
    PidFile(folder).add(child)
    until(lambda: has_written(folder, "deaf"), "it is deaf")
    assert PidFile(folder).end_leftovers() == ["worker"]
    assert live_process(child.pid) is None
    until(lambda: not child.alive, "it is dead")


def test_a_process_id_that_was_used_again_is_left_alone(folder):
    """The roll names a process by its moment of birth too."""
    child = ChildProcess(program(folder, PATIENT))
    PidFile(folder).add(child)
    entry = folder.read(PidFile.FILE)["worker"]
    folder.write(PidFile.FILE, {"worker": {**entry, "born": entry["born"] - 1000}})
    assert PidFile(folder).end_leftovers() == []
    assert child.alive
    child.end()


PARENT = (
    "import signal, subprocess, sys\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])\n"
    "print('child', child.pid, flush=True)\n"
    "signal.pause()"
)


def child_of(folder: DataFolder, name: str = "worker") -> int:
    until(lambda: has_written(folder, "\n", name), "it names its child")
    return int((folder.logs / f"{name}.log").read_text().split()[1])


def test_what_a_killed_program_leaves_behind_is_ended_before_it_is_started_again(supervisor, folder):
    """The workers of a killed master would hold its port, and go on answering."""
    supervisor.start(program(folder, PARENT))
    orphan = child_of(folder)
    first = supervisor.pid("worker")
    os.kill(first, signal.SIGKILL)
    until(lambda: supervisor.pid("worker") is None, "it is dead")
    supervisor.watch()
    assert live_process(orphan) is None
    until(
        lambda: (supervisor.watch(), supervisor.pid("worker") not in (None, first))[1], "it is started again"
    )


def test_a_successor_ends_the_children_of_a_program_that_is_dead_itself(folder):
    """Only they are left of it: the roll names it, and their session has its id."""
    child = ChildProcess(program(folder, PARENT))
    PidFile(folder).add(child)
    orphan = child_of(folder)
    os.kill(child.pid, signal.SIGKILL)
    until(lambda: not child.alive, "it is dead")
    assert live_process(orphan) is not None
    assert PidFile(folder).end_leftovers() == ["worker"]
    assert live_process(orphan) is None


def test_a_successor_finds_by_their_mark_what_no_roll_names(folder, tmp_path_factory):
    """The roll may be lost, and a process may have begun a session of its own; another folder's stay."""
    ours = program(folder, PATIENT)
    theirs = DataFolder(tmp_path_factory.mktemp("theirs"))
    theirs.logs.mkdir()
    marked = [
        ChildProcess(replace(program(one, PATIENT), environment={**os.environ, MARK: str(one.path)}))
        for one in (folder, theirs)
    ]
    for one in (folder, theirs):
        until(lambda one=one: has_written(one, "working"), "it works")
    unmarked = ChildProcess(replace(ours, log=theirs.logs / "other.log"))
    assert PidFile(folder).end_leftovers() == ["1 processes without a name"]
    assert not marked[0].alive
    assert marked[1].alive
    assert unmarked.alive
    for child in (marked[1], unmarked):
        child.end()


TALKATIVE = (
    "import signal\n"
    "signal.signal(signal.SIGUSR1, lambda *_: print('x' * 11_000 + '\\n', end='', flush=True))\n"
    "print('ready\\n', end='', flush=True)\n"
    "while True: signal.pause()"
)
"""It writes whole lines at once: where nothing is buffered, `print` writes the end of a line by itself."""


def test_logs_stay_short_while_their_programs_run(folder):
    """The writer goes on in the same file; what it wrote before stands beside it."""
    child = ChildProcess(program(folder, TALKATIVE))
    log, aside = folder.logs / "worker.log", folder.logs / "worker.log.1"
    until(lambda: has_written(folder, "ready\n"), "it is ready")
    written = log.read_text()
    for _ in range(3):
        written += "x" * 11_000 + "\n"
        size = len(written)
        child.send(signal.SIGUSR1)
        until(lambda size=size: log.stat().st_size == size, "it has written")
        rotate_logs(folder.logs, largest=10_000)
        assert log.stat().st_size == 0
        assert aside.read_text() == written
        written = ""
    child.send(signal.SIGUSR1)
    until(lambda: log.stat().st_size == 11_001, "it has written")
    assert log.read_text().startswith("x")
    rotate_logs(folder.logs, largest=20_000)
    assert log.stat().st_size == 11_001
    child.end()


def test_a_long_log_is_put_aside_when_its_program_starts(folder, monkeypatch):
    monkeypatch.setattr("ops.runtime.processes.LARGEST_LOG", 10)
    (folder.logs / "worker.log").write_text("much too long")
    child = ChildProcess(program(folder, "print('new')"))
    until(lambda: not child.alive, "it has ended")
    assert (folder.logs / "worker.log").read_text() == "new\n"
    assert (folder.logs / "worker.log.1").read_text() == "much too long"


def test_a_json_file_that_was_cut_off_counts_as_missing(folder):
    (folder.path / "run.json").write_text('{"pid": 1')
    assert folder.read("run.json") == {}
