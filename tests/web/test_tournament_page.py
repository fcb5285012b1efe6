"""Tournaments in a real Chromium, against the whole service: who plays and who runs them, by clicks."""

from __future__ import annotations

import re
import uuid
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from events.proof.randomness import seat_commitment
from events.rules.fact import type_name
from events.tournament.command_rules import RULES
from events.tournament.facts import Effect
from ops.cli import rutter
from tests.conftest import LiveServer
from tests.waiting import each_look
from tests.web.conftest import Visitor
from tests.web.table import Held, Player, enter, rendered, set_back
from tests.web.tournament import Event

pytestmark = [pytest.mark.browser, pytest.mark.integration]

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1366, "height": 768}
ROWS = "[data-part=standings] tbody tr"


@pytest.fixture
def address(live_server: LiveServer) -> str:
    return live_server.address


@pytest.fixture
def olga(address: str) -> Player:
    """Who runs the tournaments."""
    return Player(address, "Olga")


def tab(page: Page, name: str) -> None:
    """Open one of the views."""
    page.locator(f"[data-part=tab][data-tab={name}]").click()


def give(page: Page, command: str) -> None:
    """Send the form of a director's command."""
    page.locator(f"form[data-command={command}] button:not([type=button])").click()


def tool(page: Page, command: str) -> Any:
    """The form of a director's command, unfolded."""
    form = page.locator(f"form[data-command={command}]")
    if not form.is_visible():
        page.locator(f"[data-tool={command}]").click()
    return form


def test_directors_see_what_the_tournament_waits_for(visitor: Visitor, address: str, olga: Player) -> None:
    """A sentence for each, live; players see none of them."""
    anna, boris = Player(address, "Anna"), Player(address, "Boris")
    event = Event(olga, [anna, boris], clock={"kind": "live", "base_ms": 600_000, "increment_ms": 0})
    desk = enter(visitor(viewport=DESKTOP), address, olga, f"t/{event.id}")
    seat = enter(visitor(viewport=PHONE), address, anna, f"t/{event.id}")
    waits = desk.locator("[data-part=waits-for]")
    expect(waits).to_have_text(re.compile("^Entry is not open yet"))
    expect(desk.get_by_text("Entry is not open yet")).to_have_count(1)  # players read it below
    expect(seat.locator("[data-part=mine]")).to_have_text("Entry is not open yet.")
    waits.get_by_role("button", name="To the commands").click()
    useful = desk.locator("[aria-labelledby=now-do]")
    expect(useful.locator("[data-tool=change_settings]")).to_be_visible()
    for early in ("withdraw_entrant", "forbid_pair", "name_substitute", "drop_director"):
        expect(useful.locator(f"[data-tool={early}]")).to_have_count(0)
    event.do("open_entry")
    expect(waits).to_contain_text("Entry is open until you close it.")
    for player in (anna, boris):
        event.do("enter", player)
    for now in ("withdraw_entrant", "forbid_pair"):
        expect(useful.locator(f"[data-tool={now}]")).to_be_visible()
    event.do("close_entry")
    expect(waits).to_contain_text("Round 1 waits until you pair it.")
    event.do("pair_round")
    expect(waits).to_contain_text("Round 1 waits until you start it.")
    waits.get_by_role("button", name="To the commands").click()
    give(desk, "start_round")
    expect(waits).to_have_count(0)
    event.until(lambda: bool(event.tables()))
    [table] = event.tables()
    more = {"game": table["game"], "seat": 1, "add_ms": 60_000}
    event.do("rule", kind="technical", effects=[{"add_time": more}])
    event.do("rule", kind="technical", effects=[{"end_game": {"game": table["game"]}}])
    expect(waits).to_contain_text("Round 1, table 1 ended without a result: give a ruling.")
    tab(desk, "rulings")
    told = desk.locator(".effects")
    second = {"e1": "Anna", "e2": "Boris"}[table["holders"][1]]
    expect(told.nth(0)).to_have_text(re.compile(f"^1 minute more for .?{second}.? \\(Round 1, table 1\\)$"))
    expect(told.nth(1)).to_have_text("The game is ended (Round 1, table 1)")
    expect(seat.locator("[data-tournament]")).to_be_visible()
    expect(seat.locator("[data-part=waits-for]")).to_have_count(0)


