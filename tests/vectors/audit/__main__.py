"""Writes the samples, see the package."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence

from events.base.timestamps import whole_seconds
from events.proof import canonical
from events.table.record import Record
from events.tlog import leaves
from events.tlog.checkpoints import Checkpoint, Proof
from events.tlog.notes import COSIGNATURE, SigningKey, sign_receipt
from events.tlog.tree import MemoryTree, inclusion_proof, leaf_hash
from tests.events.forging import ORIGIN, SIGNER, Move, Table
from tests.tournament.event_files import PlayedEvent, list_ends
from tests.tournament.recording import BEGAN
from tests.vectors.audit import HERE

WITNESSES = {
    name: SigningKey(f"{name}.example/w1", name.encode().ljust(32, b"."), COSIGNATURE)
    for name in ("club", "press", "school")
}
BEGIN, HALF = 1_800_000_000, 100
"""The time of all cosignatures, less a minute, and the commands after which the copy is taken."""


def _make_table(think: Callable[[Table, Move], Move] = lambda _table, move: move) -> Table:
    seats = (None, None, "random")
    return Table("colonies", seats, commits=[0, 1], reveals=[0, 1], think=think).begin()


def _make_other() -> Table:
    """Return another history: the thirtieth command is another one."""
    seen = []

    def think(table: Table, move: Move) -> Move:
        seen.append(move)
        seat, command, run = move
        if len(seen) < 30 or run is not None or seat is None or getattr(table, "changed", False):
            return move
        others = [each for each in table.title.legal(table.game.state, seat) if each != command]
        if not others:
            return move
        table.changed = True  # type: ignore[attr-defined]
        return seat, others[0], run

    return _make_table(think).play()


def _play_event() -> PlayedEvent:
    """Return a tournament of one table, to whose randomness all four players contribute."""
    settings = {
        "title": "colonies",
        "table": {"size": 4, "least": 3},
        "stages": [{"format": "swiss_pods", "rounds": 1}],
        "schedule": {"starts_at": BEGAN},
        "protest_ms": 0,
    }
    return PlayedEvent(settings).whole(4, (1, 2, 3, 4))


def _prove(stream: str, records: Sequence[Record]) -> bytes:
    """Return the line that proves the last event of a stream to be in the log, cosigned by two witnesses."""
    tree = MemoryTree([leaf_hash(b"other %d" % number) for number in range(5)])
    for entry in leaves.make_entries(stream, list_ends(records)):
        tree.add(leaf_hash(entry))
    size, index = len(tree), len(tree) - 1
    text = Checkpoint(ORIGIN, size, tree.root()).text()
    note = SIGNER.sign(text) + "".join(WITNESSES[name].cosign(text, BEGIN + 60) for name in ("club", "press"))
    proof = Proof(index, tuple(inclusion_proof(tree.read, index, size)), note).text()
    return canonical.encode({"kind": "proof", "n": len(records), "proof": proof}) + b"\n"


def _sign_receipt(table: Table, n: int) -> bytes:
    record = table.records[n - 1]
    note = sign_receipt(
        SIGNER, table.game.id, n, record.hash, record.command_id, whole_seconds(record.envelope().at)
    )
    return canonical.encode({"kind": "receipt", "note": note}) + b"\n"


def _write_policy() -> str:
    lines = [f"log     {SIGNER.vkey}"]
    lines += [f"witness {name:<7} {key.vkey}" for name, key in WITNESSES.items()]
    return "\n".join([*lines, "group   most 2  club press school", "quorum  most", ""])


def main() -> None:
    """Write all samples."""
    table, other = _make_table(), _make_other()
    copy = table.play(HALF).lines(0)
    whole = table.play().lines()
    event = _play_event()
    (played,) = event.games.values()
    own, game = _prove(event.id, event.records), _prove(played.game.id, played.records)
    packed = {
        "game": [*whole, _prove(table.game.id, table.records)],
        "copy": copy,
        "other": other.lines(),
        "event": [*event.own_lines(), own, *played.lines(), game],
    }
    for name, lines in packed.items():
        (HERE / f"{name}.ndjson.gz").write_bytes(gzip.compress(b"".join(lines), mtime=0))
    held = [_sign_receipt(table, n) for n in (120, 121)]
    (HERE / "receipts.ndjson").write_bytes(b"".join(held))
    (HERE / "policy.txt").write_text(_write_policy())


main()
