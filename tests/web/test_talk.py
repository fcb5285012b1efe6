"""People talk at a table: aloud, in whispers, in phrases; what was promised stands beside the event."""

from __future__ import annotations

import urllib.request

import pytest
from playwright.sync_api import Page, expect

from events.verify import Trust, check_bundle
from events.verify.talk import verify_talk
from tests.conftest import LiveServer
from tests.waiting import PATIENCE
from tests.web.conftest import Visitor
from tests.web.table import Player, enter
from tests.web.test_access import violations

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, OPEN = {"you": True}, {"open": True}
SECRET = "Leave Goa to me, and I leave you Macao."
LOUD = "See https://example.org/ <b>now</b>"


def talk_of(page: Page) -> Page:
    """Open the talk on a page that shows a game."""
    page.locator("[data-tab=talk]").click()
    expect(page.locator("[data-part=talk]")).to_be_visible()
    return page


def test_people_talk_and_whisper(visitor: Visitor, live_server: LiveServer) -> None:
    """A whisper reaches one; others see who whispers to whom, and when; words are text, and can be muted."""
    anna, boris, carla = (Player(live_server.address, name) for name in ("Anna", "Boris", "Carla"))
    game = anna.game("colonial_empires", [ME, OPEN, OPEN])
    for other in (boris, carla):
        other.call("POST", f"/v1/games/{game}/join", {})
    first, second, third = (enter(visitor(), anna.address, who, f"g/{game}") for who in (anna, boris, None))
    # At a desk the log and the talk take more room beside the board.
    before = first.locator(".side").evaluate("(side) => side.clientWidth")
    first.locator("[data-tab=log]").click()
    first.wait_for_function(
        "(before) => document.querySelector('.side').clientWidth > before + 100", arg=before
    )
    # By a click on the player, then by keys alone.
    talk_of(first).locator(".player[data-owner='1']").click()
    expect(first.locator("[data-part=recipient][data-seat='1']")).to_have_attribute("aria-pressed", "true")
    expect(first.locator("[name=message]")).to_be_focused()
    first.keyboard.type(SECRET)
    first.keyboard.press("Enter")
    expect(first.locator("[data-part=message]")).to_contain_text(f"Anna whispers to 1 Boris: {SECRET}")
    expect(first.locator("[name=message]")).to_have_value("")
    # It comes by the stream, is counted, and a click on the strip leads to it.
    expect(second.locator("[data-part=unread]")).to_contain_text("1")
    second.locator("[data-part=talk-strip]").click()
    expect(second.locator("[data-part=message] .words")).to_have_text(SECRET)
    expect(second.locator("[data-part=unread]")).to_have_count(0)
    whisper = talk_of(third).locator("[data-part=message]")
    expect(whisper).to_contain_text("Anna whispers to 1 Boris.")
    expect(whisper.locator("time")).to_have_attribute(
        "datetime", second.get_attribute("time[datetime]", "datetime")
    )
    assert SECRET not in third.content()
    expect(third.locator("[name=message]")).to_have_count(0)
    # A promise in a phrase of the title stands in everybody's log, beside the event.
    first.locator("[data-part=to-all]").click()
    first.locator(".phrases summary").click()
    first.locator("[data-part=phrase][data-phrase=no_attack]").click()
    first.locator("[data-part=slots] select").select_option("2")
    first.locator("[data-part=say-phrase]").click()
    last = str(anna.call("GET", f"/v1/games/{game}")["last"])
    for page in (second, third):
        page.locator("[data-tab=board]").click()
        promise = page.locator("[data-part=said-here]", has_text="I will not attack")
        expect(promise).to_have_attribute("data-seq", last)
    # Words are no markup, and lead nowhere.
    first.locator("[name=message]").fill(LOUD)
    first.locator("[data-part=say]").click()
    loud = talk_of(second).locator("[data-part=message]", has_text="example.org")
    expect(loud.locator(".words")).to_have_text(LOUD)
    expect(second.locator("[data-part=talk] a")).to_have_count(0)
    loud.locator(".menu summary").click()
    loud.locator("[data-part=report]").click()
    expect(second.locator(".notice", has_text="reported")).to_be_visible()
    loud.locator(".menu summary").click()
    loud.locator("[data-part=mute]").click()
    expect(second.locator("[data-part=message]", has_text="(muted)")).to_have_count(3)
    expect(second.locator(".words")).to_have_count(0)
    for page in (first, second):
        is_for_everybody(page)


