"""One game with one player at all its seats, who knows what was promised to them."""

from __future__ import annotations

import uuid

from tests.acceptance.client import GONE, Answer, Client, events_of


class Table:
    """One game whose only player sits at both seats, and all that was accepted."""

    def __init__(self, address: str, title: str = "colonial_empires", seats: int = 2) -> None:
        self.client = Client(address).account("Captain")
        made = self.client.post("/v1/games", {"title": title, "seats": [{"you": True}] * seats}, status=201)
        self.path = f"/v1/games/{made['id']}"
        self.accepted: list[Answer] = []

    def moves_to(self, address: str) -> None:
        """Go on at a service that has the same accounts and games."""
        self.client = Client(address, self.client.token, self.client.me)

    def offer(self) -> Answer | None:
        """Send one command that the game waits for; None while nobody answers."""
        try:
            now = self.client.send("GET", f"{self.path}/decisions")
            if now.status != 200:
                return now
            legal = now.json["legal"][0]
            body = {**legal["command"], "seat": legal["seat"]}
            answer = self.client.send(
                "POST", f"{self.path}/commands", body, Idempotency_Key=str(uuid.uuid4())
            )
        except GONE:
            return None
        if answer.status == 200:
            self.accepted.append(answer)
        return answer

    @property
    def id(self) -> str:
        """The game's."""
        return self.path.rpartition("/")[2]

    def plays(self) -> bool:
        """Whether one more command is accepted."""
        answer = self.offer()
        return answer is not None and answer.status == 200

    def check(self) -> None:
        """Everything that was accepted stands in the log as it was answered."""
        copy = self.client.send("GET", f"{self.path}/audit").body
        lines = events_of(copy)
        for answer in self.accepted:
            for event in answer.json["events"]:
                assert event["hash"] == lines[event["seq"] - 1]["hash"]
