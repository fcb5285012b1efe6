"""A connection that takes long to be made: a request waits for it, unless the database seems to be away."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from psycopg import OperationalError
from psycopg_pool import ConnectionPool, PoolTimeout

from events.store import connection as connections
from events.store.connection import CONNECT_PATIENCE, ExhaustedPool, LazyPool
from service.base.rate_limits import TimeLimits
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.integration
LIMITS = TimeLimits(usual=100, long=100, connection=0.01)
"""So short for a connection that no machine makes one in time."""


class Waits:
    """The waits of a pool for its connections; each that is in vain calls *react* before it is told."""

    def __init__(self, monkeypatch, react) -> None:
        self.seconds: list[float] = []
        usual = ConnectionPool.getconn

        def wait(pool, timeout=None):
            self.seconds.append(timeout)
            try:
                return usual(pool, timeout)
            except PoolTimeout:
                react(pool)
                raise

        monkeypatch.setattr(ConnectionPool, "getconn", wait)


@pytest.fixture
def gate(monkeypatch) -> Iterator[threading.Event]:
    """No connection is made before this is set."""
    opened, usual = threading.Event(), connections.adapt_to_pooler

    def hold_up(connection, url) -> None:
        assert opened.wait(PATIENCE)
        usual(connection, url)

    monkeypatch.setattr(connections, "adapt_to_pooler", hold_up)
    yield opened
    opened.set()


def test_a_request_waits_while_a_connection_is_made(database, gate, monkeypatch):
    """The first request of a process on a slow machine was refused, by a database that answers."""
    monkeypatch.setattr(connections, "CONNECT_PATIENCE", PATIENCE)
    waits = Waits(monkeypatch, lambda _pool: gate.set())
    with LazyPool(database, 3, LIMITS) as pool, pool.connection() as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
        assert waits.seconds == [LIMITS.connection, PATIENCE - LIMITS.connection]


def test_anyone_who_says_how_long_waits_no_longer(database, gate, monkeypatch):
    """They are those who ask if the server is ready."""
    waits = Waits(monkeypatch, lambda _pool: None)
    with LazyPool(database, 3, LIMITS) as pool:
        with pytest.raises(PoolTimeout), pool.connection(timeout=0.02):
            pass
        gate.set()
    assert waits.seconds == [0.02]


def test_nobody_waits_longer_where_connections_fail(monkeypatch):
    """The database is away, which is told soon."""
    away = "postgresql://127.0.0.1:1/nothing"
    waits = Waits(monkeypatch, lambda pool: until(pool.seems_away, "the first try has failed"))
    with LazyPool(away, 3, LIMITS) as pool, pytest.raises(PoolTimeout), pool.connection():
        pass
    assert waits.seconds == [LIMITS.connection]


def test_nobody_waits_longer_for_a_database_that_fell_silent(database, gate, monkeypatch):
    """A new connection shows that it answers again, and then a slow one is waited for."""
    gate.set()
    waits = Waits(monkeypatch, lambda _pool: None)
    with LazyPool(database, 3, LIMITS) as pool:
        pool.wait(PATIENCE)
        gate.clear()
        with pool.connection() as connection:
            connection.statement_timeout = 0.01
            with pytest.raises(OperationalError, match="has not answered"):
                connection.execute("SELECT pg_sleep(60)")
        assert pool.seems_away()
        waits.seconds.clear()
        with pytest.raises(PoolTimeout), pool.connection():
            pass
        assert waits.seconds == [LIMITS.connection]
        gate.set()
        until(lambda: not pool.seems_away(), "a new connection is made")


def test_when_all_are_at_work_nobody_waits_longer(database, gate, monkeypatch):
    """The others' work may take long, and no connection is being made."""
    gate.set()
    with LazyPool(database, 1, LIMITS) as pool:
        pool.wait(PATIENCE)
        with pool.connection():
            waits = Waits(monkeypatch, lambda _pool: None)
            with pytest.raises(ExhaustedPool), pool.connection():
                pass
    assert waits.seconds == [LIMITS.connection]
    assert LIMITS.connection < CONNECT_PATIENCE
