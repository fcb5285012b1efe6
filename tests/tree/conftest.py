"""A log of batches of no title, and what makes its tree grow."""

import uuid

import pytest

from events import chain
from events.fact import Fact
from events.games import new_id
from events.log import EventLog, VersionConflict
from events.proof import Secrets
from events.record import Cause, seal
from events.signing import Keyring
from projections.tree.grow import Grower
from projections.tree.log_state import LogState
from projections.tree.store import Store
from tests.core import pool

__all__ = ["pool"]

SEED = bytes(range(32))
SECRETS = Secrets(bytes(32), bytes(32), bytes(32), bytes(32))
ORIGIN = "rutter.example/log"


class Sailed(Fact, frozen=True):
    """An event of no title: the tree does not ask."""

    port: int


def append(log, game_id, count=1):
    """Append a batch behind the newest event; where it ends and its hash, None where another was first."""
    newest = log.read(game_id)
    seq, head = (newest[-1].seq, newest[-1].hash) if newest else (0, chain.genesis(game_id))
    cause = Cause("2026-01-01T00:00:00.000000Z", 1, str(uuid.uuid4()))
    facts = [Sailed(n) for n in range(count)]
    records = seal(facts, cause, game_id=game_id, version=1, seq=seq, head=head, secrets=SECRETS)
    try:
        log.append(game_id, records)
    except VersionConflict:
        return None
    return records[-1].seq, records[-1].hash


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
        yield Store(connection)


@pytest.fixture
def game_id():
    """A game of its own."""
    return new_id()


def number(log):
    """Give positions to everything."""
    while log.sequence():
        pass
