"""The Merkle tree of RFC 6962 / 9162 over SHA-256: roots, proofs, tiles (C2SP ``tlog-tiles``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import sha256

EMPTY_ROOT = sha256(b"").digest()
"""The root of the tree without leaves."""
WIDTH = 256
"""Hashes of a full tile."""
HEIGHT = 8
"""Levels of the tree that a tile stands for."""

_PATH = re.compile(
    r"tile/(entries|[0-9]|[1-5][0-9]|6[0-3])/((?:x[0-9]{3}/){0,5}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?"
)


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of a leaf.

    >>> leaf_hash(b"").hex()[:16]
    '6e340b9cffb37a98'
    """
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return sha256(b"\1" + left + right).digest()


HashReader = Callable[[int, int], bytes]
"""``(level, n)``: the hash of the full subtree of 2**level leaves that begins at leaf n * 2**level."""


def _split_size(size: int) -> int:
    """Return the largest power of two below *size* (> 1)."""
    return 1 << (size - 1).bit_length() - 1


def _range_root(read: HashReader, first: int, size: int) -> bytes:
    """Return the root of *size* leaves from *first* on, a multiple of the power of two at or above *size*."""
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return read(level, first >> level)
    left = _split_size(size)
    return node_hash(_range_root(read, first, left), _range_root(read, first + left, size - left))


def root_hash(read: HashReader, size: int) -> bytes:
    """Return the root of the first *size* leaves."""
    return _range_root(read, 0, size) if size else EMPTY_ROOT


def inclusion_proof(read: HashReader, index: int, size: int) -> list[bytes]:
    """Return the proof that leaf *index* is among *size* leaves: from its sibling to the root's child."""
    if not 0 <= index < size:
        raise ValueError("no leaf of that index")
    proof: list[bytes] = []
    first = 0
    while size > 1:
        left = _split_size(size)
        if index - first < left:
            proof.append(_range_root(read, first + left, size - left))
            size = left
        else:
            proof.append(_range_root(read, first, left))
            first, size = first + left, size - left
    return proof[::-1]


def consistency_proof(read: HashReader, old: int, new: int) -> list[bytes]:
    """Return the proof that the first *old* leaves of the tree of *new* leaves are the old tree."""
    if not 0 <= old <= new:
        raise ValueError("the old tree is not the smaller one")
    if old in (0, new):
        return []
    proof: list[bytes] = []
    first, size, whole = 0, new, True
    while old - first != size:
        left = _split_size(size)
        if old - first <= left:
            proof.append(_range_root(read, first + left, size - left))
            size = left
        else:
            proof.append(_range_root(read, first, left))
            first, size, whole = first + left, size - left, False
    if not whole:
        proof.append(_range_root(read, first, size))
    return proof[::-1]


def check_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], wanted: bytes) -> bool:
    """Return True if *proof* shows that *leaf* stands at *index* in a tree.

    The tree has *size* leaves and the root *wanted*.
    """
    if not 0 <= index < size:
        return False
    at, last, got = index, size - 1, leaf
    for step in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            got = node_hash(step, got)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            got = node_hash(got, step)
        at, last = at >> 1, last >> 1
    return last == 0 and got == wanted


def check_consistency(old: int, new: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes) -> bool:
    """Return True if *proof* shows that the tree of *new* leaves begins with the tree of *old* leaves.

    >>> tree = MemoryTree([leaf_hash(bytes([n])) for n in range(5)])
    >>> proof = consistency_proof(tree.read, 3, 5)
    >>> check_consistency(3, 5, proof, tree.root(3), tree.root(5))
    True
    """
    if old > new or old < 0:
        return False
    if old == new:
        return not proof and old_root == new_root
    if old == 0:
        return not proof and old_root == EMPTY_ROOT
    steps = [*([old_root] if old & (old - 1) == 0 else []), *proof]
    return _roots(old, new, steps) == (old_root, new_root)


def is_contradiction(old: int, new: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes) -> bool:
    """Return True if *proof* shows that the new tree does **not** begin with the old one.

    *new* and *old* are the numbers of their leaves. It does where its hashes belong to the new tree and give
    the first *old* leaves another root. A proof that merely fails shows nothing: anybody can make one up.
    Where *old* is a power of two no proof shows it.
    """
    if old == new:
        return old_root != new_root
    if not 0 < old < new or old & (old - 1) == 0:
        return False
    found = _roots(old, new, proof)
    return found is not None and found[1] == new_root and found[0] != old_root


