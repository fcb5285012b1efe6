"""What a service outlives: two hundred kills of the process that numbers and signs; a change of its key."""

import pytest

from tests.clients.test_library_killed import clients, in_javascript, rutter
from tests.tree.conftest import grower, keyring, log, pool, state
from tests.tree.test_kills import killed
from tests.web.key_changes import announce, drop_old_key, restart, signing

pytestmark = pytest.mark.integration
__all__ = ["clients", "grower", "in_javascript", "keyring", "log", "pool", "rutter", "state"]


def test_killed_two_hundred_times(log, pool, grower, keyring, state, database, drawn_seed):
    """Every acknowledged event has its leaf, the tree is the one made again, no size has two roots."""
    killed(200, drawn_seed, log, pool, grower, keyring, state, database)


def test_the_key_changes(rutter, clients, in_javascript, tmp_path):
    """The new key is announced by the old one; the clients believe it, and go on when it signs alone."""
    first = signing(rutter)
    announce(rutter)
    for one in (*clients, in_javascript):
        one.goes_on()
    drop_old_key(rutter)
    restart(rutter)
    in_javascript.goes_on()
    in_javascript.stop(rutter.address)
    for one in clients:
        one.goes_on()
        one.finish(rutter.address)
    new = set(signing(rutter)) - set(first)
    pins = [set(path.read_text().splitlines()) for path in tmp_path.glob("*/pins/*")]
    assert len(new) == 1
    assert [new <= known for known in pins] == [True, True]
