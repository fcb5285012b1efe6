"""Tournaments over the API of these tests: their organiser, their players, and the server's own part."""

from __future__ import annotations

import random
from typing import Any

from tests.service.client import Api
from tests.tournament import recording
from workers.tournament_runner import TournamentRunner

DUELS = {name: value for name, value in recording.DUELS.items() if name != "schedule"}


class Event:
    """One tournament, from its creation to its end."""

    def __init__(self, organiser: Api, players: list[Api], seed: int = 0, **settings: Any) -> None:
        self.organiser, self.players = organiser, players
        self.random = random.Random(seed)
        made = organiser.post("/v1/tournaments", {**DUELS, **settings}, status=201)
        self.id = made["id"]
        self.path = f"/v1/tournaments/{self.id}"
        here = organiser.app.extensions["rutter"]
        self.steward = TournamentRunner(here.tournaments, here.games)

    def do(self, type_: str, *, by: Api | None = None, status: int = 200, **members: Any) -> Any:
        """Give a command, as the organiser unless said otherwise."""
        who = by or self.organiser
        return who.post(f"{self.path}/commands", {"type": type_, **members}, status=status)

    def get(self, what: str = "", by: Api | None = None) -> Any:
        """Something of it."""
        return (by or self.organiser).get(self.path + what)

    def house(self) -> None:
        """Read models and steward do what is to be done."""
        for _ in range(50):
            self.organiser.project()
            if not self.steward():
                return
        raise AssertionError("the steward finds no end")

    def begin(self) -> None:
        """Entry, and the first round."""
        self.do("open_entry")
        for player in self.players:
            self.do("enter", by=player)
        self.do("close_entry")
        self.house()
        self.do("start_round")
        self.house()

    def tables(self) -> list[dict[str, Any]]:
        """The tables that play now."""
        rounds = self.get("/rounds")["rounds"]
        return [t for r in rounds for t in r["tables"] if t["status"] == "playing"]

    def play(self, table: dict[str, Any]) -> None:
        """Play the game of a table to its end."""
        path = f"/v1/games/{table['game']}"
        by_name = {f"e{number}": player for number, player in enumerate(self.players, 1)}
        for _ in range(5000):
            for name in table["holders"]:
                now = by_name[name].get(f"{path}/decisions")
                awaited = {
                    (d["seat"], kind) for d in now["decisions"] if not d["free"] for kind in d["commands"]
                }
                moves = [m for m in now["legal"] if (m["seat"], m["command"]["type"]) in awaited]
                if moves:
                    by_name[name].post(f"{path}/commands", self.random.choice(moves)["command"])
                    break
            else:
                assert self.organiser.get(path)["status"] == "finished"
                return
        raise AssertionError("no end")

    def go(self) -> None:
        """To its end."""
        for _ in range(100):
            self.house()
            if self.get()["over"]:
                return
            for table in self.tables():
                self.play(table)
        raise AssertionError("no end")

    def audit(self) -> bytes:
        """Its bundle."""
        answer = self.organiser.send("GET", f"{self.path}/audit")
        assert answer.status_code == 200
        return answer.data
