"""Games whose events were moved out of the database, each into its bundle: ``<folder>/<game>.ndjson``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from events.bundle import BadBundle
from events.recent import Recent
from events.tlog import leaves
from events.tlog.notes import Verifier
from events.tlog.text import check_uuid
from events.verify.form import read
from events.verify.links import linked

Row = tuple[int, str, bytes]
"""Number, body and hash of an event."""
AT_HAND = 32
"""Games that are kept in memory: neighbouring leaves are often of the same few."""


class Archive:
    """The bundles in a folder, found by the names that the tree has for their games.

    Args:
        folder: other files than ``<game>.ndjson`` are passed over.
        keys: the log's, one of which must have signed each bundle.
    """

    def __init__(self, folder: Path, keys: Iterable[Verifier]) -> None:
        self._keys = list(keys)
        self._files: dict[bytes, Path] = {}
        self._kept: Recent[list[Row]] = Recent(AT_HAND)
        for file in folder.glob("*.ndjson"):
            try:
                self._files[bytes.fromhex(leaves.log_name(check_uuid(file.stem)))] = file
            except ValueError:
                continue

    def game(self, name: bytes) -> str | None:
        """The id of the game that the tree calls *name*; None where it is not in the archive."""
        file = self._files.get(name)
        return file.stem if file else None

    def events(self, name: bytes) -> list[Row]:
        """All events of that game, chained and signed. Raises BadBundle, LookupError for a game not here."""
        found = self._kept.get(name)
        if found is None:
            found = self._read(self._files[name])
            self._kept.put(name, found)
        return found

    def _read(self, file: Path) -> list[Row]:
        with file.open("rb") as stream:
            sheet = read(stream, self._keys)
        if sheet.header.game != file.stem:
            raise BadBundle(None, f"it is of the game {sheet.header.game}")
        if sheet.header.scope != "whole":
            raise BadBundle(None, "it is a seat's copy")
        lines, hashes = linked(sheet)
        return [(line.n, line.body, digest) for line, digest in zip(lines, hashes, strict=True)]
