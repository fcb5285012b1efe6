"""Taking back on the page: the button, Ctrl+Z, struck lines, and the moment before a bot's turn."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.waiting import each_look
from tests.web.conftest import Visitor
from tests.web.table import KNOWS, Json, Player, dealt_as, enter

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, OPEN = {"you": True}, {"open": True}
UNDO = "[data-part=undo]"
STRUCK = "[data-part=line] s"


def decisions(player: Player, game: str) -> Json:
    return player.call("GET", f"/v1/games/{game}/decisions?refs=true")


def play_until_undoable(players: list[Player], game: str) -> Player:
    """All give their first legal commands until somebody can take one back: who."""
    for _ in each_look("something that can be taken back"):
        for player in players:
            told = decisions(player, game)
            if told["undo"]:
                return player
            if told["legal"]:
                player.call("POST", f"/v1/games/{game}/commands", told["legal"][0]["command"])
    raise AssertionError("nobody could take anything back")


def play_until_a_bot_is_next(player: Player, game: str) -> str:
    """They give their first legal commands until a bot may act after one: its label."""
    for _ in each_look("a command after which a bot acts"):
        told = decisions(player, game)
        asked = {kind for one in told["decisions"] if not one["free"] for kind in one["commands"]}
        legal = [one for one in told["legal"] if one["command"]["type"] in asked]
        found = [one["label"] for one in legal if one.get("bot_next")]
        if found:
            return str(found[0])
        if legal:
            player.call("POST", f"/v1/games/{game}/commands", legal[0]["command"])
    raise AssertionError("no bot was next")


def know(page: Page, seq: int) -> None:
    page.wait_for_selector("[data-page=game][data-last]")
    page.wait_for_function(KNOWS, arg=seq)


def test_a_move_is_taken_back_by_button_and_by_keys(visitor: Visitor, live_server: LiveServer) -> None:
    """What was done is struck through for everybody, and can be done again; then Ctrl+Z takes it back."""
    anna, boris = (Player(live_server.address, name) for name in ("Anna", "Boris"))
    game = anna.game("colonial", [ME, OPEN], undo="own", repeat=dealt_as("undo"))
    boris.call("POST", f"/v1/games/{game}/join", {})
    mover = play_until_undoable([anna, boris], game)
    other = boris if mover is anna else anna
    mine, theirs = (enter(visitor(), live_server.address, who, f"g/{game}") for who in (mover, other))
    seq = decisions(mover, game)["seq"]
    know(theirs, seq)
    expect(theirs.locator(UNDO)).to_have_count(0)
    mine.locator(UNDO).click()
    for page in (mine, theirs):
        expect(page.locator(STRUCK).first).to_be_attached()
    expect(mine.locator(UNDO)).to_have_count(0)
    again = decisions(mover, game)["legal"][0]["command"]
    done = mover.call("POST", f"/v1/games/{game}/commands", again)
    know(mine, done["seq"])
    expect(mine.locator(UNDO)).to_be_enabled()
    before = mine.locator(STRUCK).count()
    mine.keyboard.press("Control+z")
    know(mine, done["seq"] + 1)
    expect(mine.locator(STRUCK)).not_to_have_count(before)
    expect(mine.locator(UNDO)).to_have_count(0)


def test_all_agree_on_the_page(visitor: Visitor, live_server: LiveServer) -> None:
    """With `ask` the button proposes, and the other agrees; the waiting room tells the option."""
    anna, boris = (Player(live_server.address, name) for name in ("Anna", "Boris"))
    game = anna.game("colonial", [ME, OPEN], undo="ask", repeat=dealt_as("undo"))
    first, second = (enter(visitor(), live_server.address, who, f"g/{game}") for who in (anna, boris))
    expect(first.locator("[data-part=terms]")).to_contain_text("if all agree")
    boris.call("POST", f"/v1/games/{game}/join", {})
    mover = play_until_undoable([anna, boris], game)
    asks, answers = (first, second) if mover is anna else (second, first)
    asks.locator(UNDO).click()
    expect(answers.locator(".proposal")).to_contain_text("to take back what came after event")
    answers.get_by_role("button", name="Agree", exact=True).click()
    for page in (asks, answers):
        expect(page.locator(STRUCK).first).to_be_attached()


def test_a_command_waits_a_moment_before_a_bots_turn(visitor: Visitor, live_server: LiveServer) -> None:
    """It can be cancelled, and sent at once; the form of a new game has the option."""
    anna = Player(live_server.address, "Anna")
    game = anna.game("colonial", [ME, {"bot": "random"}], undo="own", repeat=dealt_as("undo"))
    label = play_until_a_bot_is_next(anna, game)
    page = visitor()
    enter(page, live_server.address, anna, f"g/{game}")
    page.add_init_script("localStorage.removeItem('rutter.grace')")
    page.reload()
    page.wait_for_selector("[data-asked=true]")
    last = page.get_attribute("[data-page]", "data-last")
    page.keyboard.press("l")
    button = page.locator("[data-part=list] .command").filter(has_text=label).first
    button.click()
    page.locator("[data-part=cancel]").click()
    expect(page.locator("[data-part=cancel]")).to_have_count(0)
    expect(page.locator("[data-page]")).to_have_attribute("data-last", last or "")
    button.click()
    page.locator("[data-part=hurry]").click()
    know(page, int(last or 0) + 1)
    page.goto(f"{live_server.address}/new?title=colonies")
    expect(page.locator("select[name=undo]")).to_have_value("own")
