"""One plays on the board: its place on the page, clicks on what is lit, and the log beside it."""

from __future__ import annotations

import json
import math
import random
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from events.rules.kit import panels
from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.insight import is_in_sight
from tests.web.table import Held, Player, enter, give, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, BOT = {"you": True}, {"bot": "random"}
SEATS = {
    "example": 2,
    "colonial": 3,
    "colonial_revised": 3,
    "colonialism": 3,
    "colonies": 3,
    "colonial_empires": 3,
}
SIZES = ((1440, 900), (1366, 768), (768, 1024), (390, 844))
PHONE = 500
STRIP = 48
HIGH = "(strip) => strip.getBoundingClientRect().height"
TOUCHED = """() => {
    window.touched = [];
    const marks = (node) => node.matches?.(".halo");
    const seen = ({type, addedNodes, removedNodes}) =>
        type === "characterData" || [...addedNodes, ...removedNodes].some((node) => !marks(node));
    const told = ({target}) => target.data ?? target.outerHTML;
    new MutationObserver((all) => touched.push(...all.filter(seen).map(told)))
        .observe(document.querySelector("[data-role=board] .map"),
            {subtree: true, childList: true, characterData: true});
}"""
"""Notes what is written again in the map, except what marks things that can be chosen."""
DRAWN = """(last) => {
    const { seq, status, asked } = document.querySelector("[data-page]")?.dataset ?? {};
    const calm = document.querySelector(".stage[aria-busy=false]");
    return calm && Number(seq) >= last && (status === "finished" || asked === "true");
}"""
"""Event *last* is drawn, and what is asked then can be answered."""
LIT, CHOICE, ANSWER = (
    "[data-lit]",
    ".popover [data-part=give], .popover [data-part=candidate]",
    "[data-part=answer]",
)


@pytest.fixture
def anna(live_server: LiveServer) -> Player:
    return Player(live_server.address, "Anna")


class Table:
    """A game that one plays by clicks, asked nothing twice. The others move when it is their turn."""

    def __init__(self, page: Page, anna: Player, title: str) -> None:
        """Opens it on *page*, at the first thing that Anna is asked."""
        self.page, self.anna = page, anna
        self.game, self._others = anna.with_others(title, SEATS[title])
        self._others.move()
        page.add_init_script("localStorage.setItem('rutter.confirm', 'off')")
        enter(page, anna.address, anna, f"g/{self.game}")
        expect(page.locator("[data-role=board]").first).to_be_visible()
        self.is_mine()

    def is_mine(self) -> bool:
        """Go on until Anna is asked, and all of it is drawn; False where the game has ended."""
        self._others.move()
        return is_drawn(self.page, self.anna, self.game)

    def play(self, commands: int) -> int:
        """Give so many commands by what is lit and asked, the list closed; how many clicks it took.

        Afterwards Anna is asked again, or the game has ended.
        """
        clicks = given = 0
        while given < commands and self.is_mine():
            clicks += 1
            given += click_on(self.page)
        running = self.is_mine()
        assert given == commands or not running
        return clicks


def is_drawn(page: Page, player: Player, game: str) -> bool:
    """Wait until what has happened is drawn, and what is asked can be answered; False where all is over."""
    now = player.call("GET", f"/v1/games/{game}")
    page.wait_for_function(DRAWN, arg=now["last"])
    return page.get_attribute("[data-page]", "data-status") == "running"


def click_on(page: Page) -> bool:
    """Click once on what leads to a command: True where that gave it."""
    wanted = page.locator(f"{CHOICE}, {LIT}, {ANSWER}")
    expect(wanted.first).to_be_visible()
    if page.locator(CHOICE).count():
        return give(page, CHOICE)
    if page.locator(LIT).count():
        page.locator(LIT).first.click()
        rendered(page)
        return False
    return give(page, ANSWER)


@pytest.mark.parametrize(
    "title", [pytest.param(title, marks=pytest.mark.whole if title == "colonial" else ()) for title in SEATS]
)
def test_a_title_is_played_by_clicks_on_what_is_lit_in_sight_and_asked_in_words(
    visitor: Visitor, anna: Player, title: str
) -> None:
    """Board, hand, seats and answers are enough; the list of commands stays closed.

    Before each command something lit is in sight at every width, and a bar in sight asks for it in words.
    """
    size: ViewportSize = {"width": 1366, "height": 768}
    table = Table(visitor(viewport=size), anna, title)
    page = table.page
    for _ in range(3):
        is_in_sight(page)
        page.set_viewport_size(size)
        asks_in_words(page, anna)
        table.play(1)
        expect(page.locator("[data-part=list]")).to_have_count(0)
        if page.get_attribute("[data-page]", "data-status") != "running":
            break


