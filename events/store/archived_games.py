"""Games that were archived: their events are read from their bundles instead of the database.

Of such a game the database holds the first event, the last, and the row of `es.archived` that names the file
and its digest. The file is in a folder or in a store; one that is not what was verified is not read.
"""

from __future__ import annotations

import base64
import hashlib
import lzma
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import msgspec

from events.base.bounded_cache import BoundedCache
from events.proof import canonical
from events.store import object_storage
from events.table.bundle import EventLine, Header
from events.table.record import Envelope, Part, Record

FILE_SUFFIX = ".ndjson.xz"
"""The end of the files' names: a bundle, packed."""
CACHED_GAMES = 8
"""Games that one log keeps in memory, about 4 MB each at the most."""

SELECT_ARCHIVED = "SELECT url, digest FROM es.archived WHERE game_id = %s AND dropped"
"""The query for the URL of an archived game's bundle and its SHA-256."""


class ArchiveUnavailable(Exception):
    """The bundle of an archived game cannot be read at present, or is not the one that was stored."""

    def __init__(self, game_id: str, url: str, reason: str) -> None:
        super().__init__(f"The game {game_id} is archived, and its bundle {url} {reason}.")
        self.game_id = game_id


class ArchivedGames:
    """The archived games, as one log reads them. Safe for use by many threads.

    *find* is given a statement and its values and answers the first row, as the log's own queries do.
    """

    def __init__(self, find: Callable[[str, tuple[Any, ...]], tuple[Any, ...] | None]) -> None:
        self._find = find
        self._cache: BoundedCache[list[Record]] = BoundedCache(CACHED_GAMES)

    def records(self, game_id: str) -> list[Record] | None:
        """Return all events of an archived game; None for another. Raises :class:`ArchiveUnavailable`."""
        row = self._find(SELECT_ARCHIVED, (game_id,))
        if row is None:
            return None
        url, digest = row[0], bytes(row[1])
        found = self._cache.get((game_id, digest))
        if found is None:
            found = parse_records(decompress_bundle(fetch_bundle(game_id, url, digest)))
            self._cache.put((game_id, digest), found)
        return found


def fetch_bundle(game_id: str, url: str, digest: bytes) -> bytes:
    """Return the file at *url*, which has this SHA-256. Raises :class:`ArchiveUnavailable`."""
    place = urlsplit(url)
    try:
        data = (
            Path(url2pathname(place.path)).read_bytes()
            if place.scheme == "file"
            else object_storage.read(url)
        )
    except OSError as error:
        raise ArchiveUnavailable(game_id, url, f"cannot be read: {error.strerror}") from error
    except object_storage.StorageUnavailable as away:
        raise ArchiveUnavailable(game_id, url, str(away)) from away
    if hashlib.sha256(data).digest() != digest:
        raise ArchiveUnavailable(game_id, url, "is not the one that was stored")
    return data


def compress_bundle(lines: Iterable[bytes]) -> bytes:
    """Return a bundle as its file holds it."""
    return lzma.compress(b"".join(lines))


def decompress_bundle(data: bytes) -> list[bytes]:
    """Return the lines of a bundle whose file holds *data*. Raises lzma.LZMAError where that is none."""
    return lzma.decompress(data).splitlines(keepends=True)


def parse_records(lines: list[bytes]) -> list[Record]:
    """Return the events of a whole bundle, as the database held them; *lines* have been verified before."""
    events = msgspec.json.decode(lines[0], type=Header).events
    return [_parse_record(msgspec.json.decode(line, type=EventLine)) for line in lines[1 : events + 1]]


def _parse_record(line: EventLine) -> Record:
    body = line.body.encode()
    head = msgspec.json.decode(body, type=Envelope)
    parts = {
        name: Part(base64.b64decode(part.salt), canonical.encode(part.body))
        for name, part in line.parts.items()
    }
    return Record(line.n, head.t, body, bytes.fromhex(line.hash), head.cmd, parts)