def test_all_see_that_pairing_waits_for_contributions(visitor: Visitor, address: str, olga: Player) -> None:
    """Until they are shown nobody can pair, so directors and players read how many are missing."""
    players = [Player(address, name) for name in ("Anna", "Boris")]
    event = Event(olga, players, entry={"contributions": True})
    desk = enter(visitor(viewport=DESKTOP), address, olga, f"t/{event.id}")
    event.do("open_entry")
    secrets = [bytes([number] * 32) for number in (1, 2)]
    for player, name, secret in zip(players, ("e1", "e2"), secrets, strict=True):
        made = seat_commitment(uuid.UUID(event.id).bytes, name, secret).hex()
        event.do("enter", player, commitment=made, entrant=name)
    awaited = desk.locator("[data-part=contributions]")
    expect(awaited).to_have_count(0)
    event.do("close_entry")
    expect(awaited).to_contain_text("Pairing waits for 2 contributions to the randomness, until")
    event.do("reveal", players[0], contribution=secrets[0].hex())
    expect(awaited).to_contain_text("Pairing waits for 1 contribution to the randomness")
    event.do("reveal", players[1], contribution=secrets[1].hex())
    expect(awaited).to_have_count(0)
    expect(desk.locator("[data-part=waits-for]")).to_contain_text("Round 1 waits until you pair it.")


@pytest.mark.whole
def test_an_event_by_clicks_from_its_making_to_its_proof(
    visitor: Visitor, address: str, olga: Player, tmp_path: Path
) -> None:
    """A director makes and runs it at a desk, a player enters and follows it on a phone; games by the API.

    Standings move without a reload, a ruling moves them again, and the file that is saved proves all of it.
    """
    desk = enter(visitor(viewport=DESKTOP, accept_downloads=True), address, olga, "t")
    desk.get_by_role("link", name="Create a tournament").click()
    desk.locator("input[name=name]").fill("Lisbon Open")
    desk.locator("select[name=title]").select_option("example")
    for name, value in (("size", "2"), ("least", "2"), ("rounds", "1"), ("protest", "0")):
        desk.locator(f"input[name={name}]").fill(value)
    desk.locator("select[name=talk]").select_option("public")
    desk.get_by_role("button", name="Create the tournament").click()
    expect(desk.locator("h1")).to_have_text("Lisbon Open")
    expect(desk.locator(".tournament-head .lead")).to_contain_text("talk aloud only")
    give(desk, "open_entry")
    expect(desk.locator("[data-part=status]")).to_have_text("open")
    event = Event(olga, [], str(desk.get_attribute("[data-tournament]", "data-tournament")))

    phone = enter(visitor(viewport=PHONE), address, None, "t")
    phone.locator(".game", has=phone.locator(f"a[href='/t/{event.id}']")).locator("a").click()
    phone.locator("[data-part=mine]").get_by_role("button", name="Enter").click()
    phone.locator("dialog input[name=name]").fill("Anna")
    phone.locator("dialog button.primary").click()
    expect(phone.locator("[data-part=mine]")).to_have_attribute("data-state", "entered")
    anna = Player(address, "somebody else")
    anna.token = phone.evaluate("localStorage.getItem('rutter.token')")
    boris = Player(address, "Boris")
    event.do("enter", boris)
    event.players = [anna, boris]
    tab(phone, "entrants")
    expect(phone.locator("tr[data-entrant]")).to_have_count(2)  # the stream tells of the other
    expect(phone.locator("tr[data-entrant=e1]")).to_contain_text("contribution committed")

    give(desk, "close_entry")
    expect(phone.locator("tr[data-entrant=e1]")).to_contain_text("contribution revealed")
    give(desk, "pair_round")
    give(desk, "start_round")
    expect(phone.locator("[data-part=mine]")).to_have_attribute("data-state", "playing")
    tab(phone, "standings")
    expect(phone.locator(".table-card.mine")).to_have_attribute("data-status", "playing")
    game = event.tables()[0]["game"]
    expect(phone.get_by_role("link", name="Go to my table")).to_have_attribute("href", f"/g/{game}")
    phone.locator(".table-card").get_by_role("button", name="Board").click()
    expect(phone.locator("[data-part=live-board]")).to_have_attribute("data-seq", re.compile("[0-9]+"))
    drawn = int(str(phone.get_attribute("[data-part=live-board]", "data-seq")))

    tab(desk, "standings")
    expect(desk.locator(ROWS)).to_have_count(2)
    event.round()
    event.until(lambda: event.get()["status"] == "finished")  # until then all share the first place
    winner = next(one for one in event.get("/standings")["standings"] if one["rank"] == 1)["entrant"]
    for page in (desk, phone):
        expect(page.locator(ROWS).first).to_have_attribute("data-entrant", winner)
        expect(page.locator(ROWS).first).to_contain_text("5")
    phone.wait_for_function(
        "seq => Number(document.querySelector('[data-part=live-board]').dataset.seq) > seq", arg=drawn
    )
    assert desk.evaluate("performance.getEntriesByType('navigation').length") == 1
    no_overflow(desk, phone)
    verified(desk, tmp_path)


