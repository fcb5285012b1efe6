"""What an organiser prints and shows in a hall, in a real Chromium: sheets, slips, codes, a big screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Player, enter, rendered
from tests.web.tournament import Event

pytestmark = [pytest.mark.browser, pytest.mark.integration]

PEOPLE = 7
"""Entrants of the event that all tests look at: three tables, and a bye."""
PAPER: ViewportSize = {"width": 718, "height": 1032}
"""A4 without its margins, in CSS pixels."""
DESKTOP: ViewportSize = {"width": 1366, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
CUT = """() => [...document.querySelectorAll("main *")].filter((one) => {
  const box = one.getBoundingClientRect();
  if (!box.width || one.closest("[role=tooltip]")) return false;
  const hides = getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
  return hides || box.right > document.documentElement.clientWidth + 1 || box.left < -1;
}).map((one) => `${one.tagName}.${one.className}: ${one.textContent.slice(0, 40)}`)"""


SIZES = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
LARGE = 26
"""The least size of a name on a screen that a room looks at, in pixels."""
STAGES = [{"format": "swiss_pods", "rounds": 3}]


@pytest.fixture(scope="module")
def hall(live_server: LiveServer) -> Event:
    """An event in its second round: the first is over, and the tables of the second play."""
    address = live_server.address
    players = [Player(address, f"Wilhelmina Featherstonehaugh {chr(65 + n)}") for n in range(PEOPLE)]
    event = Event(Player(address, "Olga"), players, name="The Great Hall Open", stages=STAGES)
    event.begin()
    event.round()
    event.until(lambda: event.rounds()[0]["status"] == "closed")
    event.start()
    return event


def visit(
    visitor: Visitor, event: Event, query: str, viewport: ViewportSize, player: Player | None = None
) -> Page:
    """A page of the event."""
    page = visitor(viewport=viewport)
    return enter(page, event.organiser.address, player, f"t/{event.id}{query}")


def on_paper(page: Page) -> None:
    """Draw a page as it is printed: nothing is cut, black on white, without what only a screen needs."""
    page.wait_for_function("() => [...document.styleSheets].some((one) => one.href?.includes('sheets'))")
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size(PAPER)
    rendered(page)
    assert page.evaluate(CUT) == []
    colours = "one => [getComputedStyle(one).color, getComputedStyle(document.body).backgroundColor]"
    for heading in page.locator("main h1, main th").all():
        assert heading.evaluate(colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    for part in ("header.masthead", "button:visible", "[role=tablist]", "[data-part=mine]"):
        shown = page.locator(part).locator("visible=true")
        assert all("tie-break" in (one.get_attribute("data-part") or "") for one in shown.all()), part


def pages_of(page: Page) -> int:
    """The number of sheets of paper that a page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def test_tie_breaks_explain_themselves(visitor: Visitor, hall: Event) -> None:
    """Under a mouse, under a finger and by keyboard; Escape and a touch elsewhere take it away."""
    desk = visit(visitor, hall, "", DESKTOP)
    tip = desk.get_by_role("tooltip")
    desk.locator("[data-break=opponents_average] button").hover()
    expect(tip).to_contain_text("The average of the points of all opponents")
    expect(tip).to_contain_text("Higher is better.")
    desk.mouse.move(5, 5)
    expect(tip).to_have_count(0)
    desk.locator("[data-break=lot] button").focus()
    expect(tip).to_contain_text("Lower is better.")
    desk.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    phone = enter(visitor(viewport=PHONE, has_touch=True), hall.organiser.address, None, f"t/{hall.id}")
    phone.locator("[data-break=wins] button").tap()
    told = phone.get_by_role("tooltip")
    expect(told).to_contain_text("The number of tables won")
    box = told.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= PHONE["width"] - box["width"]
    phone.locator("h1").tap()
    expect(told).to_have_count(0)


