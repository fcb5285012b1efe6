"""A frame of the page goes to what is lit, and tells how much more of it lies beyond an edge."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

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
