"""Setting a table for a test: games made and played through the public API, as any other client would."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import random
import re
import urllib.error
import urllib.request
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.waiting import PATIENCE, each_look, until

Json = dict[str, Any]
A_WHILE = 100
"""Events after which one looks whether a game of bots still goes on."""
KNOWS = "(seq) => Number(document.querySelector('[data-page]').dataset.last) >= seq"
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Player:
    """An account that plays by HTTP."""

    def __init__(self, address: str, name: str) -> None:
        self.address = address
        self.token = ""
        self.token = self.call("POST", "/v1/accounts", {"name": name})["token"]

    def call(self, method: str, path: str, body: Json | None = None) -> Json:
        """One call; its JSON."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.address + path, data, headers, method=method)  # noqa: S310
        with _OPENER.open(asked, timeout=PATIENCE) as answer:
            made: Json = json.load(answer)
        return made

    def game(self, title: str, seats: Sequence[Json], *, analysis: bool = True, **more: Any) -> str:
        """The id of a new game.

        Where nobody else is to sit down it is dealt, and played by bots, as in every other run of the same
        tests: whether they pass is not for luck to say. That makes it a game for *analysis*.
        """
        alone = {"you", "bot"}.issuperset(key for seat in seats for key in seat)
        if analysis and alone and not more.keys() - {"options"}:
            more["repeat"] = dealt_as(os.environ["PYTEST_CURRENT_TEST"].partition("::")[0] + title)
        return str(self.call("POST", "/v1/games", {"title": title, "seats": list(seats), **more})["id"])

    def with_others(self, title: str, size: int) -> tuple[str, Others]:
        """A new game in which I have the first seat, and those who have all the others.

        They move when a test says so and at no other time: nobody at such a table is overtaken.
        """
        seats: list[Json] = [{"you": True}, *[{"open": True}] * (size - 1)]
        game = self.game(title, seats, repeat=dealt_as(title))
        return game, Others(self, game, size - 1)

    def legal(self, game: str) -> list[Json]:
        """The commands that I may give, as soon as there are some: the server may have to act before."""

        def found() -> list[Json]:
            legal: list[Json] = self.call("GET", f"/v1/games/{game}/decisions")["legal"]
            return legal

        return until(found, "commands that I may give")

    def move(self, game: str) -> Json:
        """Give the first command that I may; what came of it.

        A bot may take back what a command answers before it is given: then the first of the next list.
        """
        for _ in each_look("a command that no bot is quicker than"):
            command, seen = self.legal(game)[0]["command"], self._seq(game)
            try:
                return self.call("POST", f"/v1/games/{game}/commands", command)
            except urllib.error.HTTPError as refused:
                if refused.code != HTTPStatus.CONFLICT or self._stands_at(game, seen, command):
                    raise
        raise AssertionError

    def give_any(self, game: str) -> int:
        """Give the first command that any of my seats may; the last event that it led to."""
        item = self.legal(game)[0]
        body = {**item["command"], "seat": item["seat"]}
        return int(self.call("POST", f"/v1/games/{game}/commands", body)["seq"])

    def _seq(self, game: str) -> int:
        return int(self.call("GET", f"/v1/games/{game}")["last"])

    def _stands_at(self, game: str, seq: int, command: Json) -> bool:
        """Whether a *command* is still offered, and nothing has happened since event *seq*."""
        offered = self.call("GET", f"/v1/games/{game}/decisions")["legal"]
        return self._seq(game) == seq and any(each["command"] == command for each in offered)

    def until_ended(self, game: str) -> Json:
        """Wait until a game of bots has ended, as long as they move; the game then."""
        now = self.call("GET", f"/v1/games/{game}")
        while now["status"] != "finished":
            now = until(partial(self._news, game, now), f"moves of the bots after event {now['last']}")
        return now

    def _news(self, game: str, before: Json) -> Json | None:
        """The game once it has ended or gone on for a while: who asks at each move slows bots down."""
        now = self.call("GET", f"/v1/games/{game}")
        return now if now["status"] == "finished" or now["last"] >= before["last"] + A_WHILE else None

    def play_until(self, game: str, kind: str, *, seed: int = 1, most: int = 300) -> Json:
        """Give legal commands for all my seats until a decision of that *kind* is open; all of them then."""
        rng = random.Random(seed)
        for _ in range(most):
            now = self.call("GET", f"/v1/games/{game}/decisions")
            if any(d["kind"] == kind for d in now["decisions"]):
                return now
            legal = rng.choice(now["legal"] or self.legal(game))
            command = {**legal["command"], "seat": legal["seat"]}
            self.call("POST", f"/v1/games/{game}/commands", command)
        raise AssertionError(f"no {kind} within {most} commands")