STATIC = Path(__file__).resolve().parents[2] / "service" / "static"
OF_THE_SIXTH = re.compile("landfall|choose_sail|test_title|tests.titles", re.IGNORECASE)
"""What a file of the page would name if it knew the title of these tests."""


def test_a_title_that_the_page_does_not_know_is_played_on_its_map_and_cards(
    visitor: Visitor, anna: Player
) -> None:
    """It declares no drawing and no file of the page names it; what is lit is enough on both."""
    display = anna.call("GET", "/v1/titles/example/display")
    assert [display[each] for each in ("charts", "art", "guide", "standing")] == [{}, {}, [], []]
    texts = [each for each in STATIC.rglob("*") if each.suffix in {".js", ".css", ".html", ".json"}]
    assert [each.name for each in texts if OF_THE_SIXTH.search(each.read_text(encoding="utf-8"))] == []
    page = visitor(viewport={"width": 1366, "height": 768})
    page.route(re.compile("/v1/games/[^/]+/table"), on_a_map)
    table = Table(page, anna, "example")
    for place in ("[data-role=board]", ".hand"):
        lit = page.locator(f"{place} {LIT}")
        expect(lit.first).to_be_visible()
        lit.first.click()
        give(page, CHOICE)
        assert table.is_mine()
    expect(page.locator("[data-part=list]")).to_have_count(0)


def on_a_map(route: Route) -> None:
    """Answer with a map in place of the table; one kind of sail lies on it, the others are a hand."""
    answer = route.fetch()
    told = answer.json()
    hands = [panel for panel in told["panels"] if panel["role"] == "hand"]
    cards = [card for panel in hands for card in panel["items"]]
    areas = [panels.area("bay", "Bay", 100, 250)]
    if cards:
        areas.append(panels.area("shore", cards[0]["name"], 600, 250, ref=cards[0]["ref"]))
        hands[0]["items"] = [card for card in cards if card["ref"] != cards[0]["ref"]]
    sea = {**panels.world("Sea", 1000, 500, areas), "role": "board"}
    told["panels"] = [sea if panel["role"] == "board" else panel for panel in told["panels"]]
    route.fulfill(response=answer, json=json.loads(json.dumps(told)))


def test_anyone_who_is_overtaken_is_told_and_plays_on(visitor: Visitor, anna: Player) -> None:
    """A command that means nothing any more is refused in words; then what is asked now can be answered."""
    table = Table(visitor(), anna, "colonial_empires")
    page, news = table.page, re.compile(rf"/v1/games/{table.game}/table")
    page.locator(LIT).first.click()
    expect(page.locator(CHOICE).first).to_be_visible()
    held = Held(page, news)
    anna.give_any(table.game)  # by another client of theirs
    with page.expect_response(lambda answer: answer.url.endswith("/commands")) as told:
        page.locator(CHOICE).first.click()
    assert told.value.status == 409
    expect(page.locator(".failure").first).to_be_visible()
    held.let_go()
    page.keyboard.press("Escape")
    expect(page.locator(".failure")).to_have_count(0)
    table.play(1)


def asks_in_words(page: Page, anna: Player) -> None:
    """Hold what is on the page now, while Anna is asked, against the keys of what is asked.

    What is to be done stands in the bar, and in the list, as a sentence of the title; no key of a decision.
    """
    game = page.get_attribute("[data-game]", "data-game")
    seat = page.get_attribute("[data-page]", "data-eyes")
    told = anna.call("GET", f"/v1/games/{game}/decisions?seat={seat}")["decisions"]
    mine = [each for each in told if each["seat"] == int(seat or 0) and not each["free"]]
    bar, ask = page.locator("[data-part=bar]"), page.locator("[data-part=ask]")
    expect(bar).to_be_in_viewport()
    for each in mine:
        expect(ask).to_contain_text(each["ask"])
    page.keyboard.press("l")
    expect(page.locator("[data-part=list] .decision").first).to_contain_text(mine[0]["ask"])
    text = page.locator("body").inner_text()
    keys = [each["kind"] for each in told if "_" in each["kind"]]
    assert not [key for key in keys if key in text]
    page.keyboard.press("l")
    expect(page.locator("[data-part=list]")).to_have_count(0)


