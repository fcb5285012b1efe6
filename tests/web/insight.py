"""What is lit of a page, and what of it is in sight."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.web.table import rendered

SIZES = ((1440, 900), (1366, 768), (768, 1024), (390, 844))
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


def is_in_sight(page: Page) -> None:
    """At four widths something lit is seen, arrows count the rest, and my own seat stands first."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found = look(page)
        assert found["seen"] or found["answers"], (width, found)
        assert found["seen"] + found["told"] >= found["lit"], (width, found)
        assert found["first"]


def look(page: Page) -> Any:
    """What of all that is lit can be seen, once the frames have scrolled and the arrows are drawn."""
    for _ in range(2):
        rendered(page)
    return page.evaluate(SIGHT)
