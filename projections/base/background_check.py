"""Checks that are made now and then, beside the requests: none of them waits longer than it likes.

A request that finds a look due starts it in a thread of its own. So what is slow to look at, because it may
be away, is looked at by one at a time. Where nobody asks, it is not looked at.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog

log = structlog.get_logger()


class BackgroundCheck:
    """The looks of one process at one thing.

    Args:
        name: of what is looked at, for our log.
        look: takes one look, and keeps what it finds. What it raises is noted, and what was known stays.
    """

    def __init__(self, name: str, look: Callable[[], None]) -> None:
        self._name = name
        self._look = look
        self._lock = threading.Lock()
        self._begun = float("-inf")
        self._thread: threading.Thread | None = None

    def mark_begun(self) -> None:
        """Note that a look begins now."""
        self._begun = time.monotonic()

    def start_if_due(self, every: float) -> None:
        """Begin another look where the last one began *every* seconds ago, and none is under way."""
        if time.monotonic() < self._begun + every:
            return
        with self._lock:
            if self._steps_under_way() or time.monotonic() < self._begun + every:
                return
            self.mark_begun()
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait for a look that is under way until *seconds* after its beginning.

        Returns True if it has ended.
        """
        thread = self._thread
        if thread is not None and thread.is_alive():
            thread.join(max(0.0, self._begun + seconds - time.monotonic()))
        return not self._steps_under_way()

    def is_overdue(self, seconds: float) -> bool:
        """Return True if a look has been under way for longer than *seconds*."""
        return self._steps_under_way() and time.monotonic() > self._begun + seconds

    def _steps_under_way(self) -> bool:
        thread = self._thread
        return thread is not None and thread.is_alive()

    def _run(self) -> None:
        try:
            self._look()
        except Exception as error:  # noqa: BLE001 - whatever a pool says that has no connection at present
            log.info("look_failed", of=self._name, error=type(error).__name__)