@pytest.mark.parametrize("title", ["colonial"])
def test_the_board_comes_first_at_every_width(visitor: Visitor, anna: Player, title: str) -> None:
    """45 % of the window without scrolling (40 % on a phone); the page is as high as the window.

    The way through time is a strip; on a phone it comes with the log only. All titles in tests/campaigns/web.
    """
    page = Table(visitor(), anna, title).page
    foot = page.locator("[data-part=transport]")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        rendered(page)
        box = page.locator("[data-role=board]").first.bounding_box()
        assert box is not None
        seen = min(height, box["y"] + box["height"]) - max(0, box["y"])
        assert seen >= height * (0.4 if width < PHONE else 0.45), (width, seen)
        expect(page.locator("[data-part=bar]")).to_be_in_viewport()
        expect(page.locator(".hand")).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollHeight") <= height
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(foot).to_be_visible(visible=width >= PHONE)
        assert width < PHONE or foot.evaluate(HIGH) <= STRIP
    page.locator("[data-tab=log]").click()
    expect(foot).to_be_visible()
    assert foot.evaluate(HIGH) <= STRIP


def test_a_row_of_cards_is_given_when_it_is_whole(visitor: Visitor, anna: Player) -> None:
    """The order of the clicks is that of the row, also of one that the list of 120 leaves out; not before
    the fifth is there anything to press.
    """
    table = Table(visitor(), anna, "colonial")
    page = table.page
    while "Program" not in page.locator("[data-part=ask]").inner_text():  # a Nation is chosen first
        table.play(1)
    cards = page.locator(".hand .card[data-lit]")
    keys = [ref.removeprefix("card:") for ref in cards.evaluate_all("(all) => all.map((e) => e.dataset.ref)")]
    listed = [item["command"].get("row") for item in anna.legal(table.game)]
    order = next(list(row) for row in permutations(keys, 5) if list(row) not in listed)
    page.locator(f"[data-ref='card:{order[0]}']").first.click()
    page.keyboard.press("Escape")
    expect(page.locator("[data-selected]")).to_have_count(0)
    for number, key in enumerate(order, 1):
        expect(page.locator(CHOICE)).to_have_count(0)
        page.locator(f".hand .card[data-ref='card:{key}']").click()
        expect(page.locator("[data-selected]")).to_have_count(number)
    with page.expect_response(lambda answer: answer.request.method == "POST") as told:
        page.locator(CHOICE).click()
    assert json.loads(told.value.request.post_data or "{}") == {"type": "program_cards", "row": order}
    assert told.value.status == 200


def test_the_map_goes_nearer_and_back(visitor: Visitor, anna: Player) -> None:
    """Keys and wheel; names are legible; an owner is told by a number, not by the colour alone."""
    page = Table(visitor(viewport={"width": 1366, "height": 768}), anna, "colonial").page
    frame = page.locator("[data-zoom]")
    expect(page.locator("[data-part=label]").first).to_be_visible()
    assert (
        min(
            page.locator("[data-part=label]").evaluate_all(
                "(all) => all.map((e) => e.getBoundingClientRect().height)"
            )
        )
        >= 12
    )
    frame.focus()
    page.keyboard.press("+")
    expect(frame).not_to_have_attribute("data-zoom", "1.00")
    page.keyboard.press("0")
    expect(frame).to_have_attribute("data-zoom", "1.00")
    owned = page.locator(".map .token[data-owner]")
    for index in range(owned.count()):
        assert owned.nth(index).get_attribute("data-owner") in owned.nth(index).inner_text()
    page.locator("[data-part=legend]").click()
    expect(page.locator("[data-part=legend-list] li").first).to_be_visible()
    page.locator(".map-scroll").press("?")
    expect(page.locator("[data-part=legend-list]")).to_have_count(0)


