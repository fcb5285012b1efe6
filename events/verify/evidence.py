"""Evidence that one log made two statements that contradict each other, as a file for strangers.

A log that succeeded another stands by what that one said: *origin* is then the name of the later one.

Lines of canonical JSON: ``{"before", "game", "kind": "equivocation", "n", "origin"}``, then twice a history:
its event lines from event *n* on, without hidden parts, and a receipt. *before* (hex) is the hash of event
n-1. A history without event lines is a receipt alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from events.proof import canonical
from events.table.bundle import BadBundle, ReceiptLine, encode_line
from events.tlog.notes import ED25519, BadNote, Receipt, Verifier, open_receipt
from events.tlog.text import check_uuid, unhex
from events.tournament.bundle import LAST_TYPE
from events.verify.bodies import ENDING_TYPES
from events.verify.errors import Equivocation, UncheckableClaim
from events.verify.form import RawEventLine, event_line
from events.verify.hash_links import chain_hashes
from events.verify.scan import scan_lines
from events.verify.trust import Trust

_ENDED = {**dict.fromkeys(ENDING_TYPES, "game"), LAST_TYPE: "tournament"}
"""By the type of its last event, what has ended."""


class Contradiction(
    msgspec.Struct, frozen=True, tag="equivocation", tag_field="kind", forbid_unknown_fields=True
):
    """The first line."""

    before: str
    game: str
    n: int
    origin: str


class _Signers(msgspec.Struct, frozen=True):
    """The names and keys under which the two statements may have been made."""

    names: Sequence[str]
    keys: Sequence[Verifier]


class History(msgspec.Struct):
    """One of the two: events from *n* on, and the receipt for the last of them or for a later one."""

    lines: list[RawEventLine]
    hashes: list[bytes]
    note: str
    receipt: Receipt


def make_evidence(
    origin: str,
    game: str,
    n: int,
    before: bytes,
    one: tuple[Sequence[bytes], str],
    two: tuple[Sequence[bytes], str],
) -> list[bytes]:
    """The lines of the evidence: of each history its event lines (as they stand in a bundle) and its note."""
    out = [canonical.encode(msgspec.to_builtins(Contradiction(before.hex(), game, n, origin))) + b"\n"]
    for events, note in (one, two):
        out += [_strip_parts(line) for line in events]
        out.append(encode_line(ReceiptLine(note)))
    return out


class _AnyEventLine(msgspec.Struct, frozen=True):
    """An event's line, whatever stands beside its body: hidden parts, or the texts of a tournament."""

    n: int
    hash: str
    body: str


def _strip_parts(line: bytes) -> bytes:
    """Return an event's line without what stands beside its body."""
    event = msgspec.json.decode(line, type=_AnyEventLine)
    members = {"body": event.body, "hash": event.hash, "kind": "event", "n": event.n}
    return canonical.encode(members) + b"\n"


def is_evidence(first: bytes) -> bool:
    """Return True if a file that begins with this line is evidence, not a bundle."""
    return b'"kind":"equivocation"' in first


def check_evidence(text: Iterable[bytes], trust: Trust) -> None:
    """Raise :class:`Equivocation` if the evidence *text* proves it under the keys that *trust* pins.

    Raises :class:`BadBundle` where it proves nothing, :class:`UncheckableClaim` where no key is given.
    """
    lines = scan_lines(text)
    first = _read_contradiction(lines[0])
    keys = trust.list_pinned_keys()
    if trust.raw_key is not None:
        keys.append(Verifier(first.origin, ED25519, trust.raw_key))
    if not keys:
        raise UncheckableClaim("evidence needs a key that you know: give --key or --policy")
    signers = _Signers(trust.list_names(first.origin), keys)
    one, at = _read_history(lines, 1, first, signers)
    two, at = _read_history(lines, at, first, signers)
    if at != len(lines):
        raise BadBundle(None, f"line {at + 1} does not belong there")
    reason = _find_contradiction(first, one, two) or _find_contradiction(first, two, one)
    if reason is None:
        raise BadBundle(first.n, "the two statements do not contradict each other")
    raise Equivocation(first.n, reason, lines)


def _read_contradiction(line: bytes) -> Contradiction:
    try:
        found = msgspec.json.decode(line, type=Contradiction)
        unhex(found.before, 32)
        check_uuid(found.game)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise BadBundle(None, f"line 1 is damaged: {error}") from error
    if canonical.encode(msgspec.to_builtins(found)) + b"\n" != line or found.n < 1:
        raise BadBundle(None, "line 1 is not canonical")
    return found


def _read_history(
    lines: Sequence[bytes], at: int, first: Contradiction, signers: _Signers
) -> tuple[History, int]:
    """Return the history that begins with line *at*, and where the next one begins."""
    events: list[RawEventLine] = []
    while at < len(lines) and b'"kind":"event"' in lines[at]:
        line = event_line(lines[at], first.n + len(events))
        if line.parts or _strip_parts(lines[at]) != lines[at]:
            raise BadBundle(line.n, f"line {at + 1} is not canonical, or has hidden parts")
        events.append(line)
        at += 1
    if at >= len(lines):
        raise BadBundle(None, "the evidence ends without a receipt")
    try:
        note = msgspec.json.decode(lines[at], type=ReceiptLine).note
        receipt, _ = open_receipt(note, signers.keys)
    except (msgspec.DecodeError, UnicodeDecodeError, BadNote) as error:
        raise BadBundle(None, f"line {at + 1}: {error}") from error
    if receipt.game != first.game:
        raise BadBundle(None, f"line {at + 1} is a receipt of another game")
    if receipt.origin not in signers.names:
        raise BadBundle(
            None,
            f"line {at + 1} is a receipt of another log than {first.origin}. If that log succeeded it, name "
            "both: --successor OLD=NEW",
        )
    hashes = chain_hashes(unhex(first.before, 32), events)
    if events and (receipt.n, receipt.hash) != (events[-1].n, hashes[-1]):
        raise BadBundle(events[-1].n, "the receipt does not name the last event of its history")
    return History(events, hashes, note, receipt), at + 1


def _find_contradiction(first: Contradiction, one: History, two: History) -> str | None:
    """Return the contradiction between the two histories, in words; None if both can be true."""
    n = two.receipt.n
    if one.lines and two.lines:
        same = one.hashes[0] == two.hashes[0]
        return None if same else f"two histories, {_event_type(one.lines[0])} and {_event_type(two.lines[0])}"
    if not two.lines:
        if one.lines and first.n <= n <= one.lines[-1].n and one.hashes[n - first.n] != two.receipt.hash:
            return f"event {n} was acknowledged with another hash"
        if one.lines and n > one.lines[-1].n and _event_type(one.lines[-1]) in _ENDED:
            stream = _ENDED[_event_type(one.lines[-1])]
            return f"the {stream} ends with event {one.lines[-1].n}, but event {n} was acknowledged"
        if n == one.receipt.n and one.receipt.hash != two.receipt.hash:
            return f"event {n} was acknowledged with two hashes"
    return None


def _event_type(line: RawEventLine) -> str:
    try:
        found = msgspec.json.decode(line.body)["t"]
    except (msgspec.DecodeError, LookupError, TypeError):
        return "?"
    return str(found)


def genesis(game: str) -> bytes:
    """Return the hash before event 1."""
    return canonical.genesis(game)
