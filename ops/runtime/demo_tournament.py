"""The demonstration's tournament: four programs play two rounds of duels, by the public API only."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ops.clients.api import ApiClient, ApiError

TITLE = "colonialism"
"""A title whose two-player games are short."""
NAMES = ("Amerigo", "Bartolomeu", "Cristoforo", "Diogo")
SETTINGS = {
    "name": "Demonstration",
    "title": TITLE,
    "table": {"size": 2, "least": 2},
    "stages": [{"format": "swiss_pods", "rounds": 2}],
    "entry": {"bots": True},
    "schedule": {"starts_at": "2026-01-01T00:00:00Z"},
    "protest_ms": 0,
}
SCOPES = ("game:read", "game:play", "tournament:enter")
PAUSE_SECONDS = 0.3
"""Seconds between two looks at whose turn it is: so the limits of one client are not met."""


def make_tournament(host: ApiClient) -> Mapping[str, Any]:
    """Make the tournament and let the programs enter; its id and their tokens."""
    event = host.post("/v1/tournaments", SETTINGS)["id"]
    host.post(f"/v1/tournaments/{event}/commands", {"type": "open_entry"})
    tokens = []
    for name in NAMES:
        made = host.post("/v1/me/service_accounts", {"name": name, "scopes": SCOPES})
        host.as_account(made["token"]).post(f"/v1/tournaments/{event}/commands", {"type": "enter"})
        tokens.append(made["token"])
    host.post(f"/v1/tournaments/{event}/commands", {"type": "close_entry"})
    return {"event": event, "players": tokens}


def play_in_background(api: ApiClient, event: str, tokens: Sequence[str]) -> None:
    """Let the programs play, in a thread of their own, until the tournament is over."""
    players = [api.as_account(token) for token in tokens]
    threading.Thread(target=_play, args=(api, event, players), name="demonstration", daemon=True).start()


def _play(api: ApiClient, event: str, players: Sequence[ApiClient]) -> None:
    while True:
        try:
            moved = sum(_answer(player) for player in players)
            if not moved and api.get(f"/v1/tournaments/{event}")["over"]:
                return
        except ApiError as problem:
            if problem.status in (401, 403, 404):  # there is another database
                return
        time.sleep(PAUSE_SECONDS)


def _answer(player: ApiClient) -> int:
    """Answer what the games wait for; how often."""
    moved = 0
    for turn in player.get("/v1/me/turns")["turns"]:
        path = f"/v1/games/{turn['game']}"
        now = player.get(f"{path}/decisions")
        asked = {kind for one in now["decisions"] if not one["free"] for kind in one["commands"]}
        moves = [one["command"] for one in now["legal"] if one["command"]["type"] in asked]
        if moves:
            player.post(f"{path}/commands", random.choice(moves))  # noqa: S311 - nobody has to guess it
            moved += 1
    return moved
