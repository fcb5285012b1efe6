"""Whatever is drawn as a card leads to the clauses that say what it does; so does what is pointed at."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Player, enter, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

BARE = """() => [...document.querySelectorAll('.card')].filter((card) => {
    const links = [...card.parentElement.querySelectorAll('a[data-part=clause]')];
    const rules = /\\/rules\\?version=\\d+#[A-Z]+-\\d/;
    return card.querySelector('a') || !links.length || links.some((link) => !rules.test(link.href));
}).map((card) => card.textContent)"""
"""Cards without a link to a clause beside them, or with a link within what may be a button."""
NO_TARGET = """async (links) => {
    const [address] = links[0].split('#');
    const rules = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html');
    return links.filter((link) => !rules.getElementById(link.split('#')[1]));
}"""
"""Links whose clause is not in the page of the rules."""
HIDDEN = """() => [...document.querySelectorAll('.card')].filter((card) => {
    const within = (box, ...others) => others.reduce((a, b) => ({
        left: Math.max(a.left, b.left), right: Math.min(a.right, b.right),
        top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom)}), box);
    const links = [...card.parentElement.querySelectorAll('a[data-part=clause]')];
    return [...card.children].some((part) => {
        const words = document.createRange();
        words.selectNodeContents(part);
        return [...words.getClientRects()].some((line) => links.some((link) => {
            const common = within(line, part.getBoundingClientRect(), card.getBoundingClientRect(),
                link.getBoundingClientRect());
            return common.right - common.left > 2 && common.bottom - common.top > 2;
        }));
    });
}).map((card) => card.textContent)"""
"""Cards of which words that can be seen lie under a link."""


ASKED = {
    "colonial": "program_cards",
    "colonial_revised": "play_card",
    "colonialism": "starting_hand",
    "colonies": "choose_deck_card",
    "colonial_empires": "build",
}
"""A decision that is answered with cards."""


@pytest.fixture(scope="module", params=ASKED)
def with_cards(request: pytest.FixtureRequest, live_server: LiveServer) -> tuple[Player, str]:
    """The one who is to answer with cards, and the address at which they see it; nobody answers."""
    title = request.param
    anna = Player(live_server.address, "Anna")
    options = {"variant": "nations"} if title == "colonial" else {}
    game = anna.game(title, [{"you": True}] * 4, options=options)
    asked = anna.play_until(game, ASKED[title])["decisions"]
    seat = next(each["seat"] for each in asked if each["kind"] == ASKED[title])
    return anna, f"g/{game}?seat={seat}"


def test_each_card_leads_to_its_clauses_and_no_link_covers_words(
    visitor: Visitor, with_cards: tuple[Player, str]
) -> None:
    """Also while it is lit; those who point at it read them in words, beside what they may do with it.

    Neither in the hand nor on the table are words covered, at a desk and on a phone, however long a name is.
    """
    anna, address = with_cards
    page = enter(visitor(), anna.address, anna, address)
    for width in (390, 1366):
        page.set_viewport_size({"width": width, "height": 768})
        expect(page.locator("[data-part=clause]").first).to_be_visible()
        expect(page.locator(".stage[aria-busy=false]")).to_be_visible()
        rendered(page)
        assert page.evaluate(HIDDEN) == [], width
    lit = page.locator(".card[data-lit]").first
    expect(lit).to_be_visible()
    assert page.locator(".card").count() > 1
    assert page.evaluate(BARE) == []
    links = page.evaluate(
        "() => [...document.querySelectorAll('[data-part=clause]')].map((each) => each.href)"
    )
    assert page.evaluate(NO_TARGET, links) == []
    beside = lit.locator("xpath=..").locator("[data-part=clause]").first
    clause = beside.get_attribute("title")
    lit.click()
    expect(page.locator(".popover header").get_by_role("link", name=clause)).to_have_attribute(
        "href", re.compile(f"#{clause}$")
    )
    page.keyboard.press("Escape")
    with page.expect_popup() as opened:
        beside.click()
    expect(opened.value.locator(f"[id='{clause}']")).to_be_in_viewport()
    expect(page.locator(".popover header")).to_have_count(0)  # the link is no choice