def no_overflow(*pages: Page) -> None:
    """Nothing of a page stands beside its window."""
    for page in pages:
        rendered(page)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, page.viewport_size


def verified(page: Page, folder: Path) -> None:
    """Save the audit file by a click, and have it checked by the command that stands beside it."""
    expect(page.locator("[data-part=status]")).to_have_text("finished")
    tab(page, "proof")
    with page.expect_download() as saved:
        page.locator("[data-part=audit]").click()
    file = folder / saved.value.suggested_filename
    saved.value.save_as(file)
    words = page.locator("[data-part=verify]").inner_text().split()
    assert words[:3] == ["rutter", "verify", file.name]
    assert "--partial" not in words
    result = CliRunner().invoke(rutter, ["verify", str(file), *words[3:]])
    assert "1 compared with their results" in result.output, result.output


def test_a_ruling_by_form_moves_the_standings(visitor: Visitor, address: str, olga: Player) -> None:
    """The director sets a result right after the round; those who watch see it, and read why."""
    players = [Player(address, name) for name in ("Anna", "Boris")]
    event = Event(olga, players)
    event.begin()
    event.round()
    event.until(lambda: event.rounds()[0]["status"] == "closed")
    before = [one["entrant"] for one in event.get("/standings")["standings"]]
    watcher = enter(visitor(viewport=DESKTOP), address, None, f"t/{event.id}")
    expect(watcher.locator(ROWS).first).to_have_attribute("data-entrant", before[0])
    desk = enter(visitor(viewport=PHONE), address, olga, f"t/{event.id}?tab=direct")
    form = tool(desk, "rule")
    form.locator("select[name=effect]").select_option("result")
    effect = form.locator("[data-effect=result]")
    effect.locator("select[name=at]").select_option("1/1")
    seated = event.rounds()[0]["tables"][0]["entrants"]  # they may have shared the first place
    effect.locator("input[name=places]").fill(" ".join("1" if one == before[1] else "2" for one in seated))
    form.locator("textarea[name=text]").fill("The wrong side was written down.")
    give(desk, "rule")
    expect(watcher.locator(ROWS).first).to_have_attribute("data-entrant", before[1])
    tab(watcher, "rulings")
    expect(watcher.locator("[data-ruling='1']")).to_contain_text("The wrong side was written down.")
    tab(desk, "rulings")
    no_overflow(desk, watcher)


