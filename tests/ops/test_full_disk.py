"""A full disk: commands are refused in words, nothing dies, and play goes on when there is room again."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from ops.runtime.data_folder import BLOCK, DataFolder
from ops.runtime.log_files import rotate_logs
from tests.acceptance.table import Table
from tests.acceptance.up import RutterUp
from tests.waiting import until

pytestmark = pytest.mark.integration
MEBIBYTES = 260
"""Of the small disk: a new cluster takes about 80."""


@contextlib.contextmanager
def small_disk(mebibytes: int) -> Iterator[Path]:
    """A file system of its own with that much room, reachable by every user."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small file system")
    place = Path(tempfile.mkdtemp(prefix="rutter-disk-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=755", "rutter-test", str(place)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        place.rmdir()
        pytest.skip(f"no small file system can be mounted here: {mounted.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
        place.rmdir()


class Ballast:
    """A file that takes all room that is left on a disk."""

    def __init__(self, place: Path) -> None:
        self.path = place / "ballast"

    def fill(self) -> None:
        """Take what is free, to the last byte; may be called again."""
        with contextlib.suppress(OSError), self.path.open("ab", buffering=0) as handle:
            for size in (2**20, 4096, 1):
                with contextlib.suppress(OSError):
                    while handle.write(bytes(size)) == size:
                        pass

    def drop(self) -> None:
        """Give it all back."""
        self.path.unlink()


@pytest.fixture(scope="module")
def disk() -> Iterator[Path]:
    with small_disk(MEBIBYTES) as place:
        yield place


@pytest.fixture
def rutter(disk: Path) -> Iterator[RutterUp]:
    running = RutterUp(disk / "data")
    try:
        running.start()
        yield running
    finally:
        (disk / "ballast").unlink(missing_ok=True)
        running.discard()


@pytest.mark.slow
def test_a_full_disk_refuses_commands_and_kills_nothing(rutter, disk):
    """Commands get a 503 that says so, readiness turns false; with room again it plays on."""
    table = Table(rutter.address)
    for _ in range(5):
        assert table.plays()
    supervisor = rutter._process
    ballast = Ballast(disk)
    ballast.fill()
    assert not rutter.is_ready()

    refusals = []

    def is_refused() -> bool:
        ballast.fill()  # whatever a log was cut short by is taken too
        answer = table.offer()
        if answer is not None and answer.status != 200:
            assert answer.status == 503, answer.text
            assert answer.headers["retry-after"]
            refusals.append(answer.code)
        return "disk_full" in refusals

    until(is_refused, "a command is refused for want of room")
    assert set(refusals) <= {"disk_full", "unavailable"}
    for name in ("worker-ai", "api", "redis"):
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            os.kill(rutter.pid(name), signal.SIGKILL)
    until(lambda: table.offer() is not None, "the API is started again on a full disk")
    assert supervisor.poll() is None

    ballast.drop()
    until(rutter.is_ready, "it is ready again")
    until(table.plays, "play goes on")
    for _ in range(5):
        assert table.plays()
    table.check()
    assert supervisor.poll() is None
    assert rutter.stop() == 0


@pytest.mark.slow
def test_starting_on_a_full_disk_is_told_in_a_sentence(disk):
    """No traceback, and the folder can be used once there is room."""
    ballast = Ballast(disk)
    ballast.fill()
    try:
        with pytest.raises(AssertionError) as told:
            RutterUp(disk / "another").start()
        said = str(told.value)
        assert said.startswith("rutter: "), said
        assert "Traceback" not in said
    finally:
        ballast.drop()


def test_the_roll_is_kept_on_a_full_disk(disk):
    """It is written over in its place; what does not fit there is an error, and the old one stays."""
    folder = DataFolder(disk)
    folder.write("roll.json", {"api": {"pid": 1}})
    ballast = Ballast(disk)
    ballast.fill()
    try:
        folder.write("roll.json", {"api": {"pid": 22}, "redis": {"pid": 3}})
        assert folder.read("roll.json") == {"api": {"pid": 22}, "redis": {"pid": 3}}
        with pytest.raises(OSError, match="space") as full:
            folder.write("roll.json", {"much": "x" * 2 * BLOCK})
        assert full.value.errno == errno.ENOSPC
        assert folder.read("roll.json") == {"api": {"pid": 22}, "redis": {"pid": 3}}
        assert list(disk.glob(".roll.json*")) == []
    finally:
        ballast.drop()
        folder.remove("roll.json")


def test_where_there_is_no_room_for_a_copy_the_long_log_is_dropped(disk):
    """Room on the disk is worth more than old lines."""
    logs = disk / "logs"
    logs.mkdir()
    (logs / "api.log").write_text("much too long" * 1000)
    (logs / "api.log.1").write_text("old")
    ballast = Ballast(disk)
    ballast.fill()
    try:
        rotate_logs(logs, largest=5)
        assert (logs / "api.log").stat().st_size == 0
        assert not (logs / "api.log.1").exists()
        assert not (logs / "api.log.1.new").exists()
    finally:
        ballast.drop()
