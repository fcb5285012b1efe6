"""The data folder: where it is, what lies in it, and that only one Rutter uses it at a time.

```
servers.json   ports and passwords of the embedded servers (0600), made once
run.json       while Rutter runs: its process, its addresses (0600)
roll.json      the processes it started, so that a successor can clear up after a killed one
rutter.lock    locked while Rutter runs
receipts/      what the service acknowledged to the demonstration's host
signing.key    the key that signs (0600)
archive/       the bundles of games that `rutter archive` moved out of the database
openapi.kept   the API's description, for the next start of the same program
postgres/ redis/ logs/
```
"""

import errno
import fcntl
import json
import os
import tempfile
from pathlib import Path
from typing import IO, Any

from events.base.settings import RUTTER_DATA
from ops.base.errors import OccupiedFolder, OpsError
from ops.runtime.identity import Identity

SERVICE_FILES = ("signing.key", "log.state", "openapi.kept")
"""The files that API and workers keep in the folder."""
BLOCK = 4096
DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT)
"""The error numbers of a write on a full disk, or beyond one's share of it."""


def default_data_folder() -> Path:
    """Return `RUTTER_DATA`, /var/lib/rutter for root, or the XDG data folder of an ordinary user.

    A user without a home that can be written to (as services often are) gets a private folder in /var/tmp.
    """
    if chosen := RUTTER_DATA.read():
        return chosen.absolute()
    if os.geteuid() == 0:
        return Path("/var/lib/rutter")
    home = Path(os.environ.get("XDG_DATA_HOME") or Path("~/.local/share").expanduser())
    if home.is_absolute() and _is_creatable(home):
        return home / "rutter"
    return Path(f"/var/tmp/rutter-{os.geteuid()}")  # noqa: S108 - created 0700, its owner is checked


def _is_creatable(folder: Path) -> bool:
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    return os.access(nearest, os.W_OK | os.X_OK)


class DataFolder:
    """The files of one data folder."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock: IO[str] | None = None

    @property
    def logs(self) -> Path:
        """The folder of the log files, one for each process."""
        return self.path / "logs"

    def prepare(self, user: Identity) -> None:
        """Make the folder, and check that the user of the embedded servers can reach it.

        Raises:
            OpsError: it cannot be made, belongs to another user, or lies behind a closed folder.
        """
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.logs.mkdir(mode=0o700, exist_ok=True)
        except OSError as problem:
            raise OpsError(
                f"The data folder {self.path} cannot be made: {problem.strerror}. Choose another with --data."
            ) from None
        if os.geteuid() not in (0, self.path.stat().st_uid):
            raise OpsError(
                f"The data folder {self.path} belongs to another user. Choose another with --data."
            )
        if not user.may_enter(self.path):
            self._open_for(user)

    def _open_for(self, user: Identity) -> None:
        # Our own folder may be passed through (its files stay private); those above it are not ours to open.
        self.path.chmod(0o711)
        if barrier := user.barrier(self.path):
            raise OpsError(
                "If root starts Rutter, Postgres and Redis run as the user 'nobody', who cannot pass "
                f"{barrier} to reach {self.path}. Choose another place with --data, such as /var/lib/rutter, "
                "or start Rutter as an ordinary user."
            )

    def share(self, user: Identity) -> None:
        """Let API and workers make files here (the signing key, what belongs to it), and touch no others'."""
        if user.uid is None or user.gid is None:
            return
        os.chown(self.path, -1, user.gid)
        self.path.chmod(0o1771)  # sticky: a file belongs to who made it
        for name in SERVICE_FILES:
            if (self.path / name).is_file():
                user.own(self.path / name)

    def lock(self) -> None:
        """Claim the folder until this process ends or calls `unlock`.

        The lock is the kernel's: it falls with its holder, however that dies.

        Raises:
            OccupiedFolder: another process holds it.
        """
        handle = (self.path / "rutter.lock").open("a")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            handle.close()
            raise OccupiedFolder(self._describe_holder()) from None
        self._lock = handle

    @property
    def is_ours(self) -> bool:
        """True if this object holds the lock."""
        return self._lock is not None

    def unlock(self) -> None:
        """Let the folder go."""
        if self._lock:
            self._lock.close()
            self._lock = None

    def is_in_use(self) -> bool:
        """Return True if a Rutter runs on this folder now."""
        if not (self.path / "rutter.lock").exists():
            return False
        with (self.path / "rutter.lock").open("a") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    def _describe_holder(self) -> str:
        run = self.read("run.json")
        who = f"process {run['pid']}" if "pid" in run else "a process that is just starting"
        where = f" at {run['address']}" if "address" in run else ""
        return (
            f"Rutter runs already on {self.path} ({who}{where}). "
            "Use it, stop it with Ctrl-C in its terminal, or choose another folder with --data."
        )

    def read(self, name: str) -> dict[str, Any]:
        """Return a JSON file of the folder; empty when it is missing or was cut off."""
        try:
            content = json.loads((self.path / name).read_text())
        except (FileNotFoundError, ValueError):
            return {}
        return content if isinstance(content, dict) else {}

    def write(self, name: str, content: dict[str, Any]) -> None:
        """Write a JSON file, private to its owner, in one step: a reader sees the old or the new one.

        On a full disk it is written over where it stands.

        Raises:
            OSError: there is no room for it.
        """
        text = json.dumps(content, indent=2)
        text += " " * (-len(text) % BLOCK)  # room to write it again in its place
        try:
            self._replace(name, text)
        except OSError as problem:
            if problem.errno not in DISK_FULL_ERRORS or not self._overwrite(name, text):
                raise

    def _replace(self, name: str, text: str) -> None:
        descriptor, temporary = tempfile.mkstemp(dir=self.path, prefix=f".{name}-")  # 0600
        try:
            with os.fdopen(descriptor, "w") as handle:
                handle.write(text)
                handle.flush()
                os.fsync(handle.fileno())
            Path(temporary).replace(self.path / name)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _overwrite(self, name: str, text: str) -> bool:
        """Write over the file, which needs no room on the disk; False where it is too short or missing."""
        path = self.path / name
        if not path.exists() or path.stat().st_size < len(text):
            return False
        with path.open("r+") as handle:
            handle.write(text)
            handle.truncate()
            handle.flush()
            os.fsync(handle.fileno())
        return True

    def remove(self, name: str) -> None:
        """Remove a file of the folder, if it is there."""
        (self.path / name).unlink(missing_ok=True)
