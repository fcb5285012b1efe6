"""Games whose events were moved out of the database, each into its bundle.

The database names those that `rutter archive` moved; others are in a folder, ``<folder>/<game>.ndjson``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from events.base.bounded_cache import BoundedCache
from events.store.archived_games import decompress_bundle, fetch_bundle
from events.table.bundle import BadBundle
from events.tlog import leaves
from events.tlog.notes import Verifier
from events.tlog.text import check_uuid
from events.verify import check_bundle
from events.verify.trust import Trust
from projections.tree.tree_store import Db

Row = tuple[int, str, bytes | None]
"""Number, body and hash of an event; in the database rows within a command go without the hash."""
AT_HAND = 32
"""Games that are kept in memory: neighbouring leaves are often of the same few."""

_STORED = "SELECT game_id::text, url, digest FROM es.archived WHERE dropped"

Opener = Callable[[], Iterable[bytes]]
"""The lines of a bundle."""


class Archive:
    """Bundles, found by the names that the tree has for their games.

    Args:
        folder: other files than ``<game>.ndjson`` are passed over; None: no folder was named.
        keys: the log's, one of which must have signed each bundle.
        connection: of a database that names the bundles of its archived games.
    """

    def __init__(self, folder: Path | None, keys: Iterable[Verifier], connection: Db | None = None) -> None:
        self._keys = list(keys)
        self._games: dict[bytes, tuple[str, Opener]] = {}
        self._cache: BoundedCache[list[Row]] = BoundedCache(AT_HAND)
        if connection is not None:
            for game_id, url, digest in connection.execute(_STORED):
                self._games[_log_name(game_id)] = (
                    game_id,
                    partial(_read_unpacked, game_id, url, bytes(digest)),
                )
        for file in [] if folder is None else folder.glob("*.ndjson"):
            try:
                self._games[_log_name(check_uuid(file.stem))] = (file.stem, partial(_read_lines, file))
            except ValueError:
                continue

    def game(self, name: bytes) -> str | None:
        """Return the id of the game that the tree calls *name*; None where it is not in the archive."""
        found = self._games.get(name)
        return found[0] if found else None

    def events(self, name: bytes) -> list[Row]:
        """Return all events of that game, chained and signed, none of its hidden parts altered or missing.

        Raises BadBundle, OSError, :class:`ArchiveUnavailable`, LookupError for a game not here.
        """
        found = self._cache.get(name)
        if found is None:
            found = self._read(*self._games[name])
            self._cache.put(name, found)
        return found

    def _read(self, game_id: str, opened: Opener) -> list[Row]:
        found = check_bundle(opened(), Trust(keys=self._keys))
        header = found.sheet.header
        if header.game != game_id:
            raise BadBundle(None, f"it is of the game {header.game}")
        if header.scope != "whole":
            raise BadBundle(None, "it is a seat's copy")
        return [(record.seq, record.body.decode(), record.hash) for record in found.records]


def _log_name(game_id: str) -> bytes:
    return bytes.fromhex(leaves.log_name(game_id))


def _read_lines(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines(keepends=True)


def _read_unpacked(game_id: str, url: str, digest: bytes) -> list[bytes]:
    return decompress_bundle(fetch_bundle(game_id, url, digest))