def _roots(old: int, new: int, steps: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """The roots of the first *old* and of all *new* leaves that a proof leads to; None for what is none."""
    if not steps:
        return None
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    was = now = steps[0]
    for step in steps[1:]:
        if last == 0:
            return None
        if at & 1 or at == last:
            was, now = node_hash(step, was), node_hash(step, now)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            now = node_hash(now, step)
        at, last = at >> 1, last >> 1
    return (was, now) if last == 0 else None


class MemoryTree:
    """A tree whose leaves are all in memory: for verifiers, monitors and tests.

    >>> tree = MemoryTree([leaf_hash(b"one"), leaf_hash(b"two"), leaf_hash(b"three")])
    >>> proof = inclusion_proof(tree.read, 1, len(tree))
    >>> check_inclusion(leaf_hash(b"two"), 1, len(tree), proof, tree.root())
    True
    """

    def __init__(self, hashes: Sequence[bytes] = ()) -> None:
        self._levels: list[list[bytes]] = [[]]
        for one in hashes:
            self.add(one)

    def __len__(self) -> int:
        return len(self._levels[0])

    def add(self, leaf: bytes) -> None:
        """Add one more leaf, given by its hash."""
        level = 0
        self._levels[0].append(leaf)
        while len(self._levels[level]) % 2 == 0:
            pair = self._levels[level][-2:]
            level += 1
            if level == len(self._levels):
                self._levels.append([])
            self._levels[level].append(node_hash(*pair))

    def read(self, level: int, n: int) -> bytes:
        """See :data:`HashReader`."""
        return self._levels[level][n]

    def root(self, size: int | None = None) -> bytes:
        """Return the root of the first *size* leaves (default: all)."""
        return root_hash(self.read, len(self) if size is None else size)


class Frontier:
    """A tree that only grows and forgets its leaves: the roots of the full subtrees that it consists of.

    Args:
        size: how many leaves there are.
        roots: of the full subtrees, the largest first, one for each bit of *size*.
    """

    def __init__(self, size: int = 0, roots: Sequence[bytes] = ()) -> None:
        if size.bit_count() != len(roots):
            raise ValueError("not the subtrees of a tree of that size")
        self.size = size
        self.roots = list(roots)

    def add(self, leaf: bytes) -> None:
        """Add one more leaf, given by its hash."""
        full, size = leaf, self.size
        while size & 1:
            full, size = node_hash(self.roots.pop(), full), size >> 1
        self.roots.append(full)
        self.size += 1

    def root(self) -> bytes:
        """Return the root of all leaves."""
        if not self.roots:
            return EMPTY_ROOT
        found = self.roots[-1]
        for left in reversed(self.roots[:-1]):
            found = node_hash(left, found)
        return found


def tile_path(level: int, n: int, width: int = WIDTH) -> str:
    """Return the path of a tile below the log's prefix.

    *level* counts tiles, *width* the hashes so far.

    >>> tile_path(0, 1234067), tile_path(1, 0, 7)
    ('tile/0/x001/x234/067', 'tile/1/000.p/7')
    """
    return f"tile/{level}/{_tile_number(n)}" + (f".p/{width}" if width < WIDTH else "")


def entries_path(n: int, width: int = WIDTH) -> str:
    """Return the path of a bundle of entries below the log's prefix.

    >>> entries_path(1234), entries_path(0, 5)
    ('tile/entries/x001/234', 'tile/entries/000.p/5')
    """
    return f"tile/entries/{_tile_number(n)}" + (f".p/{width}" if width < WIDTH else "")


def parse_path(path: str) -> tuple[str, int, int]:
    """Return level (or ``entries``), number and width of a path. ValueError for another spelling.

    >>> parse_path("tile/1/000.p/7")
    ('1', 0, 7)
    """
    found = _PATH.fullmatch(path)
    if found is None:
        raise ValueError("no tile has that name")
    n = int(found[2].replace("/", "").replace("x", ""))
    width = int(found[3] or WIDTH)
    made = entries_path(n, width) if found[1] == "entries" else tile_path(int(found[1]), n, width)
    if made != path or (found[3] and width == WIDTH):
        raise ValueError("no tile has that name")
    return found[1], n, width


def _tile_number(n: int) -> str:
    groups = [f"{n % 1000:03d}"]
    while n := n // 1000:
        groups.insert(0, f"x{n % 1000:03d}")
    return "/".join(groups)


class Tiles:
    """A tree read from tiles: ``tile(level, n, width)`` gives the concatenated hashes of a tile.

    Any inner node is at most 255 hashes away from a tile that holds its leaves' roots. Keeps what it fetched.

    Args:
        tile: fetches a tile.
        size: how many leaves there are; tiles at the right edge have only what belongs to that size.
    """

    def __init__(self, tile: Callable[[int, int, int], bytes], size: int) -> None:
        self._fetch = tile
        self.size = size
        self._kept: dict[tuple[int, int], bytes] = {}

    def _tile(self, level: int, n: int) -> bytes:
        if (level, n) not in self._kept:
            there = (self.size >> HEIGHT * level) - n * WIDTH
            width = min(there, WIDTH)
            hashes = self._fetch(level, n, width)
            if len(hashes) != 32 * width:
                raise ValueError(f"a tile of {len(hashes)} bytes instead of {32 * width}")
            self._kept[level, n] = hashes
        return self._kept[level, n]

    def read(self, level: int, n: int) -> bytes:
        """See :data:`HashReader`."""
        tile_level, above = divmod(level, HEIGHT)
        first = n << above
        tile = self._tile(tile_level, first // WIDTH)
        start = first % WIDTH * 32
        hashes = [tile[i : i + 32] for i in range(start, start + (32 << above), 32)]
        while len(hashes) > 1:
            hashes = [node_hash(hashes[i], hashes[i + 1]) for i in range(0, len(hashes), 2)]
        return hashes[0]
