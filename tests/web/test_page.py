"""The web page in a real Chromium, against the whole service."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from events.rules.bot_names import BOTS
from tests.conftest import LiveServer
from tests.contributing import Contribution
from tests.waiting import until
from tests.web.conftest import Visitor
from tests.web.table import Player, dealt_as, enter, give, look_through, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

EMPIRES = "colonial_empires"
ME, BOT, OPEN = {"you": True}, {"bot": "random"}, {"open": True}
CHOICE = ".hand [data-ref^='empire:'][data-lit]"
GIVE = "[data-part=give]"
DRAWN = "[...document.querySelectorAll('[data-role]')].map((each) => each.innerText).join('\\n')"


@pytest.fixture
def address(live_server: LiveServer) -> str:
    return live_server.address


@pytest.fixture
def anna(address: str) -> Player:
    return Player(address, "Anna")


def lines(page: Page) -> Any:
    return page.locator(".history .line")


def choose(page: Page) -> None:
    """Take the first empire that is free: click its card, then the command that is left."""
    page.locator(CHOICE).first.click()
    give(page, GIVE)
    expect(page.locator(CHOICE)).to_have_count(0)


def open_list(page: Page) -> None:
    """All commands as a list, with the forms."""
    page.locator("[data-part=all][aria-expanded=false]").click()
    expect(page.locator("[data-part=list]")).to_be_visible()


def at_event(page: Page) -> int:
    return int(page.locator(".where b").inner_text())


@pytest.mark.whole
def test_a_visitor_sits_down_and_creates_a_game_with_bots(visitor: Visitor, address: str) -> None:
    """From the lobby over the name to a table where one's own move is awaited."""
    page = enter(visitor(), address)
    expect(page.get_by_role("heading", name="Games", exact=True)).to_be_visible()
    page.get_by_role("link", name="Create a game").click()
    page.locator(f".title-card:has(input[value={EMPIRES}])").click()
    page.get_by_role("button", name="3", exact=True).click()
    expect(page.locator(".places li")).to_have_count(3)
    expect(page.locator("[name=seat-1]")).to_have_value("bot steady")  # at once
    levels = [f"bot {name}" for name in BOTS]
    expect(page.locator("[name=seat-1] option")).to_have_text(
        ["you", *levels, "open to others", "by invitation"]
    )
    page.get_by_role("button", name="Begin", exact=True).click()
    page.locator("dialog input[name=name]").fill("Anna of Lisbon")
    page.locator("dialog button.primary").click()
    expect(page.locator(".player")).to_have_count(3)
    expect(page.locator(".who")).to_have_text("Anna of Lisbon")
    expect(page.locator(".live")).to_have_text("live")
    expect(page.locator(CHOICE).first).to_be_visible()  # the bots before me have chosen by themselves
    expect(page.locator("[data-part=ask]")).to_have_text("Choose your empire: click one.")
    page.get_by_role("link", name="Rutter: all games").click()
    expect(page.locator(".game.my-turn")).to_have_count(1)
    expect(page).to_have_title("Rutter")


def test_a_game_is_played_again_with_the_same_seats(visitor: Visitor, address: str, anna: Player) -> None:
    """The players find title, seats and options as they were; others come by invitation."""
    boris = Player(address, "Boris")
    game = anna.game("example", [{"open": True}, ME], visibility="unlisted")
    boris.call("POST", f"/v1/games/{game}/join", {})
    while anna.call("GET", f"/v1/games/{game}")["status"] == "running":
        for who in (anna, boris):
            for item in who.call("GET", f"/v1/games/{game}/decisions")["legal"][:1]:
                who.call("POST", f"/v1/games/{game}/commands", item["command"])
    page = enter(visitor(), address, anna, f"g/{game}")
    page.locator("[data-part=rematch]").click()
    expect(page.locator("[name=seat-0]")).to_have_value("invited")
    expect(page.locator("[name=seat-1]")).to_have_value("you")
    expect(page.locator("[name=visibility]")).to_have_value("unlisted")
    page.get_by_role("button", name="Open the game").click()
    expect(page.locator("[data-page=game][data-status=open]")).to_be_visible()
    made = page.get_attribute("[data-page]", "data-game")
    before, now = (anna.call("GET", f"/v1/games/{each}") for each in (game, made))
    assert made != game
    assert (now["title"], now["options"]) == (before["title"], before["options"])


