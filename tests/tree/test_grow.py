"""The tree of all games follows the positions, entry by entry, and is signed as it grows."""

from itertools import accumulate

import pytest

from events.proof import canonical
from events.store.games import new_id
from events.tlog import checkpoints, leaves, tree
from events.tlog.notes import SigningKey
from projections.tree.grower import Grower
from projections.tree.leaf_batches import Predecessor, Stretch, make_leaves
from tests.batches import append
from tests.tree.conftest import ORIGIN, SEED, number

pytestmark = pytest.mark.integration
KEY = SigningKey(ORIGIN, SEED)


def stored(store):
    """All entries, in order."""
    size = store._db.execute("SELECT size FROM es.tree").fetchone()[0]
    return [entry for n in range(size // 256 + 1) for entry in store.entries(n, 256)][:size]


def test_each_batch_has_one_leaf_with_its_last_event(log, grower, store, game_id):
    """A game's entries are those that anybody makes from the ends of its batches."""
    ends = [append(log, game_id, count) for count in (3, 1, 2)]
    other = [append(log, new_id(), 2)]
    number(log)
    grower.run()
    ends.append(append(log, game_id, 4))
    number(log)
    made = grower.run()
    found = stored(store)
    name = leaves.log_name(game_id)
    mine = [entry for entry in found if leaves.read_entry(entry).g == name]
    assert mine == leaves.make_entries(game_id, ends)
    assert len(found) == made.size == len(mine) + len(other)
    checkpoint, _ = checkpoints.open_checkpoint(made.note, KEY.verifier)
    assert checkpoint == checkpoints.Checkpoint(ORIGIN, made.size, made.root)
    assert made.root == tree.MemoryTree([tree.leaf_hash(entry) for entry in found]).root()


def test_a_command_that_ends_without_a_hash_is_damaged():
    """Nothing would show that its last event was altered."""
    game, bodies = new_id(), [b'{"cmd":"a"}', b'{"cmd":"b"}', b'{"cmd":"b"}', b'{"cmd":"c"}']
    hashes = list(accumulate(bodies, canonical.link, initial=canonical.genesis(game)))[1:]
    before = Predecessor(canonical.genesis(game), None)
    found = {}
    for gone in ((), (2,), (1,), (3,), (4,)):
        kept = [None if n in gone else digest for n, digest in enumerate(hashes, 1)]
        made, damage = make_leaves(Stretch(1, game, 1, kept, bodies), before)
        found[gone] = [leaf.n for leaf in made], damage and damage.n
    assert found == {
        (): ([1, 3, 4], None), (2,): ([1, 3, 4], None), (1,): ([], 1), (3,): ([1], 3), (4,): ([1, 3], 4),
    }  # fmt: skip


def test_nothing_new_is_signed_once(log, grower, game_id):
    append(log, game_id)
    number(log)
    assert grower.run() is not None
    assert grower.run() is None


def test_a_tree_at_rest_is_looked_at_without_a_transaction(log, grower, pool, game_id):
    """Each look is a look all the same: the next event is not overlooked.

    A transaction would lock the row of the tree, which keeps the number of the one that locked it last.
    """
    append(log, game_id)
    number(log)
    grower.run()
    with pool.connection() as connection:
        ask = "SELECT ctid::text, xmin::text, xmax::text FROM es.tree"
        before = connection.execute(ask).fetchone()
        assert [grower.run(), grower.run()] == [None, None]
        assert connection.execute(ask).fetchone() == before, "neither written nor locked"
        grower._trusted = None
        assert grower.run() is None
        assert connection.execute(ask).fetchone() != before, "a run that does not look first locks it"
    append(log, game_id)
    number(log)
    assert grower.run() is not None


def test_what_is_signed_is_remembered_outside(log, grower, state, game_id):
    append(log, game_id)
    number(log)
    made = grower.run()
    assert (state.read().size, state.read().root) == (made.size, made.root)


def test_tiles_are_full_or_follow_from_what_is_there(log, grower, store):
    """More than two tiles of leaves, so that the second level has hashes: every tile, whatever its width."""
    games = [new_id() for _ in range(30)]
    for turn in range(20):
        for game_id in games:
            append(log, game_id, 1 + turn % 2)
        number(log)
        grower.run()
    entries = stored(store)
    assert len(entries) > 600
    grown = tree.MemoryTree([tree.leaf_hash(entry) for entry in entries])
    for level in range(2):
        for n in range(len(grown) // 256 ** (level + 1) + 1):
            there = (len(grown) >> 8 * level) - 256 * n
            for width in {1, 7, min(there, 256)} - {0}:
                if width > there:
                    continue
                wanted = b"".join(grown.read(8 * level, 256 * n + i) for i in range(width))
                assert store.tile(level, n, width) == wanted, (level, n, width)
    assert all(store.root(size) == grown.root(size) for size in (0, 1, 255, 256, 257, 511, 513, len(grown)))


def test_what_is_remembered_of_a_game_is_what_the_database_says(log, grower, pool, keyring, state, store):
    """Two at work by turns, of whom each remembers what it made: the entries are those of one."""
    other = Grower(pool, keyring, state)
    games = [new_id() for _ in range(5)]
    ends = {game_id: [] for game_id in games}
    for turn in range(12):
        for game_id in games[turn % 3 :]:
            ends[game_id].append(append(log, game_id, 1 + turn % 2))
        number(log)
        for one in (grower, grower, other)[turn % 3 : turn % 3 + 1 + turn % 2]:
            one.run()
    other.run()
    found = stored(store)
    for game_id in games:
        mine = [entry for entry in found if leaves.read_entry(entry).g == leaves.log_name(game_id)]
        assert mine == leaves.make_entries(game_id, ends[game_id])
