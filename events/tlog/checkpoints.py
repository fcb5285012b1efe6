"""Checkpoints of the tree of all games, and proofs of inclusion.

The formats are C2SP ``tlog-checkpoint`` and ``tlog-proof``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from events.tlog.notes import BadNote, OpenedNote, Verifier, open_note, split_note
from events.tlog.text import b64, parse_decimal, unb64
from events.tlog.tree import check_inclusion

PROOF = "c2sp.org/tlog-proof@v1"
MAX_HASHES = 63
"""Hashes of a proof."""


@dataclass(frozen=True)
class Checkpoint:
    """A size of the tree and its root, under the log's origin."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """Return the text that is signed."""
        return f"{self.origin}\n{self.size}\n{b64(self.root)}\n"

    @staticmethod
    def read(text: str) -> Checkpoint:
        """Return the inverse of :meth:`text`; no further lines. Raises BadNote for anything else."""
        lines = text.split("\n")
        if len(lines) != 4 or lines[3] or not lines[0]:
            raise BadNote("no checkpoint")
        try:
            return Checkpoint(lines[0], parse_decimal(lines[1]), unb64(lines[2], 32))
        except ValueError as error:
            raise BadNote(f"a damaged checkpoint: {error}") from error


def peek(note: str) -> Checkpoint:
    """Return a checkpoint without regard to who signed it. Raises BadNote for what is none."""
    return Checkpoint.read(split_note(note)[0])


def open_checkpoint(
    note: str, log: Verifier, witnesses: Iterable[Verifier] = ()
) -> tuple[Checkpoint, OpenedNote]:
    """Return a checkpoint that the *log* signed, and which of the *witnesses* cosigned it when.

    Raises BadNote where it is damaged, the log did not sign it, or its origin is not the log's name.
    """
    opened = open_note(note, (log, *witnesses))
    checkpoint = Checkpoint.read(opened.text)
    if log not in opened.signers or checkpoint.origin != log.name:
        raise BadNote("not a checkpoint of this log")
    return checkpoint, opened


@dataclass(frozen=True)
class Proof:
    """That a leaf stands at *index* in the tree of a checkpoint."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: str
    """The note, with its cosignatures."""

    def text(self) -> str:
        """Return the proof as it is served and kept."""
        return (
            f"{PROOF}\nindex {self.index}\n"
            + "".join(f"{b64(h)}\n" for h in self.hashes)
            + f"\n{self.checkpoint}"
        )

    @staticmethod
    def read(text: str) -> Proof:
        """The inverse of :meth:`text`. Raises BadNote for anything else, an ``extra`` line included."""
        head, gap, checkpoint = text.partition("\n\n")
        first, *lines = head.split("\n")
        if first != PROOF or not gap or not lines or len(lines) - 1 > MAX_HASHES:
            raise BadNote("no proof of inclusion")
        word, _, number = lines[0].partition(" ")
        try:
            return Proof(
                parse_decimal(number if word == "index" else ""),
                tuple(unb64(line, 32) for line in lines[1:]),
                checkpoint,
            )
        except ValueError as error:
            raise BadNote(f"a damaged proof of inclusion: {error}") from error

    def holds(self, leaf: bytes, checkpoint: Checkpoint) -> bool:
        """Return True if it proves this leaf (its hash) in the tree of *checkpoint*."""
        return check_inclusion(leaf, self.index, checkpoint.size, self.hashes, checkpoint.root)


def merge_signatures(note: str, lines: Sequence[str]) -> str:
    """*note* with more signature lines, those that stand there already left out."""
    text, there = split_note(note)
    kept = [line for _, _, line in there]
    return text + "\n" + "".join(kept + [line for line in lines if line not in kept])