def test_check_in_a_dispute_and_the_withdrawal_of_a_player(
    visitor: Visitor, address: str, olga: Player
) -> None:
    """All by clicks, with a wrong clock; who leaves is asked twice, and the director sees the complaint."""
    anna = Player(address, "Anna")
    event = Event(olga, [anna], entry={"check_in_ms": 3_600_000, "contributions": False})
    event.do("open_entry")
    for player in (anna, Player(address, "Boris")):
        event.do("enter", player)
    event.do("close_entry")
    page = enter(set_back(visitor(viewport=PHONE)), address, anna, f"t/{event.id}?tab=entrants")
    desk = enter(visitor(viewport=DESKTOP), address, olga, f"t/{event.id}?tab=rulings")
    page.get_by_role("button", name="Check in for round 1").click()
    expect(page.locator("tr[data-entrant=e1]")).to_contain_text("checked in for round 1")
    expect(page.get_by_role("button", name="Check in for")).to_have_count(0)
    tab(page, "rulings")
    page.get_by_text("Raise a dispute", exact=True).first.click()
    form = page.locator("form[data-command=raise_dispute]")
    form.locator("select[name=against]").select_option("e2")
    form.locator("textarea").fill("They whistle.")
    form.get_by_role("button", name="Raise a dispute").click()
    expect(desk.locator("[data-dispute='1']")).to_contain_text("They whistle.")
    page.get_by_role("button", name="Withdraw", exact=True).click()
    page.get_by_role("button", name="Yes, withdraw").click()
    expect(page.locator("[data-part=mine]")).to_have_attribute("data-state", "withdrawn")
    tab(desk, "direct")
    tool(desk, "return_entrant").locator("select[name=entrant]").select_option("e1")
    give(desk, "return_entrant")
    expect(page.locator("[data-part=mine]")).to_have_attribute("data-state", "entered")


def test_the_tools_of_a_director(
    visitor: Visitor, address: str, olga: Player, live_server: LiveServer
) -> None:
    """Announcing, admitting, forbidding, pausing: each by its form; a refusal is told in the form."""
    players = [Player(address, name) for name in ("Anna", "Boris", "Carla")]
    event = Event(olga, players, entry={"approval": True, "contributions": False})
    event.do("open_entry")
    for player in players:
        event.do("enter", player)
    desk = enter(visitor(viewport=DESKTOP), address, olga, f"t/{event.id}?tab=direct")
    watcher = enter(visitor(viewport=PHONE), address, None, f"t/{event.id}")
    give(desk, "close_entry")
    expect(desk.locator("form[data-command=close_entry] .failure")).to_contain_text("2")
    for name in ("e1", "e2"):
        tool(desk, "admit").locator("select[name=entrant]").select_option(name)
        give(desk, "admit")
        expect(desk.locator("form[data-command=admit] select")).to_have_value("")
    form = tool(desk, "change_settings")
    form.locator("textarea[name=description]").fill("We begin at noon.")
    give(desk, "change_settings")
    expect(watcher.locator(".description")).to_have_text("We begin at noon.")
    form = tool(desk, "forbid_pair")
    form.locator("select[name=entrants-0]").select_option("e1")
    form.locator("select[name=entrants-1]").select_option("e3")
    give(desk, "forbid_pair")
    tab(watcher, "log")
    expect(watcher.locator(".tournament-log")).to_contain_text("Carla")
    give(desk, "close_entry")
    expect(desk.locator("[data-part=status]")).to_have_text(re.compile("running|ready"))
    # What is written stays, though the tool moves as the tournament's status changes.
    tool(desk, "pause_tournament").locator("input[name=until]").fill("2038-01-01T12:00")
    give(desk, "pause_tournament")
    expect(desk.locator("form[data-command=pause_tournament] .failure")).to_be_visible()  # it is too long
    ahead = int(live_server.clock.path.read_text()) + 7_200_000  # two hours on the clock of the service
    soon = desk.evaluate(
        "(ahead) => { const d = new Date(Date.now() + ahead - new Date().getTimezoneOffset() * 60000);"
        " return d.toISOString().slice(0, 16); }",
        ahead,
    )
    tool(desk, "pause_tournament").locator("input[name=until]").fill(soon)
    give(desk, "pause_tournament")
    expect(watcher.locator("[data-part=status]")).to_have_text("paused")
    give(desk, "resume_tournament")
    expect(watcher.locator("[data-part=status]")).to_have_text("running")
    expect(watcher.locator("[data-tab=direct]")).to_have_count(0)


