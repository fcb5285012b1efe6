"""The audit bundle: one NDJSON file that holds all that is needed to check a game offline.

Lines: a header, one for each event (body, hash, hidden parts that the holder may open), and the service's
receipt for the last one. Once a game has ended the bundle is whole; before that everyone
gets a copy with only what his seat may know, and that one verifies too as far as it goes.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from events import canonical, chain
from events.fact import Seat
from events.game import Game
from events.record import Part, Record
from events.tlog import receipts
from events.tlog.notes import BadNote, SigningKey, Verifier

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
    """Through whose eyes, where the scope is ``seat``; None for a spectator."""
    events: int
    origin: str
    """The name of the service. Its key stands nowhere in the file: a file cannot vouch for its own key."""


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


class ProofLine(msgspec.Struct, frozen=True, tag="proof", tag_field="kind", forbid_unknown_fields=True):
    """That the log of all games holds event *n*: a C2SP ``tlog-proof``."""

    n: int
    proof: str


class ReceiptLine(msgspec.Struct, frozen=True, tag="receipt", tag_field="kind", forbid_unknown_fields=True):
    """The receipt for the last event: a signed note."""

    note: str


Line = Header | EventLine | ReceiptLine | ProofLine
_LINE = msgspec.json.Decoder(Line)


def lines(
    game: Game,
    records: Iterable[Record],
    seat: Seat | None,
    key: SigningKey,
    time: int,
    proof: str | None = None,
) -> Iterator[bytes]:
    """The bundle of *game* up to its newest event; whole if it has ended, else what *seat* may know.

    *time*: POSIX seconds of the receipt. *proof*: that the log of all games holds the last event.
    """
    whole = game.status == "finished"
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
    yield _encode(header)
    for record in records:
        command = record.command_id
        yield _encode(_event_line(record.seen_by(seat, everything=whole)))
    yield _encode(ReceiptLine(receipts.sign(key, game.id, game.seq, game.head, command, time)))
    if proof is not None:
        yield _encode(ProofLine(game.seq, proof))


def _encode(line: Line) -> bytes:
    return canonical.encode(msgspec.to_builtins(line)) + b"\n"


def _event_line(record: Record) -> EventLine:
    parts = {
        name: PartLine(base64.b64encode(part.salt).decode(), msgspec.json.decode(part.body))
        for name, part in record.parts.items()
    }
    return EventLine(record.seq, record.hash.hex(), record.body.decode(), parts)


class Bundle(msgspec.Struct):
    """A bundle that was read: every line fits its form, nothing is verified yet."""

    header: Header
    records: list[Record]
    note: str


def read(text: Iterable[bytes]) -> Bundle:
    """Read a bundle's lines. Raises :class:`BadBundle` where one is not of its form."""
    header: Header | None = None
    records: list[Record] = []
    note: str | None = None
    for number, raw in enumerate(text, 1):
        line = _decode(raw, number, len(records))
        if isinstance(line, Header) and header is None and number == 1:
            header = line
        elif isinstance(line, EventLine) and header is not None and note is None:
            records.append(_record(line, len(records) + 1))
        elif isinstance(line, ReceiptLine) and header is not None and note is None:
            note = line.note
        elif isinstance(line, ProofLine) and note is not None:
            continue
        else:
            raise BadBundle(len(records) + 1, f"line {number} does not belong there")
    if header is None:
        raise BadBundle(None, "the bundle is empty")
    if note is None:
        raise BadBundle(len(records) + 1, "the bundle ends without its receipt")
    return Bundle(header, records, note)


def _decode(raw: bytes, number: int, events: int) -> Line:
    try:
        line: Line = _LINE.decode(raw)
        return line
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadBundle(events + 1 if number > 1 else None, f"line {number} is damaged: {error}") from error


def _record(line: EventLine, expected: int) -> Record:
    if line.n != expected:
        raise BadBundle(expected, f"expected event {expected}, found event {line.n}")
    try:
        parts = {
            name: Part(base64.b64decode(part.salt, validate=True), canonical_bytes(part.body))
            for name, part in line.parts.items()
        }
        record = Record(line.n, "", line.body.encode(), bytes.fromhex(line.hash), "", parts)
        envelope = record.envelope()
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadBundle(line.n, f"the event is damaged: {error}") from error
    return msgspec.structs.replace(record, type=envelope.t, command_id=envelope.cmd)


def canonical_bytes(value: Any) -> bytes:
    """Canonical form of a value that came from outside; ValueError if it has none."""
    canonical.check(value)
    return canonical.encode(value)


def check_chain(bundle: Bundle) -> None:
    """Every event follows on the one before, and every hidden part at hand fits its digest."""
    head = chain.genesis(bundle.header.game)
    for record in bundle.records:
        head = chain.link(head, record.body)
        if head != record.hash:
            raise BadBundle(record.seq, "its hash does not follow from the event before and its content")
        envelope = record.envelope()
        if envelope.n != record.seq or envelope.game != bundle.header.game:
            raise BadBundle(record.seq, "its body names another event or another game")
        _check_parts(record, envelope.hid or {}, whole=bundle.header.scope == "whole")
    if len(bundle.records) != bundle.header.events:
        raise BadBundle(len(bundle.records) + 1, f"the header announces {bundle.header.events} events")


def _check_parts(record: Record, digests: dict[str, str], *, whole: bool) -> None:
    surplus = set(record.parts) - set(digests)
    if surplus:
        raise BadBundle(record.seq, f"hidden parts without a digest: {sorted(surplus)}")
    for name, wanted in digests.items():
        part = record.parts.get(name)
        if part is None:
            if whole:
                raise BadBundle(record.seq, f"the hidden part {name} is missing")
            continue
        if chain.digest(part.salt, part.body) != wanted:
            raise BadBundle(record.seq, f"the hidden part {name} does not fit its digest")


def check_receipt(bundle: Bundle, known: Verifier | None) -> bool:
    """The receipt names this head; whether the *known* key signed it (False where none is given)."""
    last = bundle.records[-1] if bundle.records else None
    try:
        receipt = receipts.open_receipt(bundle.note, [known])[0] if known else receipts.peek(bundle.note)
    except BadNote as error:
        raise BadBundle(None, f"receipt: {error}") from error
    named = (receipt.origin, receipt.game, receipt.n, receipt.hash)
    if last is None or named != (bundle.header.origin, bundle.header.game, last.seq, last.hash):
        raise BadBundle(last.seq if last else 1, "the receipt names another head of the chain")
    return known is not None
