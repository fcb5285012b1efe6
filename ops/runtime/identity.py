"""The users that the processes run as.

Postgres refuses to run as root. When root starts Rutter, Postgres and Redis run as `nobody`, and whatever
they read or write has to be where `nobody` may go. API and workers run as a third user, who can read neither
what is root's nor what is the servers', if there is one who can read the program. No permission of a folder
above our own is ever widened.
"""

import contextlib
import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ops.base.errors import OpsError

DATABASE_USER = "nobody"
SERVICE_USERS = ("rutter", "www-data", "daemon")
"""Users for API and workers, the first that there is; to give Rutter a user of its own, make `rutter`."""


@dataclass(frozen=True)
class Identity:
    """A user to run a program as; `uid` and `gid` are None for "as we are"."""

    uid: int | None = None
    gid: int | None = None

    def popen_arguments(self) -> dict[str, Any]:
        """Return the arguments of `subprocess.Popen` that make the program run as this user."""
        if self.uid is None:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, path: Path) -> None:
        """Give a file or folder to this user."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)

    def may_enter(self, folder: Path) -> bool:
        """Return True if this user gets into a folder, through every folder above it."""
        return self.barrier(folder) is None

    def barrier(self, folder: Path) -> Path | None:
        """Return the outermost folder on the way that this user cannot pass, or None."""
        if self.uid is None:
            return None
        way = [*reversed(folder.resolve().parents), folder.resolve()]
        return next((step for step in way if step.exists() and not self._may_pass(step)), None)

    def _may_pass(self, folder: Path) -> bool:
        status = folder.stat()
        if status.st_uid == self.uid:
            return bool(status.st_mode & stat.S_IXUSR)
        if status.st_gid == self.gid:
            return bool(status.st_mode & stat.S_IXGRP)
        return bool(status.st_mode & stat.S_IXOTH)


def service_identity() -> Identity:
    """Return the user of API and workers: our own, or under root the first of :data:`SERVICE_USERS`."""
    if os.geteuid() != 0:
        return Identity()
    for name in SERVICE_USERS:
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return Identity(entry.pw_uid, entry.pw_gid)
    return Identity()


def server_identity() -> Identity:
    """Return the user of the embedded servers: the current one, or `nobody` for root.

    Raises:
        OpsError: we are root and the system knows no user `nobody`.
    """
    if os.geteuid() != 0:
        return Identity()
    try:
        entry = pwd.getpwnam(DATABASE_USER)
    except KeyError:
        raise OpsError(
            f"Postgres cannot run as root, and there is no user {DATABASE_USER!r} to run it. "
            "Start Rutter as an ordinary user, or set DATABASE_URL and REDIS_URL."
        ) from None
    return Identity(entry.pw_uid, entry.pw_gid)
