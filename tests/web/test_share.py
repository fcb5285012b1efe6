"""What one passes on of a game: links that show what they say, a frame, a file, a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.web.conftest import Ended, Visitor
from tests.web.table import Player, enter

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, BOT = {"you": True}, {"bot": "random"}
CLIPBOARD = ["clipboard-read", "clipboard-write"]
SHARED = ("share-event", "share-eyes", "share-replay", "share-embed")


def copied(page: Page, part: str) -> str:
    """What a button of the menu puts on the clipboard."""
    item = page.locator(f"[data-part=share-menu] li:has([data-part={part}])")
    item.locator("button").click()
    expect(item.locator("[role=status]")).to_have_text("Copied")
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_a_moment_is_shared_by_its_links(visitor: Visitor, ended_game: Ended) -> None:
    """Of an ended game: the event, the eyes, a replay without the end, a frame; the file and the picture."""
    host, game = ended_game("colonialism", 4)
    page = visitor(permissions=CLIPBOARD, accept_downloads=True)
    enter(page, host.address, hash_=f"g/{game}?at=40&seat=2")
    page.locator(".replay [data-part=share]").click()
    event, eyes, replay, frame = (copied(page, part) for part in SHARED)
    there = f"{host.address}/g/{game}"
    assert (event, eyes, replay) == (f"{there}?at=40", f"{there}?at=40&seat=2", f"{there}?replay=1")
    assert frame.startswith(f'<iframe src="{host.address}/embed/g/{game}?at=40" ')
    for button, ends, starts in (("share-picture", ".png", b"\x89PNG"), ("file", ".ndjson", b"{")):
        menu = page.locator("[data-part=share-menu]")
        wanted = (
            menu.get_by_role("button", name="Audit file")
            if button == "file"
            else menu.locator(f"[data-part={button}]")
        )
        with page.expect_download() as saved:
            wanted.click()
        assert saved.value.suggested_filename.endswith(ends)
        assert Path(saved.value.path()).read_bytes().startswith(starts)
    page.keyboard.press("Escape")
    expect(page.locator("[data-part=share-menu]")).to_have_count(0)
    page.goto(replay)
    expect(page.locator("[data-page]")).to_have_attribute("data-seq", "1")
    expect(page.locator("[data-part=result]")).to_have_count(0)


def test_a_link_through_my_eyes_shows_others_the_public_view(
    visitor: Visitor, live_server: LiveServer
) -> None:
    """While the game runs a hand stays its owner's; a private game has no frame, and its links say so."""
    anna = Player(live_server.address, "Anna")
    game = anna.game("colonialism", [ME, BOT], visibility="unlisted")
    page = enter(visitor(permissions=CLIPBOARD), anna.address, anna, f"g/{game}?seat=0")
    expect(page.locator("[data-page=game]")).to_have_attribute("data-eyes", "0")
    page.locator(".replay [data-part=share]").click()
    expect(page.locator("[data-part=share-menu]")).to_contain_text("others see the public view")
    link = copied(page, "share-eyes")
    assert link.endswith("seat=0")
    other = enter(
        visitor(), anna.address, Player(anna.address, "Boris"), link.removeprefix(f"{anna.address}/")
    )
    expect(other.locator("[data-page=game]")).to_have_attribute("data-eyes", "spectator")
    expect(other.locator("[data-role=board]").first).to_be_visible()
    expect(other.locator(".hand .card")).to_have_count(0)
    hidden = anna.game("colonialism", [ME, BOT], visibility="private")
    page.goto(f"{anna.address}/g/{hidden}")
    page.locator(".replay [data-part=share]").click()
    expect(page.locator("[data-part=share-menu]")).to_contain_text("This game is private")
    expect(page.locator("[data-part=share-embed]")).to_have_count(0)