def is_for_everybody(page: Page) -> None:
    """At a desk and on a phone the talk is whole, and axe-core finds nothing wrong with it."""
    assert violations(page, "[data-part=talk]") == []
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("[name=message]")).to_be_in_viewport(ratio=1)
    expect(page.locator("[data-part=message]").last).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page, "[data-part=talk]") == []


def test_a_table_is_made_with_its_way_of_talking(visitor: Visitor, live_server: LiveServer) -> None:
    """The form of a new game asks for it, and the table tells it; with phrases there is nothing to type."""
    anna = Player(live_server.address, "Anna")
    page = enter(visitor(), anna.address, anna, "new?title=colonial_empires")
    page.locator("select[name=talk]").select_option("phrases")
    page.locator("select[name=seat-1]").select_option("open")
    page.get_by_role("button", name="Open the game").click()
    expect(page.locator("[data-part=manner]")).to_contain_text("only phrases of the title")
    game = page.get_attribute("[data-game]", "data-game")
    Player(anna.address, "Boris").call("POST", f"/v1/games/{game}/join", {})
    talk_of(page)
    expect(page.locator("[data-part=phrase]").first).to_be_visible()
    expect(page.locator("[name=message]")).to_have_count(0)
    page.locator("[data-part=phrase][data-phrase=greet]").click()
    expect(page.locator("[data-part=message]")).to_have_count(1)


def lines_of(player: Player, address: str) -> list[bytes]:
    """The lines of a bundle, as a player may save it."""
    token = {"Authorization": f"Bearer {player.token}"}
    request = urllib.request.Request(player.address + address, headers=token)  # noqa: S310 - our own service
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - our own service
        return list(answer)


def test_a_seat_with_a_key_signs_what_it_does_and_says(visitor: Visitor, live_server: LiveServer) -> None:
    """Taken with a key of the browser it signs commands, words and phrases, and both bundles verify."""
    anna, boris = (Player(live_server.address, name) for name in ("Anna", "Boris"))
    game = anna.game("colonial_empires", [ME, OPEN, OPEN])
    Player(anna.address, "Carla").call("POST", f"/v1/games/{game}/join", {})
    page = enter(visitor(), anna.address, boris, f"g/{game}")
    page.locator("[name=signs]").check()
    page.get_by_role("button", name="Take this seat").click()
    page.locator(".together summary").click()
    # The server says once that the seat has a key.
    with page.expect_response(lambda answer: answer.url.endswith("/commands") and answer.ok):
        page.get_by_role("button", name="an hour").click()
    talk_of(page)
    page.locator("[data-part=recipient][data-seat='0']").click()
    page.locator("[name=message]").fill("“Goa” is yours")
    page.locator("[data-part=say]").click()
    expect(page.locator("[data-part=signed]")).to_have_count(1)
    page.locator(".phrases summary").click()
    page.locator("[data-part=phrase][data-phrase=no_attack]").click()
    page.locator("[data-part=slots] select").select_option("0")
    page.locator("[data-part=say-phrase]").click()
    expect(page.locator("[data-part=signed]")).to_have_count(2)
    bundle = check_bundle(lines_of(anna, f"/v1/games/{game}/audit"), Trust())
    said = verify_talk(lines_of(anna, f"/v1/games/{game}/messages/audit"), Trust(), bundle).messages
    assert len(said) == 2
    assert all("signed by the key of the seat" in message.text() for message in said)
