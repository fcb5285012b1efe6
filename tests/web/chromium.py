"""The Chromium that visitors of the page come with; one that hangs when it is left is replaced.

A page has nearly a hundred files. A visitor after another with the same settings finds those files where
the other left them, and nothing else: the storage of each origin is emptied in between.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import threading
import warnings
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Frame, Page, Playwright

ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--renderer-process-limit=1",  # pages of a seat share one, which knows their scripts: a fifth less work
]
NAMES = (
    "chromium-headless-shell",  # draws a page like the others, without a window: a third less work
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
PATIENCE = 30.0
"""Seconds within which a page, and all that belongs to it, is closed; it says nothing about any page."""
STORAGE = "cookies,local_storage,indexeddb,cache_storage,service_workers"
"""What a visitor may leave with an origin beside its files."""


def find_chromium(bundled: str) -> str | None:
    """The browser to use: `CHROMIUM`, one of the system, or the one that playwright has installed."""
    found = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES), bundled]
    return next((path for path in found if path and Path(path).exists()), None)


class Seat:
    """A context in which one visitor after the other sits, with a page of its own that stays open."""

    def __init__(self, browser: Browser, settings: Mapping[str, Any]) -> None:
        self.browser, self.settings = browser, settings
        self.context = browser.new_context(**settings)
        self._own = self.context.new_page()
        self._wire = self.context.new_cdp_session(self._own)
        self._origins: set[str] = set()
        self.context.on("page", lambda page: page.on("framenavigated", self._note))

    def _note(self, frame: Frame) -> None:
        where = urlsplit(frame.url)
        if where.netloc:
            self._origins.add(f"{where.scheme}://{where.netloc}")

    def close(self) -> None:
        """Close all pages of the visitor, and forget all that any of them has stored."""
        for page in self.context.pages:
            if page is not self._own:
                page.close()
        for origin in self._origins:
            self._wire.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": STORAGE})
        self._origins.clear()


class Chromium:
    """A headless Chromium. One that hangs while it is left is ended, and the next visitor gets another."""

    def __init__(self, playwright: Playwright, path: str) -> None:
        self._playwright, self._path = playwright, path
        self._running: Browser | None = None
        self._pid = 0
        self._free: dict[str, list[Seat]] = defaultdict(list)

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

    def seat(self, settings: Mapping[str, Any]) -> Seat:
        """A seat with these settings that nobody sits in."""
        free = self._free[json.dumps(settings, sort_keys=True)]
        return free.pop() if free else Seat(self.browser, settings)

    def leave(self, *left: Seat) -> None:
        """Empty seats for the next visitors, within the same bound; a browser that was ended has none."""
        there = [each for each in left if each.browser is self._running]
        self._within_bound([each.close for each in there])
        for each in there if self._running is not None else ():
            self._free[json.dumps(each.settings, sort_keys=True)].append(each)

    def close(self, *left: Browser | BrowserContext | Page) -> None:
        """Close what a visitor leaves behind, within a bound.

        A browser that does not get it done says nothing about the page, which was judged before: it is ended,
        and that is told as a warning. Every other error is raised.
        """
        self._within_bound([each.close for each in left])

    def _within_bound(self, steps: list[Callable[[], None]]) -> None:
        ended = threading.Event()
        watch = threading.Timer(PATIENCE, self._end, [ended])
        watch.start()
        try:
            for step in steps:
                step()
        except Error:
            if not ended.is_set():
                raise
        finally:
            watch.cancel()
        if ended.is_set():
            self._running = None
            self._free.clear()
            warnings.warn(
                f"Chromium did not close a page within {PATIENCE:.0f} seconds and was ended.", stacklevel=1
            )

    def _end(self, ended: threading.Event) -> None:
        ended.set()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
