"""The lines of a bundle: which there are, in which order, and the form of the header and the receipt.

No body and no hidden part is interpreted here: that waits until signature and chain hold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from events.proof import canonical
from events.table.bundle import FORMAT, BadBundle, Header, ProofLine, ReceiptLine, TimestampLine
from events.tlog import notes
from events.tlog.notes import ED25519, BadNote, Receipt, Verifier, peek_receipt
from events.tlog.text import check_uuid, unb64
from events.verify import limits
from events.verify.scan import is_deeper_than, scan_lines

L = TypeVar("L")


class RawEventLine(msgspec.Struct, frozen=True, tag="event", tag_field="kind", forbid_unknown_fields=True):
    """One event's line; its hidden parts as they stand."""

    n: int
    hash: str
    body: str
    parts: msgspec.Raw = msgspec.Raw()


class StreamHeader(Protocol):
    """The header of any bundle: of a game's, or of a tournament's own part."""

    @property
    def game(self) -> str:
        """The id of the stream."""

    @property
    def events(self) -> int:
        """The number of events."""

    @property
    def origin(self) -> str:
        """The name of the service."""

    @property
    def scope(self) -> str:
        """``whole`` if nothing can follow on its events."""

    @property
    def stream(self) -> str:
        """The kind of stream that the events are of: ``game`` or ``tournament``."""


class SignedLines(Protocol):
    """The lines of any bundle, told apart: its events, with the receipt that signs them."""

    @property
    def header(self) -> StreamHeader:
        """The first line."""

    @property
    def events(self) -> Sequence[bytes]:
        """The events' lines, with their line feeds."""

    @property
    def note(self) -> str:
        """The signed note of the receipt."""

    @property
    def receipt(self) -> Receipt:
        """The receipt that the note signs."""

    @property
    def signer(self) -> Verifier | None:
        """The pinned key that signed the receipt; None where none is pinned."""

    @property
    def proofs(self) -> Sequence[ProofLine]:
        """The proofs that the log of all games holds events."""

    @property
    def timestamps(self) -> Sequence[TimestampLine]:
        """The timestamps of proofs."""


class BundleLines(msgspec.Struct):
    """A bundle whose lines are told apart: header and receipt are read, events as they stand."""

    header: Header
    events: list[bytes]
    """The events' lines, with their line feeds."""
    note: str
    """The signed note of the receipt."""
    receipt: Receipt
    signer: Verifier | None
    """The pinned key that signed the receipt; None where none is pinned."""
    proofs: list[ProofLine]
    timestamps: list[TimestampLine]


_EVENT = msgspec.json.Decoder(RawEventLine)
_TITLE = re.compile(r"[a-z0-9_]{1,64}")
_ORIGIN = re.compile(r"[^\s+]{1,256}")


def read_bundle(text: Iterable[bytes], keys: Sequence[Verifier], raw_key: bytes | None = None) -> BundleLines:
    """Return the lines of *text*, told apart, with a receipt that one of the pinned *keys* signed.

    *raw_key* is a public key without a name: it takes that of the header. Without any key the signature is
    not checked. Raises :class:`BadBundle`.
    """
    lines = scan_lines(text)
    header = _read_header(lines[0])
    if raw_key is not None:
        keys = [*keys, Verifier(header.origin, ED25519, raw_key)]
    end = header.events + 1
    tail = decode_line(lines[end], ReceiptLine, end + 1, None) if _kind_at(lines, end) == b"receipt" else None
    if tail is None:
        raise _find_misplaced(lines, header)
    receipt, signer = open_receipt(tail.note, header, keys)
    proofs, timestamps = read_proofs(lines[end + 1 :], end + 2, header.events)
    return BundleLines(header, lines[1:end], tail.note, receipt, signer, proofs, timestamps)


def event_line(line: bytes, number: int) -> RawEventLine:
    """Return the line of event *number*. Raises :class:`BadBundle`."""
    try:
        found = _EVENT.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadBundle(number, f"line {number + 1} is damaged: {error}") from error
    if found.n != number:
        raise BadBundle(number, f"expected event {number}, found event {found.n}")
    return found


def decode_canonical(text: bytes, where: str, seq: int | None) -> Any:
    """Return the value of a canonical text. Raises :class:`BadBundle` where it is not canonical."""
    if is_deeper_than(text):
        raise BadBundle(seq, f"{where} is nested deeper than {canonical.MAX_DEPTH} levels")
    try:
        value = msgspec.json.decode(text)
        canonical.check(value)
    except (msgspec.DecodeError, UnicodeDecodeError, canonical.UncanonicalValue, RecursionError) as error:
        raise BadBundle(seq, f"{where} is not canonical: {error}") from error
    if canonical.encode(value) != text:
        raise BadBundle(seq, f"{where} is not canonical: another spelling of the same value")
    return value


def decode_line(line: bytes, kind: type[L], number: int, seq: int | None) -> L:
    """Return a line of *kind*, canonical to the byte. Raises :class:`BadBundle`."""
    try:
        found = msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadBundle(seq, f"line {number} is damaged: {error}") from error
    if canonical.encode(msgspec.to_builtins(found)) + b"\n" != line:
        raise BadBundle(seq, f"line {number} is not canonical")
    return found


