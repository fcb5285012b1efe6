"""Receipts: the service's signed word that event n of a game has this hash, as have all before it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass

from events.tlog.notes import BadNote, SigningKey, Verifier, open_note, split_note
from events.tlog.text import check_uuid, parse_decimal, unb64

FIRST_LINE = "rutter/receipt@v1"
"""Keeps receipts apart from checkpoints: it can be no origin."""
DELAY = 60
"""Seconds within which a published checkpoint covers the event."""


@dataclass(frozen=True)
class Receipt:
    """The acknowledgement of a command that was recorded."""

    origin: str
    game: str
    n: int
    """The last event of the command."""
    hash: bytes
    cmd: str
    time: int
    """The time of the event, in whole POSIX seconds: whenever it is signed, it is the same text."""
    deadline: int

    def text(self) -> str:
        """Return the text that is signed."""
        lines = (
            FIRST_LINE,
            self.origin,
            self.game,
            self.n,
            b64encode(self.hash).decode(),
            self.cmd,
            self.time,
            self.deadline,
        )
        return "\n".join(map(str, lines)) + "\n"

    @staticmethod
    def read(text: str) -> Receipt:
        """The inverse of :meth:`text`. Raises BadNote for anything else."""
        lines = text.split("\n")
        if len(lines) != 9 or lines[8] or lines[0] != FIRST_LINE or not lines[1]:
            raise BadNote("no receipt")
        try:
            found = Receipt(
                origin=lines[1],
                game=check_uuid(lines[2]),
                n=parse_decimal(lines[3]),
                hash=unb64(lines[4], 32),
                cmd=check_uuid(lines[5]),
                time=parse_decimal(lines[6]),
                deadline=parse_decimal(lines[7]),
            )
        except ValueError as error:
            raise BadNote(f"a damaged receipt: {error}") from error
        if found.deadline != found.time + DELAY:
            raise BadNote(f"the receipt's deadline is not {DELAY} seconds after its time")
        return found


def sign(key: SigningKey, game: str, n: int, head: bytes, cmd: str, time: int) -> str:
    """The receipt for event *n* with hash *head*, the last one of command *cmd*, recorded at *time*."""
    return key.sign(Receipt(key.name, game, n, head, cmd, time, time + DELAY).text())


def peek(note: str) -> Receipt:
    """A receipt without regard to who signed it. Raises BadNote for what is none."""
    return Receipt.read(split_note(note)[0])


def open_receipt(note: str, known: Iterable[Verifier]) -> tuple[Receipt, Verifier]:
    """A receipt and who of the *known* log keys signed it; the key's name must be the receipt's origin.

    Raises UnsignedNote where none did, BadNote where it is damaged or falsely signed.
    """
    opened = open_note(note, known)
    receipt = Receipt.read(opened.text)
    for one in opened.signers:
        if one.name == receipt.origin:
            return receipt, one
    raise BadNote("the receipt names another origin than the key that signed it")
