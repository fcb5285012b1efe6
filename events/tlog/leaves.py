"""The entries of the tree of all games: one for the last event of every batch, chained by game.

Without ``q``, the hash of the game's entry before, a liar could log two histories one after the other and
prove the end of either. With it the last entry of a game is a function of all its logged batches.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

NO_ENTRY = "0" * 64
"""``q`` of a game's first entry."""
_ENTRY = re.compile(
    rb'\{"g":"([0-9a-f]{32})","h":"([0-9a-f]{64})","n":([1-9][0-9]{0,15}),"q":"([0-9a-f]{64})"\}'
)


@lru_cache(4096)
def log_name(game: str) -> str:
    """Return the name of a game in the tree: it hides the id from those who do not know it."""
    return sha256(b"bg/log-game/1\0" + uuid.UUID(game).bytes).hexdigest()[:32]


def make_entry(name: str, n: int, head: bytes, before: bytes | None) -> bytes:
    """Return the entry of the batch that ends with event *n*; *before* is the game's entry before it."""
    q = sha256(before).hexdigest() if before is not None else NO_ENTRY
    return f'{{"g":"{name}","h":"{head.hex()}","n":{n},"q":"{q}"}}'.encode()


def make_entries(game: str, ends: Iterable[tuple[int, bytes]]) -> list[bytes]:
    """Return the entries of a game from the *ends* of its batches: number and hash of each last event.

    >>> game = "0190a000-0000-7000-8000-000000000001"
    >>> first, last = make_entries(game, [(1, bytes(32)), (4, bytes(32))])
    >>> read_entry(last).n, read_entry(last).q == sha256(first).hexdigest()
    (4, True)
    """
    name = log_name(game)
    made: list[bytes] = []
    for n, head in ends:
        made.append(make_entry(name, n, head, made[-1] if made else None))
    return made


@dataclass(frozen=True)
class Entry:
    """An entry of a game, read."""

    g: str
    h: str
    n: int
    q: str


@dataclass(frozen=True)
class KeyEntry:
    """An entry about keys: ``add`` (a vkey), ``revoke`` (a vkey, a size), ``old`` (a last checkpoint).

    The last one stands in the log that succeeds the one whose checkpoint it names.
    """

    members: dict[str, object]


def read_entry(raw: bytes) -> Entry | KeyEntry:
    """Return an entry of the tree. ValueError for bytes that are none."""
    found = _ENTRY.fullmatch(raw)
    if found:
        return Entry(found[1].decode(), found[2].decode(), int(found[3]), found[4].decode())
    try:
        members = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise ValueError("no entry") from error
    shapes = ({"add"}, {"revoke", "size"}, {"old"})
    if not isinstance(members, dict) or set(members) not in shapes or canonical_bytes(members) != raw:
        raise ValueError("no entry")
    return KeyEntry(members)


def read_event_number(raw: bytes) -> int:
    """Return the event that an entry of a game names; 0 for an entry about keys."""
    entry = read_entry(raw)
    return entry.n if isinstance(entry, Entry) else 0


def make_key_entry(word: str | None, vkey: str | None, size: int | None) -> bytes:
    """Return the entry that adds a key, or that revokes it from *size* entries on.

    >>> make_key_entry("revoke", "rutter+0a1b2c3d+key", 7)
    b'{"revoke":"rutter+0a1b2c3d+key","size":7}'
    """
    return canonical_bytes({"add": vkey} if word == "add" else {"revoke": vkey, "size": size})


def canonical_bytes(members: dict[str, object]) -> bytes:
    """Return the bytes of an entry about keys."""
    return json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def pack(entries: Iterable[bytes]) -> bytes:
    """Return a bundle of entries as it is served: before each its length in two bytes."""
    return b"".join(len(one).to_bytes(2, "big") + one for one in entries)


def unpack(bundle: bytes) -> list[bytes]:
    """Return the inverse of :func:`pack`. ValueError where a bundle breaks off.

    >>> unpack(pack([b"one", b"three"]))
    [b'one', b'three']
    """
    found: list[bytes] = []
    at = 0
    while at < len(bundle):
        end = at + 2 + int.from_bytes(bundle[at : at + 2], "big")
        if end > len(bundle) or at + 2 > len(bundle):
            raise ValueError("a bundle of entries that breaks off")
        found.append(bundle[at + 2 : end])
        at = end
    return found
