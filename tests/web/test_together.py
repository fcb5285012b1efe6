"""What people do at a table beside the game, on the page: leave and come back, propose and answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Player, enter, set_back

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, OPEN = {"you": True}, {"open": True}


def test_players_pause_leave_and_return_by_the_page(visitor: Visitor, live_server: LiveServer) -> None:
    """One proposes a pause, the other agrees; one leaves, a bot plays, they come back; both end it.

    The one who proposes it has a wrong clock.
    """
    address = live_server.address
    anna, boris, carla = (Player(address, name) for name in ("Anna", "Boris", "Carla"))
    game = anna.game("colonial_empires", [ME, OPEN, OPEN])
    for other in (boris, carla):
        other.call("POST", f"/v1/games/{game}/join", {})
    first, second = set_back(visitor()), visitor()
    for page, who in ((first, anna), (second, boris)):
        enter(page, address, who, f"#/games/{game}")
    for page in (first, second):
        page.get_by_text("Pause, end or leave").click()
    first.get_by_role("button", name="a day", exact=True).click()
    expect(first.locator(".proposal")).to_contain_text("a pause until")
    second.get_by_role("button", name="Agree", exact=True).click()
    carla.call("POST", f"/v1/games/{game}/commands", {"type": "table_answer", "offer": 1, "yes": True})
    for page in (first, second):
        expect(page.locator(".paused")).to_be_visible()
    second.get_by_role("button", name="Propose to resume").click()
    first.get_by_role("button", name="Agree", exact=True).click()
    carla.call("POST", f"/v1/games/{game}/commands", {"type": "table_answer", "offer": 2, "yes": True})
    expect(first.locator(".paused")).to_have_count(0)
    second.get_by_role("button", name="Leave the game").click()
    second.get_by_role("button", name="Yes, leave").click()
    back = second.get_by_role("button", name="Return to")
    expect(back).to_be_visible()
    back.click()
    expect(second.get_by_text("Pause, end or leave")).to_be_visible()
    expect(back).to_have_count(0)
    first.get_by_role("button", name="Propose to end the game").click()
    second.get_by_role("button", name="Agree", exact=True).click()
    carla.call("POST", f"/v1/games/{game}/commands", {"type": "table_answer", "offer": 3, "yes": True})
    expect(first.locator("[data-part=ask]")).to_contain_text("abandoned")


def test_a_covered_answer_is_changed_while_others_think(visitor: Visitor, live_server: LiveServer) -> None:
    """The page shows the answer to its player alone, and lets them give another one."""
    address = live_server.address
    anna, boris = (Player(address, name) for name in ("Anna", "Boris"))
    game = anna.game("colonies", [ME, OPEN, {"bot": "random"}])
    boris.call("POST", f"/v1/games/{game}/join", {})
    first, second = (enter(visitor(), address, who, f"g/{game}") for who in (anna, boris))
    answers = first.locator("[data-part=bar] .answers")
    answers.get_by_role("button", name="All 6").click()
    for fingers in ("3 fingers", "5 fingers"):
        first.locator("button.command", has_text=f"Show {fingers}").click()
        expect(answers.locator("[data-part=given]")).to_contain_text(f"Show {fingers}")
        expect(first.locator("[data-part=ask]")).to_contain_text("Waiting for")
        expect(second.locator("[data-part=ask] strong")).to_be_visible()
        expect(second.locator("[data-part=change]")).to_have_count(0)
        if fingers == "3 fingers":
            answers.locator("[data-part=change]").click()
    answers.locator("[data-part=change]").click()
    expect(first.locator("[data-part=ask] strong")).to_be_visible()
    first.get_by_role("button", name="Keep your answer").first.click()
    expect(first.locator("[data-part=ask]")).to_contain_text("Waiting for")
    boris.call("POST", f"/v1/games/{game}/commands", {"type": "show_fingers", "count": 4})
    expect(first.locator("[data-part=given]")).to_have_count(0)
