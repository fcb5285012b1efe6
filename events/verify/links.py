"""The hash chain, from the game's name to the receipt: bodies are hashed as they stand."""

from __future__ import annotations

from collections.abc import Sequence

from events import chain
from events.bundle import BadBundle
from events.tlog.text import unhex
from events.verify.form import EventLine, Sheet, event_line


def linked(sheet: Sheet) -> tuple[list[EventLine], list[bytes]]:
    """The lines of all events and their hashes. Raises :class:`BadBundle` where one does not follow."""
    lines = [event_line(line, n) for n, line in enumerate(sheet.events, 1)]
    hashes = follow(chain.genesis(sheet.header.game), lines)
    if hashes[-1] != sheet.receipt.hash:
        raise BadBundle(len(hashes), "the receipt names another hash of the last event")
    return lines, hashes


def follow(head: bytes, lines: Sequence[EventLine]) -> list[bytes]:
    """The hashes of events that follow on *head*. Raises :class:`BadBundle` where a line names another."""
    hashes: list[bytes] = []
    for line in lines:
        head = chain.link(head, line.body.encode())
        try:
            named = unhex(line.hash, 32)
        except ValueError as error:
            raise BadBundle(line.n, f"its hash is none: {error}") from error
        if named != head:
            raise BadBundle(line.n, "its hash does not follow from the event before and its content")
        hashes.append(head)
    return hashes
