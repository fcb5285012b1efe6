"""Thirty commands of each title are given by clicks, against bots: also where a bot is quicker."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error, Page, Response, expect

from tests.web.conftest import Visitor
from tests.web.table import KNOWS, Player, enter, rendered
from tests.web.test_board import ANSWER, CHOICE, DRAWN, LIT, SEATS, asks_in_words

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, BOT = {"you": True}, {"bot": "random"}
ROUNDS, COMMANDS = 6, 5


@pytest.mark.parametrize("title", [*SEATS])
def test_thirty_commands_of_a_title_are_given_by_clicks(visitor: Visitor, anna: Player, title: str) -> None:
    """As long as an evening's first hour; the bar stays in sight and asks in words."""
    game = anna.game(title, [ME, *[BOT] * (SEATS[title] - 1)])
    page = visitor(viewport={"width": 1366, "height": 768})
    page.add_init_script("localStorage.setItem('rutter.confirm', 'off')")
    enter(page, anna.address, anna, f"g/{game}")
    for _ in range(ROUNDS):
        given = 0
        while given < COMMANDS and is_mine(page):
            given += click_on(page)
        if not is_mine(page):
            assert given > 0
            return
        asks_in_words(page, anna)


def is_mine(page: Page) -> bool:
    """Wait until Anna is asked; False where the game has ended."""
    page.wait_for_function(DRAWN, arg=0)
    return page.get_attribute("[data-page]", "data-status") == "running"


def click_on(page: Page) -> bool:
    """Click once on what leads to a command: True where that gave it."""
    expect(page.locator(f"{CHOICE}, {LIT}, {ANSWER}").first).to_be_visible()
    for button in (CHOICE, LIT, ANSWER):
        if held := page.query_selector(button):
            break
    else:
        return False  # a bot has changed what is asked
    drawn = page.get_attribute("[data-page]", "data-seq")
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer) if answer.url.endswith("/commands") else None)
    try:
        held.click()
    except Error:
        # It has gone, for a bot was quicker; without such a reason it may not go.
        assert page.get_attribute("[data-page]", "data-seq") != drawn
        return False
    rendered(page)
    if button == LIT:
        return False
    page.wait_for_function(
        "(drawn) => document.querySelector('.failure')"
        " || Number(document.querySelector('[data-page]').dataset.seq) > drawn",
        arg=int(drawn or 0),
    )
    return told(page, answers)


def told(page: Page, answers: list[Response]) -> bool:
    """What came of a click on a command: False where the service refused it, and the page said so."""
    if not answers:
        return False  # a bot took its place between the press and the release of the button
    if answers[-1].status == 409:
        expect(page.locator(".failure").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".failure")).to_have_count(0)
        return False
    assert answers[-1].ok, answers[-1].text()
    page.wait_for_function(KNOWS, arg=answers[-1].json()["seq"])
    return True