def _read_header(line: bytes) -> Header:
    found = decode_line(line, Header, 1, None)
    if found.format != FORMAT:
        raise BadBundle(None, f"unknown format {found.format!r}; this program reads {FORMAT}")
    _check_uuid(found.game, "the header's game")
    seat = found.seat
    checks: Mapping[str, bool] = {
        "events": 1 <= found.events <= limits.EVENTS,
        "title": bool(_TITLE.fullmatch(found.title)),
        "version": 1 <= found.version <= canonical.MAX_INTEGER,
        "origin": bool(_ORIGIN.fullmatch(found.origin)),
        "seat": seat is None or (found.scope == "seat" and 0 <= seat < limits.SEATS),
    }
    for name, holds in checks.items():
        if not holds:
            raise BadBundle(None, f"the header's {name} is not valid")
    return found


def _check_uuid(text: str, what: str) -> None:
    try:
        check_uuid(text)
    except ValueError as error:
        raise BadBundle(None, f"{what} is not valid: {error}") from error


_KIND = re.compile(rb'"kind":"([a-z]+)"')


def line_kind(line: bytes) -> bytes | None:
    """Return the kind of a line, read without a parser; None of one that names none."""
    found = _KIND.search(line)
    return found[1] if found else None


def _kind_at(lines: Sequence[bytes], at: int) -> bytes | None:
    return line_kind(lines[at]) if at < len(lines) else None


def _find_misplaced(lines: Sequence[bytes], header: Header) -> BadBundle:
    """Return the error for a file whose receipt is not where the header says: its first wrong line."""
    for number, line in enumerate(lines[1 : header.events + 1], 1):
        if _kind_at(lines, number) != b"event":
            return BadBundle(
                number, f"line {number + 1} is not an event, but the header counts {header.events} events"
            )
        try:
            event_line(line, number)
        except BadBundle as bad:
            return bad
    end = len(lines) - 1
    if end <= header.events:
        return BadBundle(end, f"the bundle ends without its receipt after line {len(lines)}")
    return BadBundle(
        header.events + 1, f"line {header.events + 2} is not a receipt, though the events end there"
    )


def open_receipt(
    note: str, header: StreamHeader, keys: Sequence[Verifier]
) -> tuple[Receipt, Verifier | None]:
    """Return the receipt in *note*, which names the newest event of a bundle, and who of *keys* signed it.

    Without any key the signature is not checked. Raises :class:`BadBundle`.
    """
    try:
        receipt, signer = notes.open_receipt(note, keys) if keys else (peek_receipt(note), None)
    except BadNote as error:
        raise BadBundle(None, f"receipt: {error}") from error
    _check_named(header, receipt)
    return receipt, signer


def _check_named(header: StreamHeader, receipt: Receipt) -> None:
    """Check that the receipt speaks of this service, this game and its last event."""
    if receipt.game != header.game:
        raise BadBundle(1, "the receipt names another game")
    if receipt.origin != header.origin:
        raise BadBundle(1, "the receipt names another service")
    if receipt.n != header.events:
        raise BadBundle(header.events, f"the receipt is for event {receipt.n}")


def read_proofs(
    lines: Sequence[bytes], first: int, events: int
) -> tuple[list[ProofLine], list[TimestampLine]]:
    """Return the proofs, then the timestamps, that follow on the receipt, each rising by event."""
    proofs: list[ProofLine] = []
    proven: set[int] = set()
    timestamps: list[TimestampLine] = []
    for number, line in enumerate(lines, first):
        kind = line_kind(line)
        if kind == b"proof" and not timestamps:
            proof = decode_line(line, ProofLine, number, None)
            _check_order(proof.n, proofs[-1].n if proofs else 0, events, number)
            proofs.append(proof)
            proven.add(proof.n)
        elif kind == b"timestamp":
            stamp = decode_line(line, TimestampLine, number, None)
            _check_order(stamp.n, timestamps[-1].n if timestamps else 0, events, number)
            _check_stamp(stamp, proven, number)
            timestamps.append(stamp)
        else:
            raise BadBundle(None, f"line {number} does not belong there")
    return proofs, timestamps


def _check_stamp(stamp: TimestampLine, proven: Collection[int], number: int) -> None:
    """Check that a timestamp is base64, and over the checkpoint of a proof that is there."""
    if stamp.n not in proven:
        raise BadBundle(stamp.n, f"line {number} is a timestamp of a proof that is not there")
    try:
        empty = not unb64(stamp.token)
    except ValueError as error:
        raise BadBundle(stamp.n, f"line {number} is a timestamp whose token is {error}") from error
    if empty:
        raise BadBundle(stamp.n, f"line {number} is a timestamp without a token")


def _check_order(n: int, before: int, events: int, number: int) -> None:
    if not before < n <= events:
        raise BadBundle(None, f"line {number} does not belong there: event {n} after {before} of {events}")
