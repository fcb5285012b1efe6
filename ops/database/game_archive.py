"""Moves games that ended long ago out of the database, each into its bundle.

For each game in turn: the bundle is written, read back, verified as anybody would verify it, and compared
with the rows event by event; then its place and digest are recorded; then one function of the database has
the rows go. A process that dies in between leaves a game as it was, or a file or a record more, and the next
call takes up what was begun. Files are named after what is in them, and never written over.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, LiteralString, Protocol

import msgspec
import psycopg
from psycopg import Connection
from psycopg.errors import InsufficientPrivilege

from events import verify
from events.rules.catalogue import RulesMissing
from events.store import object_storage
from events.store.archived_games import (
    FILE_SUFFIX,
    ArchiveUnavailable,
    compress_bundle,
    decompress_bundle,
    fetch_bundle,
    parse_records,
)
from events.store.connection import connect, make_pool
from events.store.event_log import EventLog, Pool, ReadOnly
from events.store.signing_keys import Keyring, list_logged_keys
from events.table import bundle
from events.table.engine import fold
from events.table.game import initial_game
from events.table.record import Record
from events.tlog.leaves import log_name
from events.tlog.notes import SigningKey, Verifier
from events.verify.errors import BadBundle, Equivocation, UncheckableClaim
from events.verify.trust import Trust
from ops.base.durable_files import sync_folder
from ops.base.errors import OpsError
from projections.tree.tree_store import TreeStore

LOCK = 7_262_418
"""The advisory lock of the archiver: one at a time."""
PAGE = 500
REFUSED = "ES405"
"""The SQLSTATE with which the log's database functions and triggers refuse."""

_ENDED: LiteralString = (
    "SELECT l.game_id::text, l.seq, l.tournament::text, coalesce((l.delay->>'ms')::float8, 0) FROM lobby l"
    " WHERE l.status IN ('finished', 'abandoned') AND l.game_id > %(after)s"
    " AND NOT EXISTS (SELECT FROM es.frozen f WHERE f.game_id = l.game_id)"
    " ORDER BY l.game_id LIMIT %(page)s"
)
_OLD_ENOUGH: LiteralString = (
    "SELECT l.game_id::text FROM unnest(%(games)s::uuid[], %(seqs)s::bigint[], %(delays)s::float8[])"
    " AS l (game_id, seq, delay) JOIN es.event e ON e.game_id = l.game_id AND e.seq = l.seq"
    # Until its delay is over, what spectators see of a game is found in the rows of its events.
    " WHERE (e.body::json->>'at')::timestamptz + l.delay * interval '1 millisecond' < %(before)s"
)
_ARCHIVED: LiteralString = (
    "SELECT game_id::text FROM es.archived WHERE game_id = ANY(%(games)s::uuid[])"
    # A game that was put back stays as long as one that ended then.
    " AND (dropped OR back >= %(before)s)"
)
_RECORD: LiteralString = (
    "INSERT INTO es.archived (game_id, url, digest, bytes, last, head, position)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (game_id) DO UPDATE SET url = EXCLUDED.url,"
    " digest = EXCLUDED.digest, bytes = EXCLUDED.bytes, last = EXCLUDED.last, head = EXCLUDED.head,"
    " position = EXCLUDED.position WHERE archived.digest <> EXCLUDED.digest OR archived.url <> EXCLUDED.url"
)

_STORED: LiteralString = "SELECT url, digest, bytes FROM es.archived WHERE game_id = %s"
_POSITION: LiteralString = "SELECT position, index FROM es.leaf WHERE name = %s AND n = %s"


class ArchivableGame(msgspec.Struct, frozen=True):
    """A game that may be archived."""

    game: str
    last: int
    """Its last event."""


class SkippedGame(msgspec.Struct, frozen=True):
    """A game that was left where it is."""

    game: str
    reason: str


class ArchiveReport(msgspec.Struct):
    """The result of archiving games."""

    games: int = 0
    events: int = 0
    """Of these games, those that stay included."""
    bytes: int = 0
    """The bytes of their bundles."""
    left: list[SkippedGame] = []


class StoredBundle(msgspec.Struct, frozen=True):
    """The place of a stored bundle."""

    url: str
    digest: bytes
    """SHA-256 of the file."""
    size: int
    """The size of the file, in bytes."""


class ArchiveRefusal(Exception):
    """A game that cannot be archived, or not yet; the message says why."""


