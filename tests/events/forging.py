"""Games recorded without servers, and a forger: who holds the service's key and may write what they like."""

from __future__ import annotations

import base64
import copy
import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.base.timestamps import add_milliseconds, whole_seconds
from events.proof import canonical
from events.proof.randomness import ReverseChain, Seed, seat_commitment
from events.rules.bot_names import FindBotVersion
from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance
from events.table import bundle, command_signatures, commit_reveal, creation, engine
from events.table.game import initial_game
from events.table.record import BatchCause, BotRun, Signature, canonical_command
from events.table.terms import SeatOccupant, Terms
from events.tlog.notes import SigningKey, sign_receipt
from tests.batches import Recording
from workers import bots

ORIGIN = "rutter.example/log"
SIGNER = SigningKey(ORIGIN, b"forger".ljust(32, b"."))
STRANGER = SigningKey(ORIGIN, b"stranger".ljust(32, b"."))
SPACE = uuid.UUID("5c1f7a52-0f1e-5a51-9c8f-2f6f2f0f5a11")
BEGAN = "2026-03-01T12:00:00.000000Z"

Move = tuple[int | None, Any, BotRun | None]
"""A seat (None: the server), its command, and what its bot thought with."""


def contribution(seat: int) -> bytes:
    """What a seat of these games contributes."""
    return bytes([seat + 1]) * 32


def public(key: Ed25519PrivateKey | None) -> str | None:
    """A seat's key as the log tells it."""
    return key and key.public_key().public_bytes_raw().hex()


class Table(Recording):
    """A game that the engine plays: seats are bots by name, or persons (None) who move at random.

    *commits* and *reveals* say which persons contribute. *think* may give another move than the honest one.
    """

    def __init__(
        self,
        title_id: str = "example",
        seats: Sequence[str | None] = (None, "random"),
        *,
        keys: Mapping[int, Ed25519PrivateKey] = MappingProxyType({}),
        commits: Iterable[int] = (),
        reveals: Iterable[int] = (),
        seed: Seed | None = None,
        position: dict[str, Any] | None = None,
        origin: dict[str, Any] | None = None,
        terms: Terms = Terms(),  # noqa: B008 - a value that nobody can change
        find_bot: FindBotVersion | None = None,
        think: Callable[[Table, Move], Move] = lambda _table, move: move,
    ) -> None:
        super().__init__()
        self.title = find_title(title_id)
        self.think = think
        self.keys = keys
        self.signing: Callable[[Table, Signature], Signature | None] = lambda _table, signature: signature
        """May change what a seat signed."""
        self.at = BEGAN
        self.game = initial_game(str(uuid.uuid5(SPACE, f"{title_id}{seats}{seed}{position is None}")))
        secrets = Seed(b"table", bytes(16))
        self.secrets = (seed or secrets).secrets()
        key = seed.key() if seed else self.game.key
        self.chain = ReverseChain(self.secrets.anchor, key, creation.PUBLIC_DRAWS)
        committed = {seat: seat_commitment(key, f"p{seat}", contribution(seat)).hex() for seat in commits}
        self.append(
            creation.create_game(
                self.title,
                key,
                msgspec.to_builtins(self.title.Options(), str_keys=True),
                [
                    SeatOccupant(bot, key=public(keys.get(seat)), commitment=committed.get(seat))
                    for seat, bot in enumerate(seats)
                ],
                self.secrets.commitments(key, creation.PUBLIC_DRAWS),
                service=ORIGIN,
                wanted=terms,
                position=position,
                origin=origin,
                seeded=seed is not None,
                find_bot=find_bot or partial(bots.find_bot_version, self.title),
            ),
            None,
        )
        for seat in reveals:
            self.append(commit_reveal.reveal(self.game, seat, contribution(seat).hex()), seat)

    def begin(self) -> Table:
        """A minute later the server begins."""
        self.at = add_milliseconds(self.at, 61_000)
        self.append(commit_reveal.begin(self.game, self.at, self.secrets, self.chain), None)
        return self

    def play(self, moves: int = 1000) -> Table:
        """At most so many commands."""
        while self.game.status == "running" and moves:
            seat, command, run = self.think(self, self.honest())
            batch = engine.decide(self.game, seat, command, self.secrets, self.chain)
            self.append(batch, seat, command, run)
            moves -= 1
        return self

    def honest(self) -> Move:
        """The next move as the service makes it."""
        game = self.game
        decision = self.title.awaited(game.state)[0]
        seat = decision.seat
        if seat is None:
            return None, self.title.default(game.state, decision), None
        if game.seats[seat].bot is None:
            command = self.title.sample(game.state, seat, FastChance(game.head))
            return seat, canonical_command(command), None
        run = bots.bot_run(game, seat, self.secrets)
        return seat, canonical_command(bots.think(game, seat, run)), run

    @property
    def command_id(self) -> str:
        """The id of the next command."""
        return str(uuid.uuid5(SPACE, str(self.game.seq)))

    def signed(self, seat: int | None, command: Any) -> Signature | None:
        """What a seat with a key signs: the command, on the newest event."""
        if seat not in self.keys or command is None:
            return None
        given = msgspec.to_builtins(command, str_keys=True)
        told = (self.command_id, given, self.game.id, self.game.head, self.game.seq, seat)
        raw = self.keys[seat].sign(command_signatures.make_signed_message(*told))
        return self.signing(self, Signature(self.game.seq, base64.b64encode(raw).decode()))

    def append(self, batch: Any, seat: int | None, command: Any = None, run: BotRun | None = None) -> None:
        """Record a batch, a second after the one before."""
        self.at = add_milliseconds(self.at, 1000)
        signature = self.signed(seat, command)
        self.record(
            batch.facts, BatchCause(self.at, seat, self.command_id, command, batch.draws, run, signature)
        )

    def lines(self, seat: int | None = None, key: SigningKey = SIGNER) -> list[bytes]:
        """Its bundle: whole if it has ended, else the copy of *seat*."""
        return list(bundle.write_lines(self.game, self.records, seat, key))


