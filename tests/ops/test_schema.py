"""The schema: distributable by game, and with no more privileges than each role needs."""

import re
import shutil
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import psycopg
import pytest
from psycopg import sql

from events.store.database_owner import UnsafeOwner, require_other_role
from ops.base.errors import OpsError
from ops.database.distribution import Distribution
from ops.database.migrate import migrate
from ops.database.privileges import (
    APP_PRIVILEGES,
    AUDITOR_PRIVILEGES,
    grant,
    migrate_and_grant,
    refuse_superuser,
)
from ops.runtime.embedded_postgres import SUPERUSER
from ops.runtime.servers import ServerAddresses, Servers
from projections.lane_news import BEHIND
from projections.read_models.work_queue import FIRST_OWNER, NEXT_OF_OWNERS, NEXT_THINKING
from projections.runner import NEXT, NEXT_OF_LANES, make_checkpoints
from service.application.queries.game_queries import GameFilter, make_statement
from tests.servers import reachable_folder

pytestmark = pytest.mark.integration

ROOT = Path(__file__).resolve().parents[2]
TABLES = Distribution.load()


@pytest.mark.parametrize(("table", "column"), TABLES.distributed.items())
def test_unique_keys_hold_the_game(pool, table, column):
    """What is unique, is so within a game; what a table is spread by is a uuid and always there."""
    with pool.connection() as connection:
        keys = connection.execute(
            "SELECT i.indexrelid::regclass::text, array_agg(a.attname::text) FROM pg_index i"
            " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)"
            " WHERE i.indisunique AND i.indrelid = %s::regclass GROUP BY 1",
            (table,),
        ).fetchall()
        kind = connection.execute(
            "SELECT atttypid::regtype::text, attnotnull FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attname = %s",
            (table, column),
        ).fetchone()
    assert keys, table
    assert [name for name, columns in keys if column not in columns] == []
    assert kind == ("uuid", True)


def test_no_reference_leaves_a_game(pool):
    """Nor does one from elsewhere lead to it: both would tie machines together."""
    names = list(TABLES.distributed)
    with pool.connection() as connection:
        references = connection.execute(
            "SELECT conname FROM pg_constraint WHERE contype = 'f'"
            " AND (conrelid = ANY(%s::regclass[]) OR confrelid = ANY(%s::regclass[]))",
            (names, names),
        ).fetchall()
    assert references == []


def test_every_table_has_its_place(pool):
    """A new table is spread with the games, or has a reason to stay on one machine."""
    listed = [*TABLES.distributed, *TABLES.local, *TABLES.managed]
    with pool.connection() as connection:
        found = connection.execute(
            "SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'p')"
            " AND relnamespace IN ('es'::regnamespace, 'public'::regnamespace)"
        ).fetchall()
    assert sorted(name for (name,) in found) == sorted(listed)


def test_tables_with_a_game_are_spread_by_it(pool):
    """Those aside that tell the order of all games, or of few, or that are asked over all games."""
    together = {"es.log", "founding", "es.frozen", "rating_game", "rating_void"}
    together |= {"lobby", "turn", "game_end", "reliability", "es.failed", "es.parked", "club_game", "note"}
    together |= {"seat_claim", "seat_reservation", "subject_claim", "game_access", "game_director"}
    together |= {"talk_reader", "message_report"}
    with pool.connection() as connection:
        found = connection.execute(
            "SELECT attrelid::regclass::text FROM pg_attribute JOIN pg_class c ON c.oid = attrelid"
            " WHERE attname = 'game_id' AND relkind = 'r'"
            " AND relnamespace IN ('es'::regnamespace, 'public'::regnamespace)"
        ).fetchall()
    by_game = {table for table, column in TABLES.distributed.items() if column == "game_id"}
    assert {name for (name,) in found} - together == by_game


def test_no_order_of_transactions():
    """Ids of transactions mean nothing in a restored copy, on a replica, or on another node."""
    forbidden = re.compile(r"\b(xid8|txid\w*|pg_snapshot\w*|pg_current_xact\w*|pg_current_snapshot)\b")
    files = [
        path
        for folder in ("events", "projections", "service", "workers", "ops")
        for ending in ("*.py", "*.sql")
        for path in (ROOT / folder).rglob(ending)
    ]
    assert files
    assert [str(path) for path in files if forbidden.search(path.read_text(encoding="utf-8"))] == []


