"""The samples of the pages about auditing: one game of Colonies, statements about it, and a tournament.

``python -m tests.vectors.audit`` writes them again: do that only where another sample is meant.
``python -m tests.vectors.audit.pages`` writes what they print into the pages.

* ``game.ndjson.gz``: the whole game, two people and a bot, with a proof that two of three witnesses cosigned.
* ``copy.ndjson.gz``: the copy of seat 0 while the game runs.
* ``other.ndjson.gz``: another history of the same game, signed by the same key.
* ``receipts.ndjson``: two receipts that a player holds.
* ``policy.txt``: the log's key, the witnesses, and the quorum.
* ``event.ndjson.gz``: a tournament of one game of four people, with proofs of it and of its game.
"""

from __future__ import annotations

import gzip
from pathlib import Path

HERE = Path(__file__).parent
FILES = ("game.ndjson", "copy.ndjson", "other.ndjson", "receipts.ndjson", "policy.txt", "event.ndjson")


def unpack(folder: Path) -> None:
    """Write all samples into *folder*, unpacked."""
    for name in FILES:
        packed = HERE / f"{name}.gz"
        text = gzip.decompress(packed.read_bytes()) if packed.exists() else (HERE / name).read_bytes()
        (folder / name).write_bytes(text)


def read_key() -> str:
    """Return the key of the log that signed all samples."""
    return (HERE / "policy.txt").read_text().split()[1]
