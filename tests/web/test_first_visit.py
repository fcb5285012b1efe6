"""A first visit at four widths, by day and by night: nothing is cut, nothing jumps, and no error is told."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Held, Player, enter, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

WINDOWS = ((1440, 900), (1366, 768), (768, 1024), (390, 844))
JUMPS = """window.jumped = 0; new PerformanceObserver((list) => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) window.jumped += each.value;
}).observe({ type: "layout-shift", buffered: true });"""
LOOKED_AT = {"light": WINDOWS[0::2], "dark": WINDOWS[1::2]}
"""Each width once, in the colours in turn; tests/campaigns/web looks at each width in both."""
MOST = 0.02
"""The sum of all jumps that a page may have."""
HEAD = 64
"""How high the head of a page may be, in pixels: one line."""
CUT = """() => {
  const wide = document.documentElement.clientWidth, cut = [];
  for (const one of document.querySelectorAll("h1, h2, h3, p, button, label, .game-title, .flag-turn")) {
    const box = one.getBoundingClientRect();
    if (!box.width || one.closest(".sr, .skip, nav")) continue;
    const hides = getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
    if (hides || box.left < -1 || box.right > wide + 1) cut.push(one.textContent.trim().slice(0, 40));
  }
  return document.documentElement.scrollWidth > wide ? [...cut, "the page"] : cut;
}"""

HIDDEN = """() => {
  const room = document.querySelector(".answers").getBoundingClientRect();
  return [...document.querySelectorAll(".answers button")].filter((each) => {
    const box = each.getBoundingClientRect();
    const [left, right] = [box.left < room.left - 1, box.right > room.right + 1];
    return left || right || box.top < room.top - 1 || box.bottom > room.bottom + 1;
  }).map((each) => each.textContent);
}"""
"""The answers of which a part is out of sight."""


@pytest.fixture
def anna(live_server: LiveServer) -> Player:
    return Player(live_server.address, "Anna")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_first_visit_is_calm_and_whole(
    visitor: Visitor, anna: Player, scheme: Literal["light", "dark"]
) -> None:
    """The lists of games come last, after the titles, and all at once, however late one of them is."""
    anna.game("example", [{"bot": "random"}] * 2, analysis=False)
    for width, height in LOOKED_AT[scheme]:
        page = visitor(viewport={"width": width, "height": height}, color_scheme=scheme)
        page.add_init_script(JUMPS)
        held = Held(page, re.compile("/v1/games[?].*status=open"))
        enter(page, anna.address)
        expect(page.locator(".title-tile button").first).to_be_visible()
        expect(page.locator("section.games").first).to_be_hidden()
        held.let_go()
        expect(page.locator("section.games")).to_have_count(3)
        expect(page.locator("section.games").last).to_be_visible()
        calm(page)


@pytest.mark.parametrize("place", ["t", "new", "settings", "ratings"])
def test_the_head_of_a_page_is_one_line(visitor: Visitor, anna: Player, place: str) -> None:
    """It tells whose page it is, and which game waits, at every width."""
    anna.game("example", [{"you": True}] * 2)
    page = enter(visitor(), anna.address, anna, place)
    expect(page.locator("[data-part=turns]")).to_be_visible()
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        rendered(page)
        box = page.locator(".masthead").bounding_box()
        assert box is not None
        assert box["height"] <= HEAD, width
        expect(page.locator("[data-part=turns]")).to_be_in_viewport(ratio=1)
        expect(page.locator("[data-part=who]")).to_be_in_viewport(ratio=1)
        assert page.evaluate(CUT) == []


@pytest.mark.parametrize(
    ("place", "first", "awaited", "last"),
    [
        ("ratings", "h1", "/v1/(titles|leaderboards)", ["a[download]"]),
        ("new", ".places", "/v1/titles/", ["[data-part=strength]", ".options", ".seating .primary"]),
    ],
    ids=["ratings", "new"],
)
def test_what_comes_late_pushes_nothing_away(
    visitor: Visitor, anna: Player, place: str, first: str, awaited: str, last: list[str]
) -> None:
    """What stands below a list or a form comes with it, not before."""
    for width, height in WINDOWS[2:]:
        page = visitor(viewport={"width": width, "height": height})
        page.add_init_script(JUMPS)
        held = Held(page, re.compile(awaited))
        enter(page, anna.address, None, place)
        expect(page.locator(first).first).to_be_visible()
        rendered(page)
        held.let_go()
        for part in last:
            expect(page.locator(part).first).to_be_visible()
        rendered(page)
        assert page.evaluate("window.jumped") < MOST, width


@pytest.mark.parametrize(
    ("window", "plays"),
    [(WINDOWS[0], True), (WINDOWS[2], True), (WINDOWS[3], True), (WINDOWS[3], False)],
    ids=["desk-player", "tablet-player", "phone-player", "phone-spectator"],
)
def test_a_game_stands_still(visitor: Visitor, anna: Player, window: tuple[int, int], plays: bool) -> None:
    """From its first sight over four moves and all tabs: what comes late, as a hint, pushes nothing down.

    Those who watch see less of it; they are tried where room is least, and in tests/campaigns/web at a desk.
    The answers have a room of their own in the bar, and none of them is out of sight on a tablet.
    """
    game = anna.game("colonial_empires", [{"you": True}] * 3)
    page = visitor(viewport={"width": window[0], "height": window[1]})
    page.add_init_script(JUMPS)
    page.add_init_script("localStorage.setItem('rutter.pace', '0')")
    held = Held(page, re.compile("/display"))
    enter(page, anna.address, anna if plays else None, f"g/{game}")
    state, guide = page.locator("[data-page]"), page.locator("[data-part=guide]")
    expect(state).to_have_attribute("data-live", "live")
    rendered(page)
    held.let_go()
    expect(page.locator(".stage[aria-busy=false]")).to_be_visible()
    expect(guide).to_have_count(int(plays))
    for _ in range(4):
        expect(state).to_have_attribute("data-seq", str(anna.give_any(game)))
        rendered(page)
        if plays and window == WINDOWS[2]:
            expect(page.locator("[data-part=ahead]")).to_be_visible()
            assert page.evaluate(HIDDEN) == []
    for tab in page.locator("[role=tab]").all():
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        rendered(page)
    assert page.evaluate("window.jumped") < MOST


def calm(page: Page) -> None:
    """Nothing of the page is cut, and nothing in it has jumped."""
    rendered(page)
    assert page.evaluate(CUT) == []
    assert page.evaluate("window.jumped") < MOST
