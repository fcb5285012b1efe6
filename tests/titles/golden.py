"""Golden games: whole games recorded once, and what every seat saw on the way.

``python -m rutter.tests.titles.golden`` writes them again. Do that only for a change that is meant, together
with a new version of the title if recorded games would replay otherwise, and read the difference.
"""

from __future__ import annotations

import gzip
import sys
import uuid
from collections.abc import Iterator
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from events.base.installation import qualify_name
from events.proof.randomness import ReverseChain, Seed
from events.rules.catalogue import find_title, package_of, packages, title_ids
from events.rules.title import Title
from events.table import bundle, commit_reveal, creation, engine
from events.table.engine import fold
from events.table.game import initial_game
from events.table.record import BatchCause, BotRun, Part, Record, canonical_command
from events.table.terms import SeatOccupant
from events.tlog.notes import SigningKey
from tests.batches import Recording
from workers import bots

PROJECT = qualify_name("events.titles.")
HERE = Path(__file__).parent / "golden"
ORIGIN = "rutter.example/log"
SIGNER = SigningKey(ORIGIN, b"golden".ljust(32, b"."))
SALT = bytes(16)
NAMESPACE = uuid.UUID("7a3d1c1e-4a52-5a0e-8f0e-3f1b2c9d0a11")
STEPS = 12
"""Commands that a playthrough shows in full."""


class Recorder(Recording):
    """Records a game without servers: the engine, a fixed clock, and secrets from a seed."""

    def __init__(self, title: Title[Any], seats: int, bot: str) -> None:
        super().__init__()
        self.title, title_id = title, title.id
        self.secrets = Seed(f"golden/{title_id}".encode(), SALT).secrets()
        game_id = str(uuid.uuid5(NAMESPACE, title_id))
        self.game = initial_game(game_id)
        options = msgspec.to_builtins(self.title.Options(), str_keys=True)
        key = self.game.key
        commitments = self.secrets.commitments(key, creation.PUBLIC_DRAWS)
        made = creation.create_game(
            self.title,
            key,
            options,
            [SeatOccupant(bot)] * seats,
            commitments,
            service=ORIGIN,
            find_bot=partial(bots.find_bot_version, self.title),
        )
        self._append(made, None)
        self.chain = ReverseChain(self.secrets.anchor, self.game.key, self.game.draws)
        self._append(commit_reveal.begin(self.game, self.game.at, self.secrets, self.chain), None)

    def _append(
        self, batch: engine.Batch, seat: int | None, command: Any = None, bot: BotRun | None = None
    ) -> None:
        number = len(self.records)
        at = f"2026-01-01T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}.000000Z"
        command_id = str(uuid.uuid5(NAMESPACE, f"{self.game.id}/{number}"))
        self.record(batch.facts, BatchCause(at, seat, command_id, command, batch.draws, bot))

    def step(self) -> tuple[int | None, Any]:
        """One command: a bot's, or the server's."""
        game = self.game
        decision = game.title.awaited(game.state)[0]
        seat, run = decision.seat, None
        if seat is None:
            command = game.title.default(game.state, decision)
        else:
            run = bots.bot_run(game, seat, self.secrets)
            command = canonical_command(bots.think(game, seat, run))
        self._append(engine.decide(game, seat, command, self.secrets, self.chain), seat, command, run)
        return seat, command

    def finish(self) -> None:
        """Play to the end."""
        while self.game.status == "running":
            self.step()


def record(title_id: str, bot: str = "steady", version: int | None = None) -> Recorder:
    """The golden game of a title: its middle number of seats, all played by one kind of bot."""
    title = find_title(title_id, version)
    return Recorder(title, title.seats[len(title.seats) // 2], bot)


class Line(msgspec.Struct, frozen=True):
    """One event as a golden file keeps it: its body to the byte, its hash, its hidden parts."""

    body: str
    hash: str
    parts: dict[str, tuple[str, str]] = {}
    """By audience salt (hex) and canonical JSON."""


def events_of(title_id: str) -> bytes:
    """The events of a title's golden game, one a line."""
    recorder = record(title_id)
    recorder.finish()
    return b"".join(msgspec.json.encode(_line(r)) + b"\n" for r in recorder.records)


def _line(record: Record) -> Line:
    parts = {name: (part.salt.hex(), part.body.decode()) for name, part in record.parts.items()}
    return Line(record.body.decode(), record.hash.hex(), parts)


def recorded(title_id: str, version: int | None = None) -> list[Record]:
    """The events of the golden file."""
    text = gzip.decompress(files(title_id, version)[0].read_bytes())
    return [_record(msgspec.json.decode(line, type=Line)) for line in text.splitlines()]


def _record(line: Line) -> Record:
    parts = {name: Part(bytes.fromhex(salt), body.encode()) for name, (salt, body) in line.parts.items()}
    record = Record(0, "", line.body.encode(), bytes.fromhex(line.hash), "", parts)
    envelope = record.envelope()
    return msgspec.structs.replace(record, seq=envelope.n, type=envelope.t, command_id=envelope.cmd)


def bundle_of(title_id: str, version: int | None = None) -> Iterator[bytes]:
    """The audit bundle of the golden file's game."""
    records = recorded(title_id, version)
    game = fold(initial_game(str(uuid.uuid5(NAMESPACE, title_id))), records)
    return bundle.write_lines(game, records, None, SIGNER)


def playthrough(title_id: str, version: int | None = None) -> str:
    """What was done and what each seat saw and could do, step by step, as readable text."""
    return "\n".join(_playthrough(record(title_id, "random", version))) + "\n"


def _playthrough(recorder: Recorder) -> Iterator[str]:
    title = recorder.title
    yield f"# {title.name}, {len(recorder.game.seats)} seats, random bots"
    for number in range(STEPS):
        if recorder.game.status != "running":
            return
        seat, command = recorder.step()
        state = recorder.game.state
        yield f"\n## {number + 1}. seat {seat}: {_text(command)}"
        for decision in title.decisions(state):
            yield f"waits: {_text(decision)}"
        # Who acted, their neighbour and the public: enough to show a rule or a secret that has changed.
        actor = seat or 0
        for viewer in (None, actor, (actor + 1) % len(recorder.game.seats)):
            yield f"view of {'spectators' if viewer is None else viewer}: {_text(title.view(state, viewer))}"
        for decision in title.awaited(state)[:1]:
            asked = decision.seat
            if asked is not None:
                legal = [_text(c) for _, c in zip(range(12), title.legal(state, asked), strict=False)]
                yield f"legal for {asked} (complete: {title.complete(state, asked)}): {' '.join(legal)}"


def _text(value: Any) -> str:
    return msgspec.json.Encoder(order="sorted").encode(msgspec.to_builtins(value, str_keys=True)).decode()


def files(title_id: str, version: int | None = None) -> tuple[Path, Path]:
    """(events, playthrough) of a title: here, or beside a kept version or a title not of the project."""
    package = package_of(find_title(title_id, version))
    here = package == packages()[title_id] and package.startswith(PROJECT)
    folder = HERE if here else Path(str(resources.files(package))) / "golden"
    return folder / f"{title_id}.ndjson.gz", folder / f"{title_id}.txt"


def write(title_id: str) -> None:
    """Write a title's golden files again."""
    game, steps = files(title_id)
    game.parent.mkdir(exist_ok=True)
    game.write_bytes(gzip.compress(events_of(title_id), mtime=0))
    steps.write_text(playthrough(title_id), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or title_ids():
        write(name)