def test_a_choice_tells_its_price_and_its_chance(visitor: Visitor, anna: Player) -> None:
    """As the rules have them: what a step of progress costs, and how often a die reaches what is needed."""
    game = anna.game("colonial_revised", [ME, ME, ME])
    rng, kinds = random.Random(15), {"explore": "chance", "advance_progress": "cost"}
    while kinds:
        legal = anna.legal(game)
        told = next((item for item in legal if item["command"]["type"] in kinds), None)
        if told is None:
            item = rng.choice(legal)
            anna.call("POST", f"/v1/games/{game}/commands", {**item["command"], "seat": item["seat"]})
            continue
        kind, seat, command = told["command"]["type"], told["seat"], told["command"]
        view = anna.call("GET", f"/v1/games/{game}?seat={seat}")["view"]
        page = enter(visitor(), anna.address, anna, f"g/{game}?seat={seat}")
        expect(page.locator("[data-page]")).to_have_attribute("data-asked", "true")
        page.locator("[data-part=all][aria-expanded=false]").click()
        line = page.locator("[data-part=list] .command").filter(has_text=told["label"]).first
        if kind == "explore":
            needed = view["territories"][command["territory"]]["exploration_targets"][seat]
            share = sum(face >= needed for face in range(1, 7)) / 6
            expect(line.locator(".chance")).to_have_text(f"{math.floor(share * 100 + 0.5)} %")
        else:
            before = view["players"][seat]["treasury"]
            expect(line.locator(".cost")).to_have_text(told["cost"])
            anna.call("POST", f"/v1/games/{game}/commands", {**command, "seat": seat})
            after = anna.call("GET", f"/v1/games/{game}?seat={seat}")["view"]["players"][seat]["treasury"]
            assert told["cost"] == f"{before - after} T"
        del kinds[kind]
        if kinds and kind == "explore":
            anna.call("POST", f"/v1/games/{game}/commands", {**command, "seat": seat})


def test_a_map_that_has_not_changed_is_not_touched(visitor: Visitor, anna: Player) -> None:
    """Nothing in it is written again by an event after which it looks the same."""
    game = anna.game("colonial", [ME, ME, ME])
    page = enter(visitor(), anna.address, anna, f"g/{game}?seat=0")
    expect(page.locator("[data-role=board] .map .outline")).to_be_visible()
    page.evaluate(TOUCHED)
    same = 0
    while same < 5:
        is_shown(page, anna, game)
        before = board(anna, game)
        page.evaluate("touched.length = 0")
        anna.give_any(game)
        is_shown(page, anna, game)
        if board(anna, game) == before:
            assert page.evaluate("touched") == []
            same += 1


def is_shown(page: Page, player: Player, game: str) -> None:
    """Wait until the player is asked for something, and all that has happened before is drawn."""
    player.legal(game)
    page.wait_for_function(
        "(seq) => Number(document.querySelector('[data-page]').dataset.seq) >= seq"
        " && document.querySelector('.stage[aria-busy=false]')",
        arg=player.call("GET", f"/v1/games/{game}")["last"],
    )


def board(anna: Player, game: str) -> Any:
    """What is drawn of the world."""
    table = anna.call("GET", f"/v1/games/{game}/table?seat=0")
    return next(panel for panel in table["panels"] if panel["kind"] == "map")


def test_pointing_at_a_command_shows_what_it_names(visitor: Visitor, anna: Player) -> None:
    """A candidate under the mouse marks its things on the board."""
    table = Table(visitor(), anna, "colonies")
    table.play(1)
    page = table.page
    page.locator(LIT).first.click()
    page.locator(CHOICE).first.hover()
    expect(page.locator("[data-hinted]").first).to_be_attached()


def test_pointing_at_the_board_narrows_the_list(visitor: Visitor, anna: Player) -> None:
    """While the mouse rests there, or until Escape what is chosen. A command of the list marks its things."""
    table = Table(visitor(), anna, "colonial_empires")  # an empire is chosen first, of several
    page = table.page
    page.keyboard.press("l")
    commands, narrowed = page.locator("[data-part=list] .command"), page.locator("[data-part=narrowed]")
    every = len(anna.legal(table.game))
    expect(commands).to_have_count(every)
    thing = page.locator(f".hand {LIT}").first
    thing.hover()
    expect(narrowed).to_contain_text(f"1 of {every}")
    expect(commands).to_have_count(1)
    page.locator("[data-part=ask]").hover()
    expect(narrowed).to_have_count(0)
    expect(commands).to_have_count(every)
    thing.click()
    expect(commands).to_have_count(1)
    commands.focus()
    chosen = page.locator("[data-selected]").first.get_attribute("data-ref") or ""
    expect(page.locator(f"[data-hinted][data-ref='{chosen}']").first).to_be_attached()
    page.locator("[data-part=ask]").hover()
    page.keyboard.press("Escape")
    expect(commands).to_have_count(every)
    page.keyboard.press("Escape")
    expect(page.locator("[data-part=list]")).to_have_count(0)


