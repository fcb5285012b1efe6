"""Statements without rows that a connection prepares by itself: as `execute` does it, in fewer steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
import pytest
from psycopg import Connection, OperationalError
from psycopg.errors import ForeignKeyViolation, InternalError_, UndefinedTable, UniqueViolation
from psycopg.pq import TransactionStatus

from events.store.connection import MOST_PREPARED, NodeAway, TimeoutPool

pytestmark = pytest.mark.integration
ID = "01a2280e-2afa-7034-8284-8bbaa827aac8"
INSERT = "INSERT INTO written (id, n, text, data) VALUES (%s,%s,%s,%s)"
TWO = f"{INSERT},(%s,%s,%s,%s)"


@pytest.fixture
def lent(owner) -> Iterator[Connection[Any]]:
    """A connection of a pool, with a table of its own."""
    with TimeoutPool(owner, "test", max_size=1) as pool, pool.connection() as connection:
        connection.execute(
            "CREATE TEMP TABLE written (id uuid, n bigint CONSTRAINT once UNIQUE, text text, data bytea)"
        )
        yield connection


def read(connection: Connection[Any]) -> list[tuple[Any, ...]]:
    return connection.execute("SELECT id::text, n, text, data FROM written ORDER BY n").fetchall()


def count_prepared(connection: Connection[Any]) -> int:
    query = "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'written_%'"
    return connection.execute(query, prepare=False).fetchone()[0]


@pytest.mark.parametrize(
    "row",
    [
        (ID, 1, "plain", b"\0\1\xff"),
        (None, 2**62, "", b""),
        (ID, -3, "ä\n'\"\\%s $1", None),
        (ID, 0, None, b"'"),
    ],
)
def test_values_arrive_as_those_of_execute_do(lent, row):
    lent.execute(INSERT, row)
    usual = read(lent)
    lent.execute("DELETE FROM written")
    for _ in range(2):  # first prepared, then known
        lent.write(INSERT, row)
        assert read(lent) == usual == [row]
        lent.execute("DELETE FROM written")
    assert count_prepared(lent) == 1


def test_a_statement_that_does_not_fit_into_the_network_at_once(lent):
    text, data = "x" * 3_000_000, bytes(range(256)) * 10_000
    lent.write(TWO, (ID, 1, text, data, ID, 2, text, data))
    assert read(lent) == [(ID, 1, text, data), (ID, 2, text, data)]


def test_an_error_is_that_of_execute_and_changes_nothing(lent):
    lent.write(INSERT, (ID, 1, "first", None))
    for _ in range(2):
        with pytest.raises(UniqueViolation) as failed:
            lent.write(TWO, (ID, 2, "second", None, ID, 1, "again", None))
        assert failed.value.diag.constraint_name == "once"
        assert lent.info.transaction_status == TransactionStatus.IDLE
    assert read(lent) == [(ID, 1, "first", None)]


def test_a_statement_that_cannot_be_prepared_is_no_known_one(lent):
    with pytest.raises(UndefinedTable):
        lent.write("INSERT INTO nowhere VALUES (%s)", (1,))
    assert count_prepared(lent) == 0
    lent.write(INSERT, (ID, 1, "then", None))
    assert count_prepared(lent) == len(read(lent)) == 1


def test_a_deferred_error_comes_at_the_end_of_the_statement(lent):
    lent.execute("CREATE TEMP TABLE named (n bigint PRIMARY KEY)")
    lent.execute("ALTER TABLE written ADD FOREIGN KEY (n) REFERENCES named DEFERRABLE INITIALLY DEFERRED")
    with pytest.raises(ForeignKeyViolation):
        lent.write(INSERT, (ID, 1, "nobody", None))
    assert read(lent) == []


def test_statements_that_were_deallocated_are_prepared_again(lent):
    """psycopg deallocates all of a connection after a transaction that was rolled back."""
    lent.write(INSERT, (ID, 1, "first", None))
    for _ in range(7):
        lent.execute("SELECT 1")  # so that psycopg has prepared something itself
    with suppress(UndefinedTable), lent.transaction():
        lent.execute("SELECT 1 FROM nowhere")
    lent.execute("SELECT 2")
    assert count_prepared(lent) == 0
    for number in (2, 3):
        lent.write(INSERT, (ID, number, "again", None))
    assert [row[1] for row in read(lent)] == [1, 2, 3]
    assert count_prepared(lent) == 1


@pytest.mark.parametrize(
    "said",
    [
        "failure on connection marked as essential: two:5433",
        "connection to the remote node es_app@two:5433 failed",
        "could not commit transaction for shard 102032 on at least one active node",
        "failed to prepare transaction 'citus_0_1_2' on host two:5433",
    ],
)
@pytest.mark.parametrize("way", ["write", "execute"])
def test_a_machine_of_a_cluster_that_fails_is_told_from_a_fault_of_the_database(lent, said, way):
    lent.execute(
        "CREATE FUNCTION pg_temp.fail() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'XX000', MESSAGE = NEW.text; END $$"
    )
    lent.execute("CREATE TRIGGER fails BEFORE INSERT ON written FOR EACH ROW EXECUTE FUNCTION pg_temp.fail()")
    with pytest.raises(NodeAway):
        getattr(lent, way)(INSERT, (ID, 1, said, None))
    with pytest.raises(InternalError_):
        getattr(lent, way)(INSERT, (ID, 1, "something else", None))


def test_only_so_many_statements_are_prepared(lent):
    for number in range(MOST_PREPARED + 3):
        for _ in range(2):
            lent.write(f"INSERT INTO written (text) SELECT %s -- {number}", (f"by {number}",))
    assert count_prepared(lent) == MOST_PREPARED
    assert len(read(lent)) == 2 * (MOST_PREPARED + 3)


def test_behind_a_pooler_nothing_is_prepared(lent):
    lent.prepare_threshold = None
    for number in range(7):
        lent.write(INSERT, (ID, number, "pooled", b"1"))
    assert count_prepared(lent) == 0
    assert len(read(lent)) == 7


@contextmanager
def killed(server: str, connection: Connection[Any]) -> Iterator[None]:
    """Within, Postgres has ended *connection*."""
    with psycopg.connect(server, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 10000)", (connection.info.backend_pid,))
        yield


@pytest.mark.parametrize("known", [True, False])
def test_a_connection_that_postgres_has_ended_is_an_operational_error(owner, known):
    with TimeoutPool(owner, "test", max_size=1) as pool:
        connection = pool.getconn()
        connection.execute("CREATE TEMP TABLE written (id uuid, n bigint, text text, data bytea)")
        if known:
            connection.write(INSERT, (ID, 1, "before", None))
        with killed(owner, connection), pytest.raises(OperationalError):
            connection.write(INSERT, (ID, 2, "after", None))
        pool.putconn(connection)
        with pool.connection() as next_one:
            assert next_one.info.backend_pid != connection.info.backend_pid or connection.closed


def test_a_statement_that_takes_too_long_closes_the_connection(lent):
    lent.statement_timeout = 0.3
    with pytest.raises(OperationalError, match="has not answered"):
        lent.write("INSERT INTO written (text) SELECT %s || pg_sleep(30)", ("late",))
    assert lent.closed
