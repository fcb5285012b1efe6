"""The processes beside the servers: kept at work, ended together, never forgotten."""

import os
import signal
import sys
import time

import psutil
import pytest

from ops import crew as crew_module
from ops.crew import Crew
from ops.data_folder import DataFolder
from ops.processes import Child, Program, Roll, live_process

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


def test_a_long_log_is_put_aside_when_its_program_starts(folder, monkeypatch):
    monkeypatch.setattr("ops.processes.LARGEST_LOG", 10)
    (folder.logs / "worker.log").write_text("much too long")
    Child(program(folder, "print('new')")).wait(10)
    assert (folder.logs / "worker.log").read_text() == "new\n"
    assert (folder.logs / "worker.log.1").read_text() == "much too long"


def test_a_json_file_that_was_cut_off_counts_as_missing(folder):
    (folder.path / "run.json").write_text('{"pid": 1')
    assert folder.read("run.json") == {}
