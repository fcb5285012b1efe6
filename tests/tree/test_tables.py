"""The tables of the tree only grow, and nothing that runs for every command reads one of them whole."""

import psycopg
import pytest

from ops.database.privileges import AUDITOR_PRIVILEGES
from projections.tree import grower, tree_store
from tests.ops.test_schema import plan

pytestmark = pytest.mark.integration
TABLES = ("leaf", "tile", "checkpoint", "cosignature", "key")


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("change", ["DELETE FROM {}", "TRUNCATE {}", "ALTER TABLE {} DISABLE TRIGGER ALL"])
def test_the_service_cannot_touch_what_was_logged(pool, table, change):
    with (
        pool.connection() as connection,
        connection.transaction(force_rollback=True),
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(change.format(f"es.{table}"))


@pytest.mark.parametrize("table", TABLES)
def test_not_even_the_owner_truncates_it(owner, table):
    with (
        psycopg.connect(owner) as connection,
        pytest.raises(psycopg.DatabaseError, match="the log only grows"),
    ):
        connection.execute(f"TRUNCATE es.{table} CASCADE")


def test_an_auditor_reads_all_of_it():
    """Nothing of the tree is secret."""
    assert {f"es.{table}" for table in TABLES} | {"es.tree"} <= set(AUDITOR_PRIVILEGES["SELECT"])


@pytest.fixture(scope="module")
def filled(owner):
    """Many events, positions and leaves of many games."""
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(
            "CREATE TEMP TABLE many AS SELECT n, gen_random_uuid() game FROM generate_series(1, 40000) n"
        )
        connection.execute("INSERT INTO es.event SELECT game, 1, '{}', sha256(game::text::bytea) FROM many")
        connection.execute("INSERT INTO es.log SELECT n, game, 1, n & 63 FROM many")
        connection.execute(
            "INSERT INTO es.leaf SELECT n - 1, n, decode(md5(n::text), 'hex'), 1, NULL, 'x' FROM many"
        )
        connection.execute("INSERT INTO es.checkpoint SELECT n, sha256('x'), '' FROM many")
        connection.execute("INSERT INTO es.cosignature SELECT n, 'w', '' FROM many")
        connection.execute("ANALYZE es.event, es.log, es.leaf, es.checkpoint, es.cosignature")
        yield connection


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        (grower._NEXT, (5, 200, 5000)),
        (grower._EVENTS, ("", "", "")),
        (grower._HEADS, ("", "")),
        (grower._ENTRIES, ("", "", "")),
        (tree_store.QUORUM, (2000, ["w"], 1)),
        (tree_store.FIRST_QUORUM, (5, 2000, ["w"], 1)),
        (tree_store.NEWEST, ()),
        (tree_store.LEAF, (b"", 1)),
        (tree_store.ENTRIES, (0, 256)),
    ],
)
def test_what_runs_all_the_time_reads_no_whole_table(filled, statement, values):
    found = plan(filled, statement, values)
    assert "Seq Scan" not in found, found
