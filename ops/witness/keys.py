"""The key of a witness: one seed, which signs its cosignatures and the notes of its drop box."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from events.tlog.drops import drop_box
from events.tlog.notes import COSIGNATURE, ED25519, SigningKey
from ops.base.durable_files import sync_folder
from ops.witness.errors import StartError

FILE = "key.json"


@dataclass(frozen=True)
class Keys:
    """The two names under which a witness signs."""

    cosigner: SigningKey
    drop: SigningKey


def make_keys(folder: Path, name: str) -> Keys:
    """Make a new key in *folder*, readable by its owner alone.

    Raises StartError where one is there already or the folder cannot be made, ValueError for a bad name.
    """
    seed = os.urandom(32)
    keys = _derive_keys(name, seed)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise StartError(f"There is a witness in {folder} already. Choose another folder.") from None
    except OSError as problem:
        raise StartError(
            f"A key cannot be written to {folder}: {problem.strerror}. Choose another folder."
        ) from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({"name": name, "seed": seed.hex()}, file)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(folder)
    return keys


def load_keys(folder: Path) -> Keys:
    """Return the key in *folder*. Raises StartError where there is none that can be read."""
    try:
        kept = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return _derive_keys(kept["name"], bytes.fromhex(kept["seed"]))
    except FileNotFoundError:
        raise StartError(
            f"There is no witness in {folder}. Make one: rutter witness init --name NAME --state {folder}"
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise StartError(
            f"The key in {folder / FILE} cannot be read: {problem}. Restore the file from a copy."
        ) from None


def _derive_keys(name: str, seed: bytes) -> Keys:
    cosigner = SigningKey(name, seed, COSIGNATURE)
    return Keys(cosigner, SigningKey(drop_box(cosigner.verifier).name, seed, ED25519))
