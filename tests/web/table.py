"""Setting a table for a test: games made and played through the public API, as any other client would."""

from __future__ import annotations

import json
import random
import time
import urllib.request
from collections.abc import Sequence
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

    def game(self, title: str, seats: Sequence[Json], **more: Any) -> str:
        """The id of a new game."""
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
