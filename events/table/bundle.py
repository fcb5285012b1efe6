"""The audit bundle: one NDJSON file that holds all that is needed to check a game offline.

It begins with a header. One line for each event follows (body, hash, hidden parts that the holder may open).
Then come the service's receipt for the last event, and proofs that the tree of all games holds it.
``events/proof/BUNDLE.md`` has all of it to the byte; ``events.verify`` reads it. Once a game has ended the
bundle is whole. Before that everyone gets a copy with only what their seat may know. That copy verifies too,
as far as it goes.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from events.proof import canonical
from events.rules.fact import Seat
from events.table.game import Game
from events.table.record import Record
from events.tlog.notes import SigningKey, receipt_time, sign_receipt

FORMAT = "rutter-bundle/2"


class BadBundle(ValueError):
    """A bundle that does not hold. *seq* is the first bad event, None where no single event is to blame."""

    def __init__(self, seq: int | None, reason: str) -> None:
        super().__init__(f"event {seq}: {reason}" if seq is not None else reason)
        self.seq = seq
        self.reason = reason


class Header(msgspec.Struct, frozen=True, tag="header", tag_field="kind", forbid_unknown_fields=True):
    """The first line."""

    format: str
    game: str
    title: str
    version: int
    scope: Literal["whole", "seat"]
    """``whole``: every hidden part is there (the game has ended); ``seat``: what one seat may know."""
    seat: Seat | None
    """The seat through whose eyes the bundle is written, if the scope is ``seat``; None: a spectator."""
    events: int
    origin: str
    """The name of the server. The bundle holds no public key: the verifier must get it independently."""

    @property
    def stream(self) -> str:
        """The kind of stream that the events are of."""
        return "game"


class PartLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hidden part: its salt (base64) and its content."""

    salt: str
    body: dict[str, Any]


class EventLine(
    msgspec.Struct, frozen=True, tag="event", tag_field="kind", forbid_unknown_fields=True, omit_defaults=True
):
    """One event."""

    n: int
    hash: str
    body: str
    """The canonical JSON that was hashed, as a text."""
    parts: dict[str, PartLine] = {}


class ReceiptLine(msgspec.Struct, frozen=True, tag="receipt", tag_field="kind", forbid_unknown_fields=True):
    """The receipt for the last event: a signed note."""

    note: str


class ProofLine(msgspec.Struct, frozen=True, tag="proof", tag_field="kind", forbid_unknown_fields=True):
    """A proof of inclusion (C2SP ``tlog-proof``) for the leaf of event *n*, the last of its batch."""

    n: int
    proof: str


class TimestampLine(
    msgspec.Struct, frozen=True, tag="timestamp", tag_field="kind", forbid_unknown_fields=True
):
    """A token (RFC 3161, base64) over the SHA-256 of the checkpoint in the proof of event *n*."""

    n: int
    token: str


Line = Header | EventLine | ReceiptLine | ProofLine | TimestampLine


def write_lines(
    game: Game,
    records: Iterable[Record],
    seat: Seat | None,
    key: SigningKey,
    proofs: Iterable[tuple[int, str]] = (),
) -> Iterator[bytes]:
    """Yield the bundle of *game* up to its newest event; whole if it has ended, else what *seat* may know.

    *proofs*: event and proof of inclusion, rising by event.
    """
    whole = game.has_ended
    command = ""
    header = Header(
        format=FORMAT,
        game=game.id,
        title=game.title_id,
        version=game.version,
        scope="whole" if whole else "seat",
        seat=None if whole else seat,
        events=game.seq,
        origin=key.name,
    )
    yield encode_line(header)
    for record in records:
        command = record.command_id
        yield encode_line(_event_line(record.redact_for(seat, everything=whole)))
    note = sign_receipt(key, game.id, game.seq, game.head, command, receipt_time(game.at))
    yield encode_line(ReceiptLine(note))
    for n, proof in proofs:
        yield encode_line(ProofLine(n, proof))


def encode_line(line: msgspec.Struct) -> bytes:
    """Return a line as it stands in the file, its line feed included."""
    return canonical.encode(msgspec.to_builtins(line)) + b"\n"


def _event_line(record: Record) -> EventLine:
    parts = {
        name: PartLine(base64.b64encode(part.salt).decode(), msgspec.json.decode(part.body))
        for name, part in record.parts.items()
    }
    return EventLine(record.seq, record.hash.hex(), record.body.decode(), parts)
