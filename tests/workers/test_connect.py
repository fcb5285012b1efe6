"""Connections of a worker: a database that was away, or silent, is at hand again as soon as it is there."""

from __future__ import annotations

import time
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from psycopg import OperationalError
from psycopg_pool import PoolTimeout

from ops.losing_proxy import LosingProxy, Loss
from workers import connect

pytestmark = pytest.mark.integration

AT_HAND = 4.0
"""Seconds within which it must be at hand again: a machine may be busy."""


class Road:
    """The way to the database, which can be closed."""

    def __init__(self, database: str) -> None:
        parts = urlsplit(database)
        self._server = (parts.hostname, parts.port)
        self.closed = False
        self.proxy = LosingProxy(self._where)
        login = parts.netloc.rpartition("@")[0]
        self.url = parts._replace(
            netloc=f"{login}@127.0.0.1:{self.proxy.port}", query="sslmode=disable"
        ).geturl()

    def _where(self) -> tuple[str, int]:
        if self.closed:
            raise ConnectionRefusedError
        return self._server


@pytest.fixture
def road(database, monkeypatch):
    road = Road(database)
    monkeypatch.setenv("DATABASE_URL", road.url)
    yield road
    road.proxy.close()


def answers(pool):
    """Whether the database answers."""
    try:
        with pool.connection(timeout=0.5) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except (OperationalError, PoolTimeout):
        return False


def pids(pool):
    """Which processes of the server answer three connections that are used at the same time."""
    with ExitStack() as stack:
        used = [stack.enter_context(pool.connection()) for _ in range(3)]
        return {one.info.backend_pid for one in used}


@pytest.mark.slow
def test_a_database_that_was_away_for_long_is_asked_again_at_once(road):
    """However long it was away: nobody waits for the end of a pause that grew meanwhile."""
    with connect.open_pool(3) as pool:
        assert len(pids(pool)) == 3
        road.closed = True
        with road.proxy.losing(1.0, Loss.CUT):
            for _ in range(3):
                assert not answers(pool)
        away = time.monotonic()
        while time.monotonic() - away < 8:
            assert not answers(pool)
            time.sleep(0.2)
        road.closed = False
        back = time.monotonic()
        while not answers(pool):
            assert time.monotonic() - back < AT_HAND
            time.sleep(0.05)


def test_one_silent_connection_speaks_for_all(road, monkeypatch):
    """Where one fell silent the others are given up unasked: nobody waits for each of them in turn."""
    monkeypatch.setattr(connect, "SILENCE_SECONDS", 1.0)
    with connect.open_pool(3) as pool:
        before = pids(pool)
        with road.proxy.losing(1.0, Loss.SILENCE):
            assert not answers(pool)
        assert not before & pids(pool)
