"""Free disk space of the log: on a full disk commands are refused, and nothing else stops."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

MIN_FREE_BYTES = 1024 * 1024
"""Bytes that must be free on the disk of an embedded Postgres."""
REFUSAL_SECONDS = 5.0
"""Seconds for which a reported full disk counts: of a database elsewhere nothing more is known."""


class DiskSpace:
    """The free disk space of the log, as far as one process knows it.

    Args:
        data: the data folder, in which the embedded Postgres lies if there is one.
    """

    def __init__(self, data: Path | None) -> None:
        self._cluster = data / "postgres" if data else None
        self._refused = -REFUSAL_SECONDS

    def report_full(self) -> None:
        """Record that the database has just reported a full disk."""
        self._refused = time.monotonic()

    def is_full(self) -> bool:
        """Return True if a command would be refused now because the disk is full."""
        if time.monotonic() - self._refused < REFUSAL_SECONDS:
            return True
        try:
            return self._cluster is not None and shutil.disk_usage(self._cluster).free < MIN_FREE_BYTES
        except OSError:  # no embedded Postgres
            return False
