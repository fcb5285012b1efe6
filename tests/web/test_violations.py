"""What axe-core finds: nothing on the other pages, in the views of a table, and in what opens above it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.web import test_access as access
from tests.web.conftest import Visitor
from tests.web.table import Player, enter
from tests.web.test_access import CALM, at_table, look_like, violations
from tests.web.tournament import Event

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, OPEN = {"you": True}, {"open": True}
PAGES = ("colonial",)
"""The titles whose pages are looked at; those of all in tests/campaigns/web."""
VIEWS = {
    "log": ".history",
    "tables": ".tab-page table",
    "graph": "[data-part=point]",
    "notes": "form textarea",
    "board": "[data-role=board]",
}


@pytest.fixture
def anna(live_server: LiveServer) -> Player:
    return Player(live_server.address, "Anna")


def found(page: Page, place: int) -> list[str]:
    """What is wrong at one width and in one scheme, by the number of the *place*; in campaigns in all."""
    looks, wrong = access.LOOKED_AT, []
    if looks is not access.EVERY_LOOK:
        looks = [looks[place % len(looks)]]
    for scheme, size in looks:
        look_like(page, scheme, size)
        wrong += [f"{scheme} {size}: {each}" for each in violations(page)]
    return wrong


def places(anna: Player) -> Sequence[tuple[str, str]]:
    """Where one may be but at a table, and what is drawn there at the end."""
    event = Event(anna, [Player(anna.address, name) for name in ("Boris", "Clara")])
    event.begin()
    waiting = anna.game("colonies", [ME, OPEN, OPEN])
    me = anna.call("GET", "/v1/me")["account"]["id"]
    return (
        ("", "[data-part=play]"),
        ("new", ".places"),
        *((f"titles/{title}", "table") for title in PAGES),
        ("ratings", "[data-page=ratings] h1"),
        (f"u/{me}", "[data-page=profile] h1"),
        (f"t/{event.id}", "[data-page=tournament] h1"),
        (f"t/{event.id}?tab=direct", "[data-page=tournament] form"),
        (f"g/{waiting}", ".waiting-room"),
        ("#/nowhere", "[data-page=off]"),
    )


def test_nothing_is_wrong_with_a_page(visitor: Visitor, anna: Player) -> None:
    """Any page of games, of a player, of a tournament."""
    page = enter(visitor(), anna.address, anna)
    for number, (address, ready) in enumerate(places(anna)):
        page.goto(f"{anna.address}/{address}")
        expect(page.locator(ready).first).to_be_visible()
        assert found(page, number) == [], address


def test_nothing_is_wrong_with_a_dialog(visitor: Visitor, anna: Player) -> None:
    """Of an account; of one who has none yet."""
    for number, who in enumerate((anna, None)):
        page = enter(visitor(), anna.address, who)
        page.locator(".who").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        for closed in page.locator("dialog summary").all():
            closed.click()
        assert found(page, number) == []


def test_nothing_is_wrong_with_a_view_of_a_table(visitor: Visitor, anna: Player) -> None:
    """Each tab; all commands as a list; a choice beside what was pointed at; an earlier event."""
    page = at_table(visitor(), anna, "colonialism")
    for number, (tab, ready) in enumerate(VIEWS.items()):
        page.locator(f"[data-tab={tab}]").click()
        expect(page.locator(ready).first).to_be_visible()
        if tab == "graph":  # a point for each moment is asked for by itself
            last = page.get_attribute("[data-page]", "data-last")
            expect(page.locator(f"[data-part=point][data-seq='{last}']").first).to_be_visible()
        assert found(page, number) == [], tab
    page.locator("[data-tab=rules]").click()
    rules = page.frame_locator("iframe[title=Rules]")
    expect(rules.locator("h1")).to_be_visible()
    assert violations(page.frames[-1]) == []
    page.locator("[data-tab=board]").click()
    page.locator(".hand [data-lit]").first.click()
    expect(page.locator("[data-selected]").first).to_be_visible()
    assert found(page, 0) == []
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    expect(page.locator("[data-part=list] .command").first).to_be_visible()
    assert found(page, 1) == []
    page.keyboard.press("l")
    page.keyboard.press("Home")
    expect(page.locator(".looking-back")).to_be_visible()
    expect(page.locator("[data-page]")).to_have_attribute("data-seq", "1")
    expect(page.locator(CALM)).to_be_visible()
    assert found(page, 2) == []


def hands_of(anna: Player, game: str, seat: int, moment: int) -> list[list[str]]:
    """The names of the cards in a hand after an event, if there was one."""
    panels = anna.call("GET", f"/v1/games/{game}/table?seat={seat}&at={moment}")["panels"]
    return [[card["name"] for card in each["items"]] for each in panels if each["role"] == "hand"]


def full_hands(host: Player, game: str) -> int:
    """An event of a game that has ended after which somebody held two equal cards."""
    for moment in range(5, 30):
        hands = [hand for seat in (0, 1) for hand in hands_of(host, game, seat, moment)]
        if len(hands) == 2 and any(len(set(hand)) < len(hand) for hand in hands):
            return moment
    raise AssertionError("nobody ever held two equal cards: let the game be dealt as another text")


def test_nothing_is_wrong_with_the_end_of_a_game(
    visitor: Visitor, anna: Player, ended: tuple[Player, str]
) -> None:
    """Its result, every hand open at a moment at which hands are full, the rulebook."""
    host, game = ended
    moment = full_hands(host, game)
    page = enter(visitor(), anna.address, anna, f"g/{game}?seat=all")
    expect(page.locator("[data-part=result]").first).to_be_attached()
    assert found(page, 0) == []
    page = enter(visitor(), anna.address, anna, f"g/{game}?seat=all&at={moment}")
    expect(page.locator(".hand .panel")).to_have_count(2)
    expect(page.locator(".hand .card-count").first).to_be_visible()
    assert found(page, 1) == []
    page.goto(f"{anna.address}/v1/titles/colonies/rules")
    expect(page.locator("h1").first).to_be_visible()
    assert found(page, 2) == []