def find_archivable_games(connection: Connection[Any], before: datetime) -> Iterator[ArchivableGame]:
    """Yield the games that ended before that time and are not archived, by id.

    None of them belongs to a running tournament.
    """
    after = "00000000-0000-0000-0000-000000000000"
    while True:
        values = {"after": after, "before": before, "page": PAGE}
        rows = connection.execute(_ENDED, values).fetchall()
        games, seqs, _, delays = map(list, zip(*rows, strict=True)) if rows else ([], [], [], [])
        asked = {"games": games, "seqs": seqs, "delays": delays, "before": before}
        ripe = {game_id for (game_id,) in connection.execute(_OLD_ENOUGH, asked)}
        ripe -= {game_id for (game_id,) in connection.execute(_ARCHIVED, asked)}
        for game_id, last, tournament, _ in rows:
            if game_id in ripe and (tournament is None or _is_tournament_over(connection, tournament)):
                yield ArchivableGame(game_id, last)
        if len(rows) < PAGE:
            return
        after = rows[-1][0]


def _is_tournament_over(connection: Connection[Any], tournament: str) -> bool:
    row = connection.execute("SELECT over FROM tournament WHERE tournament = %s", (tournament,)).fetchone()
    return bool(row and row[0])


@contextlib.contextmanager
def hold_archive(url: str) -> Iterator[Connection[Any]]:
    """Yield a connection whose transaction keeps all others from archiving games or putting them back.

    Raises:
        OpsError: another process does; or the games are spread over several machines.
    """
    with connect(url) as guard:
        if guard.execute("SELECT pg_try_advisory_xact_lock(%s)", (LOCK,)).fetchone() != (True,):
            raise OpsError("Another `rutter archive` uses this database. Wait until it has ended.")
        if guard.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'").fetchone():
            raise OpsError(
                "This database uses Citus. `rutter archive` is not tested with Citus and changes nothing "
                "there: keep the games in the database."
            )
        yield guard


@contextlib.contextmanager
def open_archiver(url: str, seeds: tuple[bytes, ...], place: Path | str) -> Iterator[Archiver]:
    """Open an archiver to *place*, over a database that nobody else archives meanwhile.

    Args:
        url: of the database.
        seeds: of the keys of the service.
        place: a folder, or the URL of a store.

    Raises:
        OpsError: another process does; the games are spread over several machines; there is no key that signs
            here; the folder cannot be made, or the store not be used; or the login may not.
    """
    with hold_archive(url) as guard, make_pool(url, 3) as pool:
        try:
            yield Archiver(pool, Keyring(pool, seeds).signer, _open_store(place))
        except ReadOnly as error:
            raise OpsError(str(error)) from None
        except InsufficientPrivilege:
            raise OpsError(
                f"The login {guard.info.user} may not archive games. Allow a role with `rutter grant "
                "--archiver ROLE`, and set RUTTER_ARCHIVE_URL to its URL. Or set RUTTER_MIGRATE_URL to that "
                "of the owner of the tables."
            ) from None


class BundleStore(Protocol):
    """A store of bundles."""

    def put(self, shelf: str, name: str, data: bytes) -> str:
        """Keep a file, whole or not at all; the URL under which it is found. Raises ArchiveRefusal."""


class FolderStore:
    """Bundles in a folder of this machine, or one that is mounted."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def put(self, shelf: str, name: str, data: bytes) -> str:
        """Store a file: it is whole and on the disk when its name is there."""
        folder = self._path / shelf
        _make_folder(folder)
        _write_durably(folder / name, data)
        return (folder / name).as_uri()


class RemoteStore:
    """Bundles in a store that fsspec can speak to."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")

    def put(self, shelf: str, name: str, data: bytes) -> str:
        """Store a file, and read it back.

        A store may keep half of it: a file counts only once it has been read.
        """
        url = f"{self._url}/{shelf}/{name}"
        try:
            object_storage.write(url, data)
        except object_storage.StorageUnavailable as away:
            raise ArchiveRefusal(f"its bundle cannot be written: {url} {away}") from away
        return url


def _open_store(place: Path | str) -> BundleStore:
    if isinstance(place, Path):
        return FolderStore(_make_root_folder(place))
    try:
        object_storage.check_url(place)
    except object_storage.StorageUnavailable as reason:
        raise OpsError(f"{place} {reason}.") from None
    return RemoteStore(place)


def _make_root_folder(folder: Path) -> Path:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _make_folder(folder)
    except OSError as problem:
        raise OpsError(
            f"The folder {folder} cannot be made: {problem.strerror}. Name another with --to."
        ) from None
    return folder.resolve()


def _make_folder(folder: Path) -> None:
    """Make a folder, where it is not there yet; the service may read it that may read what it lies in."""
    if not folder.is_dir():
        folder.mkdir(mode=0o750)
        with contextlib.suppress(PermissionError):
            os.chown(folder, -1, folder.parent.stat().st_gid)


