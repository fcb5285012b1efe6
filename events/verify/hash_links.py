"""The hash chain, from the game's name to the receipt: bodies are hashed as they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from events.proof import canonical
from events.table.bundle import BadBundle
from events.tlog.text import unhex
from events.verify.form import BundleLines, RawEventLine, SignedLines, decode_line, event_line


class ChainedLine(Protocol):
    """An event's line, of a game or of a tournament."""

    @property
    def n(self) -> int:
        """The number of the event."""

    @property
    def hash(self) -> str:
        """Its hash, in hex."""

    @property
    def body(self) -> str:
        """The text that is hashed."""


L = TypeVar("L", bound=ChainedLine)


def check_links(sheet: BundleLines) -> tuple[list[RawEventLine], list[bytes]]:
    """Return the lines of all events and their hashes. Raises BadBundle where one does not follow."""
    lines = [event_line(line, n) for n, line in enumerate(sheet.events, 1)]
    return lines, check_chain(sheet, lines)


def read_chain(sheet: SignedLines, kind: type[L]) -> tuple[list[L], list[bytes]]:
    """Return the events' lines, each of *kind*, and their hashes. Raises :class:`BadBundle`.

    They are numbered from 1 without a gap, and each follows on the one before.
    """
    lines = [decode_line(line, kind, n + 1, n) for n, line in enumerate(sheet.events, 1)]
    for n, line in enumerate(lines, 1):
        if line.n != n:
            raise BadBundle(n, f"expected event {n}, found event {line.n}")
    return lines, check_chain(sheet, lines)


def check_chain(sheet: SignedLines, lines: Sequence[ChainedLine]) -> list[bytes]:
    """Return the hashes of all events. Raises BadBundle where one, or the receipt's, does not follow."""
    hashes = chain_hashes(canonical.genesis(sheet.header.game), lines)
    if hashes[-1] != sheet.receipt.hash:
        raise BadBundle(len(hashes), "the receipt names another hash of the last event")
    return hashes


def chain_hashes(head: bytes, lines: Sequence[ChainedLine]) -> list[bytes]:
    """Return the hashes of events that follow on *head*. Raises BadBundle where a line names another."""
    hashes: list[bytes] = []
    for line in lines:
        head = canonical.link(head, line.body.encode())
        try:
            named = unhex(line.hash, 32)
        except ValueError as error:
            raise BadBundle(line.n, f"its hash is not valid: {error}") from error
        if named != head:
            raise BadBundle(line.n, "its hash does not follow from the event before and its content")
        hashes.append(head)
    return hashes
