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

from events import canonical, stores
from events.bundle import EventLine, Header
from events.recent import Recent
from events.record import Envelope, Part, Record

ENDING = ".ndjson.xz"
"""Of the files: a bundle, packed."""
KEPT = 8
"""Games that one log keeps in memory, about 4 MB each at the most."""

ARCHIVED = "SELECT url, digest FROM es.archived WHERE game_id = %s AND dropped"
"""Where the bundle of an archived game is, and its SHA-256."""


class ArchiveAway(Exception):
    """The bundle of an archived game cannot be read just now, or is not the one that was stored."""

    def __init__(self, game_id: str, url: str, reason: str) -> None:
        super().__init__(f"The game {game_id} is archived, and its bundle {url} {reason}.")
        self.game_id = game_id


class Bundles:
    """The archived games, as one log reads them. Safe for use by many threads.

    *find* is given a statement and its values and answers the first row, as the log's own queries do.
    """

    def __init__(self, find: Callable[[str, tuple[Any, ...]], tuple[Any, ...] | None]) -> None:
        self._find = find
        self._kept: Recent[list[Record]] = Recent(KEPT)

    def records(self, game_id: str) -> list[Record] | None:
        """All events of an archived game; None where it is not archived. Raises :class:`ArchiveAway`."""
        row = self._find(ARCHIVED, (game_id,))
        if row is None:
            return None
        url, digest = row[0], bytes(row[1])
        found = self._kept.get((game_id, digest))
        if found is None:
            found = records_of(unpacked(fetched(game_id, url, digest)))
            self._kept.put((game_id, digest), found)
        return found


def fetched(game_id: str, url: str, digest: bytes) -> bytes:
    """The file at *url*, which has this SHA-256. Raises :class:`ArchiveAway`."""
    place = urlsplit(url)
    try:
        data = Path(url2pathname(place.path)).read_bytes() if place.scheme == "file" else stores.read(url)
    except OSError as error:
        raise ArchiveAway(game_id, url, f"cannot be read: {error.strerror}") from error
    except stores.StoreAway as away:
        raise ArchiveAway(game_id, url, str(away)) from away
    if hashlib.sha256(data).digest() != digest:
        raise ArchiveAway(game_id, url, "is not the one that was stored")
    return data


def packed(lines: Iterable[bytes]) -> bytes:
    """A bundle as its file holds it."""
    return lzma.compress(b"".join(lines))


def unpacked(data: bytes) -> list[bytes]:
    """The lines of a bundle whose file holds *data*. Raises lzma.LZMAError where that is none."""
    return lzma.decompress(data).splitlines(keepends=True)


def records_of(lines: list[bytes]) -> list[Record]:
    """The events of a whole bundle, as the database held them; *lines* have been verified before."""
    events = msgspec.json.decode(lines[0], type=Header).events
    return [_record(msgspec.json.decode(line, type=EventLine)) for line in lines[1 : events + 1]]


def _record(line: EventLine) -> Record:
    body = line.body.encode()
    head = msgspec.json.decode(body, type=Envelope)
    parts = {
        name: Part(base64.b64decode(part.salt), canonical.encode(part.body))
        for name, part in line.parts.items()
    }
    return Record(line.n, head.t, body, bytes.fromhex(line.hash), head.cmd, parts)
