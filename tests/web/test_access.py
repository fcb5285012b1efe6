"""The page for everybody: by keyboard alone, and by the rules that axe-core checks."""

from __future__ import annotations

import os
import random
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.conftest import ROOT, LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Player, enter

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, BOT, OPEN = {"you": True}, {"bot": "random"}, {"open": True}
FOLDER = Path(os.environ.get("RUTTER_GENERATORS", ROOT / ".generators"))
AXE = FOLDER / "web" / "node_modules" / "axe-core" / "axe.min.js"
WIDTHS = ((1366, 768), (768, 1024), (390, 844))
TITLES = ("colonial", "colonial_revised", "colonialism", "colonies", "colonial_empires")
FOCUSED = "document.activeElement"
COMMAND = "[data-lit], [data-part=answer]"
TABS = 5
STEPS, LOOKS = 150, 2
"""Commands that are given, and how often one looks at each kind of them."""
NAMED = """axe.run(document, {runOnly: {type: 'rule', values: ['label-content-name-mismatch']},
    rules: {'label-content-name-mismatch': {enabled: true}}})
    .then((told) => told.violations.flatMap((each) => each.nodes.map((node) => node.html)))"""
FORCED = {"forced_colors": "active"}
SCHEMES = {"light": {"color_scheme": "light"}, "dark": {"color_scheme": "dark"}, "forced": FORCED}


@pytest.fixture
def anna(live_server: LiveServer) -> Player:
    return Player(live_server.address, "Anna")


def violations(page: Page | Frame) -> list[str]:
    """What axe-core finds wrong: rule and first element."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(
        "axe.run(document, {resultTypes: ['violations']}).then((told) =>"
        " told.violations.map((each) => `${each.id}: ${each.nodes[0].html} ${each.nodes[0].failureSummary}`))"
    )
    return found


@pytest.mark.slow
@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: tests/clients/install")
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("title", TITLES)
def test_axe_finds_nothing_at_a_table(visitor: Visitor, anna: Player, title: str, scheme: str) -> None:
    """At three widths, by day, by night, and in the colours of the system."""
    game = anna.game(title, [ME, BOT, BOT])
    page = enter(visitor(**SCHEMES[scheme]), anna.address, anna, f"g/{game}")
    expect(page.locator("[data-page]")).to_have_attribute("data-asked", "true")
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        assert still(page) == [], width


@pytest.mark.slow
@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: tests/clients/install")
@pytest.mark.parametrize("title", TITLES)
def test_whatever_is_asked_for_is_near(visitor: Visitor, anna: Player, title: str) -> None:
    """Tab reaches the first command soon, and who says what he sees written on what is lit reaches that."""
    others = [Player(anna.address, name) for name in ("Boris", "Clara")]
    game = anna.game(title, [ME, OPEN, OPEN])
    for other in others:
        other.call("POST", f"/v1/games/{game}/join", {})
    page = enter(visitor(), anna.address, anna)
    rng = random.Random(title)
    asked: Counter[str] = Counter()
    for _ in range(STEPS):
        who, item = rng.choice(open_to([anna, *others], game))
        now = anna.call("GET", f"/v1/games/{game}/decisions")
        awaited = [decision["seat"] for decision in now["decisions"] if not decision["free"]]
        if who is anna and item["seat"] in awaited and asked[item["command"]["type"]] < LOOKS:
            page.goto(f"{anna.address}/g/{game}")
            expect(page.locator("[data-page]")).to_have_attribute("data-seq", str(now["seq"]))
            expect(page.locator("[data-page]")).to_have_attribute("data-asked", "true")
            page.evaluate(AXE.read_text(encoding="utf-8"))
            assert page.evaluate(NAMED) == []
            to_the_first_command(page)
            asked[item["command"]["type"]] += 1
        who.call("POST", f"/v1/games/{game}/commands", item["command"])


def open_to(players: list[Player], game: str, seconds: float = 30) -> list[tuple[Player, dict[str, Any]]]:
    """The commands that *players* may give, as soon as there are some: the house may have to act before."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        asked = [(who, who.call("GET", f"/v1/games/{game}/decisions")["legal"]) for who in players]
        if found := [(who, item) for who, legal in asked for item in legal]:
            return found
        time.sleep(0.1)
    raise AssertionError("nobody can do anything")


def to_the_first_command(page: Page) -> None:
    """Press Tab until a command has the focus."""
    pressed = 0
    while not page.evaluate(f"{FOCUSED}.matches('{COMMAND}')"):
        page.keyboard.press("Tab")
        pressed += 1
        assert pressed <= TABS, page.locator("#ask").inner_text()


def still(page: Page) -> list[str]:
    """What is wrong with the table while nothing happened at it: one that is on its way is paler."""
    state, found = page.locator("[data-page]"), ["not looked yet"]
    before: str | None = None
    while before != (before := state.get_attribute("data-last")):
        expect(page.locator(".stage[aria-busy=false]")).to_be_visible()
        found = violations(page)
    return found


