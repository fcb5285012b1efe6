"""Bundles of whole tournaments made without servers: their games are played by the engine.

The forger here holds the service's key: *openings* of games may be anything, all of it is chained and signed.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from events.base.timestamps import add_milliseconds, whole_seconds
from events.proof import canonical
from events.proof.randomness import ReverseChain
from events.rules.fast_chance import FastChance
from events.table import bundle as game_bundle
from events.table import clock_updates, commit_reveal, creation, engine
from events.table.commands import command_rules
from events.table.commands.rulings import TableEnd
from events.table.engine import Batch
from events.table.game import initial_game
from events.table.record import BatchCause, Record, canonical_command
from events.tlog import leaves
from events.tlog.checkpoints import Checkpoint, Proof
from events.tlog.notes import COSIGNATURE, SigningKey, sign_receipt
from events.tlog.tree import MemoryTree, inclusion_proof, leaf_hash
from events.tournament import bundle
from events.tournament import commands as asks
from events.tournament.outcomes import result_command, summarize_game
from events.tournament.state import Round, Table
from events.tournament.table_games import TableGame, make_table_game, open_table_game
from tests.batches import Recording
from tests.events.forging import ORIGIN, SIGNER
from tests.tournament.recording import DUELS, Recorded
from workers import bots

TIME = 1_800_000_000
"""POSIX seconds of all receipts."""
WITNESSES = [SigningKey(f"organiser.example/w{n}", bytes([n + 1]) * 32, COSIGNATURE) for n in range(3)]
Open = Callable[[TableGame, Mapping[str, str]], Batch]
"""A function of the wanted game and the commitments of its secrets: the batch that creates it."""


def open_honestly(wanted: TableGame, commitments: Mapping[str, str]) -> Batch:
    """The batch as the service makes it."""
    return open_table_game(wanted, commitments, [None] * len(wanted.entrants), ORIGIN)


class TableRecording(Recording):
    """The game of a table, played at random to its end."""

    def __init__(self, wanted: TableGame, at: str, create: Open, mixed: bytes | None = None) -> None:
        super().__init__()
        self.at = at
        self.secrets, key = wanted.tied.secrets, wanted.tied.key
        self.chain = ReverseChain(self.secrets.anchor, key, creation.PUBLIC_DRAWS)
        self.game = initial_game(wanted.game)
        self._append(create(wanted, self.secrets.commitments(key, creation.PUBLIC_DRAWS)))
        self.at = add_milliseconds(self.at, 60_000)
        self._append(
            commit_reveal.begin(self.game, self.at, self.secrets, self.chain, mixed or wanted.tied.mixed)
        )

    def _append(self, batch: Batch, actor: Any = None, command: Any = None, run: Any = None) -> None:
        self.at = add_milliseconds(self.at, 1000)
        cmd = str(uuid.uuid5(uuid.UUID(self.game.id), str(self.game.seq)))
        note = clock_updates.make_clock_note(self.game, actor, command, batch, self.at)
        self.record(batch.facts, BatchCause(self.at, actor, cmd, command, batch.draws, run, clock=note))

    def play(self) -> None:
        """To the end."""
        while self.game.status == "running":
            decision = self.game.title.awaited(self.game.state)[0]
            seat, run = decision.seat, None
            if seat is None:
                command = self.game.title.default(self.game.state, decision)
            elif self.game.seats[seat].bot is not None:
                run = bots.bot_run(self.game, seat, self.secrets)
                command = canonical_command(bots.think(self.game, seat, run))
            else:
                chance = FastChance(self.game.head)
                command = canonical_command(self.game.title.sample(self.game.state, seat, chance))
            self._append(
                engine.decide(self.game, seat, command, self.secrets, self.chain), seat, command, run
            )

    def abandon(self) -> None:
        """A director ends it."""
        command = TableEnd("other")
        batch = command_rules.decide(self.game, "d1", command, self.at, (self.secrets, self.chain))
        self._append(batch, "d1", command)

    def lines(self, key: SigningKey = SIGNER, *, proven: bool = False) -> list[bytes]:
        """Its bundle."""
        proofs = [prove_last(self.game.id, self.records)] if proven else []
        return list(game_bundle.write_lines(self.game, self.records, None, key, proofs))


class PlayedEvent(Recorded):
    """A tournament whose games are played.

    Args:
        settings: by default two rounds of duels.
        openings: by (round, table) the function that creates the game in the place of the honest one.
        mixed: by (round, table) another U than the game's own.
    """

    def __init__(
        self,
        settings: Any = None,
        *,
        openings: Mapping[tuple[int, int], Open] = MappingProxyType({}),
        mixed: Mapping[tuple[int, int], bytes] = MappingProxyType({}),
        **changes: Any,
    ) -> None:
        super().__init__(settings or DUELS, **changes)
        self.openings, self.mixed = openings, mixed
        self.games: dict[str, TableRecording] = {}

    def create(self, one: Round, table: Table) -> TableRecording:
        """Create the game of a table."""
        place = (one.number, table.number)
        wanted = make_table_game(self.state, self.secrets.tables or b"", one, table)
        create = self.openings.get(place, open_honestly)
        made = TableRecording(wanted, one.started_at, create, self.mixed.get(place))
        self.games[table.game] = made
        return made

    def link(self, round_number: int, number: int) -> None:
        """The game of a table is there."""
        one = self.state.rounds[round_number - 1]
        table = one.tables[number - 1]
        game = self.create(one, table)
        first = game.records[0].hash.hex()
        self.give(None, asks.LinkTable(number, table.game, first, round_number))

    def end(self, round_number: int, number: int, places: Any = None, left: Any = None) -> None:
        """The game of a table is played to its end."""
        if self.state.rounds[round_number - 1].tables[number - 1].head is None:
            self.link(round_number, number)
        table = self.state.rounds[round_number - 1].tables[number - 1]
        game = self.games[table.game]
        game.play()
        self.record_end(round_number, number)

    def record_end(self, round_number: int, number: int) -> None:
        """The end of the game of a table is recorded."""
        table = self.state.rounds[round_number - 1].tables[number - 1]
        played = summarize_game(self.games[table.game].game)
        self.give(None, result_command(played, round_number, table))

    def own_lines(self, key: SigningKey = SIGNER, **more: Any) -> list[bytes]:
        """Its own part."""
        return list(bundle.write_lines(self.state, self.records, {}, key, **more))

    def game_lines(self, *without: str, proven: bool = False) -> list[bytes]:
        """The bundles of its games, but for those *without*."""
        ids = [game for game in bundle.list_bundled_games(self.state) if game not in without]
        return [line for game in ids for line in self.games[game].lines(proven=proven)]

    def lines(self, *, proven: bool = False) -> list[bytes]:
        """The whole bundle."""
        proofs = [prove_last(self.id, self.records)] if proven else []
        return [*self.own_lines(proofs=proofs), *self.game_lines(proven=proven)]


class ForgedEvent:
    """A tournament's own part in the hands of a forger: its bodies are changed, chained and signed."""

    def __init__(self, event: PlayedEvent) -> None:
        self.event = event
        self.bodies: list[dict[str, Any]] = [msgspec.json.decode(one.body) for one in event.records]
        self.header: dict[str, Any] = msgspec.json.decode(event.own_lines()[0])

    def index(self, kind: str, nth: int = 0) -> int:
        """Where the event of that kind stands."""
        return [n for n, body in enumerate(self.bodies) if body["t"] == kind][nth]

    def records(self) -> list[Record]:
        """All records, numbered and chained again."""
        head, made = canonical.genesis(self.event.id), []
        for n, body in enumerate(self.bodies, 1):
            if type(body.get("n")) is int:
                body["n"] = n
            text = canonical.encode(body)
            head = canonical.link(head, text)
            made.append(Record(n, str(body["t"]), text, head, str(body["cmd"])))
        return made

    def lines(self, key: SigningKey = SIGNER) -> list[bytes]:
        """The whole bundle, signed."""
        records = self.records()
        header = {**self.header, "events": len(records)}
        out = [canonical.encode(header) + b"\n"]
        for one in records:
            told = {"kind": "event", "n": one.seq, "hash": one.hash.hex(), "body": one.body.decode()}
            out.append(canonical.encode(told) + b"\n")
        last = records[-1]
        note = sign_receipt(key, self.event.id, last.seq, last.hash, last.command_id, date_of(last))
        return [*out, receipt_line(note), *self.event.game_lines()]


