"""The folder in which the API's processes count: in memory, and gone with the service.

A service that is killed cannot remove its own. The kernel drops the lock on it then, so the next service of
the same user, of any installation, sees that nobody counts there and removes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

import psutil
import structlog

from ops.base.errors import OpsError

log = structlog.get_logger()

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder made there is ours alone, and new
VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder to a process."""
ATTEMPTS = 5
"""Number of times that a folder is made which another start, clearing up, takes for a left one."""


class MetricsFolder:
    """An empty folder, locked until it is removed or this process ends.

    The files are mapped into memory, where a full disk would kill the process that counts. So they lie in
    memory outright where the system has a place for that.
    """

    def __init__(self, data: Path, memory: Path | None = None) -> None:
        """Remove what killed services left in *memory*, and make a folder there, or else in *data*.

        Raises:
            OpsError: it can be made in neither.
        """
        memory = memory or SHARED_MEMORY
        prefix = f"rutter-{os.geteuid()}-"
        remove_left_folders(memory, prefix)
        name = prefix + hashlib.sha256(str(data).encode()).hexdigest()[:16]
        for path in (memory / name, data / "metrics"):
            with contextlib.suppress(OSError):
                self._lock = _make_locked(path)
                self.path = path
                return
        raise OpsError(f"A folder cannot be made in {data}. Make room there, or change its owner.")

    def remove(self) -> None:
        """Remove the folder with all that was counted; called when no process counts any more."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def remove_left_folders(memory: Path, prefix: str) -> None:
    """Remove the folders in *memory* whose names begin so, where no process lives that counts in them."""
    with contextlib.ExitStack() as locked:
        left = [path for path in memory.glob(f"{prefix}*") if locked.enter_context(_try_lock(path))]
        if not left:
            return
        used = _list_named_folders()
        for path in left:
            if str(path) not in used:
                shutil.rmtree(path, ignore_errors=True)
                log.info("metrics_removed", folder=str(path))


def _make_locked(path: Path) -> int:
    """Return the lock on a new and empty folder. OSError where it cannot be made."""
    for _ in range(ATTEMPTS):
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(mode=0o700)
        lock = _lock(path)
        if lock is not None:
            return lock
    raise FileNotFoundError(f"{path} is removed again and again")


@contextlib.contextmanager
def _try_lock(path: Path) -> Iterator[bool]:
    """Hold the lock on a folder; yields False where another process does."""
    lock = _lock(path)
    try:
        yield lock is not None
    finally:
        if lock is not None:
            os.close(lock)


def _lock(path: Path) -> int | None:
    """Return the lock on a folder; None where another process has it, or the folder is gone meanwhile."""
    with contextlib.suppress(OSError):
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(lock), path.lstat()):
                return lock
        os.close(lock)
    return None


def _list_named_folders() -> Collection[str]:
    """Return the folders that processes of this machine were started to count in.

    Workers of a killed service may live on for a moment, and earlier versions lock nothing.
    """
    found = set()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            found.add(process.environ().get(VARIABLE, ""))
    return found
