"""Games on a real log."""

import pytest

from tests.cluster_stand_in import make_on_both, standing_in
from tests.core import clock, games, new_game, pool, timed, title

__all__ = ["clock", "games", "new_game", "pool", "timed", "title"]


@pytest.fixture
def cluster(owner):
    """The owner's connection to a database that seems to be the coordinator of two machines."""
    with standing_in(owner) as connection:
        yield connection


@pytest.fixture
def both(new_game):
    """A game on the first machine, and one on the second."""
    return make_on_both(new_game)
