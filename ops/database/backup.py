"""Backups: one file with every table as it was at one moment, taken while games are played.

A zip archive: each table in the text form of COPY, and last a `manifest.json` with their digests and the
migrations that the database had run. It depends on no version of Postgres, on no role and on no program
beside this one. What can be made again (snapshots) is left out; the signing key is never in the database, and
so not here. The secrets of running games are, and those that sign calls to webhooks.
"""

import contextlib
import hashlib
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from graphlib import TopologicalSorter
from pathlib import Path
from typing import IO, Any

import msgspec
from psycopg import Connection, IsolationLevel, sql

from events.store.connection import connect
from events.store.signing_keys import read_origin
from ops.base.errors import OpsError
from ops.base.progress import progress
from ops.database import migrate
from ops.database.log_check import LogCheck, check_log, estimate_rows, rows_to_check
from ops.database.privileges import APP_PRIVILEGES

FORMAT = "rutter-backup/1"
ENDING = ".backup"
MANIFEST = "manifest.json"
CACHES = frozenset({"es.snapshot"})
"""Tables whose rows are made again when they are missed."""
LEDGER = "schema_migrations"
"""Made again by the migrations that a restore runs."""
CHUNK = 1 << 16
TEXT_FORMATS = ("client_encoding = 'UTF8'", "datestyle = 'ISO'", "timezone = 'UTC'", "bytea_output = 'hex'")
"""Settings under which COPY writes and reads alike everywhere."""

DAMAGE_ERRORS = (
    zipfile.BadZipFile, zlib.error, msgspec.MsgspecError, EOFError, KeyError, NotImplementedError, OSError,
    RuntimeError, ValueError,
)  # fmt: skip
"""The errors raised on reading an archive whose bytes have changed."""


class BadBackup(OpsError):
    """The file is no backup, or not all of it, or not as it was written."""


class StoredTable(msgspec.Struct):
    """A table in a backup."""

    name: str
    columns: list[str]
    rows: int
    sha256: str


class Manifest(msgspec.Struct):
    """The manifest of a backup."""

    format: str
    made_at: str
    """UTC, ISO 8601."""
    migrations: dict[str, str]
    """The migrations that the database had run: name and SHA-256."""
    tables: list[StoredTable]
    counters: dict[str, int]
    """The newest numbers of sequences."""
    origin: str | None
    """The name of the service whose log this is."""


@dataclass(frozen=True)
class BackupResult:
    """The result of a backup or a restore."""

    path: Path
    manifest: Manifest
    checked: LogCheck


def back_up(owner_url: str, target: Path) -> BackupResult:
    """Write a backup to *target*, a new file or an existing folder; answers where it is.

    Raises:
        OpsError: the file exists; or the database is empty, or not sound.
    """
    path = _new_name(target)
    with connect(owner_url) as connection:
        connection.isolation_level = IsolationLevel.REPEATABLE_READ  # all tables at one moment
        connection.read_only = True
        _set_text_formats(connection)
        if _is_missing(connection, "es.event"):
            raise OpsError(
                "The database holds no Rutter. Name the right one: --data, or DATABASE_URL and "
                "RUTTER_MIGRATE_URL."
            )
        with progress("Checking", rows_to_check(connection)) as step:
            checked = check_log(connection, step)
        with _new_file(path) as file:
            manifest = _write(connection, file)
        read_manifest(path)
    return BackupResult(path, manifest, checked)


def restore(owner_url: str, source: Path) -> BackupResult:
    """Fill an empty database from a backup (a file, or the newest in a folder), all or nothing.

    The schema is first made as the backup's program had it, then brought up to date.

    Raises:
        BadBackup: the file is damaged, cut off, or no backup; nothing was touched.
        OpsError: the database is not empty, or the backup is of a later Rutter; nothing was touched.
        Unsound: what the file holds is not what it was when it was first written; nothing is left of it.
    """
    path = _find_newest(source)
    manifest = read_manifest(path)
    migrations = _check_migrations(manifest)
    with connect(owner_url) as connection, zipfile.ZipFile(path) as archive:
        _set_text_formats(connection)
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [migrate.LOCK])
        _require_empty(connection)
        migrate.run_migrations(connection, [m for m in migrations if m.name in manifest.migrations])
        with progress("Restoring", sum(table.rows for table in manifest.tables)) as step:
            for table in _sort_by_references(connection, manifest.tables):
                _load(connection, archive, table)
                step(table.rows)
        for name, value in manifest.counters.items():
            connection.execute("SELECT setval(%s::regclass, %s)", (name, value))
        migrate.run_migrations(connection, [m for m in migrations if m.name not in manifest.migrations])
        connection.execute("ANALYZE")
        with progress("Checking", rows_to_check(connection)) as step:
            checked = check_log(connection, step)
    return BackupResult(path, manifest, checked)