class Archiver:
    """Archives one game after the other.

    Args:
        pool: connections in autocommit mode.
        signer: signs the receipts in bundles.
        shelves: where bundles are put.
    """

    def __init__(self, pool: Pool, signer: SigningKey, shelves: BundleStore) -> None:
        self._pool = pool
        self._log = EventLog(pool)
        self._signer = signer
        self._shelves = shelves
        with pool.connection() as connection:
            keys = [Verifier.read(key.vkey) for key in list_logged_keys(connection)]
        self._trust = Trust(keys=tuple(keys))

    def run(
        self, games: Iterable[ArchivableGame], progress: Callable[[int], object] = lambda _events: None
    ) -> ArchiveReport:
        """Archive these games, those aside that cannot be. *progress* is told how many events are done."""
        report = ArchiveReport()
        for one in games:
            try:
                report.bytes += self.archive(one)
            except ArchiveRefusal as error:
                report.left.append(SkippedGame(one.game, str(error)))
            else:
                report.games += 1
                report.events += one.last
            progress(one.last)
        return report

    def archive(self, one: ArchivableGame) -> int:
        """Move one game into its bundle; how many bytes that has. Raises :class:`ArchiveRefusal`."""
        records = self._log.read(one.game)
        with self._pool.connection() as connection:
            position, proofs = _find_position_and_proofs(connection, one)
            there = _find_recorded_bundle(connection, one)
        found = there or self._write(one, records, proofs)
        self._check(one, records, found)
        row = (one.game, found.url, found.digest, found.size, one.last, records[-1].hash, position)
        try:
            with self._pool.connection() as connection:
                connection.execute(_RECORD, row)
                connection.execute("SELECT es.drop_archived(%s, %s)", (one.game, found.digest))
        except psycopg.DatabaseError as error:
            if error.sqlstate != REFUSED:
                raise
            raise ArchiveRefusal(error.diag.message_primary or str(error)) from error
        return found.size

    def _write(
        self, one: ArchivableGame, records: list[Record], proofs: list[tuple[int, str]]
    ) -> StoredBundle:
        """Write the bundle of a game, under a name that says what is in it."""
        try:
            game = fold(initial_game(one.game), records)
        except RulesMissing as missing:
            raise ArchiveRefusal(f"its rules are not installed: {missing}") from missing
        data = compress_bundle(bundle.write_lines(game, records, None, self._signer, proofs))
        digest = hashlib.sha256(data).digest()
        name = f"{one.game}.{digest[:8].hex()}{FILE_SUFFIX}"
        shelf = one.game[-2:]  # so that no folder has too many files
        return StoredBundle(self._shelves.put(shelf, name, data), digest, len(data))

    def _check(self, one: ArchivableGame, records: list[Record], stored: StoredBundle) -> None:
        """Read the bundle back: it proves itself, and holds the database's events. Raises ArchiveRefusal."""
        try:
            lines = decompress_bundle(fetch_bundle(one.game, stored.url, stored.digest))
            report = verify.verify(lines, trust=self._trust)
        except (ArchiveUnavailable, BadBundle, UncheckableClaim, Equivocation) as error:
            raise ArchiveRefusal(f"its bundle is not valid: {error}") from error
        if report.game != one.game or parse_records(lines) != records or len(records) != one.last:
            raise ArchiveRefusal("its bundle differs from the database")


def _find_position_and_proofs(
    connection: Connection[Any], one: ArchivableGame
) -> tuple[int, list[tuple[int, str]]]:
    """Return the place of a game's last event in the order of all events, and a proof if one was signed."""
    name = bytes.fromhex(log_name(one.game))
    row = connection.execute(_POSITION, (name, one.last)).fetchone()
    if row is None:
        raise ArchiveRefusal("its last event is not yet in the log of all games; try again later")
    store = TreeStore(connection)
    newest = store.find_newest()
    if newest is None or newest.size <= row[1]:
        return int(row[0]), []
    return int(row[0]), [(one.last, store.proof(row[1], newest))]


def _find_recorded_bundle(connection: Connection[Any], one: ArchivableGame) -> StoredBundle | None:
    """Return the bundle that an interrupted call has recorded, if the file is there."""
    row = connection.execute(_STORED, (one.game,)).fetchone()
    if row is None:
        return None
    found = StoredBundle(row[0], bytes(row[1]), int(row[2]))
    try:
        fetch_bundle(one.game, found.url, found.digest)
    except ArchiveUnavailable:
        return None
    return found


def _write_durably(path: Path, data: bytes) -> None:
    """Write a file to the disk, whole or not at all; the service may read it that may read its folder."""
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(descriptor, 0o640)
            with contextlib.suppress(PermissionError):
                os.fchown(descriptor, -1, path.parent.stat().st_gid)
            os.fsync(descriptor)
        Path(draft).replace(path)
        sync_folder(path.parent)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
