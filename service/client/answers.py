"""Answers and exceptions of a client; `json` always has all members that the server sent."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

JSON = Mapping[str, Any]


class Problem(Exception):
    """A request that came to nothing."""


class Unanswered(Problem):
    """No answer came for as long as the client waits. Perhaps the request was carried out."""


class Refused(Problem):
    """A refusal: `code` is for programs, `detail` says what to do, `clause` names the rule of the game."""

    def __init__(self, status: int, body: bytes) -> None:
        try:
            self.json: JSON = dict(json.loads(body))
        except (ValueError, TypeError):  # a proxy may answer with a page of its own
            self.json = {}
        self.status, self.code = status, str(self.json.get("code", f"http_{status}"))
        self.detail, self.clause = str(self.json.get("detail", "Try again later.")), self.json.get("clause")
        super().__init__(f"{status} {self.code}: {self.detail}")


@dataclass(frozen=True)
class Move:
    """A legal command of a seat of yours: return it from `on_turn`, or give it to `act`."""

    seat: int
    label: str
    command: JSON


@dataclass(frozen=True)
class Turn:
    """A question of a game to one seat of yours, after event `seq`."""

    game: str
    title: str
    seat: int
    seq: int
    legal: tuple[Move, ...]
    """All legal commands, or a selection of them if not `complete`."""
    asked: tuple[Move, ...]
    """Those that answer what the game waits for; empty while it waits for others."""
    complete: bool
    json: JSON = field(repr=False)

    @staticmethod
    def read(data: JSON) -> "Turn":
        """Read the message `turn` of a stream."""
        legal = tuple(Move(one["seat"], one["label"], one["command"]) for one in data["legal"])
        awaited = [one for one in data["decisions"] if not one["free"]]
        kinds = {(one["seat"], kind) for one in awaited for kind in one["commands"]}
        asked = tuple(move for move in legal if (move.seat, move.command["type"]) in kinds)
        known = {name: data[name] for name in ("game", "title", "seat", "seq", "complete")}
        return Turn(legal=legal, asked=asked, json=data, **known)


@dataclass(frozen=True)
class Game:
    """A game as your account sees it after event `seq`."""

    id: str
    title: str
    status: str
    seq: int
    view: Any = field(repr=False)
    json: JSON = field(repr=False)

    @staticmethod
    def read(data: JSON) -> "Game":
        """Read what the server answers about a game."""
        return Game(data["id"], data["title"], data["status"], data["seq"], data["view"], data)


@dataclass(frozen=True)
class Message:
    """A message of a stream; a new stream goes on after its `id`."""

    name: str
    id: int | None
    data: JSON

    @staticmethod
    def read(block: bytes) -> "Message | None":
        """Read the lines of a message; return None for a comment."""
        lines = (line.partition(": ") for line in block.decode().splitlines())
        fields = {name: value for name, _, value in lines if name}
        if not {"event", "data"} <= fields.keys():
            return None
        number = int(fields["id"]) if "id" in fields else None
        return Message(fields["event"], number, json.loads(fields["data"]))