def test_an_invitation_leads_into_a_private_tournament(visitor: Visitor, address: str, olga: Player) -> None:
    """A stranger is told of none; those who have the link enter."""
    event = Event(olga, [], visibility="private")
    event.do("open_entry")
    desk = enter(visitor(viewport=DESKTOP), address, olga, f"t/{event.id}?tab=direct")
    desk.get_by_role("button", name="Make an invitation link").click()
    link = desk.locator("input[name=invitation]").input_value()
    stranger = enter(visitor(viewport=PHONE), address, None, f"t/{event.id}")
    expect(stranger.get_by_role("heading", name="No such tournament")).to_be_visible()
    guest = enter(
        visitor(viewport=PHONE), address, Player(address, "Guest"), link.removeprefix(f"{address}/")
    )
    guest.locator("main").get_by_role("button", name="Enter").click()
    expect(guest.locator("[data-part=mine]")).to_have_attribute("data-state", "entered")
    expect(desk.locator(".tournament-head")).to_contain_text("1 entrant")


def test_who_enters_while_the_page_is_loaded_is_on_it(visitor: Visitor, address: str, olga: Player) -> None:
    """Nothing that is loaded is older than the tournament: the stream tells only what follows on that."""
    event = Event(olga, [])
    event.do("open_entry")
    page = visitor()
    held = Held(page, re.compile(rf"/v1/tournaments/{event.id}$"))
    page.goto(f"{address}/t/{event.id}")
    until_held(page, held)
    event.do("enter", Player(address, "Anna"))
    held.let_go()
    expect(page.locator("[data-part=mine]")).to_contain_text("1 of 512 have entered")
    tab(page, "entrants")
    expect(page.locator("#tab-panel")).to_contain_text("Anna")


def until_held(page: Page, held: Held) -> None:
    """Wait until the page has asked, and has had time for whatever it asks beside that."""
    for _ in each_look("the page asks for the tournament"):
        page.evaluate("() => new Promise(requestAnimationFrame)")
        if len(held):
            break
    rendered(page)


def test_the_page_goes_on_after_the_line_was_cut(visitor: Visitor, address: str, olga: Player) -> None:
    """It says so meanwhile, and shows what has happened as soon as it is back."""
    event = Event(olga, [])
    page = enter(visitor(viewport=DESKTOP), address, None, f"t/{event.id}?tab=log")
    shown = page.locator("[data-tournament]")
    expect(shown).to_have_attribute("data-live", "live")
    cut = re.compile(r"/stream\?")
    page.route(cut, lambda route: route.abort())
    page.reload()
    expect(shown).to_have_attribute("data-live", "lost")
    event.do("open_entry")
    page.unroute(cut)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(shown).to_have_attribute("data-live", "live")
    expect(shown).to_have_attribute("data-status", "open")


COMMANDS = """async (base) => {
  const { DIRECTING, EFFECTS } = await import(base + "js/tournament/commands.js");
  return [DIRECTING.map((each) => each.type), EFFECTS.map((each) => each.kind)];
}"""


def test_every_command_of_a_director_has_a_form(workbench: Page, files: str) -> None:
    """Whatever the log lets a director, an assistant or an owner do, and whatever a ruling can do."""
    offered, effects = workbench.evaluate(COMMANDS, files)
    roles = {"assistant", "director", "owner"}
    assert set(offered) == {type_name(kind) for kind, rule in RULES.items() if not roles.isdisjoint(rule.by)}
    assert set(effects) == {field.name for field in msgspec.structs.fields(Effect)}
    assert len(offered) == len(set(offered))
