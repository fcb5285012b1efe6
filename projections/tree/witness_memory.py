"""Trees of this log that witnesses remember.

They are asked at a start, in case database and log.state were both set back.
"""

from __future__ import annotations

import hashlib
import urllib.request
from collections.abc import Iterable
from http.client import HTTPException

import structlog

from events.tlog.checkpoints import open_checkpoint
from events.tlog.notes import MAX_NOTE_BYTES, BadNote, Verifier
from projections.tree.log_state import SignedTree

ANSWER_SECONDS = 5.0
"""Seconds to wait for a witness."""

log = structlog.get_logger()


def ask_witnesses(urls: Iterable[str], keys: Iterable[Verifier]) -> SignedTree | None:
    """Return the largest tree of this log, signed with one of its *keys*, that a witness of *urls* shows.

    A witness that cannot be asked is told of in the log of this process, and passed over.
    """
    known = list(keys)
    found = [signed for url in urls for signed in _ask_witness(url, known)]
    return max(found, key=lambda signed: signed.size, default=None)


def _ask_witness(url: str, keys: list[Verifier]) -> list[SignedTree]:
    origin = keys[0].name if keys else ""
    address = f"{url.rstrip('/')}/{hashlib.sha256(origin.encode()).hexdigest()}/checkpoint"
    try:
        with urllib.request.urlopen(address, timeout=ANSWER_SECONDS) as answer:  # noqa: S310 - http or https: RUTTER_WITNESSES
            note = answer.read(MAX_NOTE_BYTES + 1).decode("utf-8", "replace")
    except (OSError, HTTPException) as problem:
        log.warning("witness_not_asked", witness=url, reason=str(problem))
        return []
    for key in keys:
        try:
            checkpoint, _ = open_checkpoint(note, key)
        except BadNote:
            continue
        return [SignedTree(checkpoint.size, checkpoint.root)]
    log.warning("witness_not_asked", witness=url, reason="it shows nothing that this log has signed")
    return []
