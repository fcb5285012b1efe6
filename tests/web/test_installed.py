"""The page as an app, in a real Chromium: its frame opens without a network, and nothing private is kept."""

from __future__ import annotations

import json
import re
import urllib.request

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.waiting import PATIENCE
from tests.web.conftest import Visitor
from tests.web.table import Player, enter

pytestmark = [pytest.mark.browser, pytest.mark.integration]

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  return found.sort();
}"""
READY = "() => navigator.serviceWorker.ready.then((one) => one.active.state === 'activated')"
GONE = """async () => {
  const workers = await navigator.serviceWorker.getRegistrations();
  return !workers.length && !(await caches.keys()).length;
}"""


def opened(visitor: Visitor, player: Player, path: str = "") -> Page:
    """A page of somebody who is signed in, once the frame is kept."""
    page = visitor(first=True, service_workers="allow")
    enter(page, player.address, player, path)
    expect(page.locator(".who")).to_have_text("Anna")
    page.wait_for_function(READY)
    return page


def test_the_frame_opens_without_a_network(visitor: Visitor, live_server: LiveServer) -> None:
    """A sentence at any address, and the page itself once the network is back; a program still fails."""
    anna = Player(live_server.address, "Anna")
    page = opened(visitor, anna)
    page.context.set_offline(True)
    for path in ("/", "/t", "/ratings"):
        page.goto(anna.address + path)
        expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
        assert page.locator(".brand img").evaluate("one => one.naturalWidth") > 0
        assert "fetch failed" in page.evaluate("fetch('/v1/me').then(() => 'answered', () => 'fetch failed')")
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator(".who")).to_have_text("Anna")


def test_no_answer_of_the_api_is_kept(visitor: Visitor, live_server: LiveServer) -> None:
    """After games, an account and a tournament the frame alone is there; who signs out leaves nothing."""
    anna = Player(live_server.address, "Anna")
    game = anna.game("example", [{"you": True}, {"open": True}], visibility="private")
    page = opened(visitor, anna)
    for path in (f"/g/{game}", "/t", f"/u/{anna.call('GET', '/v1/me')['account']['id']}", "/"):
        page.goto(anna.address + path)
        expect(page.locator("main, [data-page]").first).to_be_visible()
    kept = page.evaluate(KEPT)
    assert len(kept) == 3
    assert all(
        re.fullmatch(r"/offline|/edition/[0-9a-f]{16}/(bundle/page\.css|icon\.svg)", one) for one in kept
    )
    page.locator(".who").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_function(GONE)


def test_a_new_release_replaces_what_is_kept(visitor: Visitor, live_server: LiveServer) -> None:
    """The worker's text names the edition; what an earlier one has kept goes when it starts."""
    anna = Player(live_server.address, "Anna")
    page = visitor(first=True, service_workers="allow")
    page.goto(f"{anna.address}/v1/keys")
    page.evaluate(
        "caches.open('rutter of yesterday').then((cache) => cache.put('/old', new Response('old')))"
    )
    enter(page, anna.address, anna)
    page.wait_for_function(READY)
    page.wait_for_function(
        "() => caches.keys().then((all) => all.length === 1 && !all.includes('rutter of yesterday'))"
    )
    with urllib.request.urlopen(f"{anna.address}/worker.js", timeout=PATIENCE) as answer:  # noqa: S310 - our own service
        assert answer.headers["Cache-Control"] == "no-cache"
        [edition] = re.findall(r'EDITION = "([0-9a-f]{16})"', answer.read().decode())
    assert page.evaluate(f"caches.has('rutter {edition}')")


def test_the_page_can_be_installed(visitor: Visitor, live_server: LiveServer) -> None:
    """Its manifest has a name, a start and icons that exist; it stays within the content policy."""
    page = visitor(first=True, service_workers="allow")
    page.goto(live_server.address)
    wire = page.context.new_cdp_session(page)
    told = wire.send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = json.loads(told["data"])
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    for icon in manifest["icons"]:
        with urllib.request.urlopen(live_server.address + icon["src"], timeout=PATIENCE) as answer:  # noqa: S310 - our own service
            assert answer.headers["Content-Type"] == icon["type"]
            assert answer.read(4) in (b"\x89PNG", b"<svg")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}


def test_a_push_shows_a_notification(visitor: Visitor, live_server: LiveServer) -> None:
    """The worker shows what a push says, and keeps the address that it leads to."""
    anna = Player(live_server.address, "Anna")
    page = opened(visitor, anna)
    page.context.grant_permissions(["notifications"], origin=anna.address)
    wire = page.context.new_cdp_session(page)
    found: list[str] = []
    wire.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    wire.send("ServiceWorker.enable")
    page.wait_for_function(READY)
    push = {"kind": "your_turn", "text": "It is your turn.", "address": "/"}
    told = {"origin": anna.address, "registrationId": found[-1], "data": json.dumps(push)}
    wire.send("ServiceWorker.deliverPushMessage", told)
    page.wait_for_function(
        "() => navigator.serviceWorker.ready.then((one) => one.getNotifications())"
        ".then((all) => all.length === 1 && all[0].body === 'It is your turn.'"
        " && all[0].data.address === '/')"
    )
