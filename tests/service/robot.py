"""A client that knows nothing but the description of the API and what `/decisions` says.

It finds every address by its operation in `/openapi.json`, never builds one by hand, and posts what is
offered as legal. It plays any title, present or future. It contributes to the randomness where it sits down,
keeps what the service acknowledges, and does not suffer that any of it is taken back.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

from events.store.games import new_id
from service.client.contribution import Contribution
from service.client.receipts import Key, ReceiptStore

ACCEPTING = frozenset(
    {"create_game", "fork_game", "join_game", "reveal_contribution", "start_game", "give_command"}
)
"""Operations whose answers carry a receipt."""


class Caller(Protocol):
    """Whatever can call the API: the test client, or an HTTP client."""

    def call(self, method: str, path: str, body: Any = ..., *, status: int = 200, **headers: str) -> Any:
        """One request that must be answered with *status*."""


class Robot:
    """One account that plays."""

    def __init__(self, api: Caller, seed: int = 0) -> None:
        self.api = api
        self.random = random.Random(seed)
        self.operations = _operations(api.call("GET", "/openapi.json"))
        self.commands_sent = 0
        self.keeper = ReceiptStore(Key.read(key["vkey"]) for key in self.do("list_keys")["keys"])
        self.contributions: dict[str, list[Contribution]] = {}

    def do(self, operation: str, body: Any = ..., *, status: int = 200, query: str = "", **path: str) -> Any:
        """Carry out an operation by its name."""
        method, template = self.operations[operation]
        answer = self.api.call(method, template.format(**path) + query, body, status=status)
        if operation in ACCEPTING:
            self.keep(answer.get("id") or path["id"], answer)
        elif operation == "get_game":
            self.keeper.check_view(path["id"], answer["last"])
        return answer

    def keep(self, game_id: str, answer: dict[str, Any]) -> None:
        """Keep the receipt of an answer, and see that it is for the events that the answer shows."""
        receipt = self.keeper.keep(game_id, answer["receipt"])
        for event in answer.get("events", ()):
            self.keeper.check_event(game_id, event["seq"], event["hash"])
        assert receipt.n <= answer["seq"]

    def create(self, body: dict[str, Any]) -> Any:
        """Make a game, and commit to a contribution for every seat of it that I take."""
        game_id = new_id()
        mine = {
            seat: Contribution.make(game_id, seat)
            for seat, wish in enumerate(body["seats"])
            if wish.get("you")
        }
        self.contributions[game_id] = list(mine.values())
        seats = [mine[n].seat_request if n in mine else wish for n, wish in enumerate(body["seats"])]
        return self.do("create_game", {**body, "id": game_id, "seats": seats}, status=201)

    def sit_down(self, game_id: str, seat: int) -> Any:
        """Take a seat and commit to a contribution."""
        mine = Contribution.make(game_id, seat)
        self.contributions.setdefault(game_id, []).append(mine)
        return self.do("join_game", mine.join_request, id=game_id)

    def reveal(self, game_id: str) -> Any:
        """Open what I contribute: all seats are taken, and I hold the service's word for that."""
        game = self.do("get_game", id=game_id)
        assert not any(seat.get("open") for seat in game["seats"])
        receipt = self.keeper.keep(game_id, self.do("get_receipt", id=game_id)["receipt"])
        assert receipt.n >= game["seq"]
        for mine in self.contributions.pop(game_id):
            game = self.do("reveal_contribution", mine.reveal_request, id=game_id)
        return game

    def play(
        self, game_id: str, *, most: int = 5000, watch: Callable[[dict[str, Any]], None] | None = None
    ) -> bool:
        """Play all my seats as far as it goes without others; whether the game has ended."""
        for _ in range(most):
            now = self.do("get_decisions", id=game_id)
            moves = self._awaited(now)
            if not moves:
                return bool(self.do("get_game", id=game_id)["status"] == "finished")
            move = self._choose(moves)
            try:
                happened = self.do("give_command", {**move["command"], "seat": move["seat"]}, id=game_id)
            except AssertionError:
                # Others play too: what was legal a moment ago may be gone (an offer withdrawn). Only then
                # is a refusal no mistake.
                if self.do("get_game", id=game_id)["seq"] == now["seq"]:
                    raise
                continue
            self.commands_sent += 1
            if watch:
                watch(happened)
        raise AssertionError(f"no end after {most} commands")

    def _choose(self, moves: list[dict[str, Any]]) -> dict[str, Any]:
        """First a type, then a command of it: to pass is as likely as a hundred ways to go on."""
        kind = self.random.choice(sorted({move["command"]["type"] for move in moves}))
        return self.random.choice([move for move in moves if move["command"]["type"] == kind])

    def _awaited(self, now: dict[str, Any]) -> list[dict[str, Any]]:
        """Legal commands that answer what the game waits for: what is merely allowed could go on for ever."""
        awaited = {(d["seat"], kind) for d in now["decisions"] if not d["free"] for kind in d["commands"]}
        return [m for m in now["legal"] if (m["seat"], m["command"]["type"]) in awaited]


def _operations(description: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {
        operation["operationId"]: (method.upper(), path)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
        if method in ("get", "post")
    }
