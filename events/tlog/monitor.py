"""The check of a log, read from its first entry on: that each game has one history in it.

Anyone who shows two histories of a game must log both, or show one that is not logged. In the log two
histories are two entries that follow on the same one, which no reader overlooks who goes through all entries
once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from events.tlog.leaves import NO_ENTRY, Entry, KeyEntry, read_entry
from events.tlog.tree import Frontier, leaf_hash

RECORD = 48
"""Bytes that are remembered of a game: its name (16), the number of its newest event (6), and of the hash of
its newest entry as much as fits (26 of 32)."""
_NAME, _NUMBER = 16, 22
_LEAST = 1024
"""Records of the smallest table."""


class Misbehaviour(Exception):
    """An entry that no honest log has. *index* and *raw* are that entry's."""

    def __init__(self, index: int, raw: bytes, reason: str) -> None:
        super().__init__(f"entry {index}: {reason}")
        self.index = index
        self.raw = raw
        self.reason = reason


class BadEntry(Misbehaviour):
    """An entry that has no form that entries have."""


class Equivocation(Misbehaviour):
    """An entry that does not follow on the newest of its game: the log holds two histories of *g*."""

    def __init__(self, index: int, raw: bytes, entry: Entry, known: tuple[int, str] | None) -> None:
        follows = f"this one is event {entry.n} and follows on the entry {_truncate_hash(entry.q)}"
        if known is None:
            reason = f"the first entry of the game {entry.g} must follow on none; {follows}"
        else:
            newest = f"its newest entry is event {known[0]} with hash {known[1]}.."
            reason = f"two histories of the game {entry.g}: {newest}; {follows}"
        super().__init__(index, raw, reason)
        self.g = entry.g
        self.known = known
        """Number of the newest event before, and the first digits (hex) of the hash of its entry."""


def _truncate_hash(q: str) -> str:
    return "none" if q == NO_ENTRY else q


class Heads:
    """The newest entry of every game, in :data:`RECORD` bytes each: a table with open addresses.

    It is between a half and three quarters full, so that a game costs 64 to 96 bytes in all.
    """

    def __init__(self, records: bytes = b"") -> None:
        if len(records) % RECORD:
            raise ValueError("damaged records")
        self._count = 0
        self._slots = max(_LEAST, len(records) // RECORD * 2)
        self._table = bytearray(self._slots * RECORD)
        self._fill(records)

    def __len__(self) -> int:
        return self._count

    def records(self) -> bytes:
        """Return all of them, to be kept: what the constructor takes."""
        empty = bytes(RECORD)
        slots = (bytes(self._table[at : at + RECORD]) for at in range(0, len(self._table), RECORD))
        return b"".join(record for record in slots if record != empty)

    def get(self, name: bytes) -> tuple[int, bytes] | None:
        """Number and hash (its beginning) of the newest entry of the game of that name (16 bytes)."""
        at = self._find_slot(name)
        if not self._is_taken(at):
            return None
        return int.from_bytes(self._table[at + _NAME : at + _NUMBER], "big"), bytes(
            self._table[at + _NUMBER : at + RECORD]
        )

    def put(self, name: bytes, n: int, digest: bytes) -> None:
        """Note that the newest entry of a game is event *n* with that hash."""
        if self._count * 4 >= self._slots * 3:
            kept = self.records()
            self._slots += self._slots // 2
            self._table, self._count = bytearray(self._slots * RECORD), 0
            self._fill(kept)
        at = self._find_slot(name)
        self._count += not self._is_taken(at)
        self._table[at : at + RECORD] = name + n.to_bytes(6, "big") + digest[: RECORD - _NUMBER]

    def _fill(self, records: bytes) -> None:
        for start in range(0, len(records), RECORD):
            record = records[start : start + RECORD]
            at = self._find_slot(record[:_NAME])
            self._table[at : at + RECORD] = record
            self._count += 1

    def _find_slot(self, name: bytes) -> int:
        """Return the place where the game stands, or where it would be put.

        The order is no log's to choose: it is salted.
        """
        slot = hash(name) % self._slots
        while self._is_taken(at := slot * RECORD) and self._table[at : at + _NAME] != name:
            slot = (slot + 1) % self._slots
        return at

    def _is_taken(self, at: int) -> bool:
        return self._table[at + _NAME : at + _NUMBER] != b"\0\0\0\0\0\0"


class Monitor:
    """Reads all entries of a log in their order, and refuses the first that breaks a game's chain.

    Args:
        watched: names (``g``) of games of which every entry is kept, for receipts and bundles.

    Attributes:
        frontier: the tree so far: ``frontier.root()`` is what a checkpoint of :attr:`size` must say.
        heads: the newest entry of every game.
        kept: index and bytes of the entries of the games that are watched.
        keys: index and members of all entries about keys.
    """

    def __init__(self, watched: Iterable[str] = ()) -> None:
        self.frontier = Frontier()
        self.heads = Heads()
        self.kept: dict[str, list[tuple[int, bytes]]] = {name: [] for name in watched}
        self.keys: list[tuple[int, KeyEntry]] = []

    @property
    def size(self) -> int:
        """The number of entries that were read; the index of the next."""
        return self.frontier.size

    def add(self, index: int, raw: bytes) -> None:
        """Add the next entry. Raises :class:`BadEntry`, :class:`Equivocation`; nothing has changed then."""
        if index != self.size:
            raise ValueError(f"entry {index} is not the next one, which is {self.size}")
        try:
            entry = read_entry(raw)
        except ValueError:
            raise BadEntry(index, raw, "is none") from None
        if isinstance(entry, KeyEntry):
            self.keys.append((index, entry))
        else:
            self._follow(index, raw, entry)
        self.frontier.add(leaf_hash(raw))

    def _follow(self, index: int, raw: bytes, entry: Entry) -> None:
        name = bytes.fromhex(entry.g)
        known = self.heads.get(name)
        if known is None:
            follows = entry.q == NO_ENTRY
        else:
            follows = entry.n > known[0] and bytes.fromhex(entry.q)[: len(known[1])] == known[1]
        if not follows:
            raise Equivocation(index, raw, entry, known and (known[0], known[1].hex()))
        if entry.n >= 1 << 48:
            raise BadEntry(index, raw, "no game has so many events")
        self.heads.put(name, entry.n, hashlib.sha256(raw).digest())
        if entry.g in self.kept:
            self.kept[entry.g].append((index, raw))