def test_the_cross_table_has_every_round(visitor: Visitor, hall: Event) -> None:
    """Opponent, result and points; a cell leads to its game, and a bye is named."""
    desk = visit(visitor, hall, "?tab=cross", DESKTOP)
    rows = desk.locator("[data-part=cross-table] tbody tr")
    expect(rows).to_have_count(PEOPLE)
    ranks = {one["entrant"]: one["rank"] for one in hall.get("/standings")["standings"]}
    first, second = hall.rounds()
    for table in first["tables"]:
        for seat, name in enumerate(table["entrants"]):
            mine, other = table["places"][seat], table["places"][1 - seat]
            sign = "+" if mine < other else "−" if mine > other else "="
            cell = desk.locator(f"tr[data-entrant={name}] [data-round='1']")
            expect(cell).to_contain_text(f"{ranks[table['entrants'][1 - seat]]} {sign}")
            expect(cell.locator("a")).to_have_attribute("href", f"/g/{table['game']}")
    expect(desk.locator(f"tr[data-entrant={first['byes'][0]}] [data-round='1']")).to_have_text("bye")
    expect(
        desk.locator(f"tr[data-entrant={second['tables'][0]['entrants'][0]}] [data-round='2']")
    ).to_contain_text("…")
    with desk.expect_download() as saved:
        desk.get_by_role("button", name="For FIDE (TRF16)").click()
    assert saved.value.suggested_filename.endswith(".trf")


