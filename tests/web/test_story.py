"""Two people at a table: they take back, change a covered answer, promise, break the promise, and trade.

Somebody who was not there proves the promise from one message that was disclosed to them.
"""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from ops.cli import rutter
from tests.conftest import LiveServer
from tests.waiting import each_look
from tests.web.conftest import Visitor
from tests.web.table import KNOWS, Json, Player, dealt_as, enter

pytestmark = [pytest.mark.browser, pytest.mark.integration, pytest.mark.slow]

ME, OPEN = {"you": True}, {"open": True}
PROMISE = "I take whatever you offer first."
NOTHING = {"fortunes": 0, "hand_cards": [], "in_play_cards": [], "hand_card_count": 0}
DULL = ["decline_extra_card", "end_event_turn", "submit_build", "keep_hand"]
"""Commands that lead to the next trade soonest."""


def test_a_promise_is_made_broken_and_proven(
    visitor: Visitor, live_server: LiveServer, tmp_path: Path
) -> None:
    anna, boris = (Player(live_server.address, name) for name in ("Anna", "Boris"))
    game = anna.game("colonial_empires", [ME, OPEN], repeat=dealt_as("story"))
    boris.call("POST", f"/v1/games/{game}/join", {})
    first, second = (enter(visitor(), anna.address, who, f"g/{game}") for who in (anna, boris))
    take_back_an_empire({anna: first, boris: second}, game)
    change_a_covered_answer(boris, second, first, game)
    until_trade([anna, boris], game)
    said = promise(second, boris, game)
    break_it(anna, boris, second, game)
    trade_by_counter_offer(anna, boris, first, game)
    prove(anna, game, said, tmp_path)


def decisions(player: Player, game: str) -> Json:
    return player.call("GET", f"/v1/games/{game}/decisions")


def legal(player: Player, game: str, kind: str) -> list[Json]:
    return [one for one in decisions(player, game)["legal"] if one["command"]["type"] == kind]


def post(player: Player, game: str, command: Json) -> Json:
    return player.call("POST", f"/v1/games/{game}/commands", command)


def press(page: Page, label: str) -> None:
    """Give a command by its button in the list. A key opens it while the board has the focus."""
    page.locator("main").focus()
    page.keyboard.press("l")
    with page.expect_response(lambda answer: answer.url.endswith("/commands")) as told:
        page.locator("[data-part=list] .command").get_by_text(label, exact=True).first.click()
    assert told.value.ok, told.value.text()
    page.wait_for_function(KNOWS, arg=told.value.json()["seq"])
    if page.locator("[data-part=list]").count():
        page.keyboard.press("l")


def take_back_an_empire(pages: dict[Player, Page], game: str) -> None:
    """The first choice is taken back by its button, and struck through for both; then another is made."""
    mover = next(player for player in pages if decisions(player, game)["legal"])
    choice, other = (one["command"] for one in decisions(mover, game)["legal"][:2])
    seq = post(mover, game, choice)["seq"]
    for page in pages.values():
        page.wait_for_selector("[data-page=game][data-last]")
        page.wait_for_function(KNOWS, arg=seq)
    pages[mover].locator("[data-part=undo]").click()
    for page in pages.values():
        expect(page.locator("[data-part=line] s").first).to_be_attached()
    post(mover, game, other)
    last = next(player for player in pages if player is not mover)
    post(last, game, decisions(last, game)["legal"][0]["command"])


def change_a_covered_answer(player: Player, page: Page, others: Page, game: str) -> None:
    """They ask for one more card, think better of it while the other thinks, and nobody is told."""
    asked = {one["command"]["type"]: one["label"] for one in decisions(player, game)["legal"]}
    page.wait_for_function(KNOWS, arg=decisions(player, game)["seq"])
    press(page, asked["request_extra_card"])
    expect(page.locator("[data-part=given]")).to_contain_text(asked["request_extra_card"])
    expect(others.locator("[data-part=given]")).to_have_count(0)
    page.locator("[data-part=change]").click()
    press(page, asked["decline_extra_card"])
    expect(page.locator("[data-part=given]")).to_contain_text(asked["decline_extra_card"])


