"""The reference in a real Chromium: drawn within the strict policy, tried, and with samples that run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.http_server import serving_files
from tests.installation import ROOT
from tests.tools import lack, need
from tests.waiting import PATIENCE
from tests.web.conftest import Visitor
from tests.web.table import Player, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

RUNNERS = {
    "curl": ["bash", "-c"],
    "Python": [sys.executable, "-c"],
    "JavaScript": ["node", "--input-type=module", "-e"],
}


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


@pytest.mark.whole
def test_an_operation_is_tried_with_a_token_and_its_samples_run(
    visitor: Visitor, live_server: LiveServer
) -> None:
    """The token goes into its field once; what comes back is what the service answers.

    Each sample runs as it stands; one test, as the reference takes long to draw.
    """
    player = Player(live_server.address, "Anna")
    page = visitor()
    block = opened(page, live_server, "me")
    page.get_by_role("button", name="Authorize").first.click()
    page.locator(".auth-container input").fill(player.token)
    page.locator(".auth-container button.authorize").click()
    page.get_by_role("button", name="Close").click()
    block.get_by_role("button", name="Try it out").click()
    block.get_by_role("button", name="Execute").click()
    expect(block.locator(".live-responses-table tbody .response-col_status").first).to_contain_text("200")
    expect(block.locator(".live-responses-table")).to_contain_text("Anna")
    each_sample_runs(opened(page, live_server, "create_game"), player)


def each_sample_runs(block: Any, player: Player) -> None:
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
        assert '"status":"running"' in done.stdout.replace(" ", ""), language
    assert len(seen) == len(RUNNERS)


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