def test_a_click_on_a_legal_command_plays_it_once(visitor: Visitor, address: str, anna: Player) -> None:
    """The history grows, live, by what I did and what the bots answer; a double click plays once."""
    game = anna.game(EMPIRES, [ME, BOT])
    page = enter(visitor(), address, anna, f"#/games/{game}")
    page.locator(CHOICE).first.click()
    expect(lines(page).first).to_be_visible()
    before = at_event(page)
    sent: list[str] = []
    page.on(
        "request",
        lambda request: sent.append(request.headers["idempotency-key"]) if request.method == "POST" else None,
    )
    page.locator(GIVE).dblclick()
    expect(page.locator(".status-line")).to_contain_text("Fate")
    expect(page.locator(CHOICE)).to_have_count(0)
    page.wait_for_function(
        "(seq) => Number(document.querySelector('.where b').textContent) > seq", arg=before
    )
    assert len(sent) == 1
    expect(lines(page).last).to_be_in_viewport()


def test_the_page_follows_a_game_live(visitor: Visitor, address: str, anna: Player) -> None:
    """What another client of mine does appears without asking."""
    game = anna.game(EMPIRES, [ME, ME])
    page = enter(visitor(), address, anna, f"#/games/{game}")
    expect(page.locator(".live")).to_have_text("live")
    expect(lines(page).first).to_be_visible()
    before = lines(page).count()
    anna.play_until(game, "event_turn")
    expect(page.locator(".status-line")).to_contain_text("Event")
    expect(lines(page).nth(before)).to_be_attached()