def until_trade(players: list[Player], game: str) -> None:
    """All do as little as they may, until both may trade."""
    for _ in each_look("a trade"):
        told = [decisions(player, game) for player in players]
        if all(any(one["command"]["type"] == "finish_trading" for one in each["legal"]) for each in told):
            return
        for player, each in zip(players, told, strict=True):
            mine = [one["command"] for one in each["legal"] if one["command"]["type"] in DULL]
            if mine:
                post(player, game, mine[0])
                break


def promise(page: Page, player: Player, game: str) -> int:
    """A whisper, by a click on the other player; the event after which it was said."""
    page.locator("[data-tab=talk]").click()
    page.locator(".player[data-owner='0']").click()
    page.locator("[name=message]").fill(PROMISE)
    page.keyboard.press("Enter")
    expect(page.locator("[data-part=message]")).to_contain_text(PROMISE)
    page.locator("[data-tab=board]").click()
    return int(player.call("GET", f"/v1/games/{game}")["last"])


def gift(fortunes: int, to: int) -> Json:
    return {"type": "offer_trade", "to": to, "give": {**NOTHING, "fortunes": fortunes}, "ask": NOTHING}


def break_it(anna: Player, boris: Player, page: Page, game: str) -> None:
    """Anna offers a Fortune for nothing; Boris declines, and wants to trade no more."""
    page.wait_for_function(KNOWS, arg=post(anna, game, gift(1, to=1))["seq"])
    (declined,) = legal(boris, game, "decline_trade")
    press(page, declined["label"])
    post(boris, game, {"type": "finish_trading"})


def trade_by_counter_offer(anna: Player, boris: Player, page: Page, game: str) -> None:
    """An offer opens the trade of who had finished again; their own offer in return is taken."""
    post(anna, game, gift(1, to=1))
    counter = {**gift(0, to=0), "ask": {**NOTHING, "fortunes": 2}}
    page.wait_for_function(KNOWS, arg=post(boris, game, counter)["seq"])
    press(page, legal(anna, game, "accept_trade")[0]["label"])


def prove(anna: Player, game: str, said: int, folder: Path) -> None:
    """Anna discloses the whisper; with it, the game's bundle and the log's key anybody can judge."""
    for name, path in (("talk", "messages/audit"), ("game", "audit")):
        asked = urllib.request.Request(  # noqa: S310 - our own service
            f"{anna.address}/v1/games/{game}/{path}", headers={"Authorization": f"Bearer {anna.token}"}
        )
        with urllib.request.urlopen(asked) as answer:  # noqa: S310
            (folder / f"{name}.ndjson").write_bytes(answer.read())
    one = run("disclose", folder / "talk.ndjson", "--message", 2)
    (folder / "one.ndjson").write_text(one)
    key = anna.call("GET", "/v1/keys")["keys"][0]["vkey"]
    told = run("verify", folder / "one.ndjson", "--key", key, "--game", folder / "game.ndjson")
    after = rf"seat 1 to seat 0, after event {said}( and before event [0-9]+)?, as the server recorded it: "
    assert re.search(after + f'"{re.escape(PROMISE)}"', told)
    (folder / "forged.ndjson").write_text(one.replace("whatever", "nothing"))
    assert "BAD" in run("verify", folder / "forged.ndjson", "--key", key, status=1)
    later = [one["type"] for one in anna.call("GET", f"/v1/games/{game}/events?after={said}")["events"]]
    assert later[:2] == ["TradeOffered", "TradeDeclined"]


def run(*words: object, status: int = 0) -> str:
    """Return what a command of `rutter` says."""
    done = CliRunner().invoke(rutter, [str(word) for word in words])
    assert done.exit_code == status, done.output
    return done.output
