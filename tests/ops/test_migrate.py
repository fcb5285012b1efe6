"""Migrations: each once, in order, unchanged, no matter who comes first."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from ops.base.errors import ChangedMigration, OpsError
from ops.database.migrate import MIGRATIONS, migrate, read_migrations, run_migrations
from tests.servers import start_test_servers

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    with start_test_servers(tmp_path_factory.mktemp("servers")) as servers:
        yield servers


@pytest.fixture
def database_url(servers, request):
    """An empty database for one test."""
    name = f"test_{abs(hash(request.node.name))}"
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield psycopg.conninfo.make_conninfo(servers.owner_url, dbname=name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def folder(tmp_path) -> Path:
    write(tmp_path, "0001_log.sql", "CREATE TABLE log (n int); INSERT INTO log VALUES (1);")
    write(tmp_path, "0002_more.sql", "INSERT INTO log SELECT pg_backend_pid() * 0 + 2;")
    return tmp_path


def write(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(script)


def rows(database_url: str) -> list[int]:
    with psycopg.connect(database_url) as connection:
        return [n for (n,) in connection.execute("SELECT n FROM log ORDER BY n").fetchall()]


def test_files_are_run_in_order_and_stay_applied(database_url, folder):
    assert migrate(database_url, folder) == ["0001_log.sql", "0002_more.sql"]
    assert rows(database_url) == [1, 2]


def test_a_second_run_does_nothing(database_url, folder):
    migrate(database_url, folder)
    assert migrate(database_url, folder) == []
    assert rows(database_url) == [1, 2]


def test_a_new_file_is_run_alone(database_url, folder):
    migrate(database_url, folder)
    write(folder, "0003_again.sql", "INSERT INTO log VALUES (3)")
    assert migrate(database_url, folder) == ["0003_again.sql"]


def test_four_migrators_at_once_do_the_work_once(database_url, folder):
    together = threading.Barrier(4)

    def one(_: int) -> list[str]:
        together.wait()
        return migrate(database_url, folder)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(one, range(4)))
    assert sorted(answers) == [[], [], [], ["0001_log.sql", "0002_more.sql"]]
    assert rows(database_url) == [1, 2]


@pytest.mark.parametrize("edit", ["change", "remove"])
def test_a_file_that_was_changed_afterwards_stops_everything(database_url, folder, edit):
    migrate(database_url, folder)
    write(folder, "0003_new.sql", "INSERT INTO log VALUES (3)")
    first = folder / "0001_log.sql"
    first.write_text(first.read_text() + "-- harmless?") if edit == "change" else first.unlink()
    with pytest.raises(ChangedMigration, match=r"0001_log\.sql"):
        migrate(database_url, folder)
    assert rows(database_url) == [1, 2]


def test_a_failing_file_leaves_nothing_and_those_before_it_stay(database_url, folder):
    write(folder, "0003_broken.sql", "INSERT INTO log VALUES (3); SELECT no_such_function();")
    with pytest.raises(psycopg.errors.UndefinedFunction):
        migrate(database_url, folder)
    assert rows(database_url) == [1, 2]
    write(folder, "0003_broken.sql", "INSERT INTO log VALUES (30)")
    assert migrate(database_url, folder) == ["0003_broken.sql"]


def test_a_percent_sign_is_only_a_percent_sign(database_url, folder):
    write(folder, "0003_percent.sql", "INSERT INTO log SELECT 7 % 4; -- 100 %s")
    migrate(database_url, folder)
    assert rows(database_url) == [1, 2, 3]


@pytest.mark.parametrize("name", ["log.sql", "1_log.sql", "0003-log.sql"])
def test_a_file_without_a_number_is_refused(folder, name):
    write(folder, name, "")
    with pytest.raises(OpsError, match="such as 0001_words"):
        read_migrations(folder)


def test_a_number_is_used_once(folder):
    write(folder, "0002_other.sql", "")
    with pytest.raises(OpsError, match="have the number 0002"):
        read_migrations(folder)


def test_our_own_migrations_run_on_an_empty_database(database_url):
    assert migrate(database_url) == [migration.name for migration in read_migrations(MIGRATIONS)]
    assert migrate(database_url) == []


def test_hashes_are_omitted_where_no_earlier_program_has_started(database_url):
    """One that has started may run on beside the new one, and needs the hash in each row."""
    told = []
    for started in (False, True):
        with psycopg.connect(database_url) as connection:
            files = read_migrations()
            run_migrations(connection, [file for file in files if file.name < "0041"])
            row = "INSERT INTO es.service (claim_key) VALUES (decode(repeat('00', 32), 'hex'))"
            if started:
                connection.execute(row)
            run_migrations(connection, [file for file in files if file.name >= "0041"])
            if not started:
                connection.execute(row)
            told.append(connection.execute("SELECT omits_hashes FROM es.service").fetchone()[0])
            connection.rollback()
    assert told == [True, False]
