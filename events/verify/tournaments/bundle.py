"""The lines of a tournament's bundle: its own part, and where the bundles of its games stand.

The own part is checked as the bundle of a game is: lines and header, the receipt's signature, the chain, the
receipts that players hold, then bodies and texts. With a pinned key nothing of a stranger's events is read
before signature and chain hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import Any

import msgspec

from events.base.timestamps import whole_seconds
from events.table.bundle import BadBundle, ProofLine, ReceiptLine, TimestampLine
from events.table.record import Record
from events.tlog.notes import ED25519, Receipt, Verifier
from events.tlog.text import check_uuid, unb64
from events.tournament.bundle import FORMAT, EventLine, Header, text_digests
from events.tournament.state import VERSION
from events.verify import CheckedStream, limits
from events.verify.errors import UncheckableClaim
from events.verify.foreign_files import check_line_end
from events.verify.form import decode_canonical, decode_line, line_kind, open_receipt, read_proofs
from events.verify.hash_links import read_chain
from events.verify.player_receipts import check_named_event, compare_receipts
from events.verify.scan import is_deeper_than
from events.verify.tournaments.report import TournamentReport
from events.verify.tournaments.verification import Texts
from events.verify.trust import Trust

FILE = 4 * 1024 * 1024 * 1024
"""Bytes of a file at the most."""
_ORIGIN = re.compile(r"[^\s+]{1,256}")
_BESIDE = (b"proof", b"timestamp")
"""The kinds of lines that may follow on the receipt of the own part."""


class OwnLines(msgspec.Struct):
    """The own part of a tournament's bundle, its lines told apart."""

    header: Header
    events: list[bytes]
    note: str
    receipt: Receipt
    signer: Verifier | None
    """The pinned key that signed the receipt; None where none is pinned."""
    proofs: list[ProofLine]
    timestamps: list[TimestampLine]
    size: int
    """The bytes of the own part: there the bundles of games begin."""


class CheckedTournament(CheckedStream):
    """A tournament's own part: form, chain and signature hold, its meaning is not looked at."""

    sheet: OwnLines
    texts: Texts


def is_tournament(first: bytes) -> bool:
    """Return True if a file that begins with this line is the bundle of a tournament."""
    return f'"format":"{FORMAT}"'.encode() in first[:400]


def check_own_part(lines: Iterable[bytes], trust: Trust) -> CheckedTournament:
    """Return the first lines of a bundle, up to its games, as far as form, signature and chain go.

    Raises :class:`BadBundle`, and :class:`events.verify.Equivocation` where a receipt contradicts it.
    """
    sheet = read_own_lines(lines, trust.list_pinned_keys(), trust.raw_key)
    events, hashes = read_chain(sheet, EventLine)
    compared, held = compare_receipts(sheet, hashes, trust)
    records, texts = [], {}
    for event, digest in zip(events, hashes, strict=True):
        body = event.body.encode()
        records.append(_make_record(body, digest, event.n))
        texts.update(_read_texts(event, body))
    _check_named_event(sheet.receipt, records[-1], "the receipt")
    for receipt in held:
        _check_named_event(receipt, records[receipt.n - 1], "a receipt that was given")
    return CheckedTournament(sheet, records, hashes, _list_ends(records), compared, texts)


def _check_named_event(receipt: Receipt, record: Record, what: str) -> None:
    """Check that a receipt names the command and the time of its event, as far as the event has any."""
    try:
        whole_seconds(record.envelope().at)
    except (TypeError, ValueError, msgspec.MsgspecError):
        return  # the event is not valid: that is said of it when its batch is decided again
    check_named_event(receipt, record, what)


def read_own_lines(
    lines: Iterable[bytes], keys: Sequence[Verifier], raw_key: bytes | None = None
) -> OwnLines:
    """Return the first lines of a bundle, up to its games, told apart. Raises :class:`BadBundle`.

    *raw_key* is a public key without a name: it takes that of the header.
    """
    source = iter(lines)
    first = _check_line(next(source, b""), 1, None)
    header = _read_header(first)
    if raw_key is not None:
        keys = [*keys, Verifier(header.origin, ED25519, raw_key)]
    events = [_check_line(line, n + 1, n) for n, line in enumerate(islice(source, header.events), 1)]
    if len(events) < header.events:
        raise BadBundle(None, f"it ends after event {len(events)} of {header.events}")
    last = _check_line(next(source, b""), header.events + 2, header.events)
    note = decode_line(last, ReceiptLine, header.events + 2, header.events).note
    receipt, signer = open_receipt(note, header, keys)
    beside = []
    for number, line in enumerate(source, header.events + 3):
        if line_kind(line) not in _BESIDE:
            break
        if number > limits.LINES:
            raise BadBundle(None, f"its own part has more than {limits.LINES} lines")
        beside.append(_check_line(line, number, None))
    size = sum(map(len, chain((first, last), events, beside)))
    if size > limits.FILE:
        raise BadBundle(None, f"its own part is larger than {limits.FILE} bytes")
    proofs, timestamps = read_proofs(beside, header.events + 3, header.events)
    return OwnLines(header, events, note, receipt, signer, proofs, timestamps, size)


