"""A guided first turn of each title, by clicks on nothing but what is lit."""

from __future__ import annotations

from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect

from events.rules.catalogue import find_title, packages
from service.presenters.lessons import load_lesson
from tests.conftest import LiveServer
from tests.titles.golden import PROJECT
from tests.waiting import each_look
from tests.web.conftest import Visitor
from tests.web.table import Player, enter, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

TITLES = [name for name, place in packages().items() if place.startswith(PROJECT)]
PLAYED = "colonial_empires"
"""The turns of all titles are played in tests/campaigns/web, and without a page in tests/titles."""
LESSON = "[data-part=lesson]"
CHOSEN, ANSWER = ".popover [data-part=give]:enabled:visible", ".answers [data-part=answer]:enabled:visible"
"""Buttons that give a command: beside what was clicked, and in the bar."""
SOON = 2000
"""Milliseconds for a click on what was there a moment ago."""
LIT = ".game-page[data-asked=true] [data-lit]:visible"
QUICK = "localStorage.setItem('rutter.pace', '0'); localStorage.setItem('rutter.grace', '0');"
SEEN = """
window.steps = [];
new MutationObserver(() => {
  const step = document.querySelector("[data-part=lesson]")?.dataset.step;
  if (step && step !== window.steps.at(-1)) window.steps.push(step);
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-step"] });
"""
"""Notes each step that is drawn: one click may answer before the next look."""


def act(page: Page) -> None:
    """Click the button that gives the command, else the first thing that is lit."""
    for part in (CHOSEN, ANSWER, LIT):
        if page.locator(part).count():
            with suppress(Error):  # a command was taken meanwhile, and it is gone
                page.locator(part).first.click(timeout=SOON)
            return


@pytest.mark.parametrize("title_id", [PLAYED])
def test_a_newcomer_plays_the_guided_turn_by_what_is_lit(
    visitor: Visitor, live_server: LiveServer, title_id: str
) -> None:
    """From the card in the lobby and a name, through five steps in their order, to a game of their own."""
    page = visitor()
    page.add_init_script(QUICK)
    page.add_init_script(SEEN)
    enter(page, live_server.address)
    page.locator(f"[data-title={title_id}] [data-part=learn]").click()
    page.locator("dialog input[name=name]").fill("Newcomer")
    page.keyboard.press("Enter")
    expect(page.locator(LESSON)).to_have_attribute("data-step", "1")
    expect(page.locator(LESSON)).to_contain_text(load_lesson(find_title(title_id)).steps[0].text)
    for _ in each_look("the end of the guided turn"):
        if page.locator(LESSON).get_attribute("data-step") == "end":
            break
        act(page)
        rendered(page)
    assert page.evaluate("() => window.steps") == ["1", "2", "3", "4", "5", "end"]
    lesson = page.url
    page.locator("[data-part=real]").click()
    page.wait_for_url(lambda address: "/g/" in address and address.split("?")[0] != lesson.split("?")[0])
    expect(page.locator("[data-page=game]")).to_be_visible()
    expect(page.locator(LESSON)).to_have_count(0)


def test_the_rules_lead_to_the_guided_turn_and_a_title_without_one_shows_no_way(
    visitor: Visitor, live_server: LiveServer
) -> None:
    """The tab of a game has the button; the smallest title has none, neither in the lobby nor in its game."""
    anna = Player(live_server.address, "Anna")
    page = enter(visitor(), anna.address, anna)
    expect(page.locator("[data-title=colonies] [data-part=learn]")).to_be_visible()
    expect(page.locator("[data-title=example] [data-part=learn]")).to_have_count(0)
    game = anna.game("colonies", [{"you": True}, {"bot": "steady"}, {"bot": "steady"}])
    enter(page, anna.address, hash_=f"g/{game}?tab=rules")
    page.locator("[data-part=learn]").click()
    expect(page.locator(LESSON)).to_have_attribute("data-step", "1")
    assert game not in page.url
