"""The folder of the API's figures goes with the service, and a later start removes one that was left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ops.runtime import metrics_folder
from ops.runtime.data_folder import DataFolder
from ops.runtime.metrics_folder import MetricsFolder
from ops.runtime.supervisor import Supervisor
from tests.conftest import ROOT

HOLDER = (
    "import signal, sys\n"
    "from pathlib import Path\n"
    "from ops.runtime.metrics_folder import MetricsFolder\n"
    "folder = MetricsFolder(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    "print(folder.path, flush=True)\n"
    "signal.pause()"
)
PREFIX = f"rutter-{os.geteuid()}-"


@contextmanager
def holding(data: Path, memory: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Run a service's supervisor as far as this folder goes; the process, and what it made."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(data), str(memory)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process, Path(process.stdout.readline().strip())
        finally:
            process.kill()


@pytest.fixture
def memory(tmp_path) -> Path:
    (tmp_path / "memory").mkdir()
    return tmp_path / "memory"


def test_a_stop_leaves_no_folder(tmp_path, memory, monkeypatch):
    """The supervisor removes it when the last process is gone, and only once."""
    monkeypatch.setattr(metrics_folder, "SHARED_MEMORY", memory)
    supervisor = Supervisor(DataFolder(tmp_path))
    made = MetricsFolder(tmp_path)
    supervisor.call_when_stopped(made.remove)
    (made.path / "counter_1.db").write_bytes(b"1")
    assert made.path.parent == memory
    supervisor.stop()
    assert list(memory.iterdir()) == []
    supervisor.stop()


def test_the_next_start_removes_what_a_killed_service_left(tmp_path, memory):
    """It may be of another data folder; while its service lives the folder stays."""
    with holding(tmp_path / "one", memory) as (process, left):
        (left / "counter_1.db").write_bytes(b"1")
        second = MetricsFolder(tmp_path / "two", memory)
        assert (left / "counter_1.db").exists()
        process.send_signal(signal.SIGKILL)
        process.wait()
    third = MetricsFolder(tmp_path / "three", memory)
    assert sorted(memory.iterdir()) == sorted([second.path, third.path])
    for made in (second, third):
        made.remove()
    assert list(memory.iterdir()) == []


def test_a_folder_without_a_lock_stays_while_a_process_counts_in_it(tmp_path, memory):
    """Workers outlive a killed service for a moment, and earlier versions lock nothing."""
    used = memory / f"{PREFIX}used"
    used.mkdir()
    surroundings = {**os.environ, metrics_folder.VARIABLE: str(used)}
    script = "import signal; print('here', flush=True); signal.pause()"
    with subprocess.Popen(
        [sys.executable, "-c", script], env=surroundings, stdout=subprocess.PIPE
    ) as counting:
        counting.stdout.readline()
        MetricsFolder(tmp_path / "one", memory).remove()
        assert used.exists()
        counting.kill()
    MetricsFolder(tmp_path / "two", memory).remove()
    assert not used.exists()


def test_what_others_put_into_shared_memory_is_left_alone(tmp_path, memory):
    """That is other names, other users' folders, files, and links that lead elsewhere."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("kept")
    (memory / f"{PREFIX}link").symlink_to(elsewhere)
    (memory / f"{PREFIX}file").write_text("kept")
    (memory / f"rutter-{os.geteuid() + 1}-left").mkdir()
    (memory / "rutter-tests-left").mkdir()
    before = sorted(memory.iterdir())
    MetricsFolder(tmp_path / "one", memory).remove()
    assert sorted(memory.iterdir()) == before
    assert (elsewhere / "kept").exists()


def test_where_memory_has_no_room_it_lies_in_the_data_folder(tmp_path):
    made = MetricsFolder(tmp_path, tmp_path / "missing")
    assert made.path == tmp_path / "metrics"
    made.remove()
    assert not made.path.exists()


def test_a_folder_that_is_removed_before_it_is_locked_is_made_again(tmp_path, memory, monkeypatch):
    """Another start, clearing up, may take it for one that was left."""
    lock, calls = metrics_folder._lock, []

    def lose_the_first(path: Path) -> int | None:
        calls.append(path)
        if len(calls) == 1:
            path.rmdir()
        return lock(path)

    monkeypatch.setattr(metrics_folder, "_lock", lose_the_first)
    made = MetricsFolder(tmp_path, memory)
    assert made.path.parent == memory
    assert made.path.is_dir()
    assert len(calls) == 2
    made.remove()
