"""A fingerprint of the program that runs here: of its files, of Python, and of the libraries."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from events.base.installation import qualify_name

PACKAGES = ("events", "projections", "service", "workers", "ops")
PASSED_OVER = frozenset({"__pycache__", "static"})
"""Folders of which nothing depends that Python makes."""


def hash_program() -> str:
    """Return a hash that changes with whatever this process runs.

    The project's own files are hashed by content, for their times may be anything. Libraries are known by
    what their installer has recorded.
    """
    digest = hashlib.sha256(sys.version.encode())
    for line in (*_list_own_files(), *_list_libraries()):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def _list_own_files() -> Iterator[str]:
    for package in PACKAGES:
        spec = find_spec(qualify_name(package))
        for place in (spec and spec.submodule_search_locations) or ():
            for folder, inner, names in os.walk(place):
                inner[:] = sorted(set(inner) - PASSED_OVER)
                for name in sorted(names):
                    path = Path(folder, name)
                    yield f"{path.relative_to(place)} {_hash_file(path)}"


def _list_libraries() -> Iterator[str]:
    """Yield what is installed: the records of packages hold the hashes of their files."""
    for place in map(Path, sys.path):
        with contextlib.suppress(OSError):
            for info in sorted(path for path in place.iterdir() if path.name.endswith("-info")):
                record = info / "RECORD"
                yield f"{info.name} {_hash_file(record) if record.is_file() else None}"


def _hash_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
