"""The ladder of the bots on the page of a title, in a real Chromium."""

from __future__ import annotations

from typing import Any

import pytest
import requests
from playwright.sync_api import expect

from tests.conftest import LiveServer
from tests.waiting import PATIENCE
from tests.web.conftest import Visitor
from tests.web.table import enter
from tests.web.test_access import SCHEMES, WIDTHS, look_like, violations
from tests.web.test_tournament_page import DESKTOP, PHONE, no_overflow

pytestmark = [pytest.mark.browser, pytest.mark.integration]


@pytest.fixture
def told(live_server: LiveServer) -> dict[str, Any]:
    """The ladder of Colonial."""
    return requests.get(f"{live_server.address}/v1/titles/colonial/ladder", timeout=PATIENCE).json()


def test_a_title_shows_how_strong_its_bots_are(
    visitor: Visitor, live_server: LiveServer, told: dict[str, Any]
) -> None:
    """Each size of table, the strongest first: points, interval, games; below, who beat whom."""
    page = enter(visitor(viewport=DESKTOP), live_server.address, None, "titles/colonial")
    tables = page.locator("[data-part=ladder]")
    expect(tables).to_have_count(len(told["tables"]))
    for shown, table in zip(tables.all(), told["tables"], strict=True):
        expect(shown).to_have_attribute("data-seats", str(table["seats"]))
        rows = shown.locator("tr[data-level]")
        expect(rows).to_have_count(len(table["levels"]))
        for row, level in zip(rows.all(), reversed(table["levels"]), strict=True):
            expect(row).to_have_attribute("data-level", level["name"])
            expect(row).to_contain_text(f"version {level['version']}")
            expect(row.locator("[data-sentence]")).to_have_text(level["sentence"])
            told_of = [level["elo"], level["games"]]
            cells = row.locator("td.number")
            for n, number in zip((0, 2), told_of, strict=True):
                expect(cells.nth(n)).to_have_text(str(number))
            bounds = "fixed" if level["name"] == "random" else f"{level['low']} to {level['high']}"
            expect(cells.nth(1)).to_have_text(bounds)
        shown.locator("summary").click()
        pair = table["pairs"][0]
        expect(shown.locator("details tbody tr").first).to_contain_text(pair["challenger"])
        expect(shown.locator("details tbody tr")).to_have_count(len(table["pairs"]))
    page.goto(f"{live_server.address}/new?title=colonial")
    for table in told["tables"][:2]:
        page.get_by_role("button", name=str(table["seats"]), exact=True).click()
        page.locator("[name=seat-1]").select_option("bot steady")
        steady = [level for level in table["levels"] if level["name"] == "steady"][-1]
        expect(page.locator("[data-part=strength]")).to_contain_text(f"steady: {steady['sentence']}")
    page.get_by_role("button", name="6", exact=True).click()
    page.locator("[name=seat-1]").select_option("bot strong")
    expect(page.locator("[data-part=strength]")).to_contain_text("strong: Not measured for 6 seats.")
    page.go_back()
    expect(page.locator("[data-part=ladder]").first).to_be_visible()
    no_overflow(page)
    page.set_viewport_size(PHONE)
    no_overflow(page)


def test_a_title_that_nobody_measured_says_so_and_shows_the_ratings_of_bots_against_people(
    visitor: Visitor, live_server: LiveServer
) -> None:
    """A sentence in place of tables; ratings as the server tells them, and nothing where no game counts."""
    page = visitor(first=True, viewport=DESKTOP)
    known = {"bot": "steady", "version": 2, "seats": "3-4", "rating": 1432, "deviation": 90, "games": 7}
    told = {"title": "example", "bots": [{**known, "provisional": True}]}
    page.route("**/v1/titles/example/ratings", lambda route: route.fulfill(json=told))
    enter(page, live_server.address, None, "titles/example")
    shown = page.locator("[data-part=bot-ratings]")
    expect(shown).to_contain_text("1432 ± 180?")
    page.unroute("**/v1/titles/example/ratings")
    page.reload()
    expect(page.locator("[data-part=ladder]")).to_contain_text("not been measured yet")
    expect(shown).to_have_count(0)


def test_axe_finds_nothing(visitor: Visitor, live_server: LiveServer, told: dict[str, Any]) -> None:
    """By day and by night, with the first table open; the others are alike, as is the rest of the page."""
    page = enter(visitor(), live_server.address, None, "titles/colonial")
    expect(page.locator("[data-part=ladder]")).to_have_count(len(told["tables"]))
    page.locator("[data-part=ladder] summary").first.click()
    for scheme in SCHEMES:
        look_like(page, scheme, WIDTHS[0])
        assert violations(page, "[data-part=ladder]") == [], scheme
