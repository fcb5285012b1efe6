"""What is asked for is always in sight: lit things, and how many more of them lie beyond an edge."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Player, enter, rendered

pytestmark = [pytest.mark.browser, pytest.mark.integration]

TITLES = ("colonial", "colonial_revised", "colonialism", "colonies", "colonial_empires")
SIZES = ((1440, 900), (1366, 768), (768, 1024), (390, 844))
DECISIONS = 2
"""Of each title; thirty in tests/campaigns/web."""
DRAWN = """(last) => {
    const { seq, status, asked } = document.querySelector("[data-page]")?.dataset ?? {};
    const calm = document.querySelector(".stage[aria-busy=false]");
    return calm && Number(seq) >= last && (status === "finished" || asked === "true");
}"""
SIGHT = """() => {
    const lit = [...document.querySelectorAll("[data-lit]")].filter((each) => each.getClientRects().length);
    const inside = (each) => {
        const at = each.getBoundingClientRect();
        const [x, y] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
        for (let frame = each.parentElement; frame; frame = frame.parentElement) {
            if (getComputedStyle(frame).overflow === "visible") continue;
            const box = frame.getBoundingClientRect();
            if (x < box.left - 1 || x > box.right + 1 || y < box.top - 1 || y > box.bottom + 1) return false;
        }
        return x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight;
    };
    const edges = [...document.querySelectorAll("[data-part=edge]")];
    const told = edges.map((each) => parseInt(each.textContent.slice(2)));
    const answers = [...document.querySelectorAll("[data-part=answer]")].filter(inside).length;
    return { lit: lit.length, seen: lit.filter(inside).length, answers, told: told.reduce((a, b) => a + b, 0),
        first: document.querySelector(".player").matches(".mine") };
}"""


@pytest.mark.parametrize("title", TITLES)
def test_what_is_asked_for_is_in_sight(visitor: Visitor, live_server: LiveServer, title: str) -> None:
    """At four widths something lit is seen, arrows count the rest, and my own seat stands first."""
    anna = Player(live_server.address, "Anna")
    game, others = anna.with_others(title, 3)
    others.move()
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    for _ in range(DECISIONS):
        page.wait_for_function(DRAWN, arg=anna.call("GET", f"/v1/games/{game}")["last"])
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found = look(page)
            assert found["seen"] or found["answers"], (width, found)
            assert found["seen"] + found["told"] >= found["lit"], (width, found)
            assert found["first"]
        anna.move(game)
        others.move()


def look(page: Page) -> Any:
    """What of all that is lit can be seen, once the frames have scrolled and the arrows are drawn."""
    for _ in range(2):
        rendered(page)
    return page.evaluate(SIGHT)


BEYOND = """async ({ base, count }) => {
    const { html, render } = await import(base + "js/base/ui.js");
    const { Edges, useInSight } = await import(base + "js/board/insight.js");
    const Table = ({ lit }) => {
        useInSight(String(lit));
        return html`<div class="hand" style="display:flex;width:300px;height:60px;overflow:auto">${
            [...Array(count).keys()].map((n) => html`<i key=${n} style="flex:none;width:100px;height:40px"
                data-lit=${n >= lit ? "" : undefined}></i>`)}</div><${Edges} question=${String(lit)}/>`;
    };
    const root = document.createElement("main");
    document.body.replaceChildren(root);
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const drawn = () => frame().then(frame);
    const told = async () => {
        await drawn();
        await drawn();
        return [document.querySelector(".hand").scrollLeft,
            [...document.querySelectorAll("[data-part=edge]")].map((each) => each.textContent)];
    };
    const found = [];
    for (const lit of [0, count - 4, count - 1]) {
        render(html`<${Table} lit=${lit}/>`, root);
        found.push(await told());
        if (lit !== count - 4) continue;
        document.querySelector(".edge-right").click();
        found.push(await told());
    }
    return found;
}"""


def test_a_frame_goes_to_what_is_lit_and_an_arrow_tells_the_rest(workbench: Page, files: str) -> None:
    """Ten things in a frame for three: it moves only as far as it must; a press of the arrow moves on."""
    told = workbench.evaluate(BEYOND, {"base": files, "count": 10})
    assert told == [
        [0, ["› 7"]],  # all are lit, and some are in sight
        [590, ["› 1"]],  # the last four are lit: the first of them is brought in sight
        [700, ["‹ 1"]],  # on by a frame, to its end
        [700, []],  # the last one is in sight already
    ]
