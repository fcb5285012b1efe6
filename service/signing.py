"""The key that signs receipts and checkpoints: one for all processes on the same data folder."""

from __future__ import annotations

import os
from pathlib import Path

from events.chain import origin_of
from events.tlog.notes import SigningKey
from service.settings import Settings

FILE = "signing.key"


def load_signer(settings: Settings) -> SigningKey:
    """The log key of this installation. One that is not there yet is made, by exactly one process.

    Raises ValueError for a key that is not 64 hex digits.
    """
    text = settings.signing_key
    if text is None and settings.data is not None:
        text = _kept(settings.data / FILE)
    seed = os.urandom(32) if text is None else bytes.fromhex(text.strip())
    if len(seed) != 32:
        raise ValueError("The signing key must be 64 hex digits.")
    unnamed = SigningKey("rutter", seed)
    return SigningKey(origin_of(unnamed.public), seed)


def _kept(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        pass
    # Written in full beside its place, then linked into it: the first link wins, and nobody reads half a key.
    draft = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    with os.fdopen(
        os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii"
    ) as file:
        file.write(os.urandom(32).hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text(encoding="ascii")
