"""From nothing to a table: what a newcomer reads, and how friends are invited to a game."""

from __future__ import annotations

import re
import urllib.request
from html import unescape

import pytest
from playwright.sync_api import Page, expect

from service.stores.invitations import INVITATION_PREFIX
from tests.conftest import LiveServer
from tests.waiting import PATIENCE
from tests.web.conftest import Visitor
from tests.web.table import Player, enter, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, OPEN = {"you": True}, {"invited": True}
COUNT = (
    "document.addEventListener('click', (event) => { if (event.isTrusted && event.detail)"
    " localStorage.setItem('clicks', 1 + Number(localStorage.getItem('clicks'))); }, true)"
)
"""A script: count the clicks of a mouse, from page to page.

At the document and not at the window, where Playwright holds back a click that would hit what has moved
there meanwhile: it clicks again, and the page has met one click.
"""
FIRST = "[data-lit]:visible, [data-part=answer]:visible"
"""What the page asks for first: a thing on the board, or an answer in the bar."""
CALM = """() => {
    const { seq, last, asked } = document.querySelector("[data-page]")?.dataset ?? {};
    return asked === "true" && seq === last && document.querySelector(".stage[aria-busy=false]") !== null;
}"""
"""All that has happened is drawn, and something is asked."""
GIVES = ".popover [data-part=give], .popover [data-part=candidate]"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def anna(live_server: LiveServer) -> Player:
    return Player(live_server.address, "Anna")


def clicks_of(page: Page) -> int:
    return int(page.evaluate("localStorage.getItem('clicks')"))


def head_of(address: str) -> str:
    """What a program that previews a link reads of its page."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310 - our own service
        found: str = unescape(answer.read().decode().partition("</head>")[0])
    return found


def test_a_newcomer_reads_what_this_is_and_plays_first(visitor: Visitor, anna: Player) -> None:
    """One sentence; each title with picture, words and measure; on a phone Play now comes first."""
    page = enter(visitor(viewport={"width": 390, "height": 844}), anna.address)
    expect(page.locator("[data-part=what]")).to_contain_text("historical board games")
    tile = page.locator(".title-tile[data-title=colonies]")
    expect(tile.locator("p").first).to_contain_text("Govern a planet")
    expect(tile.locator("[data-part=measure]")).to_contain_text("3–5 players · 70–105 minutes · medium rules")
    expect(page.locator(".title-tile [data-part=play]").first).to_be_in_viewport()
    tile.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('[data-title=colonies] img').naturalWidth > 300")
    assert page.evaluate("document.querySelector('.brand img').naturalWidth") > 0


@pytest.mark.parametrize("title", ["colonial_empires"])
def test_a_first_visit_reaches_its_first_move_in_three_clicks(
    visitor: Visitor, anna: Player, title: str
) -> None:
    """Play now, a name, and what is lit: no more stands between a stranger and a game.

    Every other title in tests/campaigns/web.
    """
    page = visitor()
    page.add_init_script(COUNT)
    enter(page, anna.address)
    page.locator(f"[data-title={title}] [data-part=play]").click()
    page.locator("dialog input[name=name]").fill("Stranger")
    page.keyboard.press("Enter")
    page.wait_for_function(CALM)  # else what is lit may be drawn again while it is clicked
    rendered(page)
    first = page.locator(FIRST).first
    with page.expect_response(lambda answer: answer.url.endswith("/commands")) as told:
        on_the_board = first.get_attribute("data-part") is None
        first.click()
        if on_the_board:
            page.locator(GIVES).first.click()
    assert told.value.ok
    assert clicks_of(page) <= 3


def test_two_clicks_lead_from_a_new_game_to_a_copied_invitation(visitor: Visitor, anna: Player) -> None:
    """Its page tells a guest who invites to what, who is there, and how it is played; one click sits down."""
    host = visitor(permissions=["clipboard-read", "clipboard-write"])
    host.add_init_script(COUNT)
    enter(host, anna.address, anna, "new?title=colonialism")
    host.get_by_label("First hand").select_option("six cards dealt at random")
    host.evaluate("localStorage.removeItem('clicks')")  # options are an extra
    host.locator("[data-part=friends]").click()
    host.locator("[data-part=copy]").click()
    expect(host.locator(".invite [role=status]")).to_have_text("Copied")
    assert clicks_of(host) == 2
    link = host.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{anna.address}/join/[0-9a-f-]+\?invitation={INVITATION_PREFIX}\w+", link)
    expect(host.locator("[data-part=options]")).to_contain_text("six cards dealt at random")
    boris = Player(anna.address, "Boris")
    guest = enter(visitor(), anna.address, boris, link.removeprefix(f"{anna.address}/"))
    expect(guest.get_by_role("heading", level=1)).to_have_text("Anna invites you to Colonialism")
    expect(guest.locator(".seat")).to_have_count(3)
    expect(guest.locator("[data-part=waits]")).to_have_text("The game waits for 2 players.")
    expect(guest.locator("[data-part=options]")).to_contain_text("First hand")
    guest.get_by_role("button", name="Join the game").click()
    expect(guest.locator("[data-page=game][data-status=open]")).to_be_visible()
    expect(host.locator(".waiting-room")).to_contain_text("Boris")


def test_a_preview_of_an_invitation_keeps_the_secret(anna: Player) -> None:
    """A picture that every messenger draws, at an address without invitation; of a private game the title."""
    for visibility in ("unlisted", "private"):
        game = anna.game("colonies", [ME, OPEN, OPEN], visibility=visibility)
        secret = anna.call("POST", f"/v1/games/{game}/invitations", {})["invitation"]
        head = head_of(f"{anna.address}/join/{game}?invitation={secret}")
        told = re.findall(r'<meta property="og:(\S+)" content="([^"]*)"', head)
        assert secret not in head
        assert ("Anna" in str(told)) == (visibility == "unlisted")
        assert game not in str(told)
        assert "Colonies" in dict(told)["title"]
        with urllib.request.urlopen(dict(told)["image"], timeout=PATIENCE) as answer:  # noqa: S310 - our own service
            assert answer.headers["Content-Type"] == "image/png"
            assert answer.read(len(PNG)) == PNG
    other = anna.game("colonies", [ME, OPEN, OPEN], visibility="private")
    for path in (f"join/{other}?invitation={secret}", f"join/{game}?invitation=inv_none", f"join/{game}"):
        head = head_of(f"{anna.address}/{path}")
        assert "og:" not in head
        assert 'name="rutter:invitation" content="null"' in head


def test_an_invitation_that_is_used_says_so(visitor: Visitor, anna: Player) -> None:
    """Those who come later read what to do; nothing of the game is told."""
    game = anna.game("colonies", [ME, OPEN, OPEN], visibility="private")
    secret = anna.call("POST", f"/v1/games/{game}/invitations", {"uses": 1})["invitation"]
    Player(anna.address, "Boris").call("POST", f"/v1/games/{game}/join", {"invitation": secret})
    page = enter(visitor(), anna.address, hash_=f"join/{game}?invitation={secret}")
    expect(page.get_by_role("heading", name="This invitation is not valid")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("Ask for a new one")
    assert "Colonies" not in page.locator("main").inner_text()