def test_the_slider_travels_and_comes_back(visitor: Visitor, address: str, anna: Player) -> None:
    """Each way of travelling; commands wait meanwhile; the address names the event."""
    game = anna.game(EMPIRES, [ME, ME])
    anna.play_until(game, "trading")
    page = enter(visitor(), address, anna, f"#/games/{game}")
    expect(page.locator(".panel", has_text="Your hand").first).to_be_visible()
    expect(page.locator("[data-lit]").first).to_be_visible()
    expect(page.locator("[data-part=clause]").first).to_be_attached()  # come with the title, perhaps last
    expect(page.locator(".mat [data-part=here]")).to_have_count(2)  # so do the dots of both seats
    expect(page.locator(".stage[aria-busy=false]")).to_be_visible()
    now = drawn(page)
    last = at_event(page)
    page.locator(".slider").fill(str(last // 2))
    expect(page.locator(".looking-back")).to_contain_text(f"You are looking at event {last // 2}")
    expect(page.locator("[data-lit], [data-part=answer]")).to_have_count(0)
    expect(page.locator("[data-part=line][aria-current=true]")).to_have_attribute("data-seq", str(last // 2))
    expect(page.locator(".stage[aria-busy=false]")).to_be_visible()
    assert drawn(page) != now
    expect(page).to_have_url(re.compile(rf"\?at={last // 2}$"))
    page.locator("h1").click()
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator(".where b")).to_have_text(str(last // 2 - 1))
    page.locator(f"[data-part=line][data-seq='{last // 2 - 3}']").click()
    expect(page.locator(".where b")).to_have_text(str(last // 2 - 3))
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator(".looking-back")).to_have_count(0)
    expect(page.locator(".where b")).to_have_text(str(last))
    expect(page.locator(".stage[aria-busy=false]")).to_be_visible()
    expect(page.locator("[data-lit]").first).to_be_visible()
    page.wait_for_function(f"(now) => ({DRAWN}) === now", arg=now)


def drawn(page: Page) -> str:
    """What stands on the board, in the seats and in the hand."""
    return str(page.evaluate(DRAWN))


def test_an_address_leads_to_an_event_and_a_course_of_its_own(
    visitor: Visitor, address: str, anna: Player
) -> None:
    """A link to an event opens there; from there an analysis game begins."""
    game = anna.game(EMPIRES, [ME, ME], analysis=False)
    anna.play_until(game, "event_turn")
    page = enter(visitor(), address, anna, f"#/games/{game}?at=8")
    expect(page.locator(".where b")).to_have_text("8")
    page.locator(".analyse").click()
    expect(page.locator(".game-head .tag").first).to_have_text("analysis")
    expect(page).not_to_have_url(re.compile(game))


def test_players_sit_down_by_the_page_and_see_their_own_hands_only(visitor: Visitor, address: str) -> None:
    """Two browsers, one open game; neither the page nor an address betrays the other's cards."""
    anna, boris = Player(address, "Anna"), Player(address, "Boris")
    game = anna.game(EMPIRES, [ME, OPEN], repeat=dealt_as("hands that differ"))
    first = enter(visitor(), address, anna, f"#/games/{game}")
    expect(first.locator(".waiting-room")).to_be_visible()
    second = enter(visitor(), address, boris)
    second.locator(f".game:has(a[href='/g/{game}'])").get_by_role("button", name="Join").click()
    for page in (first, second):  # with the last seat taken the game begins, for both
        expect(page.locator("[data-role=board]")).to_be_visible()
    path, seated = f"/v1/games/{game}/decisions", ((first, anna), (second, boris))

    def chooser() -> Page | None:
        return next((page for page, who in seated if who.call("GET", path)["legal"]), None)

    for _ in range(2):
        choose(until(chooser, "somebody who may choose"))
    hands = [hand(first), hand(second)]
    second.goto(f"{address}/g/{game}?seat=0")
    assert hand(second) == hands[1]
    secret = set(hands[0]) - set(hands[1])
    assert secret
    shown = drawn(second)
    assert not [name for name in secret if name in shown]
    look_through(second, "spectator")
    expect(second.locator(".hand .card")).to_have_count(0)


def test_an_invitation_link_leads_to_a_seat(visitor: Visitor, address: str, anna: Player) -> None:
    """Of a private game, which those who follow it cannot see before."""
    game = anna.game(EMPIRES, [ME, {"invited": True}], visibility="private")
    host = enter(visitor(), address, anna, f"#/games/{game}")
    host.get_by_role("button", name="Make an invitation link").click()
    link = host.locator("input[name=invitation]").input_value()
    guest = enter(visitor(), address, Player(address, "Boris"), link.removeprefix(f"{address}/"))
    guest.locator("main").get_by_role("button", name="Join the game").click()
    for page in (host, guest):
        expect(page.locator("[data-role=board]")).to_be_visible()


def test_a_game_with_a_commitment_begins_when_it_is_revealed(
    visitor: Visitor, address: str, anna: Player
) -> None:
    """Where a player contributes to the randomness the game waits for their word; until then for players."""
    game = anna.game(EMPIRES, [ME, OPEN, OPEN])
    page = enter(visitor(), address, anna, f"#/games/{game}")
    expect(page.locator(".waiting-room .seat")).to_have_count(3)
    expect(page.get_by_role("button", name="Take this seat")).to_have_count(0)
    boris, gift = Player(address, "Boris"), Contribution()
    commitment = gift.commitment(game, 1)
    boris.call("POST", f"/v1/games/{game}/join", {"seat": 1, "commitment": commitment})
    guest = enter(visitor(), address, Player(address, "Carla"), f"#/games/{game}")
    guest.get_by_role("button", name="Take this seat").last.click()
    expect(page.locator(".waiting-room .seat").last).to_contain_text("Carla")
    expect(page.locator("[data-role=board]")).to_have_count(0)
    boris.call("POST", f"/v1/games/{game}/reveal", gift.reveal(1))
    for each in (page, guest):
        expect(each.locator("[data-role=board]")).to_be_visible()


def hand(page: Page) -> list[str]:
    """The names of the cards in the panel of one's own hand, after all that has happened."""
    expect(page.locator(".status-line")).to_contain_text("Fate")  # everybody has an empire, and cards
    expect(page.locator(".stage[aria-busy=false]")).to_be_visible()
    panel = page.locator(".panel", has=page.get_by_role("heading", name="Your hand"))
    expect(panel.locator(".card").first).to_be_visible()
    return panel.locator(".card-name").all_inner_texts()


def test_a_trade_offer_is_composed_in_a_form_and_a_refusal_leads_to_its_clause(
    visitor: Visitor, address: str, anna: Player
) -> None:
    """The form comes from the schema; a refusal is told beside it, an offer to everybody in the history.

    Beside the reason stands the clause; the rules open there in a window of their own.
    """
    game = anna.game(EMPIRES, [ME, ME, ME])
    anna.play_until(game, "trading")
    page = enter(visitor(), address, anna, f"#/games/{game}")
    open_list(page)
    form = page.locator("form[data-command=offer_trade]")
    expect(form).to_be_visible()
    form.get_by_role("button", name="Offer trade").click()
    expect(form.locator(".failure")).to_contain_text("to")
    form.locator(".chip:has(.badge:text-is('1'))").first.click()
    form.get_by_role("button", name="Offer trade").click()
    opens_clause(page, form)
    give = form.locator("fieldset.group", has=page.locator("legend:text-is('Give')")).last
    give.locator("[data-field=hand_cards] .chip").first.click()
    expect(give.locator(".chosen li")).to_have_count(1)
    ask = form.locator("fieldset.group", has=page.locator("legend:text-is('Ask')")).last
    ask.locator("[data-field=hand_cards] .chip").first.click()
    form.get_by_role("button", name="Everybody").click()
    form.get_by_role("button", name="Offer trade").click()
    expect(page.locator(".history")).to_contain_text("offer everybody")
    expect(page.locator(".hand .panel", has_text="Offers")).to_be_visible()
    expect(form.locator(".chosen")).to_have_count(0)  # ready for the next one


def opens_clause(page: Page, form: Any) -> None:
    """Follow the clause of a refusal: nothing for nothing, the service says."""
    link = form.locator(".failure a.clause")
    expect(link).to_have_text("CEM-704")
    with page.expect_popup() as opened:
        link.click()
    rules = opened.value
    expect(rules).to_have_url(re.compile(r"/v1/titles/colonial_empires/rules\?version=2#CEM-704$"))
    clause = rules.locator("#CEM-704")
    expect(clause).to_contain_text("At least one side gives at least one card")
    expect(clause).to_be_in_viewport()
    expect(form).to_be_visible()  # the game stays open behind it
    rules.close()
    page.bring_to_front()


def test_an_offer_is_answered_with_a_counter_offer(visitor: Visitor, address: str, anna: Player) -> None:
    """A button beside the offer fills the form with it turned round; sent so it is the offer's mirror."""
    game = anna.game(EMPIRES, [ME, ME, ME])
    anna.play_until(game, "trading")
    path = f"/v1/games/{game}"
    (mine, *_), (theirs, *_) = (anna.call("GET", f"{path}?seat={seat}")["view"]["hand"] for seat in (0, 1))
    give, ask = {"hand_cards": [theirs]}, {"hand_cards": [mine]}
    offer = {"type": "offer_trade", "seat": 1, "to": 0, "give": give, "ask": ask}
    anna.call("POST", f"{path}/commands", offer)
    page = enter(visitor(), address, anna, f"g/{game}?seat=0")
    page.locator(".hand [data-ref^='offer:']").click()
    page.locator(".popover [data-part=counter]").click()
    form = page.locator("form[data-command=offer_trade]")
    expect(form.locator(".chosen li")).to_have_count(2)
    form.get_by_role("button", name="Offer trade").click()
    expect(form.locator(".chosen li")).to_have_count(0)  # it is sent
    first, second = anna.call("GET", f"{path}?seat=0")["view"]["offers"]
    assert (second["from"], second["to"]) == (0, 1)
    assert (second["give"], second["ask"]) == (first["ask"], first["give"])


def test_one_person_may_hold_several_chairs(visitor: Visitor, address: str, anna: Player) -> None:
    """Where my other seat is awaited the page offers to switch seats."""
    game = anna.game(EMPIRES, [ME, ME])
    page = enter(visitor(), address, anna, f"#/games/{game}")
    expect(page.locator(".eyes button")).to_have_count(3)
    chairs, curtain = page.locator(".bar .chair"), page.locator("[data-part=curtain] button")
    expect(chairs.or_(page.locator(CHOICE)).first).to_be_visible()
    if chairs.count():
        chairs.first.click()
    choose(page)
    expect(curtain.or_(page.locator(CHOICE)).first).to_be_visible()  # the page hands over by itself
    if curtain.count():
        curtain.click()
    choose(page)
    expect(page.locator(".history")).to_contain_text("Fate")


def test_a_phone_shows_everything(visitor: Visitor, address: str, anna: Player) -> None:
    """No sideways scrolling of any page; actions, board and history are there."""
    game, others = anna.with_others("colonialism", 2)
    others.move()
    page = visitor(viewport={"width": 375, "height": 740}, color_scheme="dark", has_touch=True)
    enter(page, address, anna, f"#/games/{game}")
    expect(page.locator(".map")).to_be_visible()
    for part in (".bar", ".hand", ".player", "[data-part=tab]"):
        expect(page.locator(part).first).to_be_visible()
    page.locator("[data-tab=log]").click()
    for part in (".history", ".replay"):
        expect(page.locator(part)).to_be_visible()
    page.locator("[data-tab=board]").click()
    for hash_ in ("#/", "#/new", "#/titles/colonialism", f"#/games/{game}"):
        page.goto(f"{address}/{hash_}")
        expect(page.locator("h1")).to_be_visible()
        content = {"#/": ".title-list li", "#/new": ".places", "#/titles/colonialism": "table"}.get(
            hash_, ".map"
        )
        expect(page.locator(content).first).to_be_visible()
        rendered(page)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{hash_} is {wide} pixels too wide"


def test_what_cannot_be_shown_is_said(visitor: Visitor, address: str) -> None:
    """An unknown game, title or page never leaves the page blank; nor does a token that nobody has."""
    page = enter(visitor(), address, hash_="#/games/00000000-0000-4000-8000-000000000000")
    expect(page.get_by_role("heading", name="No such game")).to_be_visible()
    page.goto(f"{address}/#/titles/whist")
    expect(page.get_by_role("heading", name="No such title")).to_be_visible()
    page.goto(f"{address}/#/nowhere")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("I have a token").click()
    page.locator("dialog input[name=token]").fill("nobody")
    page.locator("dialog").get_by_role("button", name="Sign in").last.click()
    expect(page.locator("dialog .failure")).to_contain_text("token")


def test_a_token_seats_the_same_person_in_another_browser(
    visitor: Visitor, address: str, anna: Player
) -> None:
    """Paste it, play on, sign out: then nothing of it stays."""
    page = enter(visitor(), address)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("I have a token").click()
    page.locator("dialog input[name=token]").fill(anna.token)
    page.locator("dialog").get_by_role("button", name="Sign in").last.click()
    expect(page.locator(".who")).to_have_text("Anna")
    page.locator(".who").click()
    page.get_by_role("button", name="Show token").click()
    expect(page.locator(".token")).to_have_text(anna.token)
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator(".who")).to_have_text("Sign in")
    page.wait_for_function("() => localStorage.length === 0")


def test_the_page_asks_nobody_but_its_own_service(visitor: Visitor, address: str, anna: Player) -> None:
    """No address outside, no inline script or style: the strictest policy would hold."""
    asked: list[str] = []
    page = visitor()
    page.on("request", lambda request: asked.append(request.url))
    enter(page, address, anna, f"#/games/{anna.game('colonialism', [ME, BOT])}")
    expect(page.locator(".map")).to_be_visible()
    assert {url.split("/")[2] for url in asked} == {address.split("/")[2]}
    assert page.locator("script:not([src]), style").count() == 0


def test_a_title_without_pictures_shows_none(visitor: Visitor, address: str, anna: Player) -> None:
    """Neither the lobby, nor its page, nor an invitation, nor its table asks for a file that is not there."""
    game = anna.game("example", [ME, OPEN])
    secret = anna.call("POST", f"/v1/games/{game}/invitations", {})["invitation"]
    failed: list[str] = []
    page = visitor(first=True)
    page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    enter(page, address)
    expect(page.locator("[data-title=colonies] img")).to_have_count(1)
    tile = page.locator("[data-title=example]")
    expect(tile.get_by_role("heading", name="Landfall")).to_be_visible()
    expect(tile.locator("img")).to_have_count(0)
    for place in (
        "titles/example",
        f"join/{game}?invitation={secret}",
        f"g/{game}",
        "v1/titles/example/rules",
    ):
        page.goto(f"{address}/{place}")
        expect(page.locator("h1").first).to_contain_text("Landfall")
    assert failed == []