@pytest.mark.parametrize("query", ["", "?tab=cross", "?tab=rounds", "?sheet=pairings&round=2"])
def test_what_is_printed_is_whole(visitor: Visitor, hall: Event, query: str) -> None:
    """On one A4 sheet, black on white even if the screen is dark; meanings stand below the standings."""
    page = visit(visitor, hall, query, DESKTOP, hall.organiser)
    expect(page.locator("main table, main .tables").first).to_be_visible()
    on_paper(page)
    assert pages_of(page) == 1
    if not query:
        expect(page.locator("[data-part=meanings]")).to_contain_text("The number of tables won")
    if "sheet" in query:
        expect(page.locator("[data-part=pairings] tbody tr")).to_have_count(PEOPLE // 2)
        expect(page.locator("[data-part=byes]")).to_contain_text("Wilhelmina")
        expect(page.locator("[data-part=pairings] thead")).to_have_text(
            "TablePlayers, in the order of their seats"
        )


def test_a_slip_for_each_table(visitor: Visitor, hall: Event) -> None:
    """Round, table, names, seats and room for result and signature; its code leads a phone to the table."""
    desk = visit(visitor, hall, "?tab=rounds", DESKTOP, hall.organiser)
    desk.locator("[data-round='2'] [data-part=to-slips]").click()
    slips = desk.locator(".slip")
    expect(slips).to_have_count(PEOPLE // 2)
    desk.wait_for_function("() => [...document.images].every((one) => one.naturalWidth > 0)")
    on_paper(desk)
    tops = slips.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    assert max(tops) < PAPER["height"] / 3  # three slips of two on a sheet at least
    assert pages_of(desk) == 1
    slip = desk.locator(".slip[data-table='2']")
    for text in ("Round 2, table 2", "The Great Hall Open", "Place", "Signature"):
        expect(slip).to_contain_text(text)
    expect(slip.locator("tbody tr")).to_have_count(2)
    assert slip.locator("img").get_attribute("src") == f"/t/{hall.id}/2/2/code.svg"


def test_a_code_leads_to_its_table(visitor: Visitor, hall: Event) -> None:
    """To its game, in the words of those who sit there and of those who watch; or it says what to do."""
    [_, second] = hall.rounds()
    table = second["tables"][1]
    phone = visit(visitor, hall, "?round=2&table=2", PHONE)
    expect(phone.locator("[data-part=at-table] a")).to_have_attribute("href", f"/g/{table['game']}")
    number = int(table["holders"][0][1:]) - 1
    player = visit(visitor, hall, "?round=2&table=2", PHONE, hall.players[number])
    expect(player.get_by_role("link", name="To my game")).to_be_visible()
    lost = visit(visitor, hall, "?round=2&table=9", PHONE)
    expect(lost.locator("[data-part=at-table]")).to_contain_text("there is no such table")


def test_a_big_screen_needs_nobody(visitor: Visitor, hall: Event) -> None:
    """Tables and standings by turns, in large type that fits; nothing but what everybody may know."""
    page = visit(visitor, hall, "?screen=on&seconds=1", PROJECTOR, hall.organiser)
    screen = page.locator(".big-screen")
    for slide in ("tables", "standings", "tables"):
        expect(screen).to_have_attribute("data-slide", slide)
        page.wait_for_function("() => document.querySelector('.big-screen footer img').naturalWidth > 0")
        rendered(page)
        assert page.evaluate(CUT) == []
        assert page.evaluate("document.documentElement.scrollHeight") <= PROJECTOR["height"]
    expect(page.locator(".masthead, button, [data-part=waits-for], [data-part=mine]")).to_have_count(0)
    assert (
        page.locator(".big-table bdi").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        >= 22
    )
    expect(screen.locator("header")).to_contain_text("Round 2: 0 of 3 tables have a result")


def test_a_result_comes_to_the_big_screen_by_itself(visitor: Visitor, live_server: LiveServer) -> None:
    """The first table ends: places stand at it, the head counts it, and nobody has touched the page."""
    players = [Player(live_server.address, f"Player {n}") for n in range(1, 5)]
    event = Event(Player(live_server.address, "Olga"), players, stages=STAGES)
    event.begin()
    page = visit(visitor, event, "?screen=on&seconds=3600", PROJECTOR)
    head = page.locator(".big-screen header")
    expect(head).to_contain_text("Round 1: 0 of 2 tables have a result")
    expect(page.locator(".big-table[data-status=playing]")).to_have_count(2)
    table = event.tables()[0]
    names = [one["entrant"] for one in event.get("/entrants")["entrants"]]
    event.play(table, dict(zip(names, players, strict=True)))
    expect(head).to_contain_text("Round 1: 1 of 2 tables has a result")
    over = page.locator(f".big-table[data-table='{table['table']}']")
    expect(over).not_to_have_attribute("data-status", "playing")
    expect(over.locator("li b").first).to_have_text(re.compile(r"[12]\."))
    expect(page.locator(".big-table").first).to_have_attribute("data-status", "playing")
    assert page.evaluate("performance.getEntriesByType('navigation').length") == 1


def test_a_bye_is_asked_for_with_its_price(visitor: Visitor, live_server: LiveServer) -> None:
    """Before the first round, too; asked twice, then told, and offered no more."""
    anna = Player(live_server.address, "Anna")
    event = Event(Player(live_server.address, "Olga"), [anna], bye_points=3)
    event.do("open_entry")
    for player in (anna, Player(live_server.address, "Boris"), Player(live_server.address, "Carla")):
        event.do("enter", player)
    page = visit(visitor, event, "", PHONE, anna)
    part = page.locator("[data-part=mine]")
    part.get_by_role("button", name="Ask for a bye in round 1").click()
    expect(part).to_contain_text("half the points of a bye, 1.5")
    part.get_by_role("button", name="Yes, ask for the bye").click()
    expect(part).to_contain_text("You have a bye in round 1, as you asked.")
    expect(part.get_by_role("button", name=re.compile("bye"))).to_have_count(0)
    [told, *_] = event.get("/entrants")["entrants"]
    assert told["asked_byes"] == [1]
    event.do("close_entry")
    event.start()
    assert event.rounds()[0]["byes"] == ["e1"]
    waits = visit(visitor, event, "?tab=rounds", DESKTOP, event.organiser)
    expect(waits.locator("[data-part=progress]")).to_have_text("1 table of 1 still plays.")


def test_a_new_tournament_settles_byes_and_absence(visitor: Visitor, live_server: LiveServer) -> None:
    """The worth of a bye is a field, and a sentence tells what happens to those who do not come."""
    page = enter(visitor(), live_server.address, Player(live_server.address, "Olga"), "t/new")
    told = page.locator("[data-part=no-show]")
    page.locator("select[name=title]").select_option("example")
    page.locator("input[name=name]").fill("Sixteen")
    expect(told).to_contain_text("Without clocks nobody loses")
    page.locator("select[name=clock]").select_option("live")
    page.locator("input[name=size]").fill("4")
    expect(told).to_contain_text("A bot plays on")
    for name in ("size", "least"):
        page.locator(f"input[name={name}]").fill("2")
    expect(told).to_contain_text("forfeits when their time is up")
    page.locator("input[name=bye]").fill("4")
    page.get_by_role("button", name="Create the tournament").click()
    expect(page.locator("h1")).to_have_text("Sixteen")
    event = Event(
        Player(live_server.address, "Else"),
        [],
        str(page.get_attribute("[data-tournament]", "data-tournament")),
    )
    settings = event.get()["settings"]
    assert settings["bye_points"] == 4
    assert settings["absence"]["least_people"] == 1
