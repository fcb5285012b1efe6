"""The head of a game at every width, what is read in full, counters on a map, settings and shortcuts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from events.rules.kit import panels
from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Player, enter, look_through
from tests.web.test_modules import draw

ME, BOT = {"you": True}, {"bot": "random"}
WIDTHS = ((390, 844), (768, 1024), (1366, 768), (1440, 900), (1600, 900))
WIDE = 1600
served = [pytest.mark.browser, pytest.mark.integration]
CUT = """(selector) => {
    const one = document.querySelector(selector), at = one.getBoundingClientRect();
    return one.scrollWidth > one.clientWidth + 1 || at.left < 0 || at.right > innerWidth + 1;
}"""
OVER = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const boxes = (selector) => all(selector).map((one) => one.getBoundingClientRect());
    const beside = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1;
    const below = (a, b) => a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
    const covers = (a, b) => !beside(a, b) && !below(a, b);
    const pieces = boxes(".map .token path"), names = boxes(".map [data-part=label]");
    return [
        pieces.some((one, index) => pieces.slice(index + 1).some((other) => covers(one, other))),
        pieces.some((one) => names.some((other) => covers(one, other))),
    ];
}"""
"""Whether pieces of a map cover each other, and whether one covers a name."""


@pytest.fixture
def anna(live_server: LiveServer) -> Player:
    return Player(live_server.address, "Anna Magdalena of Lisbon and Oporto")


