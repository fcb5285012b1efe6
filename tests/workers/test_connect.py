"""Connections of a worker: a database that was away, or silent, is used again as soon as it is there."""

from __future__ import annotations

from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from psycopg import OperationalError
from psycopg_pool import PoolTimeout

from events.store import connection as store_connection
from tests.losing_proxy import LosingProxy, Loss
from tests.waiting import each_look, until
from workers import __main__ as workers_main
from workers import connections

pytestmark = pytest.mark.integration

SOON = 0.5
"""Seconds for which a pool tries to connect by itself, here."""


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


def ask_all(pool):
    """Ask on three connections that are lent at the same time."""
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(pool.connection()).execute("SELECT 1")


def test_a_database_that_was_away_for_long_is_asked_again_at_once(road, monkeypatch):
    """However long it was away: nobody waits for the end of a pause that grew meanwhile.

    The pool gives up trying by itself before a pause has grown, and the next one that needs a connection
    begins again.
    """
    given_up, pauses = [], []
    monkeypatch.setattr(store_connection, "RECONNECT_SECONDS", SOON)
    with connections.open_pool(3) as pool:
        assert pool.reconnect_timeout == SOON
        assert len(pids(pool)) == 3
        monkeypatch.setattr(pool, "_reconnect_failed", given_up.append)
        plain = pool.schedule_task
        monkeypatch.setattr(
            pool, "schedule_task", lambda task, after: pauses.append(after) or plain(task, after)
        )
        road.closed = True
        with road.proxy.lose_share(1.0, Loss.CUT):
            for _ in range(3):
                assert not answers(pool)
        for _ in each_look("the pool has given up, and was asked again, several times"):
            assert not answers(pool)
            if len(given_up) > 5:
                break
        road.closed = False
        until(lambda: answers(pool), "the database answers again")
        assert pauses
        assert max(pauses) <= 2 * SOON, "no pause grows beyond what the pool tries for by itself"


def test_one_silent_connection_speaks_for_all(road, monkeypatch):
    """Where one fell silent the others are given up unasked: nobody waits for each of them in turn."""
    monkeypatch.setattr(connections, "SILENCE_SECONDS", 1.0)
    with connections.open_pool(3) as pool:
        before = pids(pool)
        with road.proxy.lose_share(1.0, Loss.SILENCE):
            assert not answers(pool)
        assert not before & pids(pool)


def test_the_connection_that_was_used_last_is_lent_first(road):
    """The others lie unused for long. One that was ended meanwhile costs its next user one more try."""
    with connections.open_pool(3) as pool:
        idle = pids(pool)
        used = set()
        for _ in range(6):
            with pool.connection() as lent:
                used.add(lent.info.backend_pid)
        assert len(used) == 1
        assert used < idle
        ended = sorted(idle - used)
        with pool.connection() as lent:
            lent.execute("SELECT pg_terminate_backend(pid, 5000) FROM unnest(%s::int[]) pid", (ended,))
        with pytest.raises(OperationalError):
            ask_all(pool)
        pool.check()  # as everybody does before they try again
        assert not pids(pool) & {*ended}


@pytest.mark.parametrize("words", [["dispatcher"], ["work", "deliver"]])
def test_a_process_without_an_address_of_the_database_says_what_to_set(words, monkeypatch, capsys):
    """In a sentence, without a traceback."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(workers_main.logging_setup, "configure_logging", lambda: None)
    assert workers_main.main(words) == 1
    assert capsys.readouterr().err.endswith("for one more, set it yourself.\n")
