"""A witness with a key, and a log that is served."""

import pytest

from ops.witness import client
from tests.ops.witness.logs import Log, LogServer, history, make_witness


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    """What fails is tried again at once."""
    monkeypatch.setattr(client, "FIRST_PAUSE", 0.001)


@pytest.fixture
def state(tmp_path):
    """The folder of a witness."""
    return tmp_path / "witness"


@pytest.fixture
def cosigner(state):
    """The key of the witness in that folder."""
    return make_witness(state)


@pytest.fixture
def server(cosigner):
    """A log of 7 entries, served."""
    running = LogServer(Log(history(3, 3)[:7]), (cosigner,))
    yield running
    running.close()
