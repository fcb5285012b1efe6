"""The documentation in a real Chromium: searched, seen by all, and the API tried as the policy allows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.conftest import LiveServer
from tests.http_server import serving_files
from tests.installation import ROOT
from tests.tools import lack, need
from tests.waiting import PATIENCE
from tests.web.conftest import Visitor
from tests.web.table import Player, rendered
from tests.web.test_access import LOOKED_AT, look_like, violations

pytestmark = [pytest.mark.browser, pytest.mark.integration]

RUNNERS = {
    "curl": ["bash", "-c"],
    "Python": [sys.executable, "-c"],
    "JavaScript": ["node", "--input-type=module", "-e"],
}


TRIED = ("me", "create_club")
"""Operations that are tried. The page draws these alone, as all of them take half a minute; a campaign draws
all, and runs the samples of the largest."""


def shorten(description: dict[str, Any]) -> dict[str, Any]:
    """Return a description of the operations that are tried, with the components that they lead to."""
    paths = {}
    for path, methods in description["paths"].items():
        kept = {name: one for name, one in methods.items() if name == "parameters" or is_tried(one)}
        if kept.keys() - {"parameters"}:
            paths[path] = kept
    components: dict[str, dict[str, Any]] = {"securitySchemes": description["components"]["securitySchemes"]}
    waiting = [paths]
    while waiting:
        for kind, name in re.findall(r'"#/components/(\w+)/([^"]+)"', json.dumps(waiting.pop())):
            found = components.setdefault(kind, {})
            if name not in found:
                found[name] = description["components"][kind][name]
                waiting.append(found[name])
    return {**description, "paths": paths, "components": components}


def is_tried(operation: dict[str, Any]) -> bool:
    """Return True for an operation that is tried."""
    return operation["operationId"] in TRIED


def show_few(page: Page) -> None:
    """Let the page hear of the operations that are tried, as the service describes them, and of no others."""

    def answer(route: Route) -> None:
        told = route.fetch()
        route.fulfill(response=told, json=shorten(told.json()))

    page.route("**/openapi.json", answer)


def opened(page: Page, live_server: LiveServer, operation: str) -> Any:
    """The reference, with one operation of it open."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    if not page.url.endswith("/docs/api"):
        page.goto(f"{live_server.address}/docs/api")
    block = page.locator(f"[id$='-{operation}']")
    block.locator(".opblock-summary-control").click()
    expect(block.get_by_text("Samples")).to_be_visible()
    assert all(url.startswith((live_server.address, "data:", "blob:")) for url in asked), asked
    return block


def test_an_operation_is_tried_with_a_token_and_its_samples_run(
    visitor: Visitor, live_server: LiveServer
) -> None:
    """The token goes into its field once; what comes back is what the service answers.

    Each sample runs as it stands.
    """
    page = visitor()
    show_few(page)
    is_tried_and_its_samples_run(page, live_server, "create_club", '"members":1')


def is_tried_and_its_samples_run(page: Page, live_server: LiveServer, operation: str, told: str) -> None:
    """With a new account; each sample of the *operation* prints what is *told* in its answer."""
    player = Player(live_server.address, "Anna")
    block = opened(page, live_server, "me")
    page.get_by_role("button", name="Authorize").first.click()
    page.locator(".auth-container input").fill(player.token)
    page.locator(".auth-container button.authorize").click()
    page.get_by_role("button", name="Close").click()
    block.get_by_role("button", name="Try it out").click()
    block.get_by_role("button", name="Execute").click()
    expect(block.locator(".live-responses-table tbody .response-col_status").first).to_contain_text("200")
    expect(block.locator(".live-responses-table")).to_contain_text("Anna")
    each_sample_runs(opened(page, live_server, operation), player, told)


def each_sample_runs(block: Any, player: Player, told: str) -> None:
    """In a shell, in Python and in JavaScript, copied as it stands."""
    need("node")
    if not shutil.which("curl"):
        lack("curl", "apt-get install curl")
    sample, seen = block.locator(".samples code"), set()
    for language, runner in RUNNERS.items():
        block.get_by_role("button", name=language, exact=True).click()
        rendered(block.page)
        text = sample.inner_text()
        seen.add(text)
        done = subprocess.run(
            [*runner, text],
            env={**os.environ, "TOKEN": player.token, "NO_PROXY": "*"},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, (language, done.stderr)
        assert told in done.stdout.replace(" ", ""), (language, done.stdout)
    assert len(seen) == len(RUNNERS)


@pytest.mark.whole
def test_pages_are_searched_by_keyboard(visitor: Visitor, live_server: LiveServer) -> None:
    """A slash leads to the field, arrows through what is found, Escape back; Enter to a heading."""
    page = visitor()
    page.goto(f"{live_server.address}/docs")
    page.keyboard.press("/")
    search = page.get_by_role("searchbox", name="Search")
    expect(search).to_be_focused()
    page.keyboard.type("too_many_requests")
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^[1-9]\d* found$"))
    first = page.locator("#found a").first
    expect(first).to_contain_text("too_many_requests")
    page.keyboard.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("Escape")
    expect(search).to_be_focused()
    expect(page.locator("#found")).to_be_hidden()
    page.keyboard.type(" ")
    expect(first).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs/reference/errors#too_many_requests")
    expect(page.locator("[id=too_many_requests]")).to_be_in_viewport()


@pytest.mark.parametrize(
    ("name", "looks"),
    [("", LOOKED_AT), ("/build/streams", LOOKED_AT[-1:])],
    ids=["front", "streams"],
)
def test_pages_hold_the_rules_of_access(
    visitor: Visitor, live_server: LiveServer, name: str, looks: list[tuple[str, tuple[int, int]]]
) -> None:
    """By day, by night and in the colours of the system; none is too wide.

    One with much code in one of them; that one and the longest in all of them in tests/campaigns/web.
    """
    page = visitor()
    page.goto(f"{live_server.address}/docs{name}")
    for scheme, size in looks:
        look_like(page, scheme, size)
        assert violations(page) == [], (scheme, size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_navigation_is_folded_on_a_phone(visitor: Visitor, live_server: LiveServer) -> None:
    page = visitor(viewport={"width": 390, "height": 844})
    page.goto(f"{live_server.address}/docs/build/streams")
    link = page.get_by_role("navigation", name="Documentation").get_by_role("link", name="Webhooks")
    expect(link).to_be_hidden()
    page.get_by_text("Contents", exact=True).click()
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Webhooks")


def test_the_page_of_games_leads_to_the_documentation(visitor: Visitor, live_server: LiveServer) -> None:
    page = visitor()
    page.goto(live_server.address)
    page.get_by_role("link", name="Docs", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rutter documentation")


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The example page on an origin of its own."""
    with serving_files(ROOT / "ops/examples") as address:
        yield f"{address}/elsewhere.html"


def test_a_page_on_another_origin_plays(visitor: Visitor, live_server: LiveServer, elsewhere: str) -> None:
    page = visitor()
    page.goto(f"{elsewhere}?address={live_server.address}")
    button = page.locator("#legal button").first
    expect(button).to_be_visible()
    before = page.locator("#turn").inner_text()
    button.click()
    expect(page.locator("#turn")).not_to_have_text(before)