class Forgery:
    """A bundle that can be changed at will: events as values, then chained and signed again."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        told = [json.loads(line) for line in lines]
        self.header = told[0]
        self.events: list[dict[str, Any]] = [
            {"body": json.loads(line["body"]), "parts": line.get("parts", {})} for line in told[1:-1]
        ]
        self.texts: dict[int, str] = {}
        """By index in `events` a body as it is to stand, whatever its value."""

    def copy(self) -> Forgery:
        """Another one, to be changed alone."""
        return copy.deepcopy(self)

    def first(self, kind: str, nth: int = 0) -> dict[str, Any]:
        """The body of an event of that type."""
        found: dict[str, Any] = self.events[self.index(kind, nth)]["body"]
        return found

    def index(self, kind: str, nth: int = 0) -> int:
        """Where that event stands."""
        return [n for n, event in enumerate(self.events) if event["body"]["t"] == kind][nth]

    def batches(self) -> Iterator[dict[str, Any]]:
        """The bodies of the first events of batches."""
        before = None
        for event in self.events:
            if event["body"]["cmd"] != before:
                yield event["body"]
            before = event["body"]["cmd"]

    def part(self, index: int, name: str, body: dict[str, Any]) -> None:
        """Another hidden part, with a digest that fits."""
        event = self.events[index]
        event["parts"][name]["body"] = body
        salt = base64.b64decode(event["parts"][name]["salt"])
        event["body"]["hid"][name] = canonical.part_digest(salt, canonical.encode(body))

    def lines(self, key: SigningKey = SIGNER, **receipt: Any) -> list[bytes]:
        """Numbered, chained and signed again, canonical to the byte."""
        head, out, game = canonical.genesis(self.header["game"]), [], self.header["game"]
        for number, event in enumerate(self.events, 1):
            event["body"]["n"] = number
            body = self.texts.get(number - 1) or canonical.encode(event["body"]).decode()
            head = canonical.link(head, body.encode())
            told = {"kind": "event", "n": number, "hash": head.hex(), "body": body, "parts": event["parts"]}
            out.append(line({name: value for name, value in told.items() if value != {}}))
        told = {"game": game, "n": len(out), "head": head, **dated(self.events[-1]["body"]), **receipt}
        note = sign_receipt(key, **told)
        self.header["events"] = len(out)
        return [line(self.header), *out, line({"kind": "receipt", "note": note})]


def dated(body: Mapping[str, Any]) -> dict[str, Any]:
    """Command and time of the receipt for an event; the time is any where the event's own is none."""
    try:
        time = max(0, whole_seconds(body["at"]))
    except (ValueError, TypeError):
        time = 0
    return {"cmd": body["cmd"], "time": time}


def line(value: Any) -> bytes:
    """A canonical line, or near to it where the value has no canonical form."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
