"""Bundles of tournaments, honest and forged, with what a verifier has to say of each.

``python -m tests.vectors.tournaments`` writes them again, and the archive of them that the server offers. The
index, `index.json`, has for each vector its file, the rule of `events/proof/BUNDLE.md` that it shows, the
options, the exit status of `rutter verify`, and words that the program must print.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import msgspec

HERE = Path(__file__).parent
INDEX = "index.json"
ARCHIVE = Path(__file__).parents[3] / "service" / "docs" / "pages" / "audit" / "tournaments.tar.xz"


class IndexedVector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vector as the index tells of it."""

    name: str
    rule: str
    """The part of section 13 that it shows, such as ``13d``."""
    about: str
    file: str
    options: Sequence[str]
    """What is given to the program after the file; names of files are those of this folder."""
    exit: int
    says: Sequence[str]
    """Words that the program must print."""


class Index(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All vectors, and what they have in common."""

    key: str
    """The key of the log that signed all of them."""
    titles: Sequence[str]
    """The titles that are played, all of version 1."""
    vectors: Sequence[IndexedVector]


def read_index() -> Index:
    """Return the index as it is kept."""
    return msgspec.json.decode((HERE / INDEX).read_bytes(), type=Index)


def list_files() -> list[Path]:
    """Return the files of the folder that are data."""
    return sorted(path for path in HERE.iterdir() if path.suffix not in (".py", ".pyc") and path.is_file())


def read_file(name: str) -> bytes:
    """Return the data of that name, unpacked."""
    packed = HERE / f"{name}.gz"
    return gzip.decompress(packed.read_bytes()) if packed.exists() else (HERE / name).read_bytes()


def unpack(folder: Path) -> None:
    """Write all data into *folder*, unpacked."""
    for path in list_files():
        name = path.name.removesuffix(".gz")
        (folder / name).write_bytes(read_file(name))