def test_a_map_stays_as_near_as_it_was(visitor: Visitor, anna: Player) -> None:
    """Wheel, two fingers, double click; after a command, another tab and a reload it is as it was."""
    table = Table(visitor(has_touch=True), anna, "colonial")
    page = table.page
    frame = page.locator("[data-zoom]")
    expect(frame).to_have_attribute("data-zoom", "1.00")
    frame.hover()
    page.mouse.wheel(0, -100)
    expect(frame).to_have_attribute("data-zoom", "1.25")
    fingers(page, frame, 60, 120)
    expect(frame).not_to_have_attribute("data-zoom", "1.25")
    rendered(page)  # the last touch too
    near = frame.get_attribute("data-zoom") or ""
    page.locator("[data-tab=tables]").click()
    page.locator("[data-tab=board]").click()
    expect(frame).to_have_attribute("data-zoom", near)
    page.reload()
    expect(frame).to_have_attribute("data-zoom", near)
    table.play(1)
    expect(frame).to_have_attribute("data-zoom", near)
    page.locator(".map .water").dblclick(position={"x": 5, "y": 300}, force=True)
    expect(frame).to_have_attribute("data-zoom", "1.00")


def fingers(page: Page, frame: Any, apart: int, then: int) -> None:
    """Two fingers on *frame*, so far apart and then so far."""
    box = frame.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    wire = page.context.new_cdp_session(page)

    def touch(kind: str, width: int) -> None:
        points = [{"x": x + side * width / 2, "y": y} for side in (-1, 1)]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points if width else []})

    touch("touchStart", apart)
    for width in (apart + 2, then):
        touch("touchMove", width)
    touch("touchEnd", 0)
    wire.detach()


def test_a_finger_opens_the_legend(visitor: Visitor, anna: Player) -> None:
    """On a phone too every piece is explained."""
    page = Table(visitor(viewport={"width": 390, "height": 844}, has_touch=True), anna, "colonial").page
    page.locator("[data-part=legend]").tap()
    expect(page.locator("[data-part=legend-list] li").first).to_be_in_viewport()


def test_the_log_stays_at_its_end(visitor: Visitor, anna: Player) -> None:
    """Whatever the layout does; only the reader's own hand stops it, however little, and then it counts."""
    table = Table(visitor(), anna, "colonialism")
    page = table.page
    lines, news = page.locator(".lines"), page.locator("[data-part=new]")
    away = "(list) => list.scrollHeight - list.scrollTop - list.clientHeight"
    for height in (700, 500, 900, 620):
        page.set_viewport_size({"width": 1366, "height": height})
        page.wait_for_function(f"() => ({away})(document.querySelector('.lines')) < 40")
    table.play(2)  # the turn goes on for two more: a new one folds up what one reads
    for little, so_far in ((-400, 40), (-20, 10)):
        page.wait_for_function(f"() => ({away})(document.querySelector('.lines')) < 2")
        lines.hover()
        page.mouse.wheel(0, little)
        page.wait_for_function(f"() => ({away})(document.querySelector('.lines')) > {so_far}")
        page.locator("h1").hover()  # the table after a line is shown while the mouse rests on it
        table.play(1)
        news.click()
        expect(news).to_have_count(0)
    page.wait_for_function(f"() => ({away})(document.querySelector('.lines')) < 40")


def test_the_log_stays_at_its_end_however_late_its_scrolling_is_told(visitor: Visitor, anna: Player) -> None:
    """Where the lines have become longer since, it is no reader who left the end."""
    table = Table(visitor(viewport={"width": 1366, "height": 900}), anna, "colonialism")
    page = table.page
    table.play(3)
    away = "(list) => list.scrollHeight - list.scrollTop - list.clientHeight"
    page.wait_for_function(f"() => ({away})(document.querySelector('.lines')) < 2")
    rendered(page)
    page.locator(".lines").evaluate("""(list) => {
        const now = performance.now.bind(performance);
        performance.now = () => now() + 10000;  // longer than a scroll counts as caused by what was drawn
        list.scrollTop -= 1;
        list.lastElementChild.style.paddingBottom = "100px";
    }""")
    rendered(page)
    page.wait_for_function(f"() => ({away})(document.querySelector('.lines')) < 2")


