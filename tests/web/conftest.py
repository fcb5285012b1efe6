"""A real Chromium, visitors of the page, and a server of nothing but the page's files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[dev]'")
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect, sync_playwright

from tests.conftest import LiveServer
from tests.http_server import serving_files
from tests.settings import RUTTER_TEST_LATE
from tests.tools import HOW, lack
from tests.waiting import PATIENCE
from tests.web.chromium import Chromium, Seat, find_chromium
from tests.web.table import Player, dealt_as, late

SERVICE = Path(__file__).resolve().parents[2] / "service"
MS = 1000 * PATIENCE
"""Milliseconds that anything on a page may take."""
LATE = RUTTER_TEST_LATE.read()
"""Milliseconds that each request of a page waits: what passes by luck on a fast network then fails."""

expect.set_options(timeout=MS)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """A headless Chromium; without one the tests that need it are skipped."""
    with sync_playwright() as playwright:
        path = find_chromium(playwright.chromium.executable_path)
        if path is None:
            lack("chromium", HOW["chromium"])
        running = Chromium(playwright, path)
        yield running
        running.close(running.browser)


Visitor = Callable[..., Page]
USUAL = {"reduced_motion": "reduce", "service_workers": "block"}
DESK: ViewportSize = {"width": 1360, "height": 860}
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what needs the whole service to CI: one test a page is marked `whole`, the others are `slow`."""
    for item in items:
        served = item.path.parent == HERE and item.get_closest_marker("integration")
        if served and not item.get_closest_marker("whole"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def visitor(chromium: Chromium) -> Iterator[Visitor]:
    """`visitor(**settings)` opens a page without anything stored; no visitor may meet an error in a script.

    Nothing glides or fades for them, unless a test wishes so (`reduced_motion="no-preference"`), and no
    worker of the page stands before the network (`service_workers="allow"`). Files that
    an earlier visitor was given are still there, and lists that may be kept for a moment. For
    `visitor(first=True)` there are none, and that one may change what all pages of a context share.
    """
    contexts: list[BrowserContext] = []
    seats: list[Seat] = []
    errors: list[str] = []

    def context(settings: dict[str, Any], *, first: bool) -> BrowserContext:
        if first:
            contexts.append(chromium.browser.new_context(**settings))
            return contexts[-1]
        seats.append(chromium.seat(settings))
        return seats[-1].context

    def arrive(*, first: bool = False, viewport: ViewportSize | None = None, **settings: Any) -> Page:
        page = context({**USUAL, **settings}, first=first).new_page()
        page.set_default_timeout(MS)
        page.set_viewport_size(viewport or DESK)
        if LATE:
            page.add_init_script(late("/v1/", LATE))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: _note(message, errors))
        return page

    yield arrive
    chromium.leave(*seats)
    chromium.close(*contexts)
    assert errors == []


def _note(message: Any, errors: list[str]) -> None:
    """A refused command is no error of the page, though Chromium reports its status as one."""
    if message.type == "error" and "Failed to load resource" not in message.text:
        errors.append(message.text)


Ended = Callable[[str, int], tuple[Player, str]]


@pytest.fixture(scope="session")
def ended_game(live_server: LiveServer) -> Ended:
    """`ended_game(title, seats)`: its maker, and a game of bots that has come to its end.

    There is one of each kind for all tests, which look at it, and change nothing.
    """
    host = Player(live_server.address, "Host")
    made: dict[tuple[str, int], str] = {}

    def game(title: str, seats: int) -> tuple[Player, str]:
        if (title, seats) not in made:
            repeat = dealt_as(f"ended {title}")
            made[title, seats] = host.game(title, [{"bot": "random"}] * seats, repeat=repeat)
            host.until_ended(made[title, seats])
        return host, made[title, seats]

    return game


@pytest.fixture
def ended(ended_game: Ended) -> tuple[Player, str]:
    """Its maker, and a short game of bots that has come to its end."""
    return ended_game("example", 2)


@pytest.fixture(scope="session")
def files() -> Iterator[str]:
    """The address of a server of the page's files only, without any API behind it."""
    with serving_files(SERVICE) as address:
        yield f"{address}/static/"


@pytest.fixture
def workbench(chromium: Chromium, files: str) -> Iterator[Page]:
    """An empty page of the same origin as the modules, for looking at one of them alone.

    It finds the files of those before it, and nothing else of them.
    """
    seat = chromium.seat({})
    page = seat.context.new_page()
    page.set_default_timeout(MS)
    page.goto(files + "vendor/README.txt")  # any document of this origin will do
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    chromium.leave(seat)
    assert errors == []
