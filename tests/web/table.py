"""Setting a table for a test: games made and played through the public API, as any other client would."""

from __future__ import annotations

import json
import random
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

    def play_until(self, game: str, kind: str, *, seed: int = 1, most: int = 300) -> Json:
        """Give legal commands for all my seats until a decision of that *kind* is open; all of them then."""
        rng = random.Random(seed)
        for _ in range(most):
            now = self.call("GET", f"/v1/games/{game}/decisions")
            if any(d["kind"] == kind for d in now["decisions"]):
                return now
            legal = rng.choice(now["legal"])
            command = {**legal["command"], "seat": legal["seat"]}
            self.call("POST", f"/v1/games/{game}/commands", command)
        raise AssertionError(f"no {kind} within {most} commands")


def enter(page: Page, address: str, player: Player | None = None, hash_: str = "#/") -> Page:
    """Open the page, as *player* if one is given."""
    if player:
        page.add_init_script(f"localStorage.setItem('rutter.token', {json.dumps(player.token)})")
    page.goto(f"{address}/{hash_}")
    return page