@pytest.mark.slow
@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: tests/clients/install")
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_elsewhere(visitor: Visitor, anna: Player, scheme: str) -> None:
    """Harbour, a new game, a title."""
    page = enter(visitor(**SCHEMES[scheme]), anna.address, anna)
    for address, ready in (("", "[data-part=play]"), ("new", ".places"), ("titles/colonies", "table")):
        page.goto(f"{anna.address}/{address}")
        expect(page.locator(ready).first).to_be_visible()
        assert violations(page) == [], address


@pytest.mark.parametrize(
    "title",
    [
        *(
            pytest.param(t, marks=() if t in ("colonial_empires", "colonies") else pytest.mark.slow)
            for t in TITLES
        )
    ],
)
def test_a_command_is_given_by_keys_alone(visitor: Visitor, anna: Player, title: str) -> None:
    """Five times Tab reach the first; Enter chooses, then gives; the focus is never lost."""
    game = anna.game(title, [ME, BOT, BOT])
    page = visitor()
    page.add_init_script("localStorage.setItem('rutter.confirm', 'off')")
    enter(page, anna.address, anna, f"g/{game}")
    expect(page.locator("[data-page]")).to_have_attribute("data-asked", "true")
    to_the_first_command(page)
    with page.expect_response(lambda answer: answer.url.endswith("/commands")) as told:
        lit = page.evaluate(f"{FOCUSED}.matches('[data-lit]')")
        page.keyboard.press("Enter")
        if lit:
            page.wait_for_function(f"() => {FOCUSED}.closest('.popover')")
            page.keyboard.press("Enter")
    assert told.value.ok
    page.wait_for_function(f"() => {FOCUSED} !== document.body")


def test_a_first_tab_leads_past_the_head(visitor: Visitor, anna: Player) -> None:
    """To what one is asked at a table, to the content elsewhere; the address stays."""
    game = anna.game("colonies", [ME, BOT, BOT])
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    expect(page.locator("[data-page]")).to_have_attribute("data-asked", "true")
    for address, goal in ((f"{anna.address}/g/{game}", "ask"), (f"{anna.address}/", "main")):
        page.goto(address)
        expect(page.locator(f"#{goal}")).to_be_visible()
        page.locator("body").press("Tab")
        assert page.evaluate(f"{FOCUSED}.className") == "skip"
        expect(page.locator(".skip")).to_be_in_viewport()
        page.keyboard.press("Enter")
        assert page.evaluate(f"{FOCUSED}.id") == goal
        assert page.url == address


@pytest.mark.parametrize("size", [WIDTHS[0], WIDTHS[-1]], ids=lambda size: f"{size[0]}")
def test_who_listens_hears_a_sentence_a_command(
    visitor: Visitor, anna: Player, size: tuple[int, int]
) -> None:
    """The first of what it led to; nothing that happened before, and nothing twice."""
    game = anna.game("colonial_empires", [ME, ME])
    for _ in range(3):
        give_any(anna, game)
    page = enter(
        visitor(viewport={"width": size[0], "height": size[1]}), anna.address, anna, f"g/{game}?seat=0"
    )
    said = page.locator("[data-part=said][role=status]")
    expect(page.locator("[data-part=line]")).not_to_have_count(0)
    expect(said).to_have_text("")
    page.evaluate(
        "() => { window.heard = []; new MutationObserver(() => heard.push("
        "document.querySelector('[data-part=said]').textContent)).observe("
        "document.querySelector('[data-part=said]'), {childList: true, characterData: true, subtree: true}) }"
    )
    sentences = []
    for _ in range(12):
        seq = give_any(anna, game)
        lines = anna.call("GET", f"/v1/games/{game}/history?seat=0&limit=1000")["history"]
        command = next(line["command"] for line in lines if line["seq"] == seq)
        sentences.append(next(line["text"] for line in lines if line["command"] == command))
        expect(said).to_have_text(sentences[-1])
    different = [text for before, text in zip(["", *sentences], sentences, strict=False) if text != before]
    assert page.evaluate("heard") == different
    assert page.locator("[role=log]").get_attribute("aria-live") == "off"


def give_any(anna: Player, game: str) -> int:
    """Give a command that may be given; the first event of it."""
    item = anna.legal(game)[0]
    body = {**item["command"], "seat": item["seat"]}
    return int(anna.call("POST", f"/v1/games/{game}/commands", body)["events"][0]["seq"])


def test_arrows_lead_from_one_lit_thing_to_the_next(visitor: Visitor, anna: Player) -> None:
    """All that is lit is one stop; to the right lies what lies to the right; nothing travels meanwhile."""
    game = anna.game("colonial_empires", [ME, BOT])
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    expect(page.locator("[data-lit]").first).to_be_visible()
    assert page.locator("[data-lit][tabindex='0']").count() == 1
    page.locator("[data-lit][tabindex='0']").focus()
    left = page.evaluate(f"{FOCUSED}.getBoundingClientRect().left")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"(left) => {FOCUSED}.getBoundingClientRect().left > left", arg=left)
    assert page.evaluate(f"{FOCUSED}.matches('[data-lit]')")
    expect(page.locator(".looking-back")).to_have_count(0)


