"""Puts an archived game back into the database.

The bundle is read and checked, and its ends are compared with the rows that stayed. Then one transaction
writes all rows again and says that the game is back. The database computes the chain from these rows before
it agrees. A process that dies before the end leaves the game archived; call it again.
"""

from __future__ import annotations

import lzma
from typing import Any, LiteralString

import msgspec
import psycopg
from psycopg import Connection
from psycopg.errors import InsufficientPrivilege

from events.rules.catalogue import RulesMissing
from events.store.archived_games import ArchiveUnavailable, decompress_bundle, fetch_bundle, parse_records
from events.store.connection import make_pool
from events.store.event_log import EventLog
from events.store.signing_keys import list_logged_keys
from events.table.record import Record
from events.tlog.leaves import log_name
from events.tlog.notes import Verifier
from events.verify import check_bundle
from events.verify.errors import BadBundle, Equivocation, UncheckableClaim
from events.verify.trust import Trust
from ops.base.errors import OpsError
from ops.database.game_archive import REFUSED, hold_archive
from projections.read_models import history
from projections.runner import Runner

_FOUND: LiteralString = (
    "SELECT url, digest, last, head FROM es.archived WHERE game_id = %s AND dropped FOR UPDATE"
)
_ENDS: LiteralString = "SELECT seq, body, hash FROM es.event WHERE game_id = %s ORDER BY seq"
_LEAVES: LiteralString = "SELECT n, entry FROM es.leaf WHERE name = %s ORDER BY n"
_EVENTS: LiteralString = (
    "INSERT INTO es.event (game_id, seq, body, hash, keyed) SELECT %s::uuid, seq, body, hash, keyed"
    " FROM unnest(%s::bigint[], %s::text[], %s::bytea[], %s::uuid[]) told (seq, body, hash, keyed)"
)
_PARTS: LiteralString = (
    "INSERT INTO es.secret (game_id, seq, audience, salt, body) SELECT %s::uuid, seq, audience, salt, body"
    " FROM unnest(%s::bigint[], %s::text[], %s::bytea[], %s::text[]) told (seq, audience, salt, body)"
)
_BACK: LiteralString = "UPDATE es.archived SET dropped = false, back = now() WHERE game_id = %s"


class ReturnedGame(msgspec.Struct, frozen=True):
    """The result of putting a game back."""

    game: str
    events: int
    """All of the game; 0 where they were in the database already."""


def put_back(url: str, game_id: str) -> ReturnedGame:
    """Write the events of an archived game into the database again; *url* is that of its owner.

    Raises:
        OpsError: there is no such game; its bundle cannot be read, or is not the game that was archived;
            or the login may not.
    """
    with hold_archive(url) as guard, make_pool(url, 2) as pool:
        try:
            return _put_back(guard, EventLog(pool), game_id)
        except InsufficientPrivilege:
            raise OpsError(
                f"The login {guard.info.user} may not put games back. Set RUTTER_MIGRATE_URL to that of the "
                "owner of the tables."
            ) from None
        except psycopg.DatabaseError as error:
            if error.sqlstate != REFUSED:
                raise
            raise _refuse(game_id, error.diag.message_primary or str(error)) from error


def _put_back(connection: Connection[Any], log: EventLog, game_id: str) -> ReturnedGame:
    row = connection.execute(_FOUND, (game_id,)).fetchone()
    ends = connection.execute(_ENDS, (game_id,)).fetchall()
    if not ends:
        raise OpsError(f"There is no game {game_id} in this database. Check the id.")
    if row is None:
        return ReturnedGame(game_id, 0)
    url, digest, last, head = row[0], bytes(row[1]), int(row[2]), bytes(row[3])
    records = _read_bundle(connection, game_id, url, digest)
    if len(records) != last or records[-1].hash != head:
        raise _refuse(game_id, "its bundle ends with another event than the database")
    _compare_with_rows(connection, game_id, records, ends)
    try:
        told = Runner(log).project_whole(("history",), game_id, records)["history"]
    except RulesMissing as missing:
        raise _refuse(game_id, f"its rules are missing: {missing}", "Install its title.") from missing
    hashes = log.choose_hashes(records)[1:-1]
    _write(connection, game_id, records[1:-1], hashes, {records[0].command_id})
    connection.execute(_BACK, (game_id,))
    history.clear(connection, game_id)
    history.write(connection, told)
    return ReturnedGame(game_id, last)


def _read_bundle(connection: Connection[Any], game_id: str, url: str, digest: bytes) -> list[Record]:
    """Return the events of the bundle: chained, signed by the log, none of the hidden parts missing."""
    trust = Trust(keys=tuple(Verifier.read(key.vkey) for key in list_logged_keys(connection)))
    try:
        lines = decompress_bundle(fetch_bundle(game_id, url, digest))
        header = check_bundle(lines, trust).sheet.header
    except (ArchiveUnavailable, BadBundle, UncheckableClaim, Equivocation, lzma.LZMAError) as error:
        raise _refuse(game_id, f"its bundle is not valid: {error}") from error
    if (header.game, header.scope) != (game_id, "whole"):
        raise _refuse(game_id, "its bundle is of another game, or of one seat")
    return parse_records(lines)


def _compare_with_rows(
    connection: Connection[Any], game_id: str, records: list[Record], ends: list[tuple[Any, ...]]
) -> None:
    """Compare the bundle with the events that stayed, and with what the log of all games says of each."""
    for seq, body, hashed in ends:
        told = records[seq - 1] if seq <= len(records) else None
        if told is None or told.body.decode() != body or hashed not in (None, told.hash):
            raise _refuse(game_id, f"event {seq} of its bundle differs from the database")
    for n, entry in connection.execute(_LEAVES, (bytes.fromhex(log_name(game_id)),)):
        if f'"h":"{records[n - 1].hash.hex()}"'.encode() not in bytes(entry):
            raise _refuse(game_id, f"event {n} of its bundle does not match the log of all games")


def _write(
    connection: Connection[Any],
    game_id: str,
    records: list[Record],
    hashes: list[bytes | None],
    known: set[str],
) -> None:
    """Write events with their hidden parts. A command that is sent again finds its first event as before."""
    keys: list[str | None] = []
    for record in records:
        keys.append(None if record.command_id in known else record.command_id)
        known.add(record.command_id)
    connection.execute(
        _EVENTS,
        (
            game_id,
            [record.seq for record in records],
            [record.body.decode() for record in records],
            hashes,
            keys,
        ),
    )
    parts = [(record.seq, name, part) for record in records for name, part in record.parts.items()]
    connection.execute(
        _PARTS,
        (
            game_id,
            [seq for seq, _, _ in parts],
            [name for _, name, _ in parts],
            [part.salt for _, _, part in parts],
            [part.body.decode() for _, _, part in parts],
        ),
    )


def _refuse(
    game_id: str, reason: str, cure: str = "Restore its bundle from a copy, or run `rutter audit`."
) -> OpsError:
    return OpsError(f"The game {game_id} stays archived: {reason}. {cure}")
