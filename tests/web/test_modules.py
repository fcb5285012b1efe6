"""Parts of the page alone, in a real Chromium: the live stream, panels, seats, sentences."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from events.rules.kit import panels

pytestmark = pytest.mark.browser

STATIC = Path(__file__).resolve().parents[2] / "service" / "static"

PARSE = """async ({ base, pieces }) => {
  const { sseParser } = await import(base + "client/streams.js");
  const heard = [];
  const feed = sseParser((message) => heard.push([message.event, message.id, message.data]));
  pieces.forEach(feed);
  return heard;
}"""

STREAM = (
    ': here\r\n\r\nevent: event\r\nid: 7\r\ndata: {"a":\r\ndata: 1}\r\n\r\n'
    "id: 8\ndata: é\n\nevent: closing\ndata: {}\n\ndata: unfinished"
)
HEARD = [["event", "7", '{"a":\n1}'], ["message", "8", "é"], ["closing", None, "{}"]]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_the_stream_is_read_however_it_is_cut(workbench: Page, files: str, size: int) -> None:
    """Line ends of any kind, comments, data of several lines; a message counts when it is complete."""
    pieces = [STREAM[start : start + size] for start in range(0, len(STREAM), size)]
    assert workbench.evaluate(PARSE, {"base": files, "pieces": pieces}) == HEARD


FOLLOW = """async ({ base }) => {
  const { follow } = await import(base + "js/table/stream.js");
  const real = window.fetch, asked = [], states = [], seen = [];
  const body = (text, end) => new ReadableStream({
    start(c) { c.enqueue(new TextEncoder().encode(text)); if (end) c.close(); },
  });
  window.fetch = async (url, options) => {
    asked.push(options.headers["Last-Event-ID"]);
    if (asked.length === 2) throw new TypeError("offline");
    const first = asked.length === 1;
    return new Response(body(first ? "id: 5\\ndata: {}\\n\\n" : "id: 6\\ndata: {}\\n\\n", first));
  };
  await new Promise((done) => {
    const onState = (state) => states.push(state);
    const onEvent = (message) => {
      seen.push(message.id);
      if (message.id === "6") { stream.stop(); done(); }
    };
    const stream = follow({ path: "games/x/stream", after: 4, onState, onEvent });
  });
  window.fetch = real;
  return { asked, states, seen };
}"""


def test_a_broken_stream_is_taken_up_behind_the_last_event(workbench: Page, files: str) -> None:
    """It ends, then the line is dead, then it is back: nothing is lost, nothing comes twice."""
    told = workbench.evaluate(FOLLOW, {"base": files})
    assert told["asked"] == ["4", "5", "5"]
    assert told["seen"] == ["5", "6"]
    assert told["states"] == ["live", "reconnecting", "reconnecting", "live"]


DRAW = """async ({ base, panels, seats }) => {
  const { html, render } = await import(base + "js/base/ui.js");
  const { Panels } = await import(base + "js/board/panels.js");
  const { Seats } = await import(base + "js/board/seats.js");
  const root = document.createElement("main");
  document.body.replaceChildren(root);
  render(html`<${Seats.Provider} value=${seats}><${Panels} panels=${panels}/><//>`, root);
}"""

TONES: tuple[int | str, ...] = (0, 1, "gold")
SHAPES = panels.SHAPES
SEATS = [{"seat": 0, "label": "the Dutch"}, {"seat": 1, "label": "Red"}]


def draw(page: Page, base: str, *drawn: Any) -> None:
    page.evaluate(DRAW, {"base": base, "panels": json.loads(json.dumps(drawn)), "seats": SEATS})


def test_all_panels_of_the_vocabulary_are_drawn(workbench: Page, files: str) -> None:
    """Facts, tables, cards, maps with both kinds of area, tracks; every shape, every tone."""
    kinds = itertools.product(SHAPES, TONES)
    shapes = [
        panels.token(n, tone=tone, shape=shape, detail=f"{shape} of seat {tone}")
        for n, (shape, tone) in enumerate(kinds)
    ]
    hand = [panels.card("Tea", kind="Good", text="Sells.", tone=t) for t in (None, 0, *panels.TONES)]
    places = [
        panels.area("goa", "Goa", 700, 250, lines=["Spices"], tokens=shapes),
        panels.area("macao", "Macao", 705, 252),
        panels.area("india", "India", 690, 200, path="M600 100 L800 100 L700 300 Z", tone=1),
    ]
    phase = panels.cell("Trade", tone="strong", detail="all at once")
    draw(
        workbench,
        files,
        panels.facts("Game", [("Turn", 3), ("Phase", phase)]),
        panels.table(
            "Players", ["Seat", "Money"], [[panels.cell("Dutch", tone=0), 12], ["Red", "–"]], note="So far."
        ),
        panels.cards("Hand", hand * 2),
        panels.world("World", 1000, 500, places, links=[("goa", "macao")]),
        panels.track("Peace", ["1", panels.cell("2", tone="bad")], [(1, panels.token("X", tone=1))]),
    )
    expect(workbench.locator(".panel")).to_have_count(5)
    expect(workbench.locator(".panel-cards .card")).to_have_count(2 + len(panels.TONES))
    expect(workbench.locator(".card-count").first).to_have_text("×2")  # equal cards lie on one pile
    expect(workbench.locator(".panel-map .token")).to_have_count(len(SHAPES) * len(TONES))
    expect(workbench.locator(".panel-map .region.tone-seat")).to_have_count(1)
    workbench.locator(".place[data-key=goa]").hover()
    expect(workbench.locator(".map-caption")).to_contain_text("Goa · Spices · disc of seat 0")
    expect(workbench.locator(".track .occupied .piece")).to_have_count(1)


INSIDE = """() => [...document.querySelectorAll(".token")].flatMap((token) => {
  const shape = token.querySelector("path");
  return [...token.querySelectorAll("text")].flatMap((text) => {
    const { x, y, width, height } = text.getBBox(), svg = token.ownerSVGElement;
    const corners = [[x, 0.3], [x + width, 0.3], [x, 0.7], [x + width, 0.7]];
    const outside = corners.some(([at, part]) => {
      const point = Object.assign(svg.createSVGPoint(), { x: at, y: y + part * height });
      return !shape.isPointInFill(point);
    });
    return outside ? [token.textContent] : [];
  });
})"""
"""The pieces whose text or number leaves their shape."""


def test_the_text_of_a_piece_stays_inside_it(workbench: Page, files: str) -> None:
    """So does the number of its owner, which would be unreadable beside it: also at the notch of a flag."""
    pieces = [
        panels.token(text, tone=tone, shape=shape)
        for shape in ("disc", "square", "ship", "flag")
        for text in ("1", "11", "C", "Wa 1", "1st")
        for tone in (0, 1, "gold")
    ]
    draw(workbench, files, panels.track("All", ["1"], [(0, piece) for piece in pieces]))
    workbench.add_style_tag(path=STATIC / "css" / "panels.css")
    workbench.add_style_tag(content=":root { --sans: sans-serif }")
    expect(workbench.locator(".token")).to_have_count(len(pieces))
    assert workbench.evaluate(INSIDE) == []


def test_a_seat_without_a_name_is_called_by_who_sits_there(workbench: Page, files: str) -> None:
    """In a cell as at every other place; what its detail says is a player, too."""
    seats = [{"seat": 0, "label": "Seat 0", "name": "Ana"}, {"seat": 1, "label": "Red", "name": "Bo"}]
    facts = panels.facts(
        "Game",
        [
            ("Lead", panels.cell("Seat 0", tone=0, detail="Seat 0")),
            ("Next", panels.cell("Red", tone=1, detail="Seat 1")),
            ("Order", panels.cell("Seat 0 → Seat 1", tone="muted")),
        ],
    )
    workbench.evaluate(DRAW, {"base": files, "panels": [json.loads(json.dumps(facts))], "seats": seats})
    cells = workbench.locator(".facts .cell")
    expect(cells.first).to_have_text("Ana")
    expect(cells.nth(1)).to_have_attribute("title", "Bo")
    expect(cells.last).to_have_text("Ana → Red")
    expect(workbench.locator(".facts")).not_to_contain_text("Seat")


def test_labels_of_a_map_never_cover_each_other(workbench: Page, files: str) -> None:
    """Places that lie close give way, and none leaves the map."""
    places = [
        panels.area(f"p{n}", f"Place {n}", 500 + n % 4 * 9, 250 + n // 4 * 7, lines=["one", "two"])
        for n in range(16)
    ]
    draw(workbench, files, panels.world("Crowded", 1000, 600, places))
    boxes = workbench.locator(".place rect").evaluate_all(
        "(all) => all.map((r) => ['x', 'y', 'width', 'height'].map((k) => r[k].baseVal.value))"
    )
    assert len(boxes) == 16
    for (ax, ay, aw, ah), (bx, by, bw, bh) in itertools.combinations(boxes, 2):
        assert ax + aw <= bx + 1 or bx + bw <= ax + 1 or ay + ah <= by + 1 or by + bh <= ay + 1
    assert all(x >= 0 and y >= 0 and x + w <= 1000 and y + h <= 600 for x, y, w, h in boxes)


LAPPED = """() => {
  const pieces = [...document.querySelectorAll("svg.map .token > path, svg.map circle.empty")].map((piece) =>
    [piece.closest("[data-area]").dataset.area, piece.getBoundingClientRect()]);
  const covered = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return pieces.flatMap(([area, box]) =>
    pieces.filter(([other, its]) => area < other && covered(box, its)).map(([other]) => `${area} ${other}`));
}"""
"""Pairs of areas of which a piece lies over a piece of the other."""


def test_pieces_of_areas_side_by_side_never_cover_each_other(workbench: Page, files: str) -> None:
    """They give way a little, as with Egypt and Arabia; an area with room around it stays where it is."""
    counters = [panels.token("2", tone=seat, shape="square") for seat in (0, 1)]

    def place(key: str, x: int, y: int, count: int) -> panels.Json:
        slots = [panels.slot(x, y, "Wa", tokens=counters) for _ in range(count)]
        flag = panels.token("C", tone=1, shape="flag")
        return panels.area(
            key, key, x, y, path=f"M{x} {y} h60 v60 h-60 Z", slots=slots, tokens=[flag] if count > 1 else []
        )

    places = [place("egypt", 519, 242, 1), place("arabia", 585, 258, 2), place("peru", 230, 380, 1)]
    draw(workbench, files, panels.world("World", 1000, 551, places))
    expect(workbench.locator("svg.map .slot")).to_have_count(4)
    assert workbench.evaluate(LAPPED) == []
    alone = "(g) => { const box = g.getBBox(); return box.x + box.width / 2; }"
    assert workbench.locator("[data-area=peru]:not([class])").evaluate(alone) == pytest.approx(230, abs=2)


COLOURS = """async ({ base }) => {
  const { SEAT_COLOURS, contrast, seatColour, textOn } = await import(base + "js/board/colours.js");
  return { colours: SEAT_COLOURS, contrasts: SEAT_COLOURS.map((c) => contrast(c, textOn(c))),
    named: ["blue", "white", undefined].map((colour) => seatColour(0, { label: "Orange", colour })) };
}"""


def test_seats_have_colours_on_which_their_number_can_be_read(workbench: Page, files: str) -> None:
    """Ten different ones with text at a contrast of 4.5 at least; a colour of the box outlasts each label."""
    told = workbench.evaluate(COLOURS, {"base": files})
    assert len(set(told["colours"])) == 10
    assert min(told["contrasts"]) >= 4.5
    assert told["named"] == ["#0072b2", "#f7f4ec", told["colours"][0]]


ENDED = """async ({ base, games }) => {
  const { html, render } = await import(base + "js/base/ui.js");
  const { Ending } = await import(base + "js/board/seats.js");
  return games.map((game) => {
    const root = document.createElement("p");
    render(html`<${Ending} game=${game}/>`, root);
    return root.textContent;
  });
}"""


def test_who_won_is_told_by_name(workbench: Page, files: str) -> None:
    """Players with what they play, each beside their colour; also a bot, and a seat without a name."""
    seats = [
        {"seat": 0, "label": "Portugal", "name": "Ana"},
        {"seat": 1, "label": "Seat 1", "name": "Bo"},
        {"seat": 2, "label": "the Dutch", "bot": "steady"},
    ]
    games = [{"seats": seats, "outcome": {"winners": won}} for won in ([0], [1], [0, 2], [])]
    assert workbench.evaluate(ENDED, {"base": files, "games": games}) == [
        "Won by 0 Ana (Portugal)",
        "Won by 1 Bo",
        "Won by 0 Ana (Portugal) and 2 bot steady (Dutch)",
        "Nobody won",
    ]


PEOPLE = """async ({ base, told }) => {
  const { forPeople } = await import(base + "js/base/people.js");
  return told.map(([code, detail]) => forPeople(code, detail));
}"""


def test_no_words_of_the_api_come_before_people(workbench: Page, files: str) -> None:
    """What a program is to do is left out, or said as a person does it; everything else stays as it is."""
    told = [
        ("unknown_game", "There is no game with this id. GET /v1/games lists the games that you can see."),
        ("disk_full", "The disk is full; nothing is lost. Try again; an Idempotency-Key makes this safe."),
        ("not_legal", "You have two Fortunes. Choose a cheaper card."),
        ("internal_error", "Report the `instance`."),
    ]
    assert workbench.evaluate(PEOPLE, {"base": files, "told": told}) == [
        "There is no game at this address, or it is private. Check the address, or sign in.",
        "The disk is full; nothing is lost. Try again.",
        told[2][1],
        "The server refused this. Reload the page, then try again.",
    ]


POINTED = """async ({ base, legal }) => {
  const { signal } = await import(base + "js/base/ui.js");
  const { openActing } = await import(base + "js/acting/acting.js");
  const decisions = [{ seat: 0, commands: ["place"] }, { seat: 0, free: true, commands: ["give"] }];
  const answer = signal({ decisions, legal, complete: true });
  const store = { id: "g", looking: signal(0), answerable: answer, connection: signal("live"),
    table: { shown: signal(null) } };
  const acting = openActing(store);
  const now = () => [[...acting.lit.value], [...acting.open.value], acting.forced.value.length];
  const before = now();
  acting.press("seat:2");
  const after = now();
  acting.clear();
  answer.value = { decisions, legal: [legal[0], legal[2]], complete: true };
  return [before, after, now()];
}"""


def test_only_what_the_question_is_about_is_ringed(workbench: Page, files: str) -> None:
    """A gift, which is never asked for, can be pointed at without a ring; a forced move offers itself."""
    legal = [
        {"seat": 0, "command": {"type": "place", "area": "goa"}, "refs": [["area:goa"]]},
        {"seat": 0, "command": {"type": "place", "area": "macao"}, "refs": [["area:macao"]]},
        {"seat": 0, "command": {"type": "give", "to": 2, "what": "tea"}, "refs": [["seat:2"], ["card:tea"]]},
    ]
    everything = ["area:goa", "area:macao", "seat:2", "card:tea"]
    assert workbench.evaluate(POINTED, {"base": files, "legal": legal}) == [
        [["area:goa", "area:macao"], everything, 0],
        [["card:tea"], ["card:tea"], 0],
        [["area:goa"], ["area:goa", "seat:2", "card:tea"], 1],
    ]


GROUPED = """async ({ base, lines }) => {
  const { groups } = await import(base + "js/time/timeline.js");
  return groups(lines).map((group) => group.commands.map((block) => [block.by, block.lines.length]));
}"""


def test_a_turn_begins_without_anybodys_badge(workbench: Page, files: str) -> None:
    """Though a player's command ended the turn before: what follows from that is nobody's."""
    lines = [
        {"seq": 1, "command": 1, "by": "p0", "text": "Red passes."},
        {"seq": 2, "command": 1, "by": "p0", "begins": "turn", "text": "Turn 2 begins."},
        {"seq": 3, "command": 1, "by": "p0", "text": "All draw."},
        {"seq": 4, "command": 2, "by": "p1", "text": "Blue passes."},
    ]
    told = workbench.evaluate(GROUPED, {"base": files, "lines": lines})
    assert told == [[["p0", 1]], [["sys", 2], ["p1", 1]]]


UNPLAYED = """async ({ base }) => {
  const { html, render, signal } = await import(base + "js/base/ui.js");
  const { Rounds } = await import(base + "js/tournament/rounds.js");
  const asked = [], real = window.fetch;
  window.fetch = (address) => { asked.push(String(address)); return new Promise(() => {}); };
  const table = { table: 1, status: "paired", game: null, entrants: ["e1"], holders: ["e1"] };
  const store = { rounds: signal([{ round: 1, status: "paired", tables: [table], byes: [] }]),
    byName: signal(new Map()), tournament: signal({ you: {} }) };
  const root = document.createElement("main");
  render(html`<${Rounds} store=${store}/>`, root);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  window.fetch = real;
  return [asked, root.querySelectorAll("[data-table]").length];
}"""


def test_a_table_without_a_game_asks_for_none(workbench: Page, files: str) -> None:
    assert workbench.evaluate(UNPLAYED, {"base": files}) == [[], 1]


def test_the_files_name_no_other_host(workbench: Page) -> None:
    """Nothing is loaded from elsewhere, so nobody else learns who plays."""
    for path in [
        STATIC / "index.html",
        *STATIC.glob("js/**/*.js"),
        *STATIC.glob("client/*.js"),
        *STATIC.glob("css/*.css"),
        *STATIC.glob("vendor/*.js"),
    ]:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert not re.search(r"""["'(]\s*(https?:)?//[a-z]""", text), path.name
        assert "sourceMappingURL" not in text, path.name
    assert not re.search(
        r"<script(?![^>]* src=)|<style| on[a-z]+=| style=",
        (STATIC / "index.html").read_text(encoding="utf-8"),
    )


SETTINGS = """async ({ base, name, value }) => {
  const { VALUES, choose, setting } = await import(base + "js/base/settings.js");
  const before = setting(name);
  choose(name, value);
  const after = setting(name), kept = localStorage.getItem(`rutter.${name}`);
  localStorage.setItem(`rutter.${name}`, "nonsense");
  const odd = setting(name);
  choose(name, before);
  const left = localStorage.getItem(`rutter.${name}`);
  return { before, after, kept, odd, left, names: Object.keys(VALUES) };
}"""


def test_a_setting_is_kept_until_it_is_as_usual(workbench: Page, files: str) -> None:
    """The first value holds where nothing, or nothing known, is stored."""
    told = workbench.evaluate(SETTINGS, {"base": files, "name": "theme", "value": "dark"})
    assert (told["before"], told["after"], told["kept"]) == ("system", "dark", "dark")
    assert (told["odd"], told["left"]) == ("system", None)
    assert {"sound", "motion", "shortcuts"} <= set(told["names"])