def at(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


@pytest.mark.browser
@pytest.mark.integration
def test_the_head_shows_account_and_live_state_at_every_width(
    visitor: Visitor, ended: tuple[Player, str], anna: Player
) -> None:
    """Receipts and eyes stand in a menu where the head is not wide; the result has all scores, in the bar."""
    _, over = ended
    scores = anna.call("GET", f"/v1/games/{over}")["outcome"]["scores"]
    for who, sign, sizes in ((None, "Sign in", WIDTHS[:1]), (anna, anna_name(anna), WIDTHS)):
        page = enter(visitor(), anna.address, who, f"g/{over}")
        for size in sizes:  # those whose name is longest at each, the others where room is least
            at(page, size)
            expect(page.locator(".live i")).to_be_in_viewport()
            expect(page.locator("[data-part=who]")).to_be_in_viewport(ratio=1)
            expect(page.locator("[data-part=who]")).to_have_text(sign)
            if who is None:
                assert not page.evaluate(CUT, "[data-part=who]"), size
            menu = page.locator("[data-part=menu]")
            expect(page.locator("[data-part=eyes]")).to_be_visible(visible=size[0] >= WIDE)
            expect(menu).to_be_visible(visible=size[0] < WIDE)
            result = page.locator(".bar [data-part=result]")
            for score in scores:
                expect(result).to_contain_text(f": {score}")
            look_through(page, "1")
            expect(page.locator("[data-page]")).to_have_attribute("data-eyes", "1")
            expect(page.locator("[data-part=eyes]")).to_be_visible(visible=size[0] >= WIDE)
            look_through(page, "spectator")


def anna_name(player: Player) -> str:
    return str(player.call("GET", "/v1/me")["account"]["name"])


@pytest.mark.browser
@pytest.mark.integration
def test_on_a_phone_a_tap_reads_an_area_a_card_and_a_player(visitor: Visitor, anna: Player) -> None:
    """What is cut in the strip or on the map stands in full after a tap; a dialog closes again."""
    game = anna.game("colonial", [ME, ME])
    page = visitor(viewport={"width": 390, "height": 844}, has_touch=True)
    enter(page, anna.address, anna, f"g/{game}?at=5&seat=0")
    expect(page.locator(".hand .card").first).to_be_visible()
    page.locator(".writing").nth(5).tap()
    expect(page.locator(".map-caption")).to_be_visible()
    expect(page.locator(".map-caption")).to_contain_text("Native Power")
    card, dialog = page.locator(".hand .card").first, page.locator("[data-part=enlarged]")
    text = card.locator(".card-text").text_content()
    card.tap()
    expect(dialog.locator(".full-text")).to_have_text(str(text))
    expect(dialog.locator(".full-text")).to_be_in_viewport(ratio=1)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    page.locator(".player-head").first.tap()
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("Merchant Fleets")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


@pytest.mark.browser
@pytest.mark.integration
def test_the_hand_is_read_in_full_by_keys(visitor: Visitor, anna: Player) -> None:
    """Enter on the strip of the hand shows every card with all its words."""
    game = anna.game("colonial", [ME, ME])
    page = enter(visitor(), anna.address, anna, f"g/{game}?at=5&seat=0")
    expect(page.locator(".hand .card").first).to_be_visible()
    page.locator("section.hand").focus()
    page.keyboard.press("Enter")
    cards = page.locator("[data-part=enlarged] .full-card")
    expect(cards).to_have_count(page.locator(".hand .card").count())


@pytest.mark.browser
def test_counters_stand_side_by_side_and_cover_no_name(workbench: Page, files: str) -> None:
    """Also many on one space; the one that controls it has a rim, and is larger than the others."""
    pile = [
        panels.token(f"Go {n}" if n == 3 else n, tone=n % 2, main=n == 3, detail="counters")
        for n in (3, 2, 1)
    ]
    slots = [panels.slot(400 + at, 317, "Go", ref=f"space:{at}", tokens=pile) for at in (0, 21)]
    pieces = [panels.token("C", tone=0, shape="flag"), panels.token(2, tone="brown", shape="triangle")]
    areas = [
        panels.area("goa", "Goa", 400, 300, path="M300 200H500V400H300Z", slots=slots, tokens=pieces),
        panels.area("india", "India", 400, 120, path="M300 50H500V200H300Z", slots=slots[:1]),
    ]
    draw(workbench, files, panels.world("World", 1000, 500, areas))
    expect(workbench.locator(".token")).to_have_count(11)
    assert workbench.evaluate(OVER) == [False, False]
    expect(workbench.locator(".token.main")).to_have_count(3)
    main, other = (workbench.locator(f".token{kind}").first for kind in (".main", ":not(.main)"))
    high = "(one) => one.querySelector('path').getBoundingClientRect().height"
    assert main.evaluate(high) > other.evaluate(high)


@pytest.mark.browser
@pytest.mark.integration
def test_settings_hold_at_once_and_in_every_tab(visitor: Visitor, anna: Player) -> None:
    """Each has a name and a choice; the theme changes the page, here and in another tab."""
    page = enter(visitor(color_scheme="light"), anna.address, hash_="settings")
    other = page.context.new_page()
    other.goto(f"{anna.address}/settings")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    names = page.locator("[data-part=setting]").evaluate_all("(all) => all.map((one) => one.dataset.setting)")
    assert {"pace", "confirm", "send", "sound", "motion", "theme", "shortcuts"} <= set(names)
    paper = "() => getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    page.locator("[data-setting=theme]").get_by_label("Dark").check()
    assert page.evaluate(paper) != light
    assert page.evaluate("localStorage.getItem('rutter.theme')") == "dark"
    other.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
    page.locator("[data-setting=theme]").get_by_label("As your system").check()
    assert page.evaluate(paper) == light
    assert page.evaluate("localStorage.getItem('rutter.theme')") is None


@pytest.mark.browser
@pytest.mark.integration
def test_shortcuts_act_on_the_board_only_and_can_be_switched_off(visitor: Visitor, anna: Player) -> None:
    """Neither from the head nor once they are off; Escape and the Tab key work all the same."""
    game = anna.game("example", [ME, ME])
    page = enter(visitor(), anna.address, anna, f"g/{game}?seat={anna.legal(game)[0]['seat']}")
    expect(page.locator("[data-lit]").first).to_be_visible()
    listed = page.locator("[data-part=list]")
    page.locator("[data-part=who]").focus()
    page.keyboard.press("l")
    page.keyboard.press("ArrowLeft")
    hand = page.locator("section.hand")  # a stop that stays; a panel is one only while nothing in it is lit
    hand.focus()
    expect(hand).to_be_focused()
    expect(listed).to_have_count(0)
    expect(page.locator(".looking-back")).to_have_count(0)
    page.keyboard.press("l")
    expect(listed).to_be_visible()
    page.keyboard.press("Escape")
    expect(listed).to_have_count(0)
    page.evaluate("localStorage.setItem('rutter.shortcuts', 'off')")
    for key in ("l", "m", "ArrowLeft", "Home", "/"):
        page.keyboard.press(key)
    expect(listed).to_have_count(0)
    expect(page.locator(".looking-back")).to_have_count(0)
    expect(page.locator("input[type=search]")).to_have_count(0)
