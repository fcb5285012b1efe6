"""What people are called and write, in a real Chromium: it turns no line round and bursts no page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Player, enter
from tests.web.tournament import Event

pytestmark = [pytest.mark.browser, pytest.mark.integration]

PHONE = {"width": 390, "height": 844}
NAME, OTHER = "אברהם 3", "Wolfeschlegelsteinhausenbergerdorffxyzqw"
TITLE, TOLD = "Long" * 24, "Unbroken" * 60
LOOSE = """words => {
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const at = texts.currentNode, kept = at.parentElement.closest("bdi, option, script, title, textarea");
    if (!words.some((word) => at.data.includes(word))) continue;
    const breaks = kept?.tagName !== "BDI" || getComputedStyle(kept).overflowWrap === "anywhere";
    if (!kept || !breaks) found.push(at.data);
  }
  return found;
}"""
"""Finds the words of people that do not stand in an element of their own."""


def check(page: Page, *seen: str) -> None:
    """The page shows these words, each on its own, and is no wider than its window."""
    for word in seen:
        expect(page.locator("bdi", has_text=word).first).to_be_attached()
    assert page.evaluate(LOOSE, [NAME, OTHER, TITLE, TOLD]) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.whole
def test_words_of_people_keep_to_themselves(visitor: Visitor, live_server: LiveServer) -> None:
    olga, bob = Player(live_server.address, NAME), Player(live_server.address, OTHER)
    carol = Player(live_server.address, "Carol")
    event = Event(carol, [olga, bob], name=TITLE, description=TOLD)
    event.begin()
    event.do("raise_dispute", bob, text=TOLD, table=1, round=1)
    event.do("rule", kind="conduct", effects=[{"warn": {"entrant": "e1"}}], text=TOLD)
    page = enter(visitor(viewport=PHONE), live_server.address, carol, f"t/{event.id}")
    check(page, TITLE, TOLD, NAME, OTHER)
    for view, shown in (("rounds", NAME), ("entrants", OTHER), ("rulings", TOLD), ("log", OTHER)):
        page.locator(f"[data-part=tab][data-tab={view}]").click()
        check(page, shown)
    page.goto(f"{live_server.address}/t")
    check(page, TITLE)
    page.goto(f"{live_server.address}/u/{bob.call('GET', '/v1/me')['account']['id']}")
    check(page, OTHER)
    [table, *_] = event.tables()
    page.goto(f"{live_server.address}/g/{table['game']}")
    check(page, OTHER)
