"""The log beside the board: of a long game, searched, played as it was played."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.waiting import each_look
from tests.web.conftest import Ended, Visitor
from tests.web.table import Player, enter, rendered

QUICK_COMMANDS = 20
"""A hundred in tests/campaigns/web."""
pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME = {"you": True}
HOURS = 24
"""More than anybody of a bots' game has thought."""
GROUPS, COMMANDS = 60, 60
"""Turns that a log has at the most when it opens; commands of a turn that are drawn at once."""
AT_END = """(seq) => {
    const list = document.querySelector(".lines");
    const known = Number(document.querySelector("[data-page]").dataset.seq) >= seq;
    return known && list.scrollHeight - list.scrollTop - list.clientHeight < 40;
}"""
"""Whether event *seq* is drawn, and the log stands at its end."""
OPEN_TURN = ".turn:has([aria-expanded=true])"


def at_event(page: Page, seq: int) -> None:
    expect(page.locator(".where b")).to_have_text(str(seq))


def test_a_long_log_is_drawn_in_parts(visitor: Visitor, ended_game: Ended) -> None:
    """Of a thousand events at most sixty turns, of a turn at most sixty commands; a click shows more."""
    host, game = ended_game("colonial_revised", 4)
    ended = host.call("GET", f"/v1/games/{game}")
    assert ended["last"] > 1000
    page = enter(visitor(), host.address, hash_=f"g/{game}")
    lines = page.locator("[data-part=line]")
    expect(lines.last).to_have_attribute("data-seq", str(ended["last"]))
    groups = page.locator("[data-part=group]")
    assert 1 < groups.count() <= GROUPS
    assert page.locator(OPEN_TURN).count() == 1
    for button in groups.locator("h3 [aria-expanded=false]").all()[::-1]:
        button.click()
    expect(page.locator(OPEN_TURN)).to_have_count(groups.count())
    drawn = groups.evaluate_all("(all) => all.map((each) => each.querySelectorAll('.block').length)")
    assert max(drawn) <= COMMANDS
    longest = groups.nth(drawn.index(max(drawn)))
    if longest.locator("[data-part=earlier]").count():  # of this title no turn need be that long
        first = longest.locator("[data-part=line]").first
        before = first.get_attribute("data-seq") or ""
        longest.locator("[data-part=earlier]").click()
        expect(first).not_to_have_attribute("data-seq", before)
        expect(longest.locator("[data-part=later]")).to_be_visible()
    page.goto(f"{host.address}/g/{game}?at={ended['last'] // 2}")
    expect(page.locator(f"[data-part=line][data-seq='{ended['last'] // 2}'][aria-current]")).to_be_visible()


def test_the_log_is_searched(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """The key / leads to a field; what says so stands there, a click leads to it, Escape shows all again."""
    host, game = ended
    page = enter(visitor(), host.address, hash_=f"g/{game}")
    lines = page.locator("[data-part=line]")
    told = host.call("GET", f"/v1/games/{game}/history")["history"]
    word = told[-1]["text"].split()[-1].strip(".").lower()
    wanted = [line["seq"] for line in told if word in line["text"].lower()]
    expect(lines.last).to_have_attribute("data-seq", str(told[-1]["seq"]))
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search what happened")).to_be_focused()
    page.keyboard.type(word)
    expect(lines).to_have_count(len(wanted))
    expect(page.get_by_role("status").filter(has_text=f"{len(wanted)} line")).to_be_visible()
    lines.first.click()
    at_event(page, wanted[0])
    page.get_by_role("searchbox").press("Escape")
    expect(page.get_by_role("searchbox")).to_have_count(0)


def test_the_log_stays_where_it_was_scrolled_to(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """Moved by anyone, also by a program; a line that the mouse rests on stays under the mouse."""
    host, game = ended
    page = visitor(first=True, viewport={"width": 1366, "height": 500})
    page.clock.install()
    enter(page, host.address, hash_=f"g/{game}")
    lines, log = page.locator("[data-part=line]"), page.get_by_role("log")
    expect(lines.last).to_be_visible()
    closed = page.locator("[data-part=group] h3 [aria-expanded=false]")
    for button in closed.all()[::-1]:
        button.click()
    expect(closed).to_have_count(0)
    page.keyboard.press("Home")
    at_event(page, 1)
    page.keyboard.press("End")
    expect(lines.last).to_be_in_viewport()
    rendered(page)
    page.clock.fast_forward(500)  # as long as a scroll counts as caused by what was drawn last
    log.evaluate("(list) => { list.scrollTop = 0; }")
    shown = page.locator("[data-part=line]:not([aria-current])").nth(2)
    shown.hover()
    expect(page.locator("[data-page]")).to_have_attribute("data-seq", shown.get_attribute("data-seq") or "")
    assert log.evaluate("(list) => list.scrollHeight > list.clientHeight + 100 && list.scrollTop") == 0


def test_the_log_keeps_up_with_quick_commands(visitor: Visitor, live_server: LiveServer) -> None:
    """Its end is in sight after each of them; nobody touches it."""
    anna = Player(live_server.address, "Anna")
    game = anna.game("colonial", [ME, ME])
    page = enter(
        visitor(viewport={"width": 1366, "height": 768}), anna.address, anna, f"g/{game}?seat=spectator"
    )
    expect(page.locator("[data-part=line]").last).to_be_visible()
    rng = random.Random(20)
    for _ in range(QUICK_COMMANDS):
        item = rng.choice(anna.legal(game))
        answer = anna.call("POST", f"/v1/games/{game}/commands", {**item["command"], "seat": item["seat"]})
        page.wait_for_function(AT_END, arg=answer["seq"])


def test_a_game_is_played_as_it_was_played(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """Each command stays as long as the players took for the next one; that is one of the tempos."""
    host, game = ended
    page = visitor(first=True)
    page.clock.install()
    enter(page, host.address, hash_=f"g/{game}?at=1")
    at_event(page, 1)
    expect(page.locator("[data-part=line]").first).to_be_visible()
    page.keyboard.press("Space")
    tempo = page.locator("[data-part=tempo]")
    for named in ("×1", "×2", "×4", "×8"):
        expect(tempo).to_have_text(named)
        tempo.click()
    expect(tempo).to_have_text("as played")
    last = page.get_attribute("[data-page]", "data-last") or ""
    for _ in each_look("the end of the game"):
        if not tempo.count():
            break
        page.clock.fast_forward(f"{HOURS}:00:00")  # the next command, whenever it was given
    at_event(page, int(last))


def test_a_key_leads_to_my_last_move(visitor: Visitor, live_server: LiveServer) -> None:
    """M: the event at which my latest command began; the table is that after it."""
    anna = Player(live_server.address, "Anna")
    game, others = anna.with_others("colonial_empires", 3)
    others.move()
    seq = anna.move(game)["seq"]
    others.move()
    mine = [
        line["seq"] for line in anna.call("GET", f"/v1/games/{game}/history")["history"] if line["by"] == "p0"
    ]
    assert seq >= mine[-1]
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    expect(page.locator("[data-part=line]").last).to_be_visible()
    expect(page.locator("[data-page]")).to_have_attribute("data-asked", "true")
    page.keyboard.press("m")
    at_event(page, mine[-1])