def test_every_table_has_its_privileges(pool):
    """A table that a migration adds is named among the privileges of the service."""
    with pool.connection() as connection:
        tables = connection.execute(
            "SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace IN ('es'::regnamespace, 'public'::regnamespace)"
        ).fetchall()
    assert {name for (name,) in tables} == {table for tables in APP_PRIVILEGES.values() for table in tables}


LOG = ("es.event", "es.secret", "es.game_secret", "es.log")


@pytest.mark.parametrize("table", LOG)
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE {} SET game_id = game_id",
        "DELETE FROM {}",
        "TRUNCATE {}",
        "ALTER TABLE {} DISABLE TRIGGER ALL",
        "DROP TABLE {}",
    ],
)
def test_the_service_cannot_touch_the_past(pool, table, change):
    """Not even by taking the triggers away first."""
    with (
        pool.connection() as connection,
        connection.transaction(force_rollback=True),
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(change.format(table))


RELATIONS = (
    "SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S')"
    " AND relnamespace IN ('es'::regnamespace, 'public'::regnamespace)"
)
"""Tables, views, sequences: whatever a migration may ever add."""
ATTEMPTS = {
    "SELECT": "SELECT 1 FROM {}",
    "INSERT": "INSERT INTO {} DEFAULT VALUES",
    "UPDATE": "UPDATE {} SET {column} = {column}",
    "DELETE": "DELETE FROM {}",
    "TRUNCATE": "TRUNCATE {}",
}


def may(connection, relation, attempt):
    """Whether a role may do something, found by trying it; nothing of it stays."""
    (column,) = connection.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND attidentity = ''"
        " ORDER BY attnum LIMIT 1",
        [relation],
    ).fetchone()
    try:
        with connection.transaction(force_rollback=True):
            connection.execute(ATTEMPTS[attempt].format(relation, column=column))
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.WrongObjectType):
        return False
    except psycopg.Error:  # it was let in, and came to something else
        return True
    return True


def granted(privileges, relation):
    """Of whole rows: what is granted of a single column only is tried by a test of its own."""
    found = {word for words, tables in privileges.items() if relation in tables for word in words.split(", ")}
    return {word for word in found if "(" not in word}


def test_the_service_may_do_what_it_is_granted_and_nothing_else(pool, owner):
    """Tried on every table, view and sequence that there is, whatever its name."""
    with psycopg.connect(owner) as connection:
        relations = [name for (name,) in connection.execute(RELATIONS)]
    with pool.connection() as connection:
        for relation in relations:
            found = {attempt for attempt in ATTEMPTS if may(connection, relation, attempt)}
            assert found == granted(APP_PRIVILEGES, relation), relation
            if relation in LOG:
                assert found == {"SELECT", "INSERT"}, relation


def test_the_origin_is_given_once(pool):
    """Of what the installation is, the service may write the name of the log alone, and that only once."""
    with pool.connection() as connection, connection.transaction(force_rollback=True):
        connection.execute(
            "INSERT INTO es.service (claim_key, origin) VALUES (%s, 'first.example/log')"
            " ON CONFLICT (one) DO UPDATE SET origin = coalesce(service.origin, excluded.origin)",
            (bytes(32),),
        )
        with pytest.raises(psycopg.Error), connection.transaction():
            connection.execute("UPDATE es.service SET origin = 'second.example/log'")
        with pytest.raises(psycopg.Error, match="with a test seed or without"), connection.transaction():
            connection.execute("UPDATE es.service SET test_seed = %s", (bytes(32),))
        with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
            connection.execute("UPDATE es.service SET claim_key = claim_key")


def test_an_auditor_reads_the_log_and_nothing_else(auditor, owner):
    """Tried on every table, view and sequence; no table that they read has a column of secrets."""
    with psycopg.connect(owner) as connection:
        relations = [name for (name,) in connection.execute(RELATIONS)]
    with psycopg.connect(auditor, autocommit=True) as connection:
        for relation in relations:
            found = {attempt for attempt in ATTEMPTS if may(connection, relation, attempt)}
            assert found == granted(AUDITOR_PRIVILEGES, relation), relation
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT es.sequence_events(1)")


