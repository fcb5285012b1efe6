"""Clocks on the page, in a real Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Player, enter

pytestmark = [pytest.mark.browser, pytest.mark.integration]


MINUTES = 10
"""Of each clock: more than a test lasts, whatever else the machine does."""


def test_the_page_counts_a_clock_down_and_shows_it_run_out(visitor: Visitor, live_server: LiveServer) -> None:
    """My time at a live table runs before my eyes; nobody answers: then a bot has my seat."""
    anna = Player(live_server.address, "Anna")
    game = anna.game(
        "colonial_empires",
        [{"you": True}, {"bot": "random"}],
        clock={"kind": "live", "base_ms": MINUTES * 60_000},
        absence={"misses": 1, "then": "bot:random", "least_people": 0},
    )
    page = enter(visitor(), live_server.address, anna, f"#/games/{game}")
    shown = page.locator(".clocks .running time").first
    expect(shown).to_have_text(re.compile("^(10:00|[0-9]:[0-5][0-9])$"))
    before = shown.inner_text()
    expect(shown).not_to_have_text(before)
    expect(shown).to_have_text(re.compile("^[0-9]:[0-5][0-9]$"))
    with live_server.clock.ahead(MINUTES * 60):
        expect(page.locator(".clocks li")).to_have_count(0)
    told = anna.call("GET", f"/v1/games/{game}")
    assert (told["seats"][0]["bot"], told["seats"][0]["tenure"]) == ("random", 2)
