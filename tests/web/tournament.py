"""Tournaments for tests of the page: made, entered and played by the public API."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from tests.waiting import until
from tests.web.table import Json, Player

DUELS: Json = {
    "title": "example",
    "table": {"size": 2, "least": 2},
    "stages": [{"format": "swiss_pods", "rounds": 2}],
    "entry": {"contributions": False},
    "schedule": {"round": "manual"},
    "protest_ms": 0,
}


class Event:
    """One tournament on the whole service, whose steward does what the server's workers do."""

    def __init__(self, organiser: Player, players: Sequence[Player], id_: str = "", **settings: Any) -> None:
        self.organiser, self.players, self.random = organiser, list(players), random.Random(7)
        made = id_ or organiser.call("POST", "/v1/tournaments", {**DUELS, **settings})["id"]
        self.id, self.path = str(made), f"/v1/tournaments/{made}"

    def do(self, type_: str, by: Player | None = None, **members: Any) -> Json:
        """Give a command, as the organiser unless said otherwise."""
        return (by or self.organiser).call("POST", f"{self.path}/commands", {"type": type_, **members})

    def get(self, what: str = "") -> Json:
        """Something of it, as its organiser sees it."""
        return self.organiser.call("GET", self.path + what)

    def begin(self) -> None:
        """Entry, and the first round."""
        self.do("open_entry")
        for player in self.players:
            self.do("enter", player)
        self.do("close_entry")
        self.start()

    def start(self) -> None:
        """Pair and start the next round, as soon as the randomness is fixed."""
        self.until(lambda: self.get()["reveal_until"] is None)
        self.do("pair_round")
        self.do("start_round")
        self.until(lambda: all(table["status"] != "starting" for table in self.rounds()[-1]["tables"]))

    def rounds(self) -> list[Json]:
        """Its rounds."""
        found: list[Json] = self.get("/rounds")["rounds"]
        return found

    def tables(self) -> list[Json]:
        """The tables that are being played."""
        return [table for one in self.rounds() for table in one["tables"] if table["status"] == "playing"]

    def play(self, table: Json, by_name: dict[str, Player]) -> None:
        """Play the game of a table to its end."""
        path = f"/v1/games/{table['game']}"
        for _ in range(2000):
            moved = any(self._move(by_name[name], path) for name in table["holders"])
            if not moved:
                assert self.organiser.call("GET", path)["status"] == "finished"
                return
        raise AssertionError("the game finds no end")

    def _move(self, player: Player, path: str) -> bool:
        now = player.call("GET", f"{path}/decisions")
        asked = {kind for one in now["decisions"] if not one["free"] for kind in one["commands"]}
        moves = [one["command"] for one in now["legal"] if one["command"]["type"] in asked]
        if moves:
            player.call("POST", f"{path}/commands", self.random.choice(moves))
        return bool(moves)

    def round(self) -> None:
        """Play all tables of this round to their ends."""
        names = [one["entrant"] for one in self.get("/entrants")["entrants"]]
        for table in self.tables():
            self.play(table, dict(zip(names, self.players, strict=True)))

    @staticmethod
    def until(holds: Callable[[], bool]) -> None:
        """Wait until the server has done what is waited for."""
        until(holds, "the server's part of the tournament")
