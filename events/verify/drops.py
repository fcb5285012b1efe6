"""Reveals that a player posted to a witness because the service gave no answer."""

from __future__ import annotations

from collections.abc import Sequence

from events.beacon import SECOND
from events.bundle import BadBundle, Header
from events.fact import Seat
from events.moments import micros
from events.record import Record
from events.tlog.notes import ED25519, BadNote, Opened, Verifier, open_note
from events.tlog.text import decimal, unhex
from events.verify.trust import Trust

FIRST_LINE = "rutter/drop@v1"
GRACE = 30
"""Seconds that a reveal may be on its way."""


def dropped(
    records: Sequence[Record], trust: Trust, header: Header, withheld: Sequence[Seat]
) -> dict[Seat, str]:
    """Of the seats that are called missing those whose reveal a pinned witness had in time, and that witness.

    Raises :class:`BadBundle` for a note whose signature by a pinned witness does not hold.
    """
    closing = next((r for r in records if r.type in ("RevealsClosed", "TableBegun")), None)
    if closing is None or trust.policy is None:
        return {}
    witnesses = [Verifier(f"{one.name}/drop", ED25519, one.public) for one in trust.policy.witnesses.values()]
    until = micros(closing.envelope().at) // SECOND - GRACE
    found: dict[Seat, str] = {}
    for note in trust.drops:
        try:
            opened = open_note(note, witnesses)
        except BadNote as error:
            raise BadBundle(None, f"a note of a drop box: {error}") from error
        seat = _seat(opened, header, until)
        if seat is not None and seat in withheld:
            found[seat] = next(iter(opened.signers)).name.removesuffix("/drop")
    return found


def _seat(opened: Opened, header: Header, until: int) -> Seat | None:
    """The seat whose reveal this is, if it is of this game and came before *until* (POSIX seconds)."""
    lines = opened.lines()
    if len(lines) != 6 or lines[:3] != [FIRST_LINE, header.origin, header.game]:
        return None
    try:
        unhex(lines[4], 32)
        return decimal(lines[3].removeprefix("p")) if decimal(lines[5]) < until else None
    except ValueError as error:
        raise BadBundle(None, f"a note of a drop box: {error}") from error
