"""A log of batches of no title, and what makes its tree grow."""

import pytest

from events.store.event_log import EventLog
from events.store.games import new_id
from events.store.signing_keys import Keyring
from projections.tree.grower import Grower
from projections.tree.log_state import LogState
from projections.tree.tree_store import TreeStore
from tests.core import pool

__all__ = ["pool"]

SEED = bytes(range(32))
ORIGIN = "rutter.example/log"


@pytest.fixture
def log(pool):
    """The module's log."""
    return EventLog(pool)


@pytest.fixture
def state(tmp_path_factory, database):
    """The state of the module's log."""
    folder = tmp_path_factory.getbasetemp() / f"state-{database.rpartition('/')[2].partition('?')[0]}"
    folder.mkdir(exist_ok=True)
    return LogState(folder / "log.state")


@pytest.fixture
def keyring(pool):
    """The key of the module's log."""
    return Keyring(pool, [SEED], ORIGIN)


@pytest.fixture
def grower(pool, keyring, state):
    """What makes the tree grow."""
    return Grower(pool, keyring, state)


@pytest.fixture
def store(pool):
    """What the database says of the tree."""
    with pool.connection() as connection:
        yield TreeStore(connection)


@pytest.fixture
def game_id():
    """A game of its own."""
    return new_id()


def number(log):
    """Give positions to everything."""
    while log.sequence():
        pass
