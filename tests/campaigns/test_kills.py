"""Two hundred kills of the process that numbers and signs (twenty in `tests/tree/test_kills.py`)."""

import pytest

from tests.tree.conftest import grower, keyring, log, pool, state
from tests.tree.test_kills import killed

pytestmark = pytest.mark.integration
__all__ = ["grower", "keyring", "log", "pool", "state"]


def test_killed_two_hundred_times(log, pool, grower, keyring, state, database, drawn_seed):
    """Every acknowledged event has its leaf, the tree is the one made again, no size has two roots."""
    killed(200, drawn_seed, log, pool, grower, keyring, state, database)