def test_a_low_window_keeps_some_lines_of_the_log(visitor: Visitor, anna: Player) -> None:
    """Three of them at least, beside the hints of a first turn and what is new since one's last command."""
    table = Table(visitor(viewport={"width": 1366, "height": 620}), anna, "colonialism")
    page = table.page
    table.play(3)
    expect(page.locator(".guide")).to_be_visible()
    expect(page.locator("[data-part=since]")).to_be_visible()
    page.wait_for_function("() => document.querySelector('.lines').clientHeight > 60")
    expect(page.locator("[data-role=board]").first).to_be_in_viewport(ratio=0.9)


def test_the_rules_are_beside_the_board(visitor: Visitor, anna: Player) -> None:
    """The rulebook of the game's title, in a tab of its own."""
    game = anna.call("POST", "/v1/games", {"title": "colonies", "seats": [{"you": True}] * 3})["id"]
    page = enter(visitor(), anna.address, anna, f"#/games/{game}?tab=rules")
    expect(page.frame_locator("iframe[title=Rules]").locator("h1").first).to_contain_text("Colonies")


def test_a_tab_stands_in_the_address(visitor: Visitor, anna: Player) -> None:
    """And an old address, or one that is broken, leads where it should."""
    table = Table(visitor(), anna, "example")
    page = table.page
    page.locator("[data-tab=tables]").click()
    expect(page.locator(".tab-page")).to_be_visible()
    expect(page).to_have_url(f"{anna.address}/g/{table.game}?tab=tables")
    page.goto(f"{anna.address}/#/games/{table.game}?tab=tables")
    expect(page.locator(".tab-page")).to_be_visible()
    expect(page).to_have_url(f"{anna.address}/g/{table.game}?tab=tables")
    page.goto(f"{anna.address}/#/games/%E0%A4%A")
    expect(page.locator("[data-page=off]")).to_be_visible()


def test_two_chairs_are_handed_over_behind_a_curtain_without_a_click_of_their_own(
    visitor: Visitor, anna: Player
) -> None:
    """A player of both seats gives the commands, and says each time who they are; nothing else.

    No hand is in the page until they have said so.
    """
    game = anna.game("example", [ME, ME])
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    curtain, commands, passed = page.locator("[data-part=curtain]"), 0, 0
    while passed < 2 or commands < 4:
        expect(curtain.or_(page.locator(f".hand {LIT}")).first).to_be_visible()
        if curtain.count():
            expect(curtain).to_contain_text("Pass to")
            expect(page.locator(".hand .card")).to_have_count(0)
            curtain.locator("button").click()
            passed += 1
        else:
            page.locator(f".hand {LIT}").first.click()
            commands += give(page, CHOICE)
            handed_over(page, anna, game)


def handed_over(page: Page, anna: Player, game: str) -> None:
    """Wait until the curtain has fallen if it is to fall: then nothing of a hand is under the mouse."""
    now = anna.call("GET", f"/v1/games/{game}")
    page.wait_for_function(
        "(last) => { const { seq, asked, status } = document.querySelector('[data-page]').dataset;"
        " return document.querySelector('[data-part=curtain]') || Number(seq) >= last"
        " && (asked === 'true' || status === 'finished'); }",
        arg=now["last"],
    )


def test_what_the_mouse_is_told_the_keyboard_is_told(visitor: Visitor, anna: Player) -> None:
    """Of an area: its name, what it holds and what lies there stand below the map either way."""
    table = Table(visitor(viewport={"width": 1366, "height": 768}), anna, "colonies")
    page = table.page
    area, caption = page.locator(f".map {LIT}[data-key]"), page.locator(".map-caption")
    while not area.count():
        anna.move(table.game)
        assert table.is_mine()
    area.first.hover()
    expect(caption).to_contain_text("·")
    said = caption.inner_text()
    page.locator(".map .water").hover(position={"x": 5, "y": 300}, force=True)
    expect(caption).to_be_empty()
    area.first.focus()
    expect(caption).to_have_text(said)