def _check_line(line: bytes, number: int, seq: int | None) -> bytes:
    """*line*, which is not too long, not too deep and no half one.

    Raises :class:`BadBundle`, :class:`UnreadableFile`.
    """
    check_line_end(line, number)
    if len(line) > limits.LINE:
        raise BadBundle(seq, f"line {number} is longer than {limits.LINE} bytes")
    if not line.endswith(b"\n") or is_deeper_than(line):
        raise BadBundle(seq, f"line {number} is damaged")
    return line


def _read_header(line: bytes) -> Header:
    found = decode_line(line, Header, 1, None)
    if found.format != FORMAT:
        raise BadBundle(None, f"unknown format {found.format!r}; this program reads {FORMAT}")
    if found.version != VERSION:
        raise UncheckableClaim(
            f"it was played by version {found.version} of the rules of tournaments, and this program knows "
            f"version {VERSION}. Install the version of Rutter that its server runs"
        )
    if not 1 <= found.events <= limits.EVENTS or not 0 <= found.games <= limits.EVENTS:
        raise BadBundle(None, "the header's numbers are not valid")
    if not _ORIGIN.fullmatch(found.origin):
        raise BadBundle(None, "the header's origin is not valid")
    try:
        check_uuid(found.tournament)
    except ValueError as error:
        raise BadBundle(None, f"the header's tournament is not valid: {error}") from error
    return found


def _make_record(body: bytes, head: bytes, n: int) -> Record:
    if len(body) > limits.BODY:
        raise BadBundle(n, f"its body is longer than {limits.BODY} bytes")
    value: Any = decode_canonical(body, "its body", n)
    kind, cmd = (value.get("t"), value.get("cmd")) if isinstance(value, dict) else (None, None)
    if not isinstance(kind, str) or not isinstance(cmd, str):
        raise BadBundle(n, "its body is not an event")
    return Record(n, kind, body, head, cmd)


def _list_ends(records: Sequence[Record]) -> list[int]:
    """Return the numbers of the last events of all batches."""
    ends = [one.seq for one, after in pairwise(records) if one.command_id != after.command_id]
    return [*ends, len(records)]


def _read_texts(event: EventLine, body: bytes) -> dict[tuple[int, str], tuple[bytes, str]]:
    data = msgspec.json.decode(body).get("data")
    known = text_digests(data) if isinstance(data, dict) else {}
    found = {}
    for field, opened in event.texts.items():
        if field not in known:
            raise BadBundle(event.n, f"there is a text, but no digest of a {field}")
        try:
            found[event.n, field] = (unb64(opened.salt), opened.text)
        except ValueError as error:
            raise BadBundle(event.n, f"the salt of its text is not valid: {error}") from error
    return found


def check_header(header: Header, report: TournamentReport) -> None:
    """Raise :class:`BadBundle` unless the *header* says about a verified tournament what its events say."""
    if (header.scope == "whole") != report.whole:
        raise BadBundle(None, f"the header's scope is {header.scope}, but the tournament is {report.status}")
    linked = report.linked if report.whole else 0
    if header.games != linked:
        raise BadBundle(None, f"the header names {header.games} games, but {linked} belong to the bundle")


# --- games ---------------------------------------------------------------------------------------------


class GameSpan(msgspec.Struct, frozen=True):
    """The place of the bundle of a game in a file."""

    start: int
    end: int
    """Bytes from the beginning of the file."""


def find_games(lines: Iterable[bytes], start: int) -> Iterator[GameSpan]:
    """Yield the bundles of games in the *lines* that follow on byte *start*. Raises :class:`BadBundle`."""
    begun, at = start, start
    for line in lines:
        kind = line_kind(line)
        if kind == b"header" and at > begun:
            yield GameSpan(begun, at)
            begun = at
        elif at == begun and kind != b"header":
            raise BadBundle(None, "after the tournament's own part, only bundles of games may follow")
        at += len(line)
        if at > FILE:
            raise BadBundle(None, f"the file is larger than {FILE} bytes")
    if at > begun:
        yield GameSpan(begun, at)
