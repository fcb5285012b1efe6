"""Fixtures of games on a real log; test folders that want them import them in their conftest."""

import pytest
from psycopg_pool import ConnectionPool

from events.rules.catalogue import find_title
from events.store.event_log import EventLog
from events.store.games import Games, SeatPlan
from tests.clock import Clock
from workers.bots import find_bot_version


@pytest.fixture(scope="module")
def pool(database):
    """Many connections to the module's database: some tests write from thirty-two threads."""
    with ConnectionPool(database, kwargs={"autocommit": True}, min_size=2, max_size=40, open=False) as pool:
        yield pool


@pytest.fixture
def games(pool):
    """Games as one process sees them: with a memory of its own."""
    return Games(EventLog(pool), find_bot=find_bot_version)


@pytest.fixture
def clock():
    """The time of :func:`timed`."""
    return Clock()


@pytest.fixture
def timed(pool, clock):
    """Games whose time the test sets."""
    return Games(EventLog(pool), now=clock, find_bot=find_bot_version)


@pytest.fixture
def title():
    """The title that the platform is tested with."""
    return find_title("colonial_empires")


@pytest.fixture
def new_game(games, title):
    """Makes a running game of four seats (or of *plans*)."""

    def make(*plans, **more):
        return games.create(title, title.Options(), plans or [SeatPlan()] * 4, **more)

    return make