def read_manifest(path: Path) -> Manifest:
    """Return the manifest of a backup, after comparing every byte of the backup with its digest.

    Raises:
        BadBackup: see there.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = msgspec.json.decode(archive.read(MANIFEST), type=Manifest)
            if manifest.format != FORMAT:
                raise BadBackup(
                    f"{path} has the format {manifest.format}, which this Rutter cannot read. Restore it "
                    "with the version that made it."
                )
            damaged = _find_damaged_table(archive, manifest)
            if damaged is not None:
                raise BadBackup(f"{path} is damaged: {damaged} is not what was written. Use another backup.")
    except FileNotFoundError:
        raise BadBackup(f"There is no file {path}. Check the path.") from None
    except DAMAGE_ERRORS as problem:
        raise BadBackup(
            f"{path} is not a backup, or it is damaged or cut off: {problem}. Use another backup."
        ) from None
    return manifest


def _find_damaged_table(archive: zipfile.ZipFile, manifest: Manifest) -> str | None:
    """Return the first table whose rows do not have the digest of the manifest; None for a good backup."""
    with progress("Reading", len(manifest.tables)) as step:
        for table in manifest.tables:
            if _hash_member(archive, table.name) != table.sha256:
                return table.name
            step(1)
    return None


# ------------------------------------------------------------------------------------------------- writing


def _new_name(target: Path) -> Path:
    if target.is_dir():
        return target / f"rutter-{datetime.now(UTC):%Y%m%dT%H%M%SZ}{ENDING}"
    if target.exists():
        raise OpsError(f"The file {target} exists. Name a new file: a backup never replaces another.")
    if not target.parent.is_dir():
        raise OpsError(f"There is no folder {target.parent}. Make it first, or name another.")
    return target


@contextlib.contextmanager
def _new_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that only its owner may read, and that has its name only when it is complete."""
    draft = path.with_name(f"{path.name}.partial")
    draft.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _write(connection: Connection[Any], file: IO[bytes]) -> Manifest:
    tables = _list_tables(connection)
    manifest = Manifest(
        format=FORMAT,
        made_at=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        migrations=migrate.read_applied(connection),
        tables=[],
        counters=_read_counters(connection),
        origin=read_origin(connection),
    )
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive,
        progress("Writing", sum(estimate_rows(connection, name) for name in tables)) as step,
    ):
        for name in tables:
            table = _store(connection, archive, name)
            manifest.tables.append(table)
            step(table.rows)
        archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def _store(connection: Connection[Any], archive: zipfile.ZipFile, name: str) -> StoredTable:
    columns = [
        column
        for (column,) in connection.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
            " AND NOT attisdropped AND attgenerated = '' ORDER BY attnum",
            [name],
        )
    ]
    rows, digest = 0, hashlib.sha256()
    with (
        archive.open(name, "w", force_zip64=True) as member,
        connection.cursor() as cursor,
        cursor.copy(
            sql.SQL("COPY {} ({}) TO STDOUT").format(_table_identifier(name), _column_list(columns))
        ) as lines,
    ):
        for line in lines:
            rows += bytes(line).count(b"\n")  # in the text form a line feed ends a row, and nothing else
            digest.update(line)
            member.write(line)
    return StoredTable(name, columns, rows, digest.hexdigest())


def _list_tables(connection: Connection[Any]) -> list[str]:
    """Everything in the schema `es`, and what is ours in `public`, where others may have tables too."""
    found = connection.execute(
        "SELECT CASE nspname WHEN 'public' THEN relname ELSE nspname || '.' || relname END"
        " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE relkind IN ('r', 'p') AND NOT relispartition AND nspname IN ('es', 'public')"
        " ORDER BY c.oid"
    ).fetchall()
    ours = {table for tables in APP_PRIVILEGES.values() for table in tables}
    return [
        name
        for (name,) in found
        if (name.startswith("es.") or name in ours) and name not in CACHES and name != LEDGER
    ]


