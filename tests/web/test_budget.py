"""What the page costs: bytes, requests and memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Player, enter

pytestmark = [pytest.mark.browser, pytest.mark.integration]

ME = {"you": True}
COLD, FIRST, WARM = 100_000, 12, 6
"""Bytes and requests of a first visit to a game, and requests of a second."""
STILL = 0.02
"""The most by which what is drawn may move while a page loads: Chromium's cumulative layout shift."""
MOVES = """window.moved = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.moved += entry.value; }))
  .observe({ type: "layout-shift", buffered: true });"""
REQUESTS, BYTES = 1.5, 12_000
"""Of a spectator for each command of a game."""


LEFT = 25
"""Nodes that two more visits may leave; a game page has hundreds."""


class Traffic:
    """What went over the wire."""

    def __init__(self) -> None:
        self.requests = 0
        self.bytes = 0


@contextmanager
def counted(page: Page) -> Iterator[Traffic]:
    """Counts what *page* asks for and gets, what it has kept left out."""
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    traffic = Traffic()
    kept: set[str] = set()

    def answered(event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            kept.add(event["requestId"])
        if event["requestId"] not in kept:
            traffic.requests += 1

    def came(event: dict[str, Any]) -> None:
        traffic.bytes += 0 if event["requestId"] in kept else event["encodedDataLength"]

    wire.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))
    wire.on("Network.responseReceived", answered)
    wire.on("Network.dataReceived", came)
    yield traffic
    wire.detach()


def settled(page: Page) -> None:
    expect(page.locator("[data-page]")).to_have_attribute("data-live", "live")
    expect(page.locator(".region").first).to_be_visible()
    expect(page.locator("[data-part=line]").first).to_be_visible()


def test_a_game_page_is_light(visitor: Visitor, live_server: LiveServer) -> None:
    """At most 100 kB in twelve requests at a first visit, and nothing jumps; six requests at the next."""
    anna = Player(live_server.address, "Anna")
    game, others = anna.with_others("colonial", 3)
    others.move()  # nobody moves while it is counted
    for player in (None, anna):
        page = visitor(first=True)
        page.add_init_script(MOVES)
        page.goto(f"{anna.address}/v1/keys")  # nothing of the page
        with counted(page) as cold:
            enter(page, anna.address, player, f"g/{game}")
            settled(page)
            expect(page.locator(".region").first).to_be_visible()
            page.wait_for_function("() => document.querySelector('.brand img').naturalWidth > 0")
        assert cold.bytes <= COLD, cold.bytes
        assert cold.requests <= FIRST, cold.requests
        assert page.evaluate("moved") < STILL
    page.goto(f"{anna.address}/v1/keys")
    with counted(page) as warm:
        page.goto(f"{anna.address}/g/{game}")
        settled(page)
    assert warm.requests <= WARM, warm.requests


def commands_of(player: Player, game: str, after: int, seq: int) -> int:
    """How many commands led from one event to another, also those whose words only their seat may know."""
    lines = player.call("GET", f"/v1/games/{game}/history?limit=500&after={after}")["history"]
    return len({line["command"] for line in lines if line["seq"] <= seq})


SHOWS = "seq => Number(document.querySelector('[data-page]').dataset.seq) >= seq"


def known(page: Page) -> int:
    """The newest event that the page knows of; it may show it later, as it is paced."""
    return int(str(page.locator("[data-page]").get_attribute("data-last")))


def test_a_spectator_asks_seldom(visitor: Visitor, live_server: LiveServer) -> None:
    """At most one and a half requests and 12 kB for each command that they see, paced or not."""
    host = Player(live_server.address, "Host")
    game = host.game("colonial", [ME, ME, ME])
    page = enter(visitor(), host.address, hash_=f"g/{game}")
    settled(page)
    page.wait_for_function(SHOWS, arg=host.call("GET", f"/v1/games/{game}")["last"])
    before = known(page)
    with counted(page) as traffic:
        for number in range(16):
            seq = host.give_any(game)
            if number < 6:  # one by one; the others as quickly as they are taken
                page.wait_for_function(SHOWS, arg=seq)
        page.wait_for_function(SHOWS, arg=host.call("GET", f"/v1/games/{game}")["last"])
    commands = commands_of(host, game, before, known(page))
    assert traffic.requests <= REQUESTS * commands, (traffic.requests, commands)
    assert traffic.bytes <= BYTES * commands, (traffic.bytes, commands)


def test_nothing_of_a_page_stays_behind(visitor: Visitor, live_server: LiveServer) -> None:
    """Four times to a game and back to the games leave no more nodes than two."""
    host = Player(live_server.address, "Host")
    game = host.game("example", [ME, ME])
    page = enter(visitor(first=True), host.address)
    wire = page.context.new_cdp_session(page)

    def nodes() -> int:
        page.goto(f"{host.address}/g/{game}")
        expect(page.locator("[data-role=board]")).to_be_visible()
        page.goto(f"{host.address}/")
        expect(page.locator("[data-part=play]").first).to_be_visible()
        page.goto(f"{host.address}/v1/titles")  # a page of text, to which nothing comes later
        found: list[int] = []
        while len(found) < 2 or found[-2] != found[-1]:
            wire.send("HeapProfiler.collectGarbage")
            found.append(int(wire.send("Memory.getDOMCounters")["nodes"]))
        return found[-1]

    first = [nodes() for _ in range(2)][-1]
    last = [nodes() for _ in range(2)][-1]
    assert last <= first + LEFT, (first, last)
