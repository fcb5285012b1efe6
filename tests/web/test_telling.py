"""The page tells: that it is my turn, what a war may bring, what cannot be undone, and what has happened."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import psycopg
import pytest
from playwright.sync_api import expect
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ops.runtime.servers import Servers
from tests.conftest import LiveServer
from tests.waiting import each_look, until
from tests.web.conftest import Visitor
from tests.web.table import Held, Player, enter, late, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME, BOT, OPEN = {"you": True}, {"bot": "random"}, {"open": True}
SHOWN = "(seq) => Number(document.querySelector('[data-page]').dataset.seq) >= seq"
LISTENING = """
window.told = []; window.rung = 0;
window.Notification = class { constructor(text) { told.push(text); } };
Notification.permission = "granted";
Notification.requestPermission = async () => "granted";
window.AudioContext = class { constructor() { rung++; } };
document.hasFocus = () => Boolean(window.focused);
"""


@pytest.fixture
def anna(live_server: LiveServer) -> Player:
    return Player(live_server.address, "Anna")


def own(game: str, who: Player) -> dict[str, Any]:
    """The first command that *who* may give."""
    command: dict[str, Any] = who.legal(game)[0]["command"]
    return command


def test_a_turn_is_told_once_to_anyone_who_looks_elsewhere(visitor: Visitor, anna: Player) -> None:
    """A message and a sound when my turn begins; none while the page has the focus."""
    boris = Player(anna.address, "Boris")
    game = anna.game("example", [ME, OPEN])
    boris.call("POST", f"/v1/games/{game}/join", {})
    page = visitor()
    page.add_init_script(LISTENING)
    enter(page, anna.address, anna, f"g/{game}")
    page.locator("[data-part=notify]").click()
    expect(page.locator("[data-part=notify]")).to_have_attribute("aria-pressed", "true")
    asked, icon = page.locator("[data-page]"), page.locator("link[rel=icon]")
    for told in (1, 1):  # at the second turn the page has the focus
        expect(icon).to_have_attribute("data-turn", "true")
        anna.call("POST", f"/v1/games/{game}/commands", own(game, anna))
        expect(asked).to_have_attribute("data-asked", "false")
        expect(icon).to_have_attribute("data-turn", "false")
        boris.call("POST", f"/v1/games/{game}/commands", own(game, boris))
        expect(asked).to_have_attribute("data-asked", "true")
        expect(icon).to_have_attribute("data-turn", "true")
        page.wait_for_function("(count) => told.length === count && rung === count", arg=told)
        page.evaluate("window.focused = true")


def test_what_cannot_be_undone_is_asked_for_first(visitor: Visitor, anna: Player) -> None:
    """A row of cards lies after a Yes only; a No leaves all as it was. Some players are not asked."""
    game = anna.game("colonial", [ME, ME])
    anna.play_until(game, "program_cards")
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    chosen = page.locator("[data-selected]")
    for number in range(5):  # a card that a Nation has twice may be chosen again
        page.locator(".hand .card[data-lit]:not([data-selected])").first.click()
        expect(chosen).to_have_count(number + 1)
    page.locator("[data-part=give]").click()
    expect(page.locator("[data-part=confirm]")).to_contain_text("cannot be undone")
    page.locator("[data-part=confirm]").get_by_role("button", name="No").click()
    expect(page.locator("[data-part=confirm]")).to_have_count(0)
    expect(chosen).to_have_count(5)
    page.locator("[data-part=give]").click()
    with page.expect_response(lambda answer: answer.url.endswith("/commands")) as told:
        page.locator("[data-part=confirm] [data-part=give]").click()
    assert told.value.ok


def test_who_wishes_is_always_asked_first_and_keeps_what_they_chose(visitor: Visitor, anna: Player) -> None:
    """Also for what is not grave; what was pointed at outlasts a reload."""
    game = anna.game("example", [ME, BOT])
    page = visitor()
    page.add_init_script("localStorage.setItem('rutter.confirm', 'always')")
    enter(page, anna.address, anna, f"g/{game}")
    page.locator(".hand [data-lit]").first.click()
    chosen = page.locator(".hand [data-selected]")
    expect(chosen).to_have_count(1)
    ref = chosen.get_attribute("data-ref") or ""
    page.reload()
    expect(chosen).to_have_attribute("data-ref", ref)
    page.locator(".popover [data-part=give], .popover [data-part=candidate]").first.click()
    with page.expect_response(lambda answer: answer.url.endswith("/commands")) as told:
        page.locator("[data-part=confirm] [data-part=give]").click()
    assert told.value.ok


def test_the_odds_of_a_war_are_told_before_it_begins(visitor: Visitor, anna: Player) -> None:
    """What the service has tried out stands beside the choice of an enemy."""
    game = anna.game("colonial", [ME, ME, ME])
    rng, found = random.Random(3), None
    for _ in range(300):
        legal = anna.legal(game)
        found = next((item for item in legal if "war" in item), None)
        if found:
            break
        item = rng.choice(legal)
        anna.call("POST", f"/v1/games/{game}/commands", {**item["command"], "seat": item["seat"]})
    assert found
    page = enter(visitor(), anna.address, anna, f"g/{game}?seat={found['seat']}")
    page.locator(f"[data-ref='seat:{found['war']}'][data-lit]").first.click()
    odds = page.locator("[data-part=odds]").first
    expect(odds).to_contain_text("win")
    asked = f"/v1/games/{game}/wars/odds?seat={found['seat']}&target={found['war']}"
    told = anna.call("GET", asked)["odds"]
    share = math.floor(told["victory"] / told["simulations"] * 100 + 0.5)  # a half is rounded up
    expect(odds).to_contain_text(f"win {share} %")
    expect(odds).to_contain_text(f"{told['simulations']} simulated wars")


def others_moved(game: str, who: Player) -> bool:
    """Whether another seat has given a command since the latest of *who*."""
    own = {f"p{seat['seat']}" for seat in who.call("GET", f"/v1/games/{game}")["seats"] if seat["you"]}
    lines = who.call("GET", f"/v1/games/{game}/history?limit=500")["history"]
    by = [line["by"] for line in lines if (line["by"] or "").startswith("p")]
    return bool(own.intersection(by)) and by[-1] not in own


@pytest.mark.parametrize("delay", [0, 900])
def test_what_the_others_did_is_shown_step_by_step(visitor: Visitor, anna: Player, delay: int) -> None:
    """Each command of the bots stays for a moment, in order, however slow the network; a key leads to now."""
    game, others = anna.with_others("colonialism", 3)
    others.move()
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    page.add_init_script("localStorage.removeItem('rutter.pace')")
    page.add_init_script(late("at=", delay))
    page.reload()
    state = page.locator("[data-page]")
    expect(state).to_have_attribute("data-asked", "true")
    page.evaluate(
        "() => { window.drawn = []; const page = document.querySelector('[data-page]');"
        " new MutationObserver(() => drawn.push(Number(page.dataset.seq)))"
        ".observe(page, {attributeFilter: ['data-seq']}); }"
    )
    table = re.compile(rf"/v1/games/{game}/table")
    # What happens is told at once, when all of it has happened.
    held = Held(page, table)
    while not others_moved(game, anna):
        anna.call("POST", f"/v1/games/{game}/commands", own(game, anna))
        others.move()
    until(lambda: rendered(page) or held, "the page, asking what has happened")
    held.let_go()
    expect(page.locator("[data-part=skip]")).to_be_visible()
    page.wait_for_function("() => drawn.length >= 2")
    drawn = page.evaluate("drawn")
    assert drawn == sorted(drawn)
    page.keyboard.press("End")
    expect(page.locator("[data-part=skip]")).to_have_count(0)
    page.wait_for_function(
        "() => { const d = document.querySelector('[data-page]').dataset; return d.seq === d.last; }"
    )
    drawn = page.evaluate("drawn")
    assert drawn == sorted(drawn)
    expect(page.locator("[data-part=since]")).to_contain_text("Since your last move")


def test_only_what_has_changed_is_marked(visitor: Visitor, anna: Player) -> None:
    """The refs that differ between two tables, and no other."""
    game = anna.game("colonial_empires", [ME, ME])
    item = anna.legal(game)[0]
    looking = item["seat"]  # by lot it is either
    page = enter(visitor(), anna.address, anna, f"g/{game}?seat={looking}")
    expect(page.locator("[data-lit]").first).to_be_visible()
    before = refs(anna.call("GET", f"/v1/games/{game}/table?seat={looking}"))
    seq = anna.call("POST", f"/v1/games/{game}/commands", {**item["command"], "seat": item["seat"]})["seq"]
    expect(page.locator("[data-page]")).to_have_attribute("data-seq", str(seq))
    after = refs(anna.call("GET", f"/v1/games/{game}/table?seat={looking}"))
    rendered(page)
    changed = {ref for ref in after if before.get(ref) != after[ref]}
    marked = set(page.locator("[data-changed]").evaluate_all("(all) => all.map((each) => each.dataset.ref)"))
    assert changed == marked


def refs(table: dict[str, Any]) -> dict[str, str]:
    """How each ref of a table looks, without those in it."""
    found: dict[str, str] = {}

    def walk(value: Any) -> Any:
        if isinstance(value, list):
            return [walk(each) for each in value]
        if not isinstance(value, dict):
            return value
        told = {key: walk(inner) for key, inner in value.items()}
        if not value.get("ref"):
            return told
        found[value["ref"]] = found.get(value["ref"], "") + repr(told)
        return value["ref"]

    walk(table["panels"])
    return found


def test_every_page_tells_which_games_wait(visitor: Visitor, anna: Player) -> None:
    """And leads there."""
    game = anna.game("example", [ME, BOT])
    page = enter(visitor(), anna.address, anna, "titles/example")
    turns = page.locator("[data-part=turns]")
    expect(turns).to_have_text("1 game waits for you")
    turns.click()
    expect(page.locator("[data-page]")).to_have_attribute("data-game", game)


def test_a_lost_token_is_told(visitor: Visitor, anna: Player) -> None:
    """A player here is not silently a spectator; with the token they sit there again."""
    game = anna.game("example", [ME, BOT])
    page = visitor()
    enter(page, anna.address)
    page.evaluate("(token) => localStorage.setItem('rutter.token', token)", anna.token)
    page.goto(f"{anna.address}/g/{game}")
    expect(page.locator("[data-lit]").first).to_be_visible()
    page.evaluate("localStorage.removeItem('rutter.token')")
    page.reload()
    lost = page.locator("[data-part=lost]")
    expect(lost).to_contain_text("You played here as Anna")
    lost.get_by_role("button").click()
    page.get_by_text("I have a token").click()
    page.locator("dialog input[name=token]").fill(anna.token)
    page.locator("dialog").get_by_role("button", name="Sign in").last.click()
    expect(lost).to_have_count(0)
    expect(page.locator("[data-lit]").first).to_be_visible()


def test_a_service_that_is_started_again_is_met_again(
    visitor: Visitor, anna: Player, live_server: LiveServer
) -> None:
    """The page says that nothing answers, and why a command did not arrive; then it plays on by itself."""
    game = anna.game("example", [ME, BOT])
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    state = page.locator("[data-page]")
    expect(state).to_have_attribute("data-live", "live")
    page.evaluate("window.same = true")
    with live_server.restarting():
        expect(state).to_have_attribute("data-live", "lost")
        expect(page.locator(".game-head").get_by_text("reconnecting")).to_be_visible()
        page.locator(".hand [data-lit]").first.click()
        page.locator(".popover [data-part=give]").click()
        expect(page.get_by_text("cannot be reached").first).to_be_visible()
    expect(state).to_have_attribute("data-live", "live")
    expect(page.get_by_text("cannot be reached")).to_have_count(0)
    expect(state).to_have_attribute("data-asked", "true")
    rendered(page)
    before = int(state.get_attribute("data-seq") or 0)
    if not page.locator(".popover [data-part=give]").count():
        page.locator(".hand [data-lit]").first.click()
    page.locator(".popover [data-part=give]").click()
    page.wait_for_function(SHOWN, arg=before + 1)
    assert page.evaluate("window.same")


def test_a_frozen_game_says_so(
    visitor: Visitor, anna: Player, live_server: LiveServer, servers: Servers
) -> None:
    """Of a game whose log was lost the page tells where it stopped, at every width."""
    game = anna.game("example", [ME, ME])
    last = anna.call("GET", f"/v1/games/{game}")["last"]
    database = conninfo_to_dict(live_server.database_url)["dbname"]
    with psycopg.connect(make_conninfo(servers.owner_url, dbname=database), autocommit=True) as owner:
        owner.execute("INSERT INTO es.frozen (game_id, last, former) VALUES (%s, %s, 'old')", (game, last))
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    expect(page.locator("[data-part=line]").first).to_be_visible()
    for _ in each_look("a service that knows of it: each of its processes asks once a second at most"):
        if page.locator("[data-part=frozen]").count():
            break
        page.reload()
        expect(page.locator("[data-part=line]").first).to_be_visible()
    for width in (1366, 390):
        page.set_viewport_size({"width": width, "height": 768})
        expect(page.locator("[data-part=frozen]")).to_be_in_viewport()
        expect(page.locator("[data-part=frozen]")).to_contain_text(f"frozen at event {last}")


def test_the_page_stands_still_while_others_play(visitor: Visitor, anna: Player) -> None:
    """Board, bar, log and hand do not jump: the layout shifts by less than 0.02 in all."""
    page = visitor(viewport={"width": 1366, "height": 768})
    game = anna.game("colonial", [ME, ME, ME])
    page.add_init_script("localStorage.setItem('rutter.pace', '0')")
    enter(page, anna.address, None, f"g/{game}?tab=board")
    expect(page.locator(".region").first).to_be_visible()
    expect(page.locator("[data-page]")).to_have_attribute("data-live", "live")
    page.evaluate(
        "() => { window.shifted = 0; new PerformanceObserver((list) => {"
        " for (const each of list.getEntries()) if (!each.hadRecentInput) shifted += each.value;"
        " }).observe({type: 'layout-shift'}); }"
    )
    begun = seq = int(page.get_attribute("[data-page]", "data-seq") or 0)
    while seq <= begun + 15:
        seq = anna.give_any(game)
        page.wait_for_function(SHOWN, arg=seq)
    rendered(page)
    assert page.evaluate("shifted") < 0.02


COMMANDS = 10
"""Twenty of each title in tests/campaigns/web."""
BOXES = """() => ['[data-role=board]', '[data-part=bar]', '[data-part=log]', '.hand'].map((part) => {
    const box = document.querySelector(part).getBoundingClientRect();
    const top = part === '[data-part=log]' ? '' : box.top; // players who own more have a line more, above it
    return `${part} ${box.left} ${box.right} ${top} ${box.bottom}`;
})"""
"""Where the parts of a table stand."""


@pytest.mark.parametrize("title", ["colonies"])
def test_nothing_jumps_while_one_plays(visitor: Visitor, anna: Player, title: str) -> None:
    """At each of ten commands board, bar, hand and the end of the log stand where they stood."""
    game = anna.game(title, [ME, ME, ME])
    page = enter(visitor(viewport={"width": 1366, "height": 768}), anna.address, anna, f"g/{game}?seat=0")
    expect(page.locator("[data-role=board]").first).to_be_visible()
    expect(page.locator("[data-part=guide]")).to_be_visible()
    rng, stood = random.Random(4), None
    for _ in range(COMMANDS):
        item = rng.choice(anna.legal(game))
        answer = anna.call("POST", f"/v1/games/{game}/commands", {**item["command"], "seat": item["seat"]})
        page.wait_for_function(SHOWN, arg=answer["seq"])
        rendered(page)
        stands = page.evaluate(BOXES)
        assert stood in {None, tuple(stands)}
        stood = tuple(stands)
