"""Whether the log has room to grow: a full disk refuses commands, and kills nothing."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

MIN_FREE_BYTES = 1024 * 1024
"""Bytes that must be free where the log of an embedded Postgres lies."""
REFUSAL_SECONDS = 5.0
"""Seconds for which a refusal of the database counts: where the log lies elsewhere we know no more."""


class DiskSpace:
    """What one process knows of the room that the log has.

    Args:
        data: the data folder, in which the embedded Postgres lies if there is one.
    """

    def __init__(self, data: Path | None) -> None:
        self._cluster = data / "postgres" if data else None
        self._refused = -REFUSAL_SECONDS

    def report_full(self) -> None:
        """The database has just said that its disk is full."""
        self._refused = time.monotonic()

    def is_full(self) -> bool:
        """Whether a command would be refused now for want of room."""
        if time.monotonic() - self._refused < REFUSAL_SECONDS:
            return True
        try:
            return self._cluster is not None and shutil.disk_usage(self._cluster).free < MIN_FREE_BYTES
        except OSError:  # no embedded Postgres
            return False
