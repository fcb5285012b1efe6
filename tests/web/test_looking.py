"""One looks: through anybody's eyes once a game has ended, without being told the end, and back in time."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.web.conftest import Ended, Visitor
from tests.web.table import Player, enter, late, look_through, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

BOT = {"bot": "random"}
MOMENT = 12
"""An event of the game at which hands are full."""
NEVER = 1_000_000_000
"""Milliseconds that no test lasts."""


HAND = """(wanted) => {
    const names = [...document.querySelectorAll(".hand .card-name")].map((each) => each.innerText);
    return JSON.stringify(names.sort()) === JSON.stringify(wanted.sort());
}"""
"""The hand that is looked at has these cards, and no other."""
ON = """(seq) => {
    const here = Number(document.querySelector("[data-page]").dataset.seq);
    return here > seq && here;
}"""
"""What is drawn is later than event *seq*."""
FURTHER = "(seq) => Number(document.querySelector('.where b').textContent) > seq"
MARKED = """() => {
    const here = Number(document.querySelector(".where b").textContent);
    const marks = [...document.querySelectorAll("[data-part=mark]")];
    return here === 1 || marks.some((mark) => Number(mark.dataset.seq) === here);
}"""
"""One stands where a turn begins."""


def look(page: Page, eyes: str) -> None:
    look_through(page, eyes)
    expect(page.locator("[data-page]")).to_have_attribute("data-eyes", eyes)
    expect(page.locator(".stage[aria-busy=false]")).to_be_visible()


def test_an_ended_game_is_seen_through_every_seat(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """A spectator sees each hand as its owner saw it then, and with all open all of them at once."""
    host, game = ended
    page = enter(visitor(), host.address, hash_=f"g/{game}?at={MOMENT}")
    expect(page.locator("[data-role=board]")).to_be_visible()
    hands = []
    for seat in (0, 1):
        look(page, str(seat))
        told = host.call("GET", f"/v1/games/{game}/table?at={MOMENT}&seat={seat}")
        cards = [item for panel in told["panels"] if panel["role"] == "hand" for item in panel["items"]]
        hands.append(sorted({card["name"] for card in cards}))
        page.wait_for_function(HAND, arg=hands[-1])
        expect(page).to_have_url(re.compile(f"seat={seat}"))
    assert hands[0] != hands[1]
    look(page, "all")
    expect(page.locator(".hand .panel")).to_have_count(2)


def test_a_replay_does_not_tell_the_end(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """Neither the result, nor how long it took, nor a later line is in the page."""
    host, game = ended
    page = enter(visitor(), host.address, hash_=f"g/{game}?replay=1")
    expect(page.locator(".where b")).to_have_text("1")
    state = page.locator("[data-page]")
    expect(state).to_have_attribute("data-seq", "1")
    assert state.get_attribute("data-last") is None
    expect(page.locator("[data-part=result]")).to_have_count(0)
    expect(page.locator("[data-part=line]").first).to_be_visible()  # before, each event is a stop
    for _ in range(2):
        before = int(state.get_attribute("data-seq") or 0)
        page.keyboard.press("ArrowRight")
        here = page.wait_for_function(ON, arg=before).json_value()
    assert here > 4
    told = page.locator("[data-part=line]").evaluate_all("(all) => all.map((e) => Number(e.dataset.seq))")
    assert told
    assert max(told) <= here
    expect(page.locator("[data-part=mark]")).to_have_count(0)
    assert "won" not in page.locator("body").inner_text().lower()


WINDOWS = ((1440, 900), (1366, 768), (768, 1024), (390, 844))
PHONE = 500
STRIP = 48
"""How high the way through time may be, in pixels."""
OUTSIDE = """(foot) => {
  const strip = foot.getBoundingClientRect();
  const parts = [...foot.querySelectorAll("button, input, output")];
  const seen = parts.map((one) => one.getBoundingClientRect());
  const beside = (box) => box.left < 0 || box.right > innerWidth;
  const out = (box) => beside(box) || box.top < strip.top || box.bottom > strip.bottom;
  return seen.filter((box) => box.width && out(box)).length;
}"""
"""How many of its parts are not wholly in it, or in the window."""


def test_the_way_through_time_is_a_strip(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """It is at most 48 pixels high and holds all its parts; a phone shows it in the log and in the past."""
    host, game = ended
    page = enter(visitor(), host.address, hash_=f"g/{game}")
    foot = page.locator("[data-part=transport]")
    expect(page.locator(".stage[aria-busy=false]")).to_be_visible()
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        expect(foot).to_be_visible(visible=width >= PHONE)
    page.locator("[data-tab=log]").click()
    expect(foot).to_be_visible()
    page.get_by_role("button", name="One command back").click()
    page.locator("[data-tab=board]").click()
    expect(page.locator(".game-page.travelling")).to_be_visible()
    for width, height in reversed(WINDOWS):
        page.set_viewport_size({"width": width, "height": height})
        rendered(page)
        box = foot.bounding_box()
        assert box is not None
        assert box["height"] <= STRIP, width
        assert foot.evaluate(OUTSIDE) == 0, width
    page.set_viewport_size({"width": 390, "height": 844})
    foot.get_by_role("button", name="now").click()
    expect(foot).to_be_hidden()


def test_planets_have_their_colours_before_the_lot(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """Once the lot is public a replay begins in its colours; who plays is never told by numbers there."""
    host, _ = ended
    game = host.game("colonies", [{"you": True}] * 3)
    drawn = host.call("GET", f"/v1/games/{game}/history")["history"]
    lot = next(line["seq"] for line in drawn if "drawn by lot" in line["text"])
    assert all("colour" not in each for each in host.call("GET", f"/v1/games/{game}?at={lot - 1}")["seats"])
    page = enter(visitor(), host.address, hash_=f"g/{game}?at={lot}")
    tones = "all => all.map((one) => [one.dataset.owner, one.style.getPropertyValue('--tone')])"
    players = page.locator(".player")
    expect(players).to_have_count(3)
    after = dict(players.evaluate_all(tones))
    page.goto(f"{host.address}/g/{game}?at={lot - 1}&replay=1")
    expect(page.locator("[data-page]")).to_have_attribute("data-seq", str(lot - 1))
    expect(players).to_have_count(3)
    assert dict(players.evaluate_all(tones)) == after
    expect(page.locator(".game-page")).not_to_contain_text(re.compile("Seat [0-9]"))


@pytest.mark.whole
def test_keys_lead_through_time(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """By command, by event, by turn, to the ends; space plays; Escape comes back to now."""
    host, game = ended
    page = enter(visitor(), host.address, hash_=f"g/{game}?at=20")
    where = page.locator(".where b")
    expect(where).to_have_text("20")
    page.keyboard.press("Shift+ArrowLeft")
    expect(where).to_have_text("19")
    page.keyboard.press("Shift+ArrowRight")
    expect(where).to_have_text("20")
    expect(page.locator("[data-part=line]").last).to_be_visible()  # before, each event is a stop
    stop = last_of_command(host, game, 20)
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text(str(stop))
    page.keyboard.press("ArrowDown")
    expect(where).not_to_have_text(str(stop))
    page.wait_for_function(MARKED)
    assert int(where.inner_text()) < stop
    page.keyboard.press("Home")
    expect(where).to_have_text("1")
    page.keyboard.press("Space")
    expect(where).not_to_have_text("1")
    playing = page.locator("[data-part=tempo]")
    page.keyboard.press("Space")
    expect(playing).to_have_count(0)
    page.keyboard.press("Escape")
    last = page.get_attribute("[data-page]", "data-last")
    expect(where).to_have_text(last or "")


def last_of_command(host: Player, game: str, before: int) -> int:
    """The last event of the last command that had come to its end before event *before*."""
    lines = host.call("GET", f"/v1/games/{game}/history?limit=500")["history"]
    ends = {line["command"]: line["seq"] for line in lines}
    return max(seq for seq in ends.values() if seq < before)


def test_one_travels_before_it_is_known_what_happened(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """While the log is on its way each event is a stop, and playing does not stop for it."""
    host, game = ended
    page = visitor()
    page.add_init_script(late("/history", NEVER))
    enter(page, host.address, hash_=f"g/{game}?at=20")
    where = page.locator(".where b")
    expect(where).to_have_text("20")
    expect(page.locator(".stage[aria-busy=false]")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text("19")
    page.keyboard.press("ArrowRight")
    expect(where).to_have_text("20")
    page.keyboard.press("Space")
    page.wait_for_function(FURTHER, arg=21)


def test_a_line_is_looked_at_and_left(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """The table after it is shown while the mouse rests on it; a click stays there, Escape comes back."""
    host, game = ended
    page = enter(visitor(), host.address, hash_=f"g/{game}")
    state = page.locator("[data-page]")
    told = host.call("GET", f"/v1/games/{game}/history?limit=500")["history"]
    last, seq = (str(told[n]["seq"]) for n in (-1, -6))
    expect(page.locator(f"[data-part=line][data-seq='{last}']")).to_be_visible()
    expect(state).to_have_attribute("data-seq", last)
    line = page.locator(f"[data-part=line][data-seq='{seq}']")
    line.hover()
    expect(state).to_have_attribute("data-seq", seq)
    page.locator("h1").hover()
    expect(state).to_have_attribute("data-seq", last)
    line.click()
    expect(state).to_have_attribute("data-seq", seq)
    page.locator("h1").hover()
    expect(page).to_have_url(re.compile(rf"\?at={seq}$"))
    page.keyboard.press("Escape")
    expect(state).to_have_attribute("data-seq", last)


def test_curves_end_in_the_outcome(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """The last point of each seat is its score at the end."""
    host, game = ended
    ended = host.call("GET", f"/v1/games/{game}")
    scores, last = ended["outcome"]["scores"], ended["last"]
    page = enter(visitor(), host.address, hash_=f"g/{game}?tab=graph")
    for seat, score in enumerate(scores):
        point = page.locator(f"[data-part=point][data-seat='{seat}'][data-seq='{last}']")
        expect(point).to_have_attribute("data-value", str(score))


def test_a_point_of_a_curve_leads_to_its_event(visitor: Visitor, live_server: LiveServer) -> None:
    """One click, and one stands where that was so."""
    anna = Player(live_server.address, "Anna")
    game = anna.game("colonial_revised", [{"you": True}] * 3)
    for _ in range(3):
        item = anna.legal(game)[0]
        anna.call("POST", f"/v1/games/{game}/commands", {**item["command"], "seat": item["seat"]})
    last = anna.call("GET", f"/v1/games/{game}")["last"]
    page = enter(visitor(), anna.address, anna, f"g/{game}?tab=graph&seat=spectator")
    curve = "[data-part=point][data-seat='2']"  # equal values: the last seat lies on top
    expect(page.locator(f"{curve}[data-seq='{last}']")).to_be_visible()  # no more points come
    seq = page.locator(curve).first.get_attribute("data-seq") or ""
    page.locator(f"{curve}[data-seq='{seq}']").click()
    expect(page.locator(".where b")).to_have_text(seq)


def test_another_course_knows_where_it_came_from(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """It leads back to where it was taken; its owner finds it under its source, others in no list."""
    host, game = ended
    page = enter(visitor(), host.address, host, f"g/{game}?at=20")
    page.locator(".analyse").click()
    source = page.locator("[data-part=source]")
    expect(source).to_be_visible()
    fork = page.get_attribute("[data-page]", "data-game")
    assert fork not in [
        each["id"] for each in Player(host.address, "Other").call("GET", "/v1/games?limit=100")["games"]
    ]
    source.click()
    expect(page.locator("[data-page]")).to_have_attribute("data-game", game)
    expect(page.locator(".looking-back")).to_be_visible()
    page.locator("[data-tab=tables]").click()
    expect(page.locator(f"[data-part=forks] a[href='/g/{fork}']")).to_be_visible()


def test_another_course_is_put_away(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """Under its source, with the name that I noted to it; after a Yes there is none any more."""
    host, game = ended
    fork = host.call("POST", f"/v1/games/{game}/forks", {"at": 20})["id"]
    host.call("PUT", f"/v1/games/{fork}/notes", {"notes": [{"text": "The bold one\nand why"}]})
    page = enter(visitor(), host.address, host, f"g/{game}?tab=tables")
    row = page.locator(f"[data-part=forks] li:has(a[href='/g/{fork}'])")
    expect(row.locator("b")).to_have_text("The bold one")
    row.get_by_role("button", name="Delete").click()
    row.get_by_role("button", name="No").click()
    expect(row.locator("a")).to_be_visible()
    row.get_by_role("button", name="Delete").click()
    row.get_by_role("button", name="Yes").click()
    expect(row).to_have_count(0)
    page.goto(f"{host.address}/g/{fork}")
    expect(page.get_by_role("heading", name="No such game")).to_be_visible()


def test_a_bot_is_asked_what_it_would_do(
    visitor: Visitor, live_server: LiveServer, ended_game: Ended
) -> None:
    """In a game that has ended, at each event again, and in an analysis game; never while a game runs."""
    anna = Player(live_server.address, "Anna")
    host, game = ended_game("colonies", 5)
    last = host.call("GET", f"/v1/games/{game}")["last"]
    page = enter(visitor(), anna.address, anna, f"g/{game}?at={last // 2}")
    advice, thoughts = page.locator("[data-part=advice]"), page.locator("[data-part=thought]")
    page.locator("[data-part=advise]").click()
    expect(thoughts.first).to_be_visible()
    expect(page.locator("[data-part=thought][data-chosen=true]")).to_have_count(1)
    first = int(advice.get_attribute("data-seq") or 0)
    assert first >= last // 2
    page.keyboard.press("ArrowRight")
    expect(advice).not_to_have_attribute("data-seq", str(first))
    expect(thoughts.first).to_be_visible()
    advice.get_by_role("button", name="Stop asking").click()
    expect(advice).to_have_count(0)
    page.keyboard.press("End")
    page.locator("[data-part=advise]").click()
    expect(advice).to_contain_text("No seat has a decision to make")
    running = anna.game("example", [{"you": True}, {"bot": "random"}], analysis=False)
    page.goto(f"{anna.address}/g/{running}")
    expect(page.locator("[data-lit]").first).to_be_visible()
    expect(page.locator("[data-part=advise]")).to_have_count(0)
    fork = anna.call("POST", f"/v1/games/{running}/forks", {})["id"]
    page.goto(f"{anna.address}/g/{fork}")
    page.locator("[data-part=advise]").click()
    expect(thoughts.first).to_be_visible()


def test_a_review_puts_moves_beside_those_of_a_bot(visitor: Visitor, ended: tuple[Player, str]) -> None:
    """It grows while one looks; the greatest turns have a number on all curves and lead to their event.

    On those of the measures a tap says what the turn was.
    """
    host, game = ended
    bot = {"command": {"type": "a"}, "label": "Sail", "games": 9, "chance": 0.9, "chosen": True}

    def judged(seq: int, chance: float | None) -> dict[str, object]:
        known = chance is not None
        return {
            "seq": seq,
            "label": f"Move {seq}",
            "chance": chance,
            "lost": 0.9 - chance if chance is not None else None,
            "chosen": not known,
            "simulations": 9 * known,
            "candidates": [bot],
        }

    moves = [judged(8, 0.5), judged(14, None), judged(20, 0.25)]
    told = {"game": game, "seat": 0, "bot": "strong", "total": 3}
    turn = {"seq": 20, "before": 0.5, "after": 0.25}
    answers = [
        {**told, "status": "pending", "reviewed": 1, "moves": moves[:1], "turning_points": []},
        {**told, "status": "ready", "reviewed": 3, "moves": moves, "turning_points": [turn]},
    ]
    page = enter(visitor(), host.address, host, f"g/{game}?tab=graph")
    page.route("**/review?*", lambda route: route.fulfill(json=answers.pop(0) if answers[1:] else answers[0]))
    page.locator("[data-part=review-button]").click()
    review, rows = page.locator("[data-part=review]"), page.locator("[data-part=reviewed]")
    expect(review).to_contain_text("1 of 3 moves are reviewed")
    expect(review).to_have_attribute("data-status", "ready")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("40 %")
    expect(rows.nth(1)).to_contain_text("the same")
    marks, said = page.locator("[data-part=turn-mark]"), page.locator("[data-part=turn]")
    expect(marks).to_have_count(1)
    expect(marks).to_have_text("1")
    expect(said).to_have_text("")
    marks.locator("circle").click()
    expect(said).to_have_text(re.compile("to win goes from 50 % to 25 %: Move 20$"))
    expect(page.locator(".where b")).to_have_text("20")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".where b")).not_to_have_text("20")
    point = page.locator("[data-part=turning-point]")
    expect(point).to_have_attribute("data-seq", "20")
    page.get_by_role("button", name="50 % → 25 %: Move 20").click()
    expect(page.locator(".where b")).to_have_text("20")
