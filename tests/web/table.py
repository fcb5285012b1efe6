"""Setting a table for a test: games made and played through the public API, as any other client would."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import random
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from playwright.sync_api import Page

Json = dict[str, Any]
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
        with _OPENER.open(asked, timeout=20) as answer:
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

    def legal(self, game: str, *, most: float = 30.0) -> list[Json]:
        """The commands that I may give, as soon as there are some: the house may have to act before."""
        until = time.monotonic() + most
        while time.monotonic() < until:
            found: list[Json] = self.call("GET", f"/v1/games/{game}/decisions")["legal"]
            if found:
                return found
            time.sleep(0.1)
        raise AssertionError(f"nothing can be done within {most:.0f} seconds")

    def move(self, game: str, *, most: int = 20) -> Json:
        """Give the first command that I may; what came of it.

        A bot may take back what a command answers before it is given: then the first of the next list.
        """
        for _ in range(most):
            command, seen = self.legal(game)[0]["command"], self._seq(game)
            try:
                return self.call("POST", f"/v1/games/{game}/commands", command)
            except urllib.error.HTTPError as refused:
                if refused.code != HTTPStatus.CONFLICT or self._stands_at(game, seen, command):
                    raise
        raise AssertionError(f"others were quicker {most} times")

    def _seq(self, game: str) -> int:
        return int(self.call("GET", f"/v1/games/{game}")["last"])

    def _stands_at(self, game: str, seq: int, command: Json) -> bool:
        """Whether a *command* is still offered, and nothing has happened since event *seq*."""
        offered = self.call("GET", f"/v1/games/{game}/decisions")["legal"]
        return self._seq(game) == seq and any(each["command"] == command for each in offered)

    def until_ended(self, game: str, *, most: float = 120.0) -> Json:
        """Wait until a game of bots has ended; the game then."""
        until = time.monotonic() + most
        while time.monotonic() < until:
            now = self.call("GET", f"/v1/games/{game}")
            if now["status"] == "finished":
                return now
            time.sleep(0.2)
        raise AssertionError(f"the game has not ended within {most:.0f} seconds")

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


def dealt_as(text: str) -> str:
    """What makes the service deal as it did whenever this *text* was given before."""
    seed = hashlib.sha256(text.encode()).digest()
    return f"{base64.urlsafe_b64encode(seed).decode().rstrip('=')}.{hashlib.md5(seed).hexdigest()}"  # noqa: S324


def enter(page: Page, address: str, player: Player | None = None, hash_: str = "#/") -> Page:
    """Open the page, as *player* if one is given."""
    if player:
        kept = {"rutter.token": player.token, "rutter.pace": "0"}  # nobody here waits for what bots did
        page.add_init_script(
            f"for (const [key, value] of Object.entries({json.dumps(kept)})) localStorage.setItem(key, value)"
        )
    page.goto(f"{address}/{hash_}")
    return page


def late(part: str, delay: int) -> str:
    """A script: answers to what has *part* in its address come after *delay* milliseconds."""
    return (
        "const at_once = window.fetch; window.fetch = (address, ...more) => new Promise((sent) =>"
        f" setTimeout(sent, String(address).includes({json.dumps(part)}) ? {delay} : 0))"
        ".then(() => at_once(address, ...more));"
    )
