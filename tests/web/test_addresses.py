"""Addresses that are shared: what they say before they are followed, in a frame, and on a first visit."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from urllib.request import Request

import pytest
from playwright.sync_api import expect

from tests.conftest import LiveServer
from tests.waiting import PATIENCE
from tests.web.conftest import Visitor
from tests.web.table import Player, enter, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

UNKNOWN = "00000000-0000-7000-8000-000000000000"
ME, BOT = {"you": True}, {"bot": "random"}


@pytest.fixture
def anna(live_server: LiveServer) -> Player:
    return Player(live_server.address, "Anna")


def text_of(address: str) -> str:
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310 - our own service
        found: str = answer.read().decode()
    return found


def with_token(player: Player, path: str) -> Request:
    """A request of somebody who is known."""
    return Request(player.address + path, headers={"Authorization": f"Bearer {player.token}"})  # noqa: S310 - our own service


def test_a_link_tells_what_it_leads_to(anna: Player) -> None:
    """Title and picture for those who see it in a message; nothing of a private game."""
    game = anna.game("colonial", [ME, BOT])
    page = text_of(f"{anna.address}/g/{game}")
    assert 'property="og:title" content="Colonial, 2nd edition on Rutter"' in page
    assert f'property="og:image" content="{anna.address}/titles/colonial/picture.png"' in page
    picture = text_of(f"{anna.address}/g/{game}/picture.svg")
    assert picture.startswith("<svg")
    assert "Brazil" in picture
    hidden = anna.game("colonial", [ME, BOT], visibility="private")
    assert "og:title" not in text_of(f"{anna.address}/g/{hidden}")
    with urllib.request.urlopen(with_token(anna, f"/g/{hidden}/picture.svg"), timeout=PATIENCE) as answer:  # noqa: S310 - our own service
        assert answer.headers["Cache-Control"] == "no-store"  # no cache gives it to anybody else
    waiting = anna.game("colonial", [ME, {"open": True}])
    assert text_of(f"{anna.address}/g/{waiting}/picture.svg").startswith("<svg")


def test_an_unknown_address_is_a_page(visitor: Visitor, anna: Player) -> None:
    """In the words of people, with a way back; a program is told as before."""
    page = visitor()
    for path, heading in (
        ("/nowhere/at/all", "Page not found"),
        (f"/g/{UNKNOWN}", "No such game"),
        (f"/t/{UNKNOWN}", "No such tournament"),
        (f"/u/{UNKNOWN}", "No such player"),
    ):
        answer = page.goto(anna.address + path)
        assert answer is not None
        assert answer.status == (404 if path.startswith("/nowhere") else 200)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        expect(page.locator("main a[href='/'], main a[href='/t']").first).to_be_visible()
        text = page.locator("main").inner_text()
        assert not re.search(r"/v1/|GET |`|\bid\b", text), text
    with pytest.raises(urllib.error.HTTPError) as told:
        text_of(f"{anna.address}/nowhere")
    assert json.load(told.value)["code"] == "not_found"


def test_a_game_stands_in_somebody_elses_page(
    visitor: Visitor, ended: tuple[Player, str], files: str
) -> None:
    """The board in a frame; the ordinary page may not be framed."""
    anna, game = ended
    page = visitor()
    page.goto(files + "vendor/README.txt")  # any document of another origin
    page.evaluate(
        "(address) => { const frame = document.createElement('iframe'); frame.src = address;"
        " frame.width = 900; frame.height = 600; document.body.append(frame); }",
        f"{anna.address}/embed/g/{game}",
    )
    inside = page.frame_locator("iframe")
    expect(inside.locator("[data-role=board]")).to_be_visible()
    expect(inside.locator(".who")).not_to_be_visible()
    with urllib.request.urlopen(f"{anna.address}/g/{game}", timeout=PATIENCE) as answer:  # noqa: S310 - our own service
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_a_draft_outlasts_a_reload(visitor: Visitor, anna: Player) -> None:
    """What was put into a form, and what was pointed at, are there again."""
    game = anna.game("colonial_empires", [ME, ME, ME])
    anna.play_until(game, "trading")
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    page.locator("[data-part=all][aria-expanded=false]").click()
    give = page.locator(
        "form[data-command=offer_trade] fieldset.group", has=page.locator("legend:text-is('Give')")
    ).last
    give.locator("[data-field=hand_cards] .chip").first.click()
    expect(give.locator(".chosen li")).to_have_count(1)
    rendered(page)  # it is kept as soon as it is drawn
    page.reload()
    page.locator("[data-part=all][aria-expanded=false]").click()
    expect(give.locator(".chosen li")).to_have_count(1)


def test_notes_are_kept_for_myself(visitor: Visitor, anna: Player) -> None:
    """To the game and to an event, as text whatever they say; also in my other browser, for nobody else."""
    game = anna.game("example", [ME, ME])
    for _ in range(3):  # until event 5 at least
        item = anna.legal(game)[0]
        anna.call("POST", f"/v1/games/{game}/commands", {**item["command"], "seat": item["seat"]})
    page = enter(visitor(), anna.address, anna, f"g/{game}?tab=notes")
    whole = page.get_by_role("form", name="Note on the game")
    whole.get_by_role("textbox").fill("<img src=x onerror=document.title='no'>")
    whole.get_by_role("button", name="Save").click()
    expect(page.locator(".notice", has_text="Note saved.").first).to_be_visible()
    page.locator(".slider").fill("5")
    event = page.get_by_role("form", name="Note on event 5")
    event.get_by_role("textbox").fill("Here it began.")
    event.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator(".noted")).to_contain_text("Here it began.")
    again = enter(visitor(), anna.address, anna, f"g/{game}?tab=notes")
    expect(again.get_by_role("form", name="Note on the game").get_by_role("textbox")).to_have_value(
        "<img src=x onerror=document.title='no'>"
    )
    other = Player(anna.address, "Boris")
    assert other.call("GET", f"/v1/games/{game}/notes")["notes"] == []
