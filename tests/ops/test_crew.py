"""The processes beside the servers: kept at work, ended together, never forgotten."""

import os
import signal
import sys
import time
from dataclasses import replace

import psutil
import pytest

from ops import crew as crew_module
from ops.crew import Crew
from ops.data_folder import DataFolder
from ops.logs import shorten_logs
from ops.processes import MARK, Child, Program, Roll, live_process

PATIENT = "import time; print('working', flush=True); time.sleep(60)"
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); "
STUBBORN = DEAF + "import time; time.sleep(60)"


@pytest.fixture
def folder(tmp_path) -> DataFolder:
    folder = DataFolder(tmp_path)
    folder.logs.mkdir()
    return folder


@pytest.fixture
def crew(folder, monkeypatch):
    monkeypatch.setattr(crew_module, "FIRST_PAUSE", 0.05)
    crew = Crew(folder)
    yield crew
    crew.stop()


def program(folder: DataFolder, script: str, name: str = "worker", seconds: float = 0.3) -> Program:
    return Program(
        name=name,
        command=[sys.executable, "-c", script],
        environment=dict(os.environ),
        log=folder.logs / f"{name}.log",
        ladder=((signal.SIGTERM, seconds), (signal.SIGKILL, 5)),
    )


def wait_for(condition, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def has_written(folder: DataFolder, word: str, name: str = "worker") -> bool:
    return word in (folder.logs / f"{name}.log").read_text()


def test_a_killed_process_is_started_again(crew, folder):
    crew.start(program(folder, PATIENT))
    first = crew.pid("worker")
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: (crew.watch(), crew.pid("worker") not in (None, first))[1])


def test_one_that_dies_at_once_is_tried_again_after_growing_pauses(crew, folder):
    crew.start(program(folder, "print('born', flush=True)"))
    started = time.monotonic()
    wait_for(lambda: (crew.watch(), (folder.logs / "worker.log").read_text().count("born") == 4)[1])
    assert time.monotonic() - started > 3 * 0.05


def test_all_are_ended_together_the_deaf_one_by_force(crew, folder):
    crew.start(program(folder, PATIENT, "one"))
    crew.start(program(folder, STUBBORN, "two"))
    crew.start(program(folder, STUBBORN, "three"))
    wait_for(lambda: has_written(folder, "deaf", "two") and has_written(folder, "deaf", "three"))
    pids = [crew.pid(name) for name in ("one", "two", "three")]
    crew.stop()
    assert not any(map(psutil.pid_exists, pids))
    assert folder.read(Roll.FILE) == {}


def test_a_successor_ends_what_stands_in_the_roll(folder):
    child = Child(program(folder, STUBBORN))
    Roll(folder).enter(child)
    wait_for(lambda: has_written(folder, "deaf"))
    assert Roll(folder).clear_up() == ["worker"]
    assert live_process(child.pid) is None
    child.wait(5)


def test_a_process_id_that_was_used_again_is_left_alone(folder):
    """The roll names a process by its moment of birth too."""
    child = Child(program(folder, PATIENT))
    Roll(folder).enter(child)
    entry = folder.read(Roll.FILE)["worker"]
    folder.write(Roll.FILE, {"worker": {**entry, "born": entry["born"] - 1000}})
    assert Roll(folder).clear_up() == []
    assert child.alive
    child.end()


PARENT = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    "print('child', child.pid, flush=True)\n"
    "time.sleep(60)"
)


def child_of(folder: DataFolder, name: str = "worker") -> int:
    wait_for(lambda: has_written(folder, "\n", name))
    return int((folder.logs / f"{name}.log").read_text().split()[1])


def test_what_a_killed_program_leaves_behind_is_ended_before_it_is_started_again(crew, folder):
    """The workers of a killed master would hold its port, and go on answering."""
    crew.start(program(folder, PARENT))
    orphan = child_of(folder)
    first = crew.pid("worker")
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: crew.pid("worker") is None)
    crew.watch()
    assert live_process(orphan) is None
    wait_for(lambda: (crew.watch(), crew.pid("worker") not in (None, first))[1])


def test_a_successor_ends_the_children_of_a_program_that_is_dead_itself(folder):
    """Only they are left of it: the roll names it, and their session has its id."""
    child = Child(program(folder, PARENT))
    Roll(folder).enter(child)
    orphan = child_of(folder)
    os.kill(child.pid, signal.SIGKILL)
    child.wait(5)
    assert live_process(orphan) is not None
    assert Roll(folder).clear_up() == ["worker"]
    assert live_process(orphan) is None


def test_a_successor_finds_by_their_mark_what_no_roll_names(folder, tmp_path_factory):
    """The roll may be lost, and a process may have begun a session of its own; another folder's stay."""
    ours = program(folder, PATIENT)
    theirs = DataFolder(tmp_path_factory.mktemp("theirs"))
    theirs.logs.mkdir()
    marked = [
        Child(replace(program(one, PATIENT), environment={**os.environ, MARK: str(one.path)}))
        for one in (folder, theirs)
    ]
    wait_for(lambda: has_written(folder, "working") and has_written(theirs, "working"))
    unmarked = Child(replace(ours, log=theirs.logs / "other.log"))
    assert Roll(folder).clear_up() == ["1 processes without a name"]
    assert not marked[0].alive
    assert marked[1].alive
    assert unmarked.alive
    for child in (marked[1], unmarked):
        child.end()


TALKATIVE = "import time\nwhile True: print('x' * 99, flush=True); time.sleep(0.0005)"


def test_logs_stay_short_while_they_are_written(folder):
    """The writer goes on in the same file; what it wrote before stands beside it."""
    child = Child(program(folder, TALKATIVE))
    log, aside = folder.logs / "worker.log", folder.logs / "worker.log.1"
    for _ in range(3):
        wait_for(lambda: log.stat().st_size > 10_000)
        shorten_logs(folder.logs, largest=10_000)
        assert log.stat().st_size < 10_000
        assert aside.stat().st_size > 10_000
    wait_for(lambda: log.stat().st_size > 0)
    assert log.read_text().startswith("x")
    child.end()


def test_a_long_log_is_put_aside_when_its_program_starts(folder, monkeypatch):
    monkeypatch.setattr("ops.processes.LARGEST_LOG", 10)
    (folder.logs / "worker.log").write_text("much too long")
    Child(program(folder, "print('new')")).wait(10)
    assert (folder.logs / "worker.log").read_text() == "new\n"
    assert (folder.logs / "worker.log.1").read_text() == "much too long"


def test_a_json_file_that_was_cut_off_counts_as_missing(folder):
    (folder.path / "run.json").write_text('{"pid": 1')
    assert folder.read("run.json") == {}