def _read_counters(connection: Connection[Any]) -> dict[str, int]:
    rows = connection.execute(
        "SELECT schemaname || '.' || sequencename, last_value FROM pg_sequences"
        " WHERE schemaname = 'es' AND last_value IS NOT NULL"
    ).fetchall()
    return {name: int(value) for name, value in rows}


# ------------------------------------------------------------------------------------------------- reading


def _find_newest(source: Path) -> Path:
    if not source.is_dir():
        return source
    found = sorted(source.glob(f"*{ENDING}"))
    if not found:
        raise OpsError(f"There is no backup (*{ENDING}) in {source}. Name a file or another folder.")
    return found[-1]


def _hash_member(archive: zipfile.ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    with archive.open(name) as member:
        while chunk := member.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _check_migrations(manifest: Manifest) -> list[migrate.Migration]:
    """Return our migrations, of which the backup's database had run the first ones, as they are now."""
    ours = migrate.read_migrations()
    mine = {migration.name: migration.sha256 for migration in ours}
    for name, fingerprint in sorted(manifest.migrations.items()):
        if name not in mine:
            raise OpsError(
                f"A later version of Rutter made this backup: it has the migration {name}. "
                "Restore it with that version or a later one."
            )
        if mine[name] != fingerprint:
            raise OpsError(
                f"The migration {name} differs from the one in the backup. Restore it with the version of "
                "Rutter that made it."
            )
    return ours


def _require_empty(connection: Connection[Any]) -> None:
    for name in ("es.event", "account", LEDGER):
        if not _is_missing(connection, name):
            raise OpsError(
                f"The database {connection.info.dbname} is not empty. Name a new folder with --data, or an "
                "empty database in DATABASE_URL."
            )


def _sort_by_references(connection: Connection[Any], tables: Sequence[StoredTable]) -> list[StoredTable]:
    """Return the tables, each after those that it refers to."""
    by_name = {table.name: table for table in tables}
    for table in tables:
        if not re.fullmatch(r"(es\.)?[a-z_]+", table.name) or _is_missing(connection, table.name):
            raise BadBackup(
                f"The backup is damaged: its migrations do not make its table {table.name}. Use another "
                "backup."
            )
    pairs = connection.execute(
        "SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint WHERE contype = 'f'"
    ).fetchall()
    graph: dict[str, set[str]] = {name: set() for name in by_name}
    for table_name, referred in pairs:
        if table_name in graph and referred in graph and table_name != referred:
            graph[table_name].add(referred)
    return [by_name[name] for name in TopologicalSorter(graph).static_order()]


def _load(connection: Connection[Any], archive: zipfile.ZipFile, table: StoredTable) -> None:
    name = _table_identifier(table.name)
    if connection.execute(sql.SQL("SELECT 1 FROM {} LIMIT 1").format(name)).fetchone():
        connection.execute(sql.SQL("DELETE FROM {}").format(name))  # what its migration put there
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(name, _column_list(table.columns))
    with archive.open(table.name) as member, connection.cursor() as cursor:
        with cursor.copy(statement) as lines:
            while chunk := member.read(CHUNK):
                lines.write(chunk)
        if cursor.rowcount != table.rows:
            raise BadBackup(
                f"The backup is damaged: {table.name} got {cursor.rowcount} instead of {table.rows} rows. "
                "Use another backup."
            )


# -------------------------------------------------------------------------------------------------- shared


def _set_text_formats(connection: Connection[Any]) -> None:
    for setting in TEXT_FORMATS:
        connection.execute(f"SET LOCAL {setting}".encode())
    connection.execute("SET LOCAL statement_timeout = 0")


def _is_missing(connection: Connection[Any], name: str) -> bool:
    return connection.execute("SELECT to_regclass(%s)::text", [name]).fetchone() == (None,)


def _table_identifier(name: str) -> sql.Identifier:
    return sql.Identifier(*name.split("."))


def _column_list(names: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))
