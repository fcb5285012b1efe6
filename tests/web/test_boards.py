"""What is drawn: each area of a map, each way between two of them; and whose a piece is, without colours."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Ended, Visitor
from tests.web.table import Player, enter, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

SEATS = {"colonial": 4, "colonial_revised": 4, "colonialism": 4, "colonies": 5}
TOUCHING = 6
"""Units of the drawing within which two outlines are one border."""
SAMPLES = 200
APART = """([pairs, samples, touching]) => {
    const known = {};
    const points = (key) => known[key] ??= (() => {
        const path = document.querySelector(`path.region[data-area='${key}']`);
        const whole = path.getTotalLength();
        return [...Array(samples).keys()].map((n) => path.getPointAtLength(whole * n / samples))
            .map((at) => [at.x, at.y]);
    })();
    const apart = (one, other) => {
        let least = Infinity;
        for (const [x, y] of points(one))
            for (const [u, v] of points(other)) {
                least = Math.min(least, Math.hypot(x - u, y - v));
                if (least <= touching) return least;
            }
        return least;
    };
    return pairs.map(([one, other]) => apart(one, other));
}"""
"""How far the outlines of two areas are apart, of each pair, in the units of the map; at most so far, if they
touch."""
SEEN = """(name) => {
    const line = document.querySelector(`line[data-link='${name}']`);
    const [a, b] = [line.getPointAtLength(0), line.getPointAtLength(line.getTotalLength())];
    const map = line.getScreenCTM();
    const texts = [...line.ownerSVGElement.querySelectorAll('text')];
    const boxes = texts.map((each) => each.getBoundingClientRect());
    const steps = 60;
    return [...Array(steps).keys()].filter((n) => {
        const [x, y] = [a.x + (b.x - a.x) * n / steps, a.y + (b.y - a.y) * n / steps];
        const at = new DOMPoint(x, y).matrixTransform(map);
        const over = (box) => at.x > box.left && at.x < box.right && at.y > box.top && at.y < box.bottom;
        return !boxes.some(over);
    }).length / steps;
}"""
"""Which part of the line between two areas no text covers."""

COVERED = """() => {
    const box = (each) => each.getBoundingClientRect();
    const area = (each) => each.closest('[data-area]')?.dataset.area;
    const shared = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
        * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
    const found = [];
    for (const map of document.querySelectorAll('[data-role=board] svg.map')) {
        const pieces = [...map.querySelectorAll('.token > path, .token > rect, .slot > circle.empty')];
        for (const name of map.querySelectorAll('[data-part=label]'))
            for (const piece of pieces) {
                if (area(piece) === area(name)) continue;
                const part = shared(box(name), box(piece)) / (box(piece).width * box(piece).height);
                if (part > 0) found.push([name.textContent, area(piece) ?? '', Math.round(part * 100)]);
            }
    }
    return found;
}"""
"""Names that lie over pieces of other areas, and how much of each piece they cover, in percent."""
LITTLE = 20


@pytest.fixture(scope="module", params=SEATS)
def drawn(request: pytest.FixtureRequest, ended_game: Ended) -> tuple[Player, str]:
    """A game of each title that is played on a map, played to its end by bots."""
    return ended_game(request.param, SEATS[request.param])


def board(page: Page, host: Player, game: str, at: int) -> list[dict[str, Any]]:
    """Go to event *at* and answer the maps that the page is to draw there."""
    enter(page, host.address, hash_=f"g/{game}?at={at}")
    expect(page.locator("[data-page]")).to_have_attribute("data-seq", str(at))
    expect(page.locator("[data-role=board] .map").first).to_be_visible()
    expect(page.locator(".stage[aria-busy=false]")).to_be_visible()  # the chart has come too
    told = host.call("GET", f"/v1/games/{game}/table?at={at}")["panels"]
    return [panel for panel in told if panel["kind"] == "map"]


def travel(page: Page, at: int) -> None:
    """Go to event *at* on a page that is open."""
    page.locator(".slider").fill(str(at))
    expect(page.locator("[data-page]")).to_have_attribute("data-seq", str(at))
    expect(page.locator(".stage[aria-busy=false]")).to_be_visible()


def test_every_area_is_drawn_and_every_way_is_seen(visitor: Visitor, drawn: tuple[Player, str]) -> None:
    """Areas have a shape; neighbours share a border, or a line leads there that no text covers whole."""
    host, game = drawn
    last = host.call("GET", f"/v1/games/{game}")["last"]
    page = visitor(viewport={"width": 1366, "height": 768})
    for panel in board(page, host, game, last):
        areas = {area["key"]: area for area in panel["areas"]}
        for key in areas:
            assert page.locator(f".map [data-area='{key}']").count(), key
        borders = {(one, other) for one, area in areas.items() for other in area.get("borders", ())}
        for one, other in panel["links"]:
            if (one, other) not in borders:
                assert page.evaluate(SEEN, f"{one} {other}") >= 0.25, (one, other)
        pairs = sorted({(*sorted(pair),) for pair in borders if {*pair} <= areas.keys()})
        apart = page.evaluate(APART, [pairs, SAMPLES, TOUCHING])
        wide = [(pair, far) for pair, far in zip(pairs, apart, strict=True) if far > TOUCHING]
        assert wide == []


def test_no_name_lies_over_a_piece_of_another_area(visitor: Visitor, drawn: tuple[Player, str]) -> None:
    """Before, at and after 60 % of a game, on a desk and on a phone, a name covers at most a little."""
    host, game = drawn
    last = host.call("GET", f"/v1/games/{game}")["last"]
    page = visitor()
    board(page, host, game, last)
    for share in (40, 60, 80):
        travel(page, last * share // 100)
        for width, height in ((1366, 768), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            rendered(page)
            expect(page.locator(".stage[aria-busy=false]")).to_be_visible()
            assert [one for one in page.evaluate(COVERED) if one[2] > LITTLE] == [], (width, share)


def test_whose_a_piece_is_shows_without_colours(visitor: Visitor, drawn: tuple[Player, str]) -> None:
    """Each owned piece carries its seat's number and is named with it; the number stands out in greys.

    One looks late in the game, when most of them stand on the board.
    """
    host, game = drawn
    now = host.call("GET", f"/v1/games/{game}")
    last, labels = now["last"], [seat["label"].removeprefix("the ") for seat in now["seats"]]
    page = visitor(viewport={"width": 1366, "height": 768})
    looks = [last * share // 20 for share in range(19, 3, -1)]
    late = next(at for at in looks if has_owned_piece(host.call("GET", f"/v1/games/{game}/table?at={at}")))
    board(page, host, game, late)
    owned = page.locator("[data-role=board] .token[data-owner]").evaluate_all(
        "(all) => all.map((each) => ({seat: each.dataset.owner,"
        " text: each.querySelector('.owner')?.textContent,"
        " name: each.querySelector('title')?.textContent ?? null,"
        " ink: getComputedStyle(each.querySelector('.owner')).fill,"
        " ground: getComputedStyle(each.querySelector('path')).fill}))"
    )
    assert owned
    for told in owned:
        assert told["text"] == told["seat"]
        assert told["name"] is None or labels[int(told["seat"])] in told["name"]
        assert contrast(told["ink"], told["ground"]) >= 3, told


def has_owned_piece(told: Any) -> bool:
    """Return True if a piece of a seat stands anywhere in a table's answer."""
    if isinstance(told, list):
        return any(map(has_owned_piece, told))
    if not isinstance(told, dict):
        return False
    owned = "shape" in told and isinstance(told.get("tone"), int)
    return owned or any(map(has_owned_piece, told.values()))


def contrast(one: str, other: str) -> float:
    """Of two colours as CSS computes them (``rgb(1, 2, 3)``), as WCAG 2 measures it: 1 to 21."""
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
