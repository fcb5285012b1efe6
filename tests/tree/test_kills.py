"""The process that numbers and signs may be killed at any moment: nothing acknowledged is left out."""

import os
import random
import signal
import subprocess
import sys
import threading

import pytest

from events.store.games import new_id
from events.tlog import leaves
from events.tlog.notes import Verifier
from projections.tree.tree_check import check_tree
from projections.tree.tree_store import TreeStore
from tests.batches import append
from tests.tree.conftest import number
from tests.waiting import random_moment, until

pytestmark = pytest.mark.integration


class Load:
    """Writers who note what was acknowledged, and an observer who notes every visible checkpoint."""

    def __init__(self, log, pool):
        self.log, self.pool = log, pool
        self.acknowledged, self.seen = [], {}
        self._going, self._chance = threading.Event(), random.Random(7)
        self._going.set()
        self._threads = [threading.Thread(target=self._write, args=(n,)) for n in range(2)]
        self._threads.append(threading.Thread(target=self._observe))

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._going.clear()
        for thread in self._threads:
            thread.join()

    def _write(self, seed):
        chance = random.Random(seed)
        games = [new_id() for _ in range(10)]
        while self._going.is_set():
            game = chance.choice(games)
            self.acknowledged.append((game, *append(self.log, game, chance.randint(1, 3))))

    def _observe(self):
        while self._going.is_set():
            with self.pool.connection() as connection:
                newest = TreeStore(connection).find_newest()
            if newest:
                assert self.seen.setdefault(newest.size, newest.root) == newest.root, "two roots of one size"
            random_moment(self._chance, 0.01)


@pytest.mark.slow
def test_killed_at_any_moment(log, pool, grower, keyring, state, database):
    """Every acknowledged event has its leaf, the tree is the one made again, no size has two roots."""
    killed(20, 20, log, pool, grower, keyring, state, database)


def killed(kills, seed, log, pool, grower, keyring, state, database):
    """Kill the process that numbers and signs so many times, while others write; then look whether all is
    there.
    """
    chance = random.Random(seed)
    command = [sys.executable, "-m", "tests.tree.growing", database, str(state.path)]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as nursery,
        Load(log, pool) as load,
    ):
        for number_of in range(kills):
            before = state.read()
            nursery.stdin.write("\n")
            nursery.stdin.flush()
            child = int(nursery.stdout.readline())
            if number_of % 4 == 0:  # each fourth comes to sign, however slow the machine is
                until(lambda before=before: state.read() != before, "it signs")
            random_moment(chance, 0.2)
            os.kill(child, signal.SIGKILL)
        nursery.stdin.close()
    number(log)
    grower.run()
    with pool.connection() as connection:
        store = TreeStore(connection)
        for game, n, digest in load.acknowledged:
            assert leaves.read_entry(store.leaf(game, n).entry).h == digest.hex()
        for size, root in load.seen.items():
            assert store.root(size) == root
        told = check_tree(connection, [Verifier.read(keyring.signer.vkey)], state)
    assert told.findings == []
    assert (told.waiting, told.parked) == (0, [])
    assert told.checkpoints >= len(load.seen)