def test_nobody_serves_as_superuser(servers, owner):
    """Whom no privilege and no trigger binds."""
    if servers.pid("postgres") is None:
        pytest.skip("the tests were given a server, whose superuser they do not know")
    refuse_superuser(owner)
    with pytest.raises(OpsError, match=r"logs in as postgres, a superuser"):
        refuse_superuser(servers._get_embedded_postgres()._make_url(SUPERUSER, owner.rpartition("/")[2]))


@pytest.fixture
def auditor(owner, servers):
    """The URL of the module's database as an auditor."""
    if servers.pid("postgres") is None:
        pytest.skip("the tests were given a server, in which they make no roles")
    name, password = "test_auditor", "for-these-tests-only"
    role = sql.Identifier(name)
    database = owner.rpartition("/")[2]
    superuser = servers._get_embedded_postgres()._make_url(SUPERUSER, database)
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(role, sql.Literal(password)))
        grant(owner, auditor=name)
        yield re.sub("//.*@", f"//{name}:{password}@", owner)
        connection.execute(sql.SQL("DROP OWNED BY {}").format(role))
        connection.execute(sql.SQL("DROP ROLE {}").format(role))


def test_an_auditor_sees_the_log_and_no_secret(auditor, pool):
    """The chain is open to them; what its digests hide is not, nor who plays."""
    with psycopg.connect(auditor, autocommit=True) as connection:
        assert connection.execute("SELECT count(*) FROM es.event JOIN es.log USING (game_id, seq)").fetchone()
        for table in (
            "es.secret",
            "es.game_secret",
            "es.service",
            "es.snapshot",
            "account",
            "token",
            "history",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"SELECT 1 FROM {table}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("INSERT INTO es.event VALUES (gen_random_uuid(), 1, '', '')")


def test_a_missing_role_is_told(owner):
    """Nothing is granted half."""
    with pytest.raises(OpsError, match="There is no role nobody_of_that_name"):
        grant(owner, auditor="nobody_of_that_name")


def test_privileges_are_granted_twice_without_harm(owner, database):
    """As `rutter up` does at every start."""
    addresses = ServerAddresses(database, owner, "")
    assert migrate_and_grant(addresses) == []
    with psycopg.connect(database, autocommit=True) as connection:
        assert connection.execute("SELECT count(*) FROM es.event").fetchone()


def test_hosts_that_start_at_once_grant_one_after_the_other(owner, database):
    """Postgres turns away anyone who changes a table's privileges beside another."""
    addresses = ServerAddresses(database, owner, "")
    with ThreadPoolExecutor(6) as hosts:
        assert list(hosts.map(migrate_and_grant, [addresses] * 12)) == [[]] * 12


def test_the_owner_does_not_serve(owner, database):
    """The service refuses a login that could alter the log, unless it is told that there is no other."""
    require_other_role({"DATABASE_URL": database})
    require_other_role({"DATABASE_URL": owner, "RUTTER_OWNER_MAY_SERVE": "1"})
    with pytest.raises(UnsafeOwner, match="could alter the log"):
        require_other_role({"DATABASE_URL": owner})
    with pytest.raises(OpsError, match=r"logs in as .* the owner of the log"):
        migrate_and_grant(ServerAddresses(owner + "?application_name=service", owner, ""))


def test_a_database_of_before_is_refused(owner):
    """Its log has another form, and its hashes too: nothing of it is touched."""
    with psycopg.connect(owner) as connection:
        connection.execute("ALTER TABLE es.event ADD COLUMN command_id uuid")
        connection.commit()
        with pytest.raises(OpsError, match=r"before the first release.*Name an empty database"):
            migrate(owner)
        connection.execute("ALTER TABLE es.event DROP COLUMN command_id")


def test_a_data_folder_of_before_is_refused(tmp_path):
    """Before anything is started, in one sentence that says what to do."""
    folder = reachable_folder(tmp_path / "data")
    (folder / "postgres").mkdir(parents=True)
    (folder / "servers.json").write_text(
        '{"postgres": {"port": 1, "password": "x"}, "redis": {"port": 2, "password": "y"}}'
    )
    with pytest.raises(OpsError, match=r"before the first release.*Choose another with --data"):
        Servers(folder, environment={}).start()
    assert "owner_password" not in (folder / "servers.json").read_text()
    shutil.rmtree(folder)


def test_the_service_is_told_who_may_migrate(database, monkeypatch):
    """A login that may not change the schema is told which one may."""
    monkeypatch.setattr("ops.database.migrate.read_applied", lambda _: {})
    with pytest.raises(OpsError, match="RUTTER_MIGRATE_URL"):
        migrate(database)


def plan(connection, statement, values=()):
    """The plan of a statement, whatever the values: as a prepared statement gets it."""
    connection.execute("SET plan_cache_mode = force_generic_plan")
    types = ", ".join("unknown" for _ in values)
    head = f"PREPARE planned ({types})" if values else "PREPARE planned"
    numbered = statement
    for number in range(1, len(values) + 1):
        numbered = numbered.replace("%s", f"${number}", 1)
    connection.execute(f"{head} AS {numbered}")
    given = ", ".join(sql.Literal(value).as_string(connection) for value in values)
    rows = connection.execute(f"EXPLAIN EXECUTE planned{f'({given})' if given else ''}").fetchall()
    connection.execute("DEALLOCATE planned")
    return "\n".join(line for (line,) in rows)


@pytest.fixture(scope="module")
def filled(owner):
    """Many positions and many running games, none of which waits."""
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO es.log (position, game_id, seq, lane)"
            " SELECT 1000000 + n, gen_random_uuid(), 1, n & 63 FROM generate_series(1, 200000) n"
        )
        connection.execute(
            "INSERT INTO lobby SELECT gen_random_uuid(), 'colonial', 1, 'running', '[]', '{0}', false, null,"
            " false, null, 1, now() FROM generate_series(1, 20000)"
        )
        connection.execute(
            "INSERT INTO lobby (game_id, title, version, status, seats, waiting_for, house, bot, analysis,"
            " seq, created_at, since, owner) SELECT gen_random_uuid(), 'colonial', 1, 'running', '[]', '{0}',"
            " false, 0, false, 1, now(), now(), gen_random_uuid() FROM generate_series(1, 5000)"
        )
        connection.execute(
            "INSERT INTO lobby (game_id, title, version, status, seats, waiting_for, house, thinking,"
            " analysis, seq, created_at, since, owner) SELECT gen_random_uuid(), 'colonial', 1, 'running',"
            " '[]', '{0,1}', false, '{0,1}', false, 1, now(), now(), gen_random_uuid()"
            " FROM generate_series(1, 5000)"
        )
        make_checkpoints(connection)
        connection.execute("UPDATE es.projection SET position = 1200001")
        connection.execute("ANALYZE es.log, es.projection, lobby")
        yield connection