class Others:
    """Those who have all seats of a table but the first, and move when a test says so."""

    def __init__(self, host: Player, game: str, count: int) -> None:
        self._host, self._game, self._random = host, game, random.Random(7)
        self._seated = [Player(host.address, f"Other {n}") for n in range(1, count + 1)]
        for player in self._seated:
            player.call("POST", f"/v1/games/{game}/join", {})

    def move(self) -> None:
        """Give commands until the host is awaited, or nobody any more."""
        for _ in each_look("the host's turn"):
            awaited = self._awaited()
            if 0 in awaited:
                return
            for seat in sorted(awaited):
                self._give(self._seated[seat - 1])
            if not awaited and self._host.call("GET", f"/v1/games/{self._game}")["status"] != "running":
                return

    def _awaited(self) -> set[int]:
        """The seats that owe an answer; none while the server acts."""
        asked = self._host.call("GET", f"/v1/games/{self._game}/decisions")["decisions"]
        return {each["seat"] for each in asked if not each["free"] and each["seat"] is not None}

    def _give(self, player: Player) -> None:
        """Give one command that *player* owes, if they still do."""
        now = player.call("GET", f"/v1/games/{self._game}/decisions")
        asked = {kind for each in now["decisions"] if not each["free"] for kind in each["commands"]}
        if legal := [each["command"] for each in now["legal"] if each["command"]["type"] in asked]:
            player.call("POST", f"/v1/games/{self._game}/commands", self._random.choice(legal))


def handle_of(player: Player) -> str:
    """A handle that nobody else has."""
    return f"anna_{hashlib.sha256(player.token.encode()).hexdigest()[:8]}"


def dealt_as(text: str) -> str:
    """What makes the service deal as it did whenever this *text* was given before."""
    seed = hashlib.sha256(text.encode()).digest()
    return f"{base64.urlsafe_b64encode(seed).decode().rstrip('=')}.{hashlib.md5(seed).hexdigest()}"  # noqa: S324


def enter(page: Page, address: str, player: Player | None = None, hash_: str = "#/") -> Page:
    """Open the page, as *player* if one is given."""
    if player:
        kept = {"rutter.token": player.token, "rutter.pace": "0", "rutter.grace": "0"}  # nobody here waits
        page.add_init_script(
            f"for (const [key, value] of Object.entries({json.dumps(kept)})) localStorage.setItem(key, value)"
        )
    page.goto(f"{address}/{hash_}")
    return page


def set_back(page: Page) -> Page:
    """Let the reader's clock be two days behind, as long as the page is open; return the page."""
    page.add_init_script("const now = Date.now; Date.now = () => now() - 2 * 86_400_000;")
    return page


def rendered(page: Page) -> None:
    """Wait until what the page has to draw again is drawn; what the server has still to say is not meant."""
    frame = "(done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))"
    page.evaluate(f"() => new Promise({frame})")


def give(page: Page, button: str) -> bool:
    """Click the first such button: the service takes the command, and the page knows what came of it."""
    with page.expect_response(lambda answer: answer.url.endswith("/commands")) as told:
        page.locator(button).first.click()
    assert told.value.ok, told.value.text()
    page.wait_for_function(KNOWS, arg=told.value.json()["seq"])
    expect(page.locator(".popover")).to_have_count(0)
    return True


def look_through(page: Page, eyes: str) -> None:
    """Choose the *eyes*, a seat's number or a word, in the head or, where that is narrow, in its menu."""
    choice = page.locator(f"[data-part=eyes] [data-eyes='{eyes}']")
    if not choice.is_visible():
        page.locator("[data-part=menu]").click()
    choice.click()


class Held:
    """What a page asks for at one address, kept from the service until it is let go."""

    def __init__(self, page: Page, address: re.Pattern[str]) -> None:
        self._routes: list[Route] = []
        self._kept = True
        page.route(address, self._meet)

    def __len__(self) -> int:
        return len(self._routes)

    def _meet(self, route: Route) -> None:
        if self._kept:
            self._routes.append(route)
        else:
            route.continue_()

    def let_go(self) -> None:
        """Let all of it be asked now, and whatever comes later at once."""
        self._kept = False
        for route in self._routes:
            route.continue_()


def late(part: str, delay: int) -> str:
    """A script: answers to what has *part* in its address come after *delay* milliseconds."""
    return (
        "{ const at_once = window.fetch; window.fetch = (address, ...more) => new Promise((sent) =>"
        f" setTimeout(sent, String(address).includes({json.dumps(part)}) ? {delay} : 0))"
        ".then(() => at_once(address, ...more)); }"
    )
