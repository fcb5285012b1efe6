"""The lines of a tournament's bundle, told apart: its own part, and where the bundles of its games stand."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

import msgspec

from events.base.timestamps import whole_seconds
from events.proof import hash_chain
from events.table.bundle import BadBundle, ReceiptLine
from events.table.record import Record
from events.tlog import receipts
from events.tlog.notes import ED25519, BadNote, Verifier
from events.tlog.text import check_uuid, unhex
from events.tournament.bundle import FORMAT, EventLine, Header, text_digests
from events.tournament.state import VERSION
from events.verify import limits
from events.verify.errors import CannotCheck
from events.verify.foreign_files import check_line_end
from events.verify.form import decode_canonical, decode_line
from events.verify.scan import is_deeper_than
from events.verify.tournament import Texts

L = TypeVar("L")

FILE = 4 * 1024 * 1024 * 1024
"""Bytes of a file at the most."""
_ORIGIN = re.compile(r"[^\s+]{1,256}")
_KIND = re.compile(rb'"kind":"([a-z]+)"')


class OwnPart(msgspec.Struct):
    """A tournament's own part: form, chain and signature hold, its meaning is not looked at."""

    header: Header
    records: list[Record]
    texts: Texts
    signer: Verifier | None
    """The pinned key that signed the receipt; None where none is pinned."""


def is_tournament(first: bytes) -> bool:
    """Return True if a file that begins with this line is the bundle of a tournament."""
    return f'"format":"{FORMAT}"'.encode() in first[:400]


def read_own_part(lines: Iterable[bytes], keys: Sequence[Verifier], raw_key: bytes | None = None) -> OwnPart:
    """The first lines of a bundle, up to the receipt. Raises :class:`BadBundle`.

    *raw_key* is a public key without a name: it takes that of the header.
    """
    source = iter(lines)
    header = _read_header(next(source, b""))
    if raw_key is not None:
        keys = [*keys, Verifier(header.origin, ED25519, raw_key)]
    found = list(islice(source, header.events))
    records, texts, head = [], {}, hash_chain.genesis(header.tournament)
    for n, line in enumerate(found, 1):
        event = _decode_line(line, EventLine, n + 1, n)
        if event.n != n:
            raise BadBundle(n, f"expected event {n}, found event {event.n}")
        body = event.body.encode()
        head = hash_chain.link(head, body)
        if _check_hex(event.hash, n) != head:
            raise BadBundle(n, "its hash does not follow from the event before and its content")
        records.append(_make_record(body, head, n))
        texts.update(_read_texts(event, body))
    if len(records) < header.events or not records:
        raise BadBundle(None, f"it ends after event {len(records)} of {header.events}")
    note = _decode_line(next(source, b""), ReceiptLine, header.events + 2, header.events).note
    return OwnPart(header, records, texts, _check_receipt(header, records[-1], note, keys))


def _read_header(line: bytes) -> Header:
    found = _decode_line(line, Header, 1, None)
    if found.format != FORMAT:
        raise BadBundle(None, f"unknown format {found.format!r}; this program reads {FORMAT}")
    if found.version != VERSION:
        raise CannotCheck(
            f"it was played by version {found.version} of the rules of tournaments, and this program knows "
            f"version {VERSION}. Install the version of Rutter that its server runs"
        )
    if not 1 <= found.events <= limits.EVENTS or not 0 <= found.games <= limits.EVENTS:
        raise BadBundle(None, "the header's numbers are none")
    if not _ORIGIN.fullmatch(found.origin):
        raise BadBundle(None, "the header's origin is none")
    try:
        check_uuid(found.tournament)
    except ValueError as error:
        raise BadBundle(None, f"the header's tournament is none: {error}") from error
    return found


def _decode_line(line: bytes, kind: type[L], number: int, seq: int | None) -> L:
    """A line of *kind*, not too long and not too deep, canonical to the byte.

    Raises :class:`BadBundle`, :class:`NotReadable`.
    """
    check_line_end(line, number)
    if len(line) > limits.LINE:
        raise BadBundle(seq, f"line {number} is longer than {limits.LINE} bytes")
    if not line.endswith(b"\n") or is_deeper_than(line):
        raise BadBundle(seq, f"line {number} is damaged")
    return decode_line(line, kind, number, seq)


def _check_hex(text: str, n: int) -> bytes:
    try:
        return unhex(text, 32)
    except ValueError as error:
        raise BadBundle(n, f"its hash is none: {error}") from error


def _make_record(body: bytes, head: bytes, n: int) -> Record:
    if len(body) > limits.BODY:
        raise BadBundle(n, f"its body is longer than {limits.BODY} bytes")
    value: Any = decode_canonical(body, "its body", n)
    kind, cmd = (value.get("t"), value.get("cmd")) if isinstance(value, dict) else (None, None)
    if not isinstance(kind, str) or not isinstance(cmd, str):
        raise BadBundle(n, "its body is no event")
    return Record(n, kind, body, head, cmd)


def _read_texts(event: EventLine, body: bytes) -> dict[tuple[int, str], tuple[bytes, str]]:
    data = msgspec.json.decode(body).get("data")
    known = text_digests(data) if isinstance(data, dict) else {}
    found = {}
    for field, opened in event.texts.items():
        if field not in known:
            raise BadBundle(event.n, f"there is a text, but no digest of a {field}")
        try:
            found[event.n, field] = (base64.b64decode(opened.salt, validate=True), opened.text)
        except binascii.Error as error:
            raise BadBundle(event.n, "the salt of its text is none") from error
    return found


def _check_receipt(header: Header, last: Record, note: str, keys: Sequence[Verifier]) -> Verifier | None:
    """Return the key that signed the receipt, which must be for the last event; None if none is pinned."""
    signer = None
    try:
        if keys:
            receipt, signer = receipts.open_receipt(note, keys)
        else:
            receipt = receipts.peek(note)
    except BadNote as error:
        raise BadBundle(None, f"receipt: {error}") from error
    wanted = (header.origin, header.tournament, last.seq, last.hash, last.command_id)
    if (receipt.origin, receipt.game, receipt.n, receipt.hash, receipt.cmd) != wanted:
        raise BadBundle(last.seq, "the receipt is for something else than this event")
    try:
        dated = whole_seconds(last.envelope().at)
    except (ValueError, msgspec.MsgspecError):
        return signer  # what is wrong with the event itself, is said of it later
    if receipt.time != dated:
        raise BadBundle(last.seq, "the receipt is not dated by the event: its time is another")
    return signer


# --- games ---------------------------------------------------------------------------------------------


class GameSpan(msgspec.Struct, frozen=True):
    """The place of the bundle of a game in a file."""

    start: int
    end: int
    """Bytes from the beginning of the file."""


def find_games(lines: Iterable[bytes], start: int) -> Iterator[GameSpan]:
    """The bundles of games in the *lines* that follow on byte *start*. Raises :class:`BadBundle`."""
    begun, at = start, start
    for line in lines:
        found = _KIND.search(line)
        if found is not None and found[1] == b"header" and at > begun:
            yield GameSpan(begun, at)
            begun = at
        elif at == begun and (found is None or found[1] != b"header"):
            raise BadBundle(None, "what follows on the tournament's receipt is no bundle of a game")
        at += len(line)
        if at > FILE:
            raise BadBundle(None, f"the file is larger than {FILE} bytes")
    if at > begun:
        yield GameSpan(begun, at)
