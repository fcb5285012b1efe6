"""The samples of the pages about auditing: one game of Colonies, and statements about it.

``python -m tests.vectors.audit`` writes them again: do that only where another sample is meant.

* ``game.ndjson.gz``: the whole game, two people and a bot, with a proof that two of three witnesses cosigned.
* ``copy.ndjson.gz``: the copy of seat 0 while the game runs.
* ``other.ndjson.gz``: another history of the same game, signed by the same key.
* ``receipts.ndjson``: two receipts that a player holds.
* ``policy.txt``: the log's key, the witnesses, and the quorum.
* ``event.ndjson.gz``: a tournament of one game, recorded from a server with ``ops/examples/organiser.py``.
"""

from __future__ import annotations

import gzip
from pathlib import Path

HERE = Path(__file__).parent
FILES = ("game.ndjson", "copy.ndjson", "other.ndjson", "receipts.ndjson", "policy.txt", "event.ndjson")

EVENT_KEY = "rutter/4ba2f1f9514afe82+5e7f290b+AcugCy+3+nxPqST5jxBtbK++xDe4j2qbKPTKrdyWz4Mc"
"""The key of the log that signed the tournament."""


def unpack(folder: Path) -> None:
    """Write all samples into *folder*, unpacked."""
    for name in FILES:
        packed = HERE / f"{name}.gz"
        text = gzip.decompress(packed.read_bytes()) if packed.exists() else (HERE / name).read_bytes()
        (folder / name).write_bytes(text)


def read_key() -> str:
    """Return the key of the log that signed all other samples."""
    return (HERE / "policy.txt").read_text().split()[1]
