"""Answers chosen ahead: the open page gives them until they are taken back or their turn is over."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.waiting import each_look, until
from tests.web.conftest import Visitor
from tests.web.table import KNOWS, Json, Player, dealt_as, enter, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, OPEN = {"you": True}, {"open": True}
CHOSEN = "[data-part=bar] [data-standing]"
KEPT = "() => Object.keys(localStorage).filter((key) => key.startsWith('rutter.standing.'))"


def choose(page: Page, key: str) -> None:
    page.locator("[data-part=ahead]").click()
    page.locator(f"[data-part=ahead-list] input[name={key}]").check()
    page.locator("[data-part=ahead-list] .close").click()
    expect(page.locator(f"{CHOSEN}[data-standing={key}]")).to_be_visible()


def kinds(player: Player, game: str) -> set[str]:
    """The types of command that *player* may give."""
    legal = player.call("GET", f"/v1/games/{game}/decisions")["legal"]
    return {item["command"]["type"] for item in legal}


def play_until(players: list[Player], game: str, command: str) -> None:
    """All give their first legal commands until each of them may give such a *command*."""
    for _ in each_look(f"{command} for all"):
        told = [player.call("GET", f"/v1/games/{game}/decisions") for player in players]
        given = False
        for player, now in zip(players, told, strict=True):
            types = {item["command"]["type"] for item in now["legal"]}
            if now["legal"] and command not in types:
                player.call("POST", f"/v1/games/{game}/commands", now["legal"][0]["command"])
                given = True
                break
        if not given and all(now["legal"] for now in told):
            return
    raise AssertionError


def offers(player: Player, game: str) -> list[Json]:
    """The offers that *player* may decline."""
    legal = player.call("GET", f"/v1/games/{game}/decisions")["legal"]
    return [item for item in legal if item["command"]["type"] == "decline_trade"]


def lines(player: Player, game: str, after: int) -> list[str]:
    told = player.call("GET", f"/v1/games/{game}/history?after={after}")["history"]
    return [line["text"] for line in told]


def test_offers_are_refused_until_it_is_taken_back(visitor: Visitor, live_server: LiveServer) -> None:
    """The other page sees only the refusal; what is taken back is given no more; a turn ends the rest."""
    anna, boris = (Player(live_server.address, name) for name in ("Anna", "Boris"))
    game = anna.game("colonial_empires", [ME, OPEN], repeat=dealt_as("ahead"))
    boris.call("POST", f"/v1/games/{game}/join", {})
    play_until([anna, boris], game, "finish_trading")
    first, second = (enter(visitor(), anna.address, who, f"g/{game}") for who in (anna, boris))
    expect(second.locator("[data-part=ahead]")).to_be_visible()
    choose(first, "refuse_offers")

    def offer() -> int:
        """Boris makes the first offer to Anna that they may."""
        legal = boris.call("GET", f"/v1/games/{game}/decisions")["legal"]
        body = next(each["command"] for each in legal if each["command"].get("to") == 0)
        return int(boris.call("POST", f"/v1/games/{game}/commands", body)["seq"])

    seq = offer()
    until(lambda: any("decline" in line for line in lines(boris, game, seq)), "the refusal")
    expect(second.locator("[data-part=log]")).to_contain_text("decline")
    expect(second.locator(CHOSEN)).to_have_count(0)
    assert not offers(anna, game)
    first.locator(f"{CHOSEN}[data-standing=refuse_offers]").click()
    expect(first.locator(CHOSEN)).to_have_count(0)
    assert first.evaluate(KEPT) == []
    seq = offer()
    first.wait_for_function(KNOWS, arg=seq)
    rendered(first)
    assert len(offers(anna, game)) == 1
    choose(first, "trade_nothing")
    until(lambda: not kinds(anna, game) & {"decline_trade", "finish_trading"}, "the end of the trade")
    expect(first.locator(CHOSEN)).to_have_count(1)
    boris.call("POST", f"/v1/games/{game}/commands", {"type": "finish_trading"})
    play_until([anna, boris], game, "finish_trading")
    expect(first.locator(CHOSEN)).to_have_count(0)
    assert first.evaluate(KEPT) == []


def test_actions_are_passed_until_the_turn_ends(visitor: Visitor, live_server: LiveServer) -> None:
    """Three actions of a turn, after the page was loaded again; then the player is asked as before."""
    anna = Player(live_server.address, "Anna")
    game, others = anna.with_others("colonies", 3)
    for _ in each_look("my first action"):
        others.move()
        if "pass_action" in kinds(anna, game):
            break
        anna.move(game)
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    expect(page.locator("[data-part=ahead]")).to_be_visible()
    page.locator("[data-part=all]").focus()
    page.keyboard.press("ArrowRight")  # both are one stop of the Tab key
    expect(page.locator("[data-part=ahead]")).to_be_focused()
    begin = int(anna.call("GET", f"/v1/games/{game}")["last"])
    choose(page, "pass_actions")
    page.reload()
    for _ in each_look("the next turn"):
        others.move()
        now = kinds(anna, game)
        if "pass_action" not in now:
            break
        until(partial(passed, anna, game), "the page's answer")
    expect(page.locator(CHOSEN)).to_have_count(0)
    assert sum("passes" in line for line in lines(anna, game, begin)) >= 3


def passed(player: Player, game: str) -> bool:
    return "pass_action" not in kinds(player, game)


DUE = """async ([legal, chosen]) => {
  const { due } = await import("/static/js/acting/standing.js");
  return due(legal, chosen)?.command ?? null;
}"""


def item(*, grave: bool = False, **command: Any) -> Json:
    return {"command": command, "grave": grave}


def test_only_what_was_chosen_is_given(workbench: Page) -> None:
    """No grave command, none of several unless all of them are meant, and none that differs in a member."""
    refuse = {"answers": [{"type": "answer", "amount": 0}], "every": False}
    decline = {"answers": [{"type": "decline"}, {"type": "finish"}], "every": True}
    zero, one = item(type="answer", amount=0), item(type="answer", amount=1)
    first, second, finish = item(type="decline", id=1), item(type="decline", id=2), item(type="finish")

    def due(legal: list[Json], *chosen: Json) -> Json | None:
        found: Json | None = workbench.evaluate(DUE, [legal, list(chosen)])
        return found

    assert due([one, zero], refuse) == zero["command"]
    assert due([one], refuse) is None
    assert due([zero]) is None
    assert due([{**zero, "grave": True}], refuse) is None
    assert due([finish, first, second], decline) == first["command"]
    assert due([finish], decline) == finish["command"]
    assert due([first, second], {**decline, "every": False}) is None
