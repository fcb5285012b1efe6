"""Players and leaderboards in a real Chromium, against the whole service."""

from __future__ import annotations

import re
import uuid

import psycopg
import pytest
from playwright.sync_api import expect

from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Player, enter, handle_of
from tests.web.test_tournament_page import DESKTOP, PHONE, no_overflow
from tests.web.tournament import Event

pytestmark = [pytest.mark.browser, pytest.mark.integration]


@pytest.mark.whole
def test_a_player_has_a_page_with_ratings_results_and_games(
    visitor: Visitor, live_server: LiveServer
) -> None:
    """Reached from the standings; by handle or by id; a game leads on to its table."""
    address = live_server.address
    olga = Player(address, "Olga")
    players = [Player(address, name) for name in ("Anna", "Boris")]
    handle = handle_of(players[0])
    players[0].call("PATCH", "/v1/me", {"name": "Anna", "handle": handle})
    event = Event(
        olga,
        players,
        stages=[{"format": "swiss_pods", "rounds": 1}],
        clock={"kind": "correspondence", "per_decision_ms": 86_400_000},
    )
    event.begin()
    event.round()
    event.until(lambda: event.get()["over"])
    me = players[0].call("GET", "/v1/me")["account"]["id"]
    event.until(lambda: bool(olga.call("GET", f"/v1/accounts/{me}")["ratings"]))
    page = enter(visitor(first=True, viewport=DESKTOP), address, None, f"t/{event.id}")
    page.locator("[data-part=standings]").get_by_role("link", name="Anna").click()
    expect(page).to_have_url(f"{address}/u/{handle}")
    expect(page.locator("[data-page=profile] h1")).to_have_text("Anna")
    expect(page.locator("tr[data-pool='example.2.correspondence']")).to_contain_text("1")
    expect(page.locator("tr[data-title=example]")).to_be_visible()
    game = page.locator(".game")
    expect(game).to_have_count(1)
    expect(game).to_contain_text("tournament, round 1")
    phone = enter(visitor(first=True, viewport=PHONE), address, None, f"u/{me}")
    expect(phone.locator("[data-page=profile] h1")).to_have_text("Anna")
    no_overflow(page, phone)
    game.locator("a.game-link").click()
    expect(page.locator("[data-page=game]")).to_be_visible()
    expect(page.locator("[data-part=tournament]")).to_have_attribute("href", f"/t/{event.id}")


def test_nobody_has_a_page_who_is_not_there(visitor: Visitor, live_server: LiveServer) -> None:
    """A sentence, and the way back."""
    for name in ("nobody_at_all", "%C3%84", "019a9f00-0000-7000-8000-000000000001"):
        page = enter(visitor(first=True, viewport=PHONE), live_server.address, None, f"u/{name}")
        expect(page.get_by_role("heading", name="No such player")).to_be_visible()


def test_leaderboards_are_chosen_by_title_seats_and_tempo(visitor: Visitor, live_server: LiveServer) -> None:
    """The address names the pool; each who is listed leads to their page."""
    address, pool = live_server.address, "example.2.live"
    best = Player(address, "Best").call("GET", "/v1/me")["account"]["id"]
    subject = uuid.uuid4()  # eight games that count would take long
    with psycopg.connect(live_server.database_url) as connection:
        connection.execute("INSERT INTO subject VALUES (%s, %s)", (best, subject))
        connection.execute("INSERT INTO rating VALUES (%s, %s, 30, 2, 20, now(), now())", (pool, subject))
    page = enter(visitor(first=True, viewport=DESKTOP), address, None, f"ratings?pool={pool}")
    row = page.locator(f"[data-part=leaders] tr:has(a[href='/u/{best}'])")
    expect(row).to_contain_text("Best")
    expect(row).to_have_attribute("data-rank", re.compile("^[0-9]+$"))
    page.locator("select[name=tempo]").select_option("correspondence")
    expect(page).to_have_url(f"{address}/ratings?pool=example.2.correspondence")
    expect(page.locator("[data-part=leaders]")).to_contain_text("No player")
    phone = enter(visitor(first=True, viewport=PHONE), address, None, "ratings")
    expect(phone.locator("[data-page=ratings] h1")).to_have_text("Ratings")
    no_overflow(page, phone)
