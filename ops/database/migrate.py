"""Numbered SQL files, each run once, in order, for ever unchanged.

There is no way down: a mistake is mended by the next file.
"""

import hashlib
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from events.store.connection import connect
from ops.base.errors import OLD_GAMES, ChangedMigration, OpsError

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK = int.from_bytes(b"rutter m", "big", signed=True)
"""The advisory lock that makes simultaneous migrators take turns."""

AGAIN_SECONDS = 0.1
"""Seconds after which a migrator that is not alone asks again."""

NAME = re.compile(r"\d{4}_[a-z0-9_]+\.sql")

LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    name       text PRIMARY KEY,
    sha256     text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)
"""


@dataclass(frozen=True)
class Migration:
    """One SQL file."""

    name: str
    script: str

    @property
    def sha256(self) -> str:
        """The fingerprint by which a later edit is noticed."""
        return hashlib.sha256(self.script.encode()).hexdigest()


def migrate(database_url: str, folder: Path = MIGRATIONS) -> list[str]:
    """Bring a database to the newest schema; answers the names of the files that were run now.

    May be called by several processes at once: one works, the others wait and find it done.

    Raises:
        ChangedMigration: a file that this database has run was edited or removed. Nothing is run then.
        OpsError: a file has no number, or two have the same; or the database is none that we can use.
        psycopg.Error: a file failed. It left nothing behind; the files before it stay.
    """
    migrations = read_migrations(folder)
    # Autocommit: otherwise the first statement opens a transaction around everything, and each file's own
    # transaction is only a savepoint in it.
    with hold_migration_lock(database_url), connect(database_url, autocommit=True) as connection:
        _refuse_old(connection)
        todo = _find_pending(migrations, read_applied(connection))
        if todo:
            _make_ledger(connection)
        for migration in todo:
            _run(connection, migration)
    return [migration.name for migration in todo]


@contextmanager
def hold_migration_lock(database_url: str) -> Iterator[None]:
    """Hold the lock of those who migrate or grant: of two at once Postgres would turn one away.

    It is the lock of a transaction, on a connection of its own: behind a pooler that of a session would stay
    when we are gone. A process that waits for it asks again and again: if it sat waiting, it would hold a
    connection to Postgres, and a few of them all that a pooler has.
    """
    with connect(database_url) as guard:
        while guard.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK]).fetchone() != (True,):
            guard.rollback()
            time.sleep(AGAIN_SECONDS)
        with explain_unknown_roles(guard.info.user):
            yield


def run_migrations(connection: psycopg.Connection, migrations: list[Migration]) -> None:
    """Run *migrations* in a transaction of the caller's, without asking which were run before."""
    _make_ledger(connection)
    for migration in migrations:
        _run(connection, migration)


def read_migrations(folder: Path = MIGRATIONS) -> list[Migration]:
    """Return the SQL files of a folder, in order.

    Raises:
        OpsError: a name is not of the form `0001_words.sql`, or two files have one number.
    """
    files = sorted(folder.glob("*.sql"))
    for path in files:
        if not NAME.fullmatch(path.name):
            raise OpsError(f"{path} is not a migration. Give it a name such as 0001_words.sql.")
    numbers = [path.name[:4] for path in files]
    if twice := {number for number in numbers if numbers.count(number) > 1}:
        raise OpsError(
            f"Two migrations in {folder} have the number {min(twice)}. Give the later one another number."
        )
    return [Migration(path.name, path.read_text(encoding="utf-8")) for path in files]


@contextmanager
def explain_unknown_roles(owner: str) -> Iterator[None]:
    """Say what to do where a Citus cluster does not know the role *owner*, or one that it gives rights to.

    Citus makes roles known on its machines when a table needs them, and only a superuser may make roles.

    Raises:
        OpsError: with the statements for a superuser.
    """
    try:
        yield
    except psycopg.errors.InsufficientPrivilege as refused:
        if "alter role" not in str(refused):
            raise
        raise OpsError(
            "Some machines of the Citus cluster do not know the roles, which were made before they joined. "
            "As a superuser, run once on the coordinator: CREATE TABLE probe (one int); "
            f'ALTER TABLE probe OWNER TO "{owner}"; For each other role of Rutter, such as es_app: '
            "GRANT SELECT ON probe TO es_app; Then: SELECT create_reference_table('probe'); "
            "DROP TABLE probe; And run this command again."
        ) from refused


def _refuse_old(connection: psycopg.Connection) -> None:
    """Refuse a database whose events have columns for what now stands in their bodies.

    Those are of the time before the first release, with hashes of another form.
    """
    old = connection.execute(
        "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('es.event') AND attname = 'command_id'"
    ).fetchone()
    if old:
        raise OpsError(
            f"The database {connection.info.dbname} {OLD_GAMES}. Name an empty database, and keep this one "
            "for the program that made it."
        )


def _make_ledger(connection: psycopg.Connection) -> None:
    try:
        connection.execute(LEDGER)
    except psycopg.errors.InsufficientPrivilege:
        raise OpsError(
            f"The schema is not the newest, and {connection.info.user} may not change it. "
            "Set RUTTER_MIGRATE_URL to the URL of the owner of the database."
        ) from None


def read_applied(connection: psycopg.Connection) -> dict[str, str]:
    """Return the migrations that this database has run: name and fingerprint."""
    if connection.execute("SELECT to_regclass('schema_migrations')::text").fetchone() == (None,):
        return {}
    return dict(connection.execute("SELECT name, sha256 FROM schema_migrations").fetchall())


def _find_pending(migrations: list[Migration], applied: dict[str, str]) -> list[Migration]:
    present = {migration.name: migration.sha256 for migration in migrations}
    for name, fingerprint in sorted(applied.items()):
        if present.get(name) != fingerprint:
            what = "was changed" if name in present else "is missing"
            raise ChangedMigration(
                f"The migration {name} {what} after this database ran it. "
                "Restore the file, and write the change as a new migration."
            )
    return [migration for migration in migrations if migration.name not in applied]


def _run(connection: psycopg.Connection, migration: Migration) -> None:
    with connection.transaction():
        connection.execute(migration.script.encode())
        connection.execute(
            "INSERT INTO schema_migrations (name, sha256) VALUES (%s, %s)", [migration.name, migration.sha256]
        )
