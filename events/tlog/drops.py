"""Drop notes: a witness saw, at a time, a contribution that the player's own server did not answer.

A client whose reveal gets no answer posts it to the drop box of a witness, and keeps what comes back: the
text that it posted, with the time as one more line, signed by the witness. A bundle that calls this seat's
contribution missing, although it was dropped well before, shows that it was withheld.

The drop box signs with the witness's key, as a plain signature under the name ``<witness>/drop``: anyone who
pinned the witness has pinned its drop box. The first line keeps the text apart from any checkpoint.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from events.tlog.notes import COSIGNATURE, ED25519, BadNote, SigningKey, Verifier, open_note, split_note
from events.tlog.text import check_uuid, parse_decimal, unhex

FIRST_LINE = "rutter/drop@v1"
GRACE = 30
"""Seconds by which a drop must be older than the moment at which the missing reveals were fixed."""
MAX_DROP_BYTES = 1024
"""Bytes of what a drop box takes."""
SEATS = 16


@dataclass(frozen=True)
class Drop:
    """A contribution as it was dropped."""

    origin: str
    game: str
    seat: int
    contribution: bytes
    """32 bytes."""

    def text(self) -> str:
        """Return the text that is posted to ``<witness>/drop``."""
        return f"{FIRST_LINE}\n{self.origin}\n{self.game}\n{self.seat}\n{self.contribution.hex()}\n"

    @staticmethod
    def read(text: str) -> Drop:
        """Return the inverse of :meth:`text`. Raises BadNote for anything else."""
        lines = text.split("\n")
        if len(lines) != 6 or lines[5] or lines[0] != FIRST_LINE or not lines[1]:
            raise BadNote("no drop")
        try:
            return Drop(lines[1], check_uuid(lines[2]), _seat(lines[3]), unhex(lines[4], 32))
        except ValueError as error:
            raise BadNote(f"a damaged drop: {error}") from error


@dataclass(frozen=True)
class WitnessedDrop:
    """A drop as a witness signed it."""

    drop: Drop
    time: int
    """POSIX seconds when the witness saw it."""

    def contradicts_missing(self, game: str, seat: int, since: float, fixed: float) -> bool:
        """Return True if it contradicts that the reveal of this seat was missing at *fixed*.

        *since* (POSIX seconds) is the time at which the last seat was taken: nobody may reveal before.
        *fixed* is the time of the event that names who is missing.
        """
        in_time = since <= self.time < fixed - GRACE
        return (self.drop.game, self.drop.seat) == (game, seat) and in_time


def drop_box(witness: Verifier) -> Verifier:
    """The key under which the drop box of a *witness* signs. ValueError for a key that is no witness's."""
    if witness.kind != COSIGNATURE:
        raise ValueError("a drop box belongs to a witness")
    return Verifier(f"{witness.name}/drop", ED25519, witness.public)


def sign(key: SigningKey, drop: Drop, time: int) -> str:
    """Return the note that the drop box with this *key* answers."""
    return key.sign(f"{drop.text()}{time}\n")


def peek(note: str) -> WitnessedDrop:
    """Return a drop note without regard to who signed it. Raises BadNote for what is none."""
    return _read(split_note(note)[0])


def open_drop(note: str, boxes: Iterable[Verifier]) -> tuple[WitnessedDrop, list[Verifier]]:
    """Return the content of a drop note, and those of these drop boxes that signed it.

    Raises UnsignedNote where none did, BadNote where it is damaged or falsely signed.
    """
    opened = open_note(note, boxes)
    return _read(opened.text), list(opened.signers)


def _seat(text: str) -> int:
    seat = parse_decimal(text)
    if seat >= SEATS:
        raise ValueError("no table has that many seats")
    return seat


def _read(text: str) -> WitnessedDrop:
    head, _, time = text.removesuffix("\n").rpartition("\n")
    try:
        return WitnessedDrop(Drop.read(head + "\n"), parse_decimal(time))
    except ValueError as error:
        raise error if isinstance(error, BadNote) else BadNote(f"a damaged drop: {error}") from error