def test_what_runs_for_every_command_reads_no_whole_table(filled):
    """Positions that a lane has not seen, and games that wait, are found by their indexes."""
    lanes = plan(filled, BEHIND, (["history", "lobby"], 16))
    assert "Seq Scan on log" not in lanes, lanes
    assert "log_lane" in lanes, lanes
    batch = plan(filled, NEXT, (3, 0, 3, 2**62, 500))
    assert "Seq Scan" not in batch, batch
    assert "log_lane" in batch, batch
    batches = plan(filled, NEXT_OF_LANES, ([3, 4, 5], [0, 7, 1200001], 500))
    assert "Seq Scan" not in batches, batches
    assert "log_lane" in batches, batches
    assert "Sort Key: l" not in batches, "a lane is not read to its end to be sorted"
    pending = plan(filled, NEXT_OF_OWNERS, (False, True, FIRST_OWNER, "{}"))
    assert "Seq Scan" not in pending, pending
    assert "Sort" not in pending, pending
    assert "lobby_pending" in pending, pending
    thinking = plan(filled, NEXT_THINKING, (False, FIRST_OWNER, "{}"))
    assert "Seq Scan" not in thinking, thinking
    assert "lobby_thinking" in thinking, thinking


@pytest.mark.parametrize("mine", [False, True])
def test_the_forks_of_a_game_are_found_without_reading_others(filled, mine):
    """By the index of the lobby, whether all are asked for or one's own."""
    wanted = GameFilter(forked_from=str(uuid.uuid4()), mine=mine)
    values = {**msgspec.structs.asdict(wanted), "who": str(uuid.uuid4()), "now": "2026-01-01T00:00:00Z"}
    rows = filled.execute(f"EXPLAIN {make_statement(wanted)}", values).fetchall()
    text = "\n".join(line for (line,) in rows)
    assert "Seq Scan on lobby" not in text, text
    assert "lobby_origin" in text, text
