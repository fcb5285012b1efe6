"""Games on several machines: the tables that are spread by the game's id, and the statements for it.

Citus does it, an extension of Postgres. Where it is not, all tables are on one machine and nothing differs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import psycopg

from events.store.connection import connect
from ops.base.errors import OpsError
from ops.database.migrate import hold_migration_lock, read_applied, read_migrations

TABLE_FILE = Path(__file__).parent / "distribution.toml"
FIRST_TABLE = "es.event"
"""The table by which the others lie."""
SHARDS = 32
"""Into how many parts the games are divided where nobody says otherwise: as Citus itself does it."""

UNSAFE = "SET citus.enable_unsafe_triggers = on"
"""The triggers of the log only refuse, each by the row that it sees: on a part of a table as on the whole."""


SETTINGS = {
    "citus.node_connection_timeout": "2s",
    "client_connection_check_interval": "2s",
    "citus.enable_deadlock_prevention": "off",
    "tcp_keepalives_idle": "5s",
    "tcp_keepalives_interval": "2s",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "10s",
}
"""Settings of the database, by which its machines soon give up one that is frozen, or that the network lost.

The first one limits the attempts to connect to it. By the second one the coordinator notices that a client
has given up. Its process then still waits for the machine, to cancel there what it asked. By the third one
it holds no locks meanwhile on shards of other machines: a row of the sequencer keeps numbering in order.

