"""The bundle of a talk: one NDJSON file that proves each message and its place in the game.

It begins with a header. One line for each event follows, with the words of those messages that its holder may
read and that were not erased. Then come the service's receipt for the last event, proofs that the log of all
games holds messages, and for each of these the entry of the game's batch that followed, with its proof.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from events.rules.fact import Seat
from events.table.bundle import ProofLine, ReceiptLine, encode_line
from events.table.record import Record
from events.talk.content import Content
from events.talk.state import Talk
from events.tlog.notes import SigningKey, receipt_time, sign_receipt

FORMAT = "rutter-talk/1"

Words = Mapping[str, tuple[bytes, Content]]
"""The salts and the contents of messages, by the id of their command."""


class Header(msgspec.Struct, frozen=True, tag="header", tag_field="kind", forbid_unknown_fields=True):
    """The first line."""

    format: str
    talk: str
    """The id of the talk."""
    table: str
    """The id of the game at whose table it is."""
    seats: tuple[Seat, ...]
    """The seats through whose eyes the bundle is written; none for a spectator."""
    events: int
    origin: str
    """The name of the service."""

    @property
    def stream(self) -> str:
        """The kind of stream that the events are of."""
        return "talk"

    @property
    def game(self) -> str:
        """The id of the stream, under the name that it has in receipts and in events."""
        return self.talk

    @property
    def scope(self) -> str:
        """A talk can always go on as far as its bundle tells."""
        return "running"


class SaidLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a message, with the salt of their digest (base64)."""

    content: dict[str, Any]
    salt: str


class EventLine(
    msgspec.Struct, frozen=True, tag="event", tag_field="kind", forbid_unknown_fields=True, omit_defaults=True
):
    """One event."""

    n: int
    hash: str
    body: str
    """The canonical JSON that was hashed, as a text."""
    said: SaidLine | None = None


class FollowLine(msgspec.Struct, frozen=True, tag="follow", tag_field="kind", forbid_unknown_fields=True):
    """The entry of the game's batch that followed on the event that message *n* names, with its proof."""

    n: int
    entry: str
    proof: str


def write_lines(
    talk: Talk,
    records: Iterable[Record],
    seats: Sequence[Seat],
    words: Words,
    key: SigningKey,
    proofs: Iterable[tuple[int, str]] = (),
    follows: Iterable[tuple[int, str, str]] = (),
) -> Iterator[bytes]:
    """Yield the bundle of *talk* up to its newest event, with these *words*.

    *proofs*: event and proof of inclusion, rising by event. *follows*: event, entry and proof, likewise.
    """
    yield encode_line(Header(FORMAT, talk.id, talk.game, tuple(seats), talk.seq, key.name))
    for record in records:
        yield encode_line(_event_line(record, words))
    note = sign_receipt(key, talk.id, talk.seq, talk.head, talk.cmd, receipt_time(talk.at))
    yield encode_line(ReceiptLine(note))
    for n, proof in proofs:
        yield encode_line(ProofLine(n, proof))
    for n, entry, proof in follows:
        yield encode_line(FollowLine(n, entry, proof))


def _event_line(record: Record, words: Words) -> EventLine:
    known = words.get(record.command_id)
    said = None
    if known is not None:
        salt, content = known
        said = SaidLine(msgspec.to_builtins(content), base64.b64encode(salt).decode())
    return EventLine(record.seq, record.hash.hex(), record.body.decode(), said)
