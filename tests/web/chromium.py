"""The Chromium that visitors of the page come with; one that hangs when it is left is replaced."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import threading
import warnings
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright

ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
NAMES = (
    "chromium-headless-shell",  # draws a page like the others, without a window: a third less work
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
PATIENCE = 30.0
"""Seconds within which a page, and all that belongs to it, is closed; it says nothing about any page."""


def find_chromium(bundled: str) -> str | None:
    """The browser to use: `CHROMIUM`, one of the system, or the one that playwright has installed."""
    found = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES), bundled]
    return next((path for path in found if path and Path(path).exists()), None)


class Chromium:
    """A headless Chromium. One that hangs while it is left is ended, and the next visitor gets another."""

    def __init__(self, playwright: Playwright, path: str) -> None:
        self._playwright, self._path = playwright, path
        self._running: Browser | None = None
        self._pid = 0

    @property
    def browser(self) -> Browser:
        """The one that runs; started if there is none."""
        if self._running is None:
            self._running = self._playwright.chromium.launch(executable_path=self._path, args=ARGS)
            wire = self._running.new_browser_cdp_session()
            processes = wire.send("SystemInfo.getProcessInfo")["processInfo"]
            self._pid = next(each["id"] for each in processes if each["type"] == "browser")
            wire.detach()
        return self._running

    def close(self, *left: Browser | BrowserContext | Page) -> None:
        """Close what a visitor leaves behind, within a bound.

        A browser that does not get it done says nothing about the page, which was judged before: it is ended,
        and that is told as a warning. Every other error is raised.
        """
        ended = threading.Event()
        watch = threading.Timer(PATIENCE, self._end, [ended])
        watch.start()
        try:
            for each in left:
                each.close()
        except Error:
            if not ended.is_set():
                raise
        finally:
            watch.cancel()
        if ended.is_set():
            self._running = None
            warnings.warn(
                f"Chromium did not close a page within {PATIENCE:.0f} seconds and was ended.", stacklevel=1
            )

    def _end(self, ended: threading.Event) -> None:
        ended.set()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
