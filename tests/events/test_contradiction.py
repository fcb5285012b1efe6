"""When a proof of consistency that fails shows that a log wrote two histories, and when it shows nothing."""

from __future__ import annotations

import random

from events.tlog import tree


def grown(leaves):
    return tree.MemoryTree([tree.leaf_hash(b"%d" % one) for one in leaves])


def test_the_proof_of_another_history_contradicts_and_nothing_made_up_does():
    """For all sizes up to 40: the other tree's own proof shows it, unless the old size is a power of two; the
    true proof, no proof, a false hash, one too many and one too few show nothing.
    """
    chance = random.Random(5)
    honest = grown(range(40))
    for new in range(2, 41):
        for old in range(1, new):
            leaf = chance.randrange(old)
            other = grown([*range(leaf), 99, *range(leaf + 1, 40)])
            roots = honest.root(old), other.root(new)
            proof = tree.consistency_proof(other.read, old, new)
            assert not tree.check_consistency(old, new, proof, *roots)
            assert tree.is_contradiction(old, new, proof, *roots) == (old & (old - 1) != 0)
            made_up = [*proof[:-1], bytes(32)]
            for shows_nothing in ([], made_up, [*proof, bytes(32)], proof[:-1], proof[1:]):
                assert not tree.is_contradiction(old, new, shows_nothing, *roots)
            true = tree.consistency_proof(honest.read, old, new)
            assert not tree.is_contradiction(old, new, true, honest.root(old), honest.root(new))


def test_two_roots_of_one_size_contradict_without_any_proof():
    assert tree.is_contradiction(3, 3, [], grown(range(3)).root(), grown([0, 1, 9]).root())
    assert not tree.is_contradiction(3, 3, [], grown(range(3)).root(), grown(range(3)).root())
    assert not tree.is_contradiction(5, 3, [], grown(range(5)).root(), grown(range(3)).root())
