"""Files that outlive a power cut."""

from __future__ import annotations

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make names that were added to, or changed in, *folder* durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_new(path: Path, content: bytes) -> None:
    """Write a durable new file, readable by its owner alone. FileExistsError where there is one."""
    _write_synced(path, content, os.O_EXCL)
    sync_folder(path.parent)


def replace(path: Path, content: bytes) -> None:
    """Durably put *content* in the place of a file: a reader, after a crash too, has one of the two."""
    draft = path.with_name(f"{path.name}.draft")
    _write_synced(draft, content, os.O_TRUNC)
    draft.replace(path)
    sync_folder(path.parent)


def _write_synced(path: Path, content: bytes, flag: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | flag, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
