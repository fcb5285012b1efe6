"""The page for everybody: by keyboard alone, and by the rules that axe-core checks."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.conftest import LiveServer
from tests.tools import need_generated
from tests.waiting import until
from tests.web.conftest import Visitor
from tests.web.table import Player, dealt_as, enter, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, OPEN = {"you": True}, {"open": True}
WIDTHS = ((1366, 768), (768, 1024), (390, 844))
TITLES = ("colonial", "colonial_revised", "colonialism", "colonies", "colonial_empires")
TWO = ("colonies", "colonial_empires")
"""What holds for any title is tried with these; with all of them in tests/campaigns/web."""
FOCUSED = "document.activeElement"
COMMAND = "[data-lit], [data-part=answer]"
TABS = 5
STEPS, LOOKS = 8, 1
"""Commands that are given, and how often one looks at each kind of them; 150 and 2 in tests/campaigns/web."""
NAMED = """axe.run(document, {runOnly: {type: 'rule', values: ['label-content-name-mismatch']},
    rules: {'label-content-name-mismatch': {enabled: true}}})
    .then((told) => told.violations.flatMap((each) => each.nodes.map((node) => node.html)))"""
CHOOSE_ALL = """() => {
    const all = [...document.querySelectorAll('[data-ref]')];
    for (const each of all) {
        each.setAttribute('data-selected', '');
        each.setAttribute('aria-pressed', 'true');
        each.setAttribute('role', 'button');
    }
    return all.length;
}"""
"""Draws all that carries a ref as the page draws what is chosen; how much that is."""
UNREADABLE = """axe.run(document, {runOnly: {type: 'rule', values: ['color-contrast']}})
    .then((told) => told.violations.flatMap((each) => each.nodes)
        .map((node) => node.failureSummary + node.html))"""
FORCED = {"forced_colors": "active"}
SCHEMES = {"light": {"color_scheme": "light"}, "dark": {"color_scheme": "dark"}, "forced": FORCED}
EVERY_LOOK = [(scheme, size) for scheme in SCHEMES for size in WIDTHS]
LOOKED_AT = [*zip(SCHEMES, WIDTHS, strict=True)]
"""How axe-core looks at a page: each width and each colour once; tests/campaigns/web looks at all nine."""
DAY_AND_NIGHT = ("light", "dark")
COLOURS = [DAY_AND_NIGHT[:1], DAY_AND_NIGHT[1:]]
"""In turn by title; tests/campaigns/web looks at each title in both."""
CHOSEN_IN = TWO
"""The titles whose chosen things are read; tests/campaigns/web reads those of all."""
CALM = ".stage[aria-busy=false]"


@pytest.fixture
def anna(live_server: LiveServer) -> Player:
    return Player(live_server.address, "Anna")


def at_table(page: Page, anna: Player, title: str, query: str = "") -> Page:
    """A new game of three, at the first thing that Anna is asked; the others do nothing more."""
    game, others = anna.with_others(title, 3)
    others.move()
    enter(page, anna.address, anna, f"g/{game}{query}")
    is_asked(page)
    return page


def is_asked(page: Page) -> None:
    """Wait until what is asked and the table are drawn."""
    expect(page.locator("[data-page]")).to_have_attribute("data-asked", "true")
    expect(page.locator(CALM)).to_be_visible()


def look_like(page: Page, scheme: str, size: tuple[int, int]) -> None:
    """Show the page in these colours, and so large."""
    page.emulate_media(**{"color_scheme": "light", "forced_colors": "none", **SCHEMES[scheme]})
    page.set_viewport_size({"width": size[0], "height": size[1]})
    rendered(page)


def load_axe(page: Page | Frame) -> None:
    """Put axe-core into the page, once; where it is not installed the test is skipped."""
    if page.evaluate("typeof axe") != "undefined":
        return
    axe = need_generated("web/node_modules/axe-core/axe.min.js")
    page.evaluate(axe.read_text(encoding="utf-8"))


def violations(page: Page | Frame, part: str = "html") -> list[str]:
    """What axe-core finds wrong in the first such *part*: rule and first element."""
    load_axe(page)
    found: list[str] = page.evaluate(
        "(part) => axe.run(document.querySelector(part), {resultTypes: ['violations']}).then((told) =>"
        " told.violations.map(({id, nodes: [one]}) => `${id}: ${one.html} ${one.failureSummary}`))",
        part,
    )
    return found


@pytest.mark.parametrize("title", TWO)
def test_axe_finds_nothing_at_a_table(visitor: Visitor, anna: Player, title: str) -> None:
    """At three widths, by day, by night, and in the colours of the system."""
    page = at_table(visitor(), anna, title)
    for scheme, size in LOOKED_AT:
        look_like(page, scheme, size)
        assert violations(page) == [], (scheme, size)


def test_what_is_chosen_can_be_read(visitor: Visitor, anna: Player) -> None:
    """The words of whatever is chosen keep their contrast, by day or by night."""
    page = visitor()
    for number, title in enumerate(CHOSEN_IN):
        game = anna.game(title, [ME] * 4)
        enter(page, anna.address, anna, f"g/{game}?seat={anna.legal(game)[0]['seat']}")
        is_asked(page)
        load_axe(page)
        assert page.evaluate(CHOOSE_ALL)
        for scheme in COLOURS[number % len(COLOURS)]:
            look_like(page, scheme, WIDTHS[0])
            assert page.evaluate(UNREADABLE) == [], (title, scheme)


@pytest.mark.parametrize("title", TWO[:1])
def test_whatever_is_asked_for_is_near(visitor: Visitor, anna: Player, title: str) -> None:
    """Tab reaches the first command soon; saying the words on what is lit reaches that."""
    others = [Player(anna.address, name) for name in ("Boris", "Clara")]
    game = anna.game(title, [ME, OPEN, OPEN], repeat=dealt_as(title))
    for other in others:
        other.call("POST", f"/v1/games/{game}/join", {})
    page = enter(visitor(), anna.address, anna)
    rng = random.Random(title)
    asked: Counter[str] = Counter()
    for _ in range(STEPS):
        now, commands = open_to([anna, *others], game)
        who, item = rng.choice(commands)
        awaited = [decision["seat"] for decision in now["decisions"] if not decision["free"]]
        if who is anna and item["seat"] in awaited and asked[item["command"]["type"]] < LOOKS:
            page.goto(f"{anna.address}/g/{game}")
            expect(page.locator("[data-page]")).to_have_attribute("data-seq", str(now["seq"]))
            is_asked(page)
            load_axe(page)
            assert page.evaluate(NAMED) == []
            to_the_first_command(page)
            page.goto(f"{anna.address}/v1/titles")  # what happens until the next look need not be drawn
            asked[item["command"]["type"]] += 1
        who.call("POST", f"/v1/games/{game}/commands", item["command"])


def open_to(players: list[Player], game: str) -> Any:
    """What *players*, by their seats, are asked, and who may give which command, as soon as there is one: the
    house may have to act before.
    """

    def found() -> Any:
        now = players[0].call("GET", f"/v1/games/{game}/decisions")
        asked = {decision["seat"] for decision in now["decisions"]}
        told = {0: now, **{seat: legal(seat) for seat in asked - {None, 0}}}
        commands = [(players[seat], item) for seat in sorted(told) for item in told[seat]["legal"]]
        return (now, commands) if commands else None

    def legal(seat: int) -> dict[str, Any]:
        return players[seat].call("GET", f"/v1/games/{game}/decisions")

    return until(found, "something that anybody can do")


def to_the_first_command(page: Page) -> None:
    """Press Tab until a command has the focus."""
    pressed = 0
    while not page.evaluate(f"{FOCUSED}.matches('{COMMAND}')"):
        page.keyboard.press("Tab")
        pressed += 1
        assert pressed <= TABS, page.locator("#ask").inner_text()


@pytest.mark.parametrize("title", TWO)
def test_a_command_is_given_by_keys_alone(visitor: Visitor, anna: Player, title: str) -> None:
    """Five times Tab reach the first; Enter chooses, then gives; the focus is never lost."""
    page = visitor()
    page.add_init_script("localStorage.setItem('rutter.confirm', 'off')")
    at_table(page, anna, title)
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
    page = at_table(visitor(), anna, "colonies")
    for address, goal, ready in (
        (page.url, "ask", "[data-asked=true]"),
        (f"{anna.address}/", "main", "[data-part=play]"),
    ):
        page.goto(address)
        expect(page.locator(ready).first).to_be_visible()
        expect(page.locator(f"#{goal}")).to_be_visible()
        page.locator("body").press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        expect(page.locator(".skip")).to_be_in_viewport()
        page.keyboard.press("Enter")
        expect(page.locator(f"#{goal}")).to_be_focused()
        expect(page).to_have_url(address)


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
    for _ in range(6):
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
    page = at_table(visitor(), anna, "colonial_empires")
    expect(page.locator("[data-lit][tabindex='0']")).to_have_count(1)
    page.locator("[data-lit][tabindex='0']").focus()
    left = page.evaluate(f"{FOCUSED}.getBoundingClientRect().left")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"(left) => {FOCUSED}.getBoundingClientRect().left > left", arg=left)
    page.wait_for_function(f"() => {FOCUSED}.matches('[data-lit]')")
    expect(page.locator(".looking-back")).to_have_count(0)


@pytest.mark.parametrize("title", TWO[1:])
def test_a_large_letter_leaves_room_to_play(visitor: Visitor, anna: Player, title: str) -> None:
    """At twice the size (half the width and height) the bar and three commands of the list are in sight."""
    page = at_table(visitor(viewport={"width": 683, "height": 384}), anna, title)
    expect(page.locator("[data-part=bar]")).to_be_in_viewport(ratio=1)
    page.keyboard.press("l")
    commands = page.locator("[data-part=list] .command")
    expect(commands.first).to_be_visible()
    for number in range(min(3, commands.count())):
        expect(commands.nth(number)).to_be_in_viewport()


def test_forced_colours_leave_nothing_to_colour_alone(visitor: Visitor, anna: Player) -> None:
    """What is pressed, chosen or lit has an outline there; seats keep their colours and numbers."""
    page = at_table(visitor(**FORCED), anna, "colonial_empires")
    expect(page.locator(".players .badge")).to_have_count(3)
    outline = "(one) => getComputedStyle(one).outlineStyle + getComputedStyle(one).outlineWidth"
    page.locator("[data-part=menu]").click()
    eyes = page.locator("[data-part=eyes] button")
    assert eyes.first.evaluate(outline) != eyes.nth(1).evaluate(outline)
    assert eyes.first.screenshot() != eyes.nth(1).screenshot()
    page.keyboard.press("Escape")
    tabs = page.locator("[data-part=tab]")
    assert tabs.first.evaluate(outline) != tabs.nth(1).evaluate(outline)
    lit = page.locator(".hand [data-lit]").first
    assert lit.evaluate(outline).startswith("solid")
    lit.click()
    expect(page.locator("[data-selected]").first).to_be_visible()
    chosen, other = page.locator(".hand [data-selected]").first, page.locator(".hand .card[data-lit]")
    rendered(page)
    for each in other.all()[:1]:
        assert chosen.evaluate(outline) != each.evaluate(outline)
    badges = page.locator(".players .badge")
    colours = badges.evaluate_all("(all) => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert len(set(colours)) == badges.count()
    assert all(text.strip() for text in badges.all_inner_texts())


def test_nothing_moves_for_those_who_ask_for_it(visitor: Visitor, anna: Player) -> None:
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
    return ['.stage', '.bar', '.hand', '.side .lines', '.replay'].filter((name) => {
        const at = document.querySelector(name).getBoundingClientRect();
        return at.height && at.left < over.right - 1 && at.right > over.left + 1
            && at.top < over.bottom - 1 && at.bottom > over.top + 1;
    });
})()"""


@pytest.mark.parametrize("size", [WIDTHS[0], WIDTHS[-1]], ids=lambda size: f"{size[0]}")
def test_a_first_turn_is_guided_and_nothing_that_is_lit_is_covered(
    visitor: Visitor, live_server: LiveServer, size: tuple[int, int]
) -> None:
    """Three hints beside the board, each with its clause, until they are read; then never again."""
    anna = Player(live_server.address, "Anna")
    page = at_table(visitor(viewport={"width": size[0], "height": size[1]}), anna, "colonialism")
    guide, understood = page.locator("[data-part=guide]"), page.locator("[data-part=understood]")
    expect(page.locator("[data-lit]").first).to_be_visible()
    for number, clause in enumerate(("CSM-246", "CSM-051", "CSM-190"), 1):
        expect(guide).to_be_in_viewport(ratio=1)
        expect(guide).to_contain_text(f"{number} of 3")
        expect(guide.get_by_role("link", name=clause)).to_have_attribute("href", re.compile(f"#{clause}$"))
        rendered(page)
        assert page.evaluate(COVERED) == []
        understood.click()
    expect(guide).to_have_count(0)
    page.reload()
    expect(page.locator("[data-lit]").first).to_be_visible()
    expect(guide).to_have_count(0)
