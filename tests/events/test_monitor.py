"""A reader of all entries notices every second history of a game."""

import hashlib
import itertools
import uuid

import pytest

from events.tlog import leaves, tree
from events.tlog.monitor import RECORD, BadEntry, Equivocation, Heads, Monitor


def games(count, batches):
    """Entries of several games, in turn."""
    made = [
        leaves.make_entries(
            str(uuid.UUID(int=g)),
            [(2 * n + 1, hashlib.sha256(b"%d %d" % (g, n)).digest()) for n in range(batches)],
        )
        for g in range(count)
    ]
    return [entry for turn in zip(*made, strict=True) for entry in turn]


def read(entries, **settings):
    monitor = Monitor(**settings)
    for index, raw in enumerate(entries):
        monitor.add(index, raw)
    return monitor


def test_an_honest_log_is_read_to_its_end_with_the_root_of_its_tree():
    entries = [*games(40, 6), leaves.canonical_bytes({"add": "a+00000000+AQ=="})]
    monitor = read(entries)
    assert monitor.size == len(entries)
    assert monitor.frontier.root() == tree.MemoryTree([tree.leaf_hash(one) for one in entries]).root()
    assert len(monitor.heads) == 40
    assert [index for index, _ in monitor.keys] == [240]


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(
            lambda e, g: leaves.make_entry(g, 3, bytes(32), e[0]), id="the same event with another hash"
        ),
        pytest.param(lambda e, g: leaves.make_entry(g, 9, bytes(32), e[0]), id="q is not the entry before"),
        pytest.param(lambda e, g: leaves.make_entry(g, 1, bytes(32), None), id="a second first leaf"),
        pytest.param(lambda e, g: leaves.make_entry(g, 3, bytes(32), e[-1]), id="n does not rise"),
        pytest.param(
            lambda e, g: leaves.make_entry("ab" * 16, 1, bytes(32), e[-1]),
            id="a first leaf on top of another game",
        ),
    ],
)
def test_two_histories_of_a_game_are_an_equivocation(broken):
    """Two leaves of one event, a leaf that does not follow on the one before, a second first leaf."""
    entries = games(1, 3)
    game = leaves.log_name(str(uuid.UUID(int=0)))
    monitor = read(entries)
    root = monitor.frontier.root()
    with pytest.raises(Equivocation) as caught:
        monitor.add(3, broken(entries, game))
    assert caught.value.index == 3
    assert caught.value.g in str(caught.value)
    assert (monitor.size, monitor.frontier.root()) == (3, root)


@pytest.mark.parametrize(
    "raw", [b"", b"{}", b'{"g":1}', b'{"add":"a", "b":1}', b'{"add": "a"}', b"[" * 100_000]
)
def test_what_is_no_entry_is_refused(raw):
    with pytest.raises(BadEntry):
        Monitor().add(0, raw)


def test_entries_of_watched_games_are_kept():
    entries = games(3, 2)
    name = leaves.log_name(str(uuid.UUID(int=1)))
    assert read(entries, watched=[name]).kept == {name: [(1, entries[1]), (4, entries[4])]}


def test_heads_grow_and_can_be_kept():
    heads = Heads()
    names = [hashlib.sha256(b"%d" % n).digest()[:16] for n in range(5000)]
    for turn, name in itertools.product((1, 2), names):
        heads.put(name, turn, hashlib.sha256(name).digest())
    again = Heads(heads.records())
    assert len(heads) == len(again) == 5000
    assert len(heads.records()) == 5000 * RECORD
    assert all(again.get(name) == (2, hashlib.sha256(name).digest()[:26]) for name in names)
    assert again.get(bytes(16)) is None


def test_entries_are_packed_as_tiles_have_them():
    entries = games(2, 2)
    assert leaves.unpack(leaves.pack(entries)) == entries
    with pytest.raises(ValueError, match="breaks off"):
        leaves.unpack(leaves.pack(entries)[:-1])


@pytest.mark.parametrize(
    ("level", "n", "width"), [(0, 0, 7), (0, 1234067, 256), (3, 5, 1), ("entries", 999, 255)]
)
def test_names_of_tiles_are_read_in_one_spelling(level, n, width):
    path = tree.entries_path(n, width) if level == "entries" else tree.tile_path(level, n, width)
    assert tree.parse_path(path) == (str(level), n, width)


@pytest.mark.parametrize(
    "path",
    [
        "tile/0/0",
        "tile/00/000",
        "tile/0/x000/001",
        "tile/0/000.p/256",
        "tile/0/000.p/07",
        "tile/64/000",
        "tile/0/001/000",
    ],
)
def test_other_spellings_are_refused(path):
    with pytest.raises(ValueError, match="no tile"):
        tree.parse_path(path)