def receipt_line(note: str) -> bytes:
    """A line that holds a receipt."""
    return canonical.encode({"kind": "receipt", "note": note}) + b"\n"


def receipt_of(event: Any, record: Record, key: SigningKey = SIGNER) -> str:
    """The receipt for an event of a stream, of a tournament or of a game."""
    return sign_receipt(key, event.id, record.seq, record.hash, record.command_id, date_of(record))


def date_of(record: Record) -> int:
    """The time of a receipt for an event; of one without a time that can be read, any."""
    try:
        return whole_seconds(record.envelope().at)
    except (TypeError, ValueError, msgspec.MsgspecError):
        return TIME


def list_ends(records: Sequence[Record]) -> list[tuple[int, bytes]]:
    """The last event of each batch."""
    return [
        (one.seq, one.hash)
        for one, after in zip(records, [*records[1:], None], strict=True)
        if after is None or after.command_id != one.command_id
    ]


def prove_last(
    stream: str, records: Sequence[Record], *, cosigned: int = 2, others: int = 3
) -> tuple[int, str]:
    """A proof that the log of all games holds the last event of a stream, with so many cosignatures."""
    tree = MemoryTree([leaf_hash(b"other %d" % n) for n in range(others)])
    for entry in leaves.make_entries(stream, list_ends(records)):
        tree.add(leaf_hash(entry))
    size, index = len(tree), len(tree) - 1
    text = Checkpoint(ORIGIN, size, tree.root()).text()
    note = SIGNER.sign(text) + "".join(one.cosign(text, TIME + 100) for one in WITNESSES[:cosigned])
    return len(records), Proof(index, tuple(inclusion_proof(tree.read, index, size)), note).text()


def write_policy(quorum: str = "most", log: SigningKey = SIGNER) -> list[bytes]:
    """The lines of a policy with three witnesses."""
    lines = [f"log {log.vkey}"]
    lines += [f"witness w{n} {key.vkey}" for n, key in enumerate(WITNESSES)]
    return [f"{line}\n".encode() for line in (*lines, "group most 2 w0 w1 w2", f"quorum {quorum}")]