@pytest.mark.parametrize(
    "title", [pytest.param(t, marks=() if t == "colonies" else pytest.mark.slow) for t in TITLES]
)
def test_a_large_letter_leaves_room_to_play(visitor: Visitor, anna: Player, title: str) -> None:
    """At twice the size (half the width and height) the bar and three commands of the list are in sight."""
    game = anna.game(title, [ME, BOT, BOT])
    page = enter(visitor(viewport={"width": 683, "height": 384}), anna.address, anna, f"g/{game}")
    expect(page.locator("[data-page]")).to_have_attribute("data-asked", "true")
    expect(page.locator("[data-part=bar]")).to_be_in_viewport(ratio=1)
    page.keyboard.press("l")
    commands = page.locator("[data-part=list] .command")
    expect(commands.first).to_be_visible()
    for number in range(min(3, commands.count())):
        expect(commands.nth(number)).to_be_in_viewport()


def test_forced_colours_leave_nothing_to_colour_alone(visitor: Visitor, anna: Player) -> None:
    """What is pressed, chosen or lit has an outline there; seats keep their colours and numbers."""
    game = anna.game("colonial_empires", [ME, BOT, BOT])
    page = enter(visitor(**FORCED), anna.address, anna, f"g/{game}")
    expect(page.locator("[data-lit]").first).to_be_visible()
    outline = "(one) => getComputedStyle(one).outlineStyle + getComputedStyle(one).outlineWidth"
    eyes = page.locator("[data-part=eyes] button")
    assert eyes.first.evaluate(outline) != eyes.nth(1).evaluate(outline)
    assert eyes.first.screenshot() != eyes.nth(1).screenshot()
    tabs = page.locator("[data-part=tab]")
    assert tabs.first.evaluate(outline) != tabs.nth(1).evaluate(outline)
    lit = page.locator(".hand [data-lit]").first
    assert lit.evaluate(outline).startswith("solid")
    lit.click()
    expect(page.locator("[data-selected]").first).to_be_visible()
    chosen, other = page.locator(".hand [data-selected]").first, page.locator(".hand .card[data-lit]").first
    if other.count():
        assert chosen.evaluate(outline) != other.evaluate(outline)
    badges = page.locator(".players .badge")
    colours = badges.evaluate_all("(all) => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert len(set(colours)) == badges.count()
    assert all(text.strip() for text in badges.all_inner_texts())


def test_nothing_moves_for_whoever_wishes_so(visitor: Visitor, anna: Player) -> None:
    """What has changed is marked, but not by a halo that fades."""
    game = anna.game("colonial_empires", [ME, ME])
    item = anna.legal(game)[0]  # by lot it is either seat's
    page = enter(visitor(reduced_motion="reduce"), anna.address, anna, f"g/{game}?seat={item['seat']}")
    expect(page.locator("[data-lit]").first).to_be_visible()
    anna.call("POST", f"/v1/games/{game}/commands", {**item["command"], "seat": item["seat"]})
    changed = page.locator("[data-changed]").first
    expect(changed).to_be_attached()
    assert changed.evaluate("(one) => getComputedStyle(one).animationName") == "none"


COVERED = """(() => {
    const over = document.querySelector('[data-part=guide]').getBoundingClientRect();
    return ['.stage', '.bar', '.hand', '.side .lines', '.voyage'].filter((name) => {
        const at = document.querySelector(name).getBoundingClientRect();
        return at.height && at.left < over.right - 1 && at.right > over.left + 1
            && at.top < over.bottom - 1 && at.bottom > over.top + 1;
    });
})()"""


@pytest.mark.parametrize("size", [(1440, 900), *WIDTHS], ids=lambda size: f"{size[0]}")
def test_a_first_turn_is_guided_and_nothing_that_is_lit_is_covered(
    visitor: Visitor, live_server: LiveServer, size: tuple[int, int]
) -> None:
    """Three hints beside the board, each with its clause, until they are read; then never again."""
    anna = Player(live_server.address, "Anna")
    game = anna.game("colonialism", [{"you": True}, {"bot": "random"}])
    page = enter(visitor(viewport={"width": size[0], "height": size[1]}), anna.address, anna, f"g/{game}")
    guide, understood = page.locator("[data-part=guide]"), page.locator("[data-part=understood]")
    expect(page.locator("[data-lit]").first).to_be_visible()
    for number, clause in enumerate(("CSM-246", "CSM-051", "CSM-190"), 1):
        expect(guide).to_be_in_viewport(ratio=1)
        expect(guide).to_contain_text(f"{number} of 3")
        expect(guide.get_by_role("link", name=clause)).to_have_attribute("href", re.compile(f"#{clause}$"))
        assert page.evaluate(COVERED) == []
        understood.click()
    expect(guide).to_have_count(0)
    page.reload()
    expect(page.locator("[data-lit]").first).to_be_visible()
    expect(guide).to_have_count(0)
