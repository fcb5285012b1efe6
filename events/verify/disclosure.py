"""A bundle with some of a seat's hidden parts only, or a talk with the words of one message only."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from events.proof import canonical
from events.rules.fact import Seat
from events.table.bundle import Header, ReceiptLine, encode_line
from events.table.record import Record, may_open
from events.talk.bundle import EventLine
from events.verify import CheckedBundle
from events.verify.form import RawEventLine
from events.verify.talk import CheckedTalk


def write_disclosed(found: CheckedBundle, seat: Seat, events: Collection[int] | None) -> Iterator[bytes]:
    """Yield the lines of a copy of *seat* with its parts of these *events* (None: of all)."""
    sheet = found.sheet
    header = msgspec.structs.replace(sheet.header, scope="seat", seat=seat)
    assert isinstance(header, Header)  # noqa: S101 - for the type checker
    yield encode_line(header)
    for record, line in zip(found.records, sheet.events, strict=True):
        kept = seat_parts(record, seat) if events is None or record.seq in events else []
        yield _redact_line(line, kept)
    yield encode_line(ReceiptLine(sheet.note))
    for proof in sheet.proofs:
        yield encode_line(proof)
    for stamp in sheet.timestamps:
        yield encode_line(stamp)


def seat_parts(record: Record, seat: Seat) -> list[str]:
    """Return the audiences of an event's known parts to which *seat* belongs."""
    return [name for name in record.parts if may_open(name, seat)]


def find_shared_parts(
    found: CheckedBundle, seat: Seat, events: Collection[int] | None
) -> list[tuple[int, str]]:
    """Parts that other seats know as well: event and audience."""
    return [
        (record.seq, name)
        for record in found.records
        if events is None or record.seq in events
        for name in seat_parts(record, seat)
        if sum(word.startswith("p") for word in name.split("_")) > 1
    ]


def _redact_line(line: bytes, kept: list[str]) -> bytes:
    event = msgspec.json.decode(line, type=RawEventLine)
    members = {"body": event.body, "hash": event.hash, "kind": "event", "n": event.n}
    if kept:
        parts = msgspec.json.decode(bytes(event.parts))
        members["parts"] = {name: parts[name] for name in kept}
    return canonical.encode(members) + b"\n"


def write_message(found: CheckedTalk, n: int) -> Iterator[bytes]:
    """Yield the lines of a copy of a talk with the words of message *n* only."""
    sheet = found.sheet
    yield encode_line(msgspec.structs.replace(sheet.header, seats=()))
    for number, line in enumerate(sheet.events, 1):
        event = msgspec.json.decode(line, type=EventLine)
        yield line if number == n else encode_line(msgspec.structs.replace(event, said=None))
    yield encode_line(ReceiptLine(sheet.note))
    for beside in (*sheet.proofs, *sheet.timestamps, *sheet.follows):
        yield encode_line(beside)
