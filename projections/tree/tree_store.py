"""The tree as the database keeps it: leaves, full tiles, checkpoints, cosignatures. Reading only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from psycopg import Connection

from events.tlog import checkpoints, leaves, tree
from events.tlog.notes import Verifier, split_note
from events.tlog.tree import WIDTH, Tiles

Db = Connection[tuple[Any, ...]]

TAKING_OVER = 50
"""Checkpoints among which that of an announced key is looked for."""
MOST_SEARCHED = 2_000
"""Cosignatures, the newest or the first ones, among which a quorum is looked for."""


NEWEST = "SELECT size, root, note FROM es.checkpoint ORDER BY size DESC LIMIT 1"
QUORUM = (
    "SELECT size FROM (SELECT size, witness FROM es.cosignature ORDER BY size DESC LIMIT %s) newest"
    " WHERE witness = ANY(%s) GROUP BY size HAVING count(*) >= %s ORDER BY size DESC LIMIT 1"
)
FIRST_QUORUM = (
    "SELECT size FROM (SELECT size, made, row_number() OVER (PARTITION BY size ORDER BY made) AS nth FROM"
    " (SELECT size, witness, made FROM es.cosignature WHERE size > %s ORDER BY size LIMIT %s) covering"
    " WHERE witness = ANY(%s)) counted WHERE nth = %s ORDER BY made, size LIMIT 1"
)
COVERING = "SELECT size, root, note FROM es.checkpoint WHERE size > %s ORDER BY size LIMIT %s"
LEAF = "SELECT index, entry FROM es.leaf WHERE name = %s AND n = %s"
LEAF_AFTER = "SELECT n, index, entry FROM es.leaf WHERE name = %s AND n > %s ORDER BY n LIMIT 1"
ENTRIES = "SELECT entry FROM es.leaf WHERE index >= %s AND index < %s ORDER BY index"


class PublishedCheckpoint(msgspec.Struct, frozen=True):
    """A checkpoint that was published."""

    size: int
    root: bytes
    note: str
    """Signed by the log; cosignatures are merged by :meth:`TreeStore.make_cosigned_note`."""


class Leaf(msgspec.Struct, frozen=True):
    """A leaf of a game."""

    index: int
    entry: bytes


def read_tree_size(connection: Db) -> int:
    """Return the number of leaves that the tree has."""
    row = connection.execute("SELECT size FROM es.tree").fetchone()
    return int(row[0]) if row else 0


def _is_signed_by(note: str, keys: Sequence[Verifier]) -> bool:
    """Return True if one of the *keys* has signed a note of our own, by the name and id of its line."""
    known = {(key.name, key.id) for key in keys}
    return any((name, raw[:4]) in known for name, raw, _ in split_note(note)[1])


class TreeStore:
    """The tables of the tree, read over one *connection*."""

    def __init__(self, connection: Db) -> None:
        self._db = connection

    def find_newest(self) -> PublishedCheckpoint | None:
        """Return the newest checkpoint; None before the first."""
        row = self._db.execute(NEWEST).fetchone()
        return PublishedCheckpoint(int(row[0]), bytes(row[1]), row[2]) if row else None

    def checkpoint(self, size: int) -> PublishedCheckpoint | None:
        """Return the checkpoint of that size, if there was one."""
        row = self._db.execute(
            "SELECT size, root, note FROM es.checkpoint WHERE size = %s", (size,)
        ).fetchone()
        return PublishedCheckpoint(int(row[0]), bytes(row[1]), row[2]) if row else None

    def make_cosigned_note(self, one: PublishedCheckpoint) -> str:
        """Return the note with the cosignatures that have come."""
        rows = self._db.execute(
            "SELECT line FROM es.cosignature WHERE size = %s ORDER BY made, witness", (one.size,)
        ).fetchall()
        return checkpoints.merge_signatures(one.note, [line for (line,) in rows])

    def find_with_quorum(self, witnesses: list[str], quorum: int) -> PublishedCheckpoint | None:
        """Return the newest checkpoint that *quorum* of the *witnesses* (vkeys) cosigned, if there is one."""
        row = self._db.execute(QUORUM, (MOST_SEARCHED, witnesses, quorum)).fetchone()
        return self.checkpoint(row[0]) if row else None

    def find_first_with_quorum(
        self, index: int, witnesses: list[str], quorum: int
    ) -> PublishedCheckpoint | None:
        """Return the checkpoint over leaf *index* that was the first to have cosignatures of *quorum*.

        None if there is none yet.
        """
        row = self._db.execute(FIRST_QUORUM, (index, MOST_SEARCHED, witnesses, quorum)).fetchone()
        return self.checkpoint(row[0]) if row else None

    def find_signed(self, index: int, keys: Sequence[Verifier]) -> PublishedCheckpoint | None:
        """Return the first checkpoint over leaf *index* that one of the *keys* signed; None without any.

        While a key takes over from another, both sign, so it is among the first.
        """
        rows = self._db.execute(COVERING, (index, TAKING_OVER)).fetchall()
        found = (PublishedCheckpoint(int(size), bytes(root), note) for size, root, note in rows)
        return next((one for one in found if _is_signed_by(one.note, keys)), None)

    def leaf(self, game: str, n: int) -> Leaf | None:
        """Return the leaf of the batch that ends with event *n* of a game, published or not."""
        row = self._db.execute(LEAF, (bytes.fromhex(leaves.log_name(game)), n)).fetchone()
        return Leaf(int(row[0]), bytes(row[1])) if row else None

    def leaf_after(self, game: str, n: int) -> tuple[int, Leaf] | None:
        """Return the first leaf of a game after event *n*, with the last event of its batch."""
        row = self._db.execute(LEAF_AFTER, (bytes.fromhex(leaves.log_name(game)), n)).fetchone()
        return (int(row[0]), Leaf(int(row[1]), bytes(row[2]))) if row else None

    def entries(self, n: int, width: int) -> list[bytes]:
        """Return the first *width* entries of bundle *n*."""
        rows = self._db.execute(ENTRIES, (n * WIDTH, n * WIDTH + width)).fetchall()
        return [bytes(entry) for (entry,) in rows]

    def tile(self, level: int, n: int, width: int) -> bytes:
        """Return the first *width* hashes of a tile, one behind the other; fewer if there are not as many."""
        if width == WIDTH:
            row = self._db.execute(
                "SELECT hashes FROM es.tile WHERE level = %s AND n = %s", (level, n)
            ).fetchone()
            return bytes(row[0]) if row else b""
        if level == 0:
            return b"".join(tree.leaf_hash(entry) for entry in self.entries(n, width))
        rows = self._db.execute(
            "SELECT root FROM es.tile WHERE level = %s AND n >= %s AND n < %s ORDER BY n",
            (level - 1, n * WIDTH, n * WIDTH + width),
        ).fetchall()
        return b"".join(bytes(root) for (root,) in rows)

    def root(self, size: int) -> bytes:
        """Return the root of the first *size* leaves. ValueError where there are not as many."""
        return tree.root_hash(self._tiles(size).read, size)

    def proof(self, index: int, one: PublishedCheckpoint) -> str:
        """Return the proof that leaf *index* stands in the tree of a checkpoint."""
        hashes = tree.inclusion_proof(self._tiles(one.size).read, index, one.size)
        return checkpoints.Proof(index, tuple(hashes), self.make_cosigned_note(one)).text()

    def consistency(self, old: int, new: int) -> list[bytes]:
        """Return the proof that the first *old* of *new* leaves are the old tree."""
        return tree.consistency_proof(self._tiles(new).read, old, new)

    def _tiles(self, size: int) -> Tiles:
        return Tiles(self.tile, size)