The others are for a machine that the network has cut off. Citus passes them on to all machines. With them the
machine ends what the coordinator had begun there, with all locks. Otherwise games that were being changed
would wait for that after its return, for minutes or hours.
"""


@dataclass(frozen=True)
class Distribution:
    """The distribution of the tables over machines."""

    distributed: dict[str, str]
    """Names of tables, each with the column that says on which machine a row is."""
    local: tuple[str, ...]
    managed: tuple[str, ...] = ()
    """Local tables that Citus knows."""

    @classmethod
    def load(cls) -> Distribution:
        """Load the distribution that `distribution.toml` tells."""
        tables = tomllib.loads(TABLE_FILE.read_text(encoding="utf-8"))
        local, managed = (tuple(tables[kind]["tables"]) for kind in ("local", "managed"))
        return cls(tables["distributed"], local, managed)

    def kind(self, table: str) -> str | None:
        """Return ``distributed`` or ``local``; None where the table is not listed."""
        if table in self.distributed:
            return "distributed"
        return "local" if table in (*self.local, *self.managed) else None

    def plan(self, shards: int, done: frozenset[str] = frozenset(), copied: Iterable[str] = ()) -> list[str]:
        """Return the statements that put the tables where they belong, without those *done* already.

        *copied*: tables of which each machine has a copy. Their rows come back to the coordinator alone.
        """
        spread = [name for name in self.distributed if name not in done]
        managed = [name for name in self.managed if name not in done]
        return [
            *([UNSAFE] if spread else []),
            *(self._spread(name, shards) for name in spread),
            *(f"SELECT undistribute_table('{name}')" for name in copied),
            *(f"SELECT citus_add_local_table_to_metadata('{name}')" for name in managed),
            *(_make_setting(name, value) for name, value in SETTINGS.items() if name not in done),
        ]

    def _spread(self, table: str, shards: int) -> str:
        beside = f"shard_count => {shards}, colocate_with => 'none'"
        if table != FIRST_TABLE:
            beside = f"colocate_with => '{FIRST_TABLE}'"
        return f"SELECT create_distributed_table('{table}', '{self.distributed[table]}', {beside})"


def _make_setting(name: str, value: str) -> str:
    """Return the statement that sets *name* for all new connections to the database."""
    change = f"ALTER DATABASE %I SET {name} = ''{value}''"
    return f"DO $$ BEGIN EXECUTE format('{change}', current_database()); END $$"


def distribute(owner_url: str, shards: int | None, report: Callable[[str], None]) -> None:
    """Put the tables of a migrated database where they belong; what is done is left as it is.

    *shards*: the number of parts, None for :data:`SHARDS` or as many as there are already. *report* is called
    with each statement before it is run.

    Raises:
        OpsError: the database has no Citus, its schema is old, a table is spread by another column, or the
            games are divided into another number of parts.
    """
    tables = Distribution.load()
    with hold_migration_lock(owner_url), connect(owner_url, autocommit=True) as connection:
        _require_citus(connection)
        _require_newest_schema(connection)
        parts = choose_shards(_count_shards(connection), shards)
        done = _find_distributed(connection, tables) | find_settings(connection)
        for statement in tables.plan(parts, done, _find_copied(connection, tables)):
            report(statement)
            connection.execute(statement.encode())


def _require_citus(connection: psycopg.Connection) -> None:
    if connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'").fetchone():
        return
    name = connection.info.dbname
    if connection.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'citus'").fetchone():
        raise OpsError(
            f"The database {name} does not use Citus yet. As a superuser, run on the coordinator and on each "
            "worker: CREATE EXTENSION citus; Then name the workers: SELECT citus_add_node('HOST', 5432);"
        )
    raise OpsError(
        f"The Postgres of the database {name} has no Citus. Install it, add citus to "
        "shared_preload_libraries, restart Postgres, and run CREATE EXTENSION citus; "
        "To leave all games on one machine, nothing needs to be done."
    )


def _require_newest_schema(connection: psycopg.Connection) -> None:
    if {migration.name for migration in read_migrations()} != set(read_applied(connection)):
        raise OpsError("The schema is not the newest. Run `rutter migrate` first.")


def _count_shards(connection: psycopg.Connection) -> int | None:
    """Return the number of parts that the games are divided into; None where they are not yet."""
    row = connection.execute(
        "SELECT shard_count FROM citus_tables WHERE table_name = %s::regclass", (FIRST_TABLE,)
    ).fetchone()
    return int(row[0]) if row else None


def choose_shards(there: int | None, wanted: int | None) -> int:
    """Return the number of parts, where *there* are so many already and *wanted* are so many.

    Raises:
        OpsError: they differ.
    """
    if there is not None and wanted not in (None, there):
        raise OpsError(
            f"The games are divided into {there} parts already, so they cannot be divided into {wanted} now. "
            "Leave out --shards to spread the tables that are new."
        )
    return there or wanted or SHARDS


def _find_distributed(connection: psycopg.Connection, tables: Distribution) -> frozenset[str]:
    """Return the tables that Citus knows already."""
    found: dict[str, str | None] = dict(
        connection.execute(
            "SELECT table_name::regclass::text, distribution_column FROM citus_tables"
        ).fetchall()
    )
    wrong = [name for name, column in tables.distributed.items() if found.get(name, column) != column]
    if wrong:
        raise OpsError(
            f"{', '.join(wrong)}: spread by another column than the id of the game. Run "
            "SELECT undistribute_table('NAME'), then run this command again."
        )
    spread = [name for name, column in found.items() if tables.kind(name) == "local" and is_spread(column)]
    if spread:
        raise OpsError(
            f"{', '.join(spread)}: spread over the machines, and asked over all games. Run "
            "SELECT undistribute_table('NAME') for each, then run this command again."
        )
    return frozenset(found)


def _find_copied(connection: psycopg.Connection, tables: Distribution) -> list[str]:
    """Return the local tables of which each machine has a copy, as former versions made them."""
    rows = connection.execute(
        "SELECT table_name::regclass::text FROM citus_tables WHERE citus_table_type = 'reference' ORDER BY 1"
    ).fetchall()
    return [name for (name,) in rows if tables.kind(name) == "local"]


def find_settings(connection: psycopg.Connection) -> frozenset[str]:
    """Return the settings that the database has already, with whatever value."""
    rows = connection.execute(
        "SELECT split_part(unnest(setconfig), '=', 1) FROM pg_db_role_setting s"
        " JOIN pg_database d ON d.oid = s.setdatabase"
        " WHERE d.datname = current_database() AND s.setrole = 0"
    ).fetchall()
    return frozenset(name for (name,) in rows)


def is_spread(column: str | None) -> bool:
    """Return True if a table with this column of distribution is divided, of those that Citus knows."""
    return column not in (None, "", "<none>")
