"""The append-only log in Postgres: the only module that writes events.

Appending is a compare-and-set done by the primary key (game, seq): a batch that does not follow on the
newest event violates it and changes nothing. A command id makes the same command, sent again, find its
first result. Nothing here updates or deletes; the database refuses that too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from psycopg import Connection
from psycopg.errors import UniqueViolation
from psycopg_pool import ConnectionPool

from events.game import Game
from events.proof import Secrets
from events.record import Part, Record

Pool = ConnectionPool[Connection[tuple[Any, ...]]]


class VersionConflict(Exception):
    """Another writer appended first: read on, fold, decide again."""


class CommandKnown(Exception):
    """A command with this id has been appended before."""


_EVENT_ROW = "(%s,%s,%s,%s,%s,%s,%s)"
_PART_ROW = "(%s,%s,%s,%s,%s)"
_INSERT = "INSERT INTO es.event (game_id, seq, command_id, part, type, body, hash) VALUES "
_INSERT_PARTS = "INSERT INTO es.secret (game_id, seq, audience, salt, body) VALUES "


class EventLog:
    """Reads and appends events. Safe for use by many threads: each call borrows a connection.

    The pool's connections must be in autocommit mode: one statement, one transaction.
    """

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    def append(self, game_id: str, records: Sequence[Record], keys: Secrets | None = None) -> None:
        """Append *records*, all or nothing; *keys* only with a game's first events.

        Raises :class:`VersionConflict` if another writer was first, :class:`CommandKnown` if the
        command id stands in this game's log already.
        """
        statement, values = _append_statement(game_id, records, keys)
        try:
            # Borrowed by hand: one statement in autocommit mode needs none of the transaction's ceremony.
            connection = self.pool.getconn()
            try:
                connection.execute(statement, values)
            finally:
                self.pool.putconn(connection)
        except UniqueViolation as violation:
            if (violation.diag.constraint_name or "").endswith("event_command"):
                raise CommandKnown from violation
            if self.find_command(game_id, records[0].command_id) is not None:
                raise CommandKnown from violation
            raise VersionConflict from violation

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Events with seq > *after*, oldest first, hidden parts included."""
        with self.pool.connection() as connection:
            rows = connection.execute(
                "SELECT seq, type, body::text, hash, command_id::text, part FROM es.event"
                " WHERE game_id = %s AND seq > %s ORDER BY seq LIMIT %s",
                (game_id, after, limit),
            ).fetchall()
            if not rows:
                return []
            hidden = connection.execute(
                "SELECT seq, audience, salt, body::text FROM es.secret"
                " WHERE game_id = %s AND seq > %s AND seq <= %s",
                (game_id, after, rows[-1][0]),
            ).fetchall()
        return _records(rows, hidden)

    def find_command(self, game_id: str, command_id: str) -> int | None:
        """The seq of the first event of a command, if it has been appended."""
        row = self._one(
            "SELECT seq FROM es.event WHERE game_id = %s AND command_id = %s AND part = 0",
            (game_id, command_id),
        )
        return int(row[0]) if row else None

    def keys(self, game_id: str) -> Secrets:
        """The keys that the game's first event commits to. KeyError if there is no such game."""
        row = self._one("SELECT anchor, deal, hide, bot FROM es.game_secret WHERE game_id = %s", (game_id,))
        if row is None:
            raise KeyError(game_id)
        return Secrets(*(bytes(value) for value in row))

    def sequence(self) -> int:
        """Give positions to events that have none yet; how many, or -1 while another sequencer is at work."""
        row = self._one("SELECT es.sequence_events()", ())
        return int(row[0]) if row else 0

    def snapshot(self, game: Game, rules: str) -> None:
        """Keep *game* as a snapshot (a cache: losing it costs time, never truth)."""
        with self.pool.connection() as connection:
            connection.execute(
                "INSERT INTO es.snapshot (game_id, rules, seq, hash, state) VALUES (%s,%s,%s,%s,%s)"
                " ON CONFLICT DO NOTHING",
                (game.id, rules, game.seq, game.head, encode_game(game)),
            )

    def newest_snapshot(self, game_id: str, rules: str, at: int) -> tuple[bytes, bytes] | None:
        """(hash, state) of the newest snapshot under these rules, not after event *at*."""
        row = self._one(
            "SELECT hash, state FROM es.snapshot WHERE game_id = %s AND rules = %s AND seq <= %s"
            " ORDER BY seq DESC LIMIT 1",
            (game_id, rules, at),
        )
        return (bytes(row[0]), bytes(row[1])) if row else None

    def _one(self, statement: str, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        with self.pool.connection() as connection:
            return connection.execute(statement, values).fetchone()


def _append_statement(game_id: str, records: Sequence[Record], keys: Secrets | None) -> tuple[str, list[Any]]:
    """One statement, so that events, hidden parts and keys are written together or not at all."""
    values: list[Any] = []
    hidden: list[Any] = []
    for r in records:
        values += (game_id, r.seq, r.command_id, r.part, r.type, r.body.decode(), r.hash)
        for name, part in r.parts.items():
            hidden += (game_id, r.seq, name, part.salt, part.body.decode())
    statement = _INSERT + ",".join([_EVENT_ROW] * len(records))
    if not hidden and keys is None:
        return statement, values
    steps = [f"WITH appended AS ({statement})"]
    if keys is not None:
        steps.append(", keys AS (INSERT INTO es.game_secret VALUES (%s,%s,%s,%s,%s))")
        values += (game_id, keys.anchor, keys.deal, keys.hide, keys.bot)
    if hidden:
        steps.append(" " + _INSERT_PARTS + ",".join([_PART_ROW] * (len(hidden) // 5)))
        values += hidden
    else:
        steps.append(" SELECT 1")
    return "".join(steps), values


def _records(rows: Iterable[tuple[Any, ...]], hidden: Iterable[tuple[Any, ...]]) -> list[Record]:
    parts: dict[int, dict[str, Part]] = defaultdict(dict)
    for seq, audience, salt, body in hidden:
        parts[seq][audience] = Part(bytes(salt), body.encode())
    return [
        Record(seq, kind, body.encode(), bytes(digest), command_id, part, parts.get(seq, {}))
        for seq, kind, body, digest, command_id, part in rows
    ]


class _Stored(msgspec.Struct):
    game: Game
    state: msgspec.Raw


def encode_game(game: Game) -> bytes:
    """A game as a snapshot stores it."""
    encoder = msgspec.msgpack.Encoder()
    state = msgspec.Raw(encoder.encode(game.state))
    return encoder.encode(_Stored(msgspec.structs.replace(game, state=None), state))


def decode_game(data: bytes) -> Game:
    """The inverse of :func:`encode_game`."""
    stored = msgspec.msgpack.decode(data, type=_Stored)
    game = stored.game
    if game.status == "open":
        return game
    return msgspec.structs.replace(game, state=msgspec.msgpack.decode(stored.state, type=game.title.State))
