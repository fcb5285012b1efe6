"""The append-only log in Postgres: the only module that writes events.

Appending is a compare-and-set done by the primary key (game, seq): a batch that does not follow on the
newest event violates it and changes nothing. A command id that is kept as a key makes the same command, sent
again, find its first result. Nothing here updates or deletes; the database refuses that too.

The hash of an event follows from the hash before and its body. So the rows within a command go without, and
their hashes are computed when they are read.

Of a game that was archived the first event and the last are still there. Anyone who reads meets the gap
between them, and gets the events from the game's bundle: so games that are not archived cost no look
elsewhere.
"""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import Any

import msgspec
import psycopg
import structlog
from psycopg import Connection
from psycopg.errors import DiskFull, InsufficientPrivilege, ReadOnlySqlTransaction, UniqueViolation
from psycopg_pool import ConnectionPool

from events.proof import canonical
from events.proof.randomness import Secrets
from events.store.archived_games import SELECT_ARCHIVED, ArchivedGames
from events.store.connection import is_machine_away, write
from events.store.machines import Machines
from events.table.game import Game
from events.table.record import Part, Record

log = structlog.get_logger()

Pool = ConnectionPool[Connection[tuple[Any, ...]]]


class VersionConflict(Exception):
    """Another writer appended first: read on, fold, decide again."""


class DuplicateCommand(Exception):
    """A command with this id has been appended before."""


class ReadOnly(Exception):
    """The log may be read and nothing may be appended; the message says why and what to do.

    *code* is a stable word: ``database_set_back``, ``another_key``, ``another_origin``,
    ``another_test_seed``, ``cannot_sign``.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


_EVENT_ROW = "(%s,%s,%s,%s,%s)"
_PART_ROW = "(%s,%s,%s,%s,%s)"
_INSERT = "INSERT INTO es.event (game_id, seq, body, hash, keyed) VALUES "
_INSERT_KEYS = (
    "INSERT INTO es.game_secret (game_id, anchor, deal, hide, bot, tables) VALUES (%s,%s,%s,%s,%s,%s)"
)
_INSERT_PARTS = "INSERT INTO es.secret (game_id, seq, audience, salt, body) VALUES "
MACHINE_PAUSE = 10.0
"""Seconds without statements that need all machines, after one of a cluster did not answer.

Meanwhile those that answer are asked, this one among them once it is back.
"""
_OLDEST_OF_SHARDS = (
    "SELECT told.result FROM (SELECT array_agg(n.nodename) AS names, array_agg(n.nodeport) AS ports,"
    " array_agg(format(%s, shard_name(s.logicalrelid, s.shardid))) AS commands"
    " FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid"
    " JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'"
    " WHERE s.logicalrelid = 'es.fresh'::regclass AND n.groupid <> ALL (%s)) AS shards,"
    " master_run_on_worker(shards.names, shards.ports, shards.commands, true) AS told"
    " WHERE told.success AND told.result <> ''"
)
"""The query for the answers of all shards of a cluster, but for machines that are known to be silent."""
_OLDEST = (
    "SELECT jsonb_agg(jsonb_build_array(game_id, extract(epoch FROM made_at)))"
    " FROM (SELECT game_id, made_at FROM %s ORDER BY made_at, game_id, seq LIMIT {most}) oldest"
)
_EVENTS_OF_MANY = (
    "SELECT w.game_id::text, e.seq, e.body, e.hash"
    " FROM unnest(%s::uuid[], %s::bigint[], %s::bigint[]) AS w (game_id, first, last)"
    " CROSS JOIN LATERAL (SELECT seq, body, hash FROM es.event WHERE game_id = w.game_id AND seq >= w.first"
    " ORDER BY seq LIMIT w.last - w.first + 1) e ORDER BY w.game_id, e.seq"
)
"""The query for some events of several streams; nothing is read of a stream but what is asked of it."""
_PARTS_OF_MANY = (
    "SELECT w.game_id::text, s.seq, s.audience, s.salt, s.body"
    " FROM unnest(%s::uuid[], %s::bigint[], %s::bigint[]) AS w (game_id, first, last)"
    " CROSS JOIN LATERAL (SELECT seq, audience, salt, body FROM es.secret WHERE game_id = w.game_id"
    " AND seq >= w.first AND seq <= w.last ORDER BY seq, audience) s ORDER BY w.game_id, s.seq, s.audience"
)
"""The query for the hidden parts of some events of several streams."""
_SEQUENCE_STREAMS = "SELECT es.sequence_games(%s::uuid[])"
_COUNT_ONE = "SELECT count(*) FROM (SELECT 1 FROM es.fresh LIMIT 1) one"
"""The query for 1 if an append has no position yet. EXISTS would fetch all such rows of a cluster."""
_INSERT_FRESH = " INSERT INTO es.fresh (game_id, first, seq) VALUES (%s,%s,%s)"
_KEYED = "event_keyed"
"""The unique index over the keys of commands. Shards append a number to its name."""

_HASHES_OMITTED = "SELECT omits_hashes FROM es.service"
_STRIDE = 64
"""Rows by which a look back for a hash that is stored goes further."""
_READ_ONLY_ERRORS = (ReadOnlySqlTransaction, InsufficientPrivilege, DiskFull)
"""Errors for which the writing of snapshots, a mere cache, is skipped."""
SNAPSHOT_EVERY = 200
"""Events between two snapshots of a game while it is new: what a cold read folds at the most."""
RECENT_SNAPSHOTS, SPARSE_SNAPSHOTS = 3, 16
"""Snapshots of a game that are kept: the newest, and at the most so many over all of it."""

SEQUENCE_BATCH = 10_000
"""Oldest rows of the outbox whose games get positions in one run."""


class SequencingBacklog(msgspec.Struct, frozen=True):
    """The appends that wait in the outbox for positions."""

    appends: int
    seconds: float
    """The waiting time of the oldest."""


class EventLog:
    """Reads and appends events. Safe for use by many threads: each call borrows a connection.

    The pool's connections must be in autocommit mode: one statement, one transaction. *gate* is called with
    the game's id before anything is appended, and raises :class:`ReadOnly` where that may not be. *machines*
    are those of the database as another log of this process knows them.
    """

    def __init__(
        self,
        pool: Pool,
        gate: Callable[[str], None] = lambda _game: None,
        machines: Machines | None = None,
    ) -> None:
        self.pool = pool
        self._gate = gate
        self.machines = machines or Machines(pool)
        """The machines of the database, if it has several."""
        self._bundles = ArchivedGames(self._fetch_one)
        self._whole_again_at = float("-inf")
        self._omits: bool | None = None

    def append(
        self, game_id: str, records: Sequence[Record], keys: Secrets | None = None, *, keyed: bool = False
    ) -> None:
        """Append *records*, all or nothing; *keys* only with a game's first events.

        *keyed*: the command of the first record may come again, so its id is kept as a key. Raises
        :class:`VersionConflict` if another writer was first, :class:`DuplicateCommand` if a keyed command's
        id stands in this game's log already, :class:`ReadOnly` where nothing may be appended.
        """
        statement, values = _append_statement(
            game_id, records, self.choose_hashes(records), keys, keyed=keyed
        )
        self._gate(game_id)
        try:
            if self.machines.silent:
                self.machines.check(game_id)
            if self.machines.direct is not None:
                with self.machines.direct.lend(game_id) as connection:
                    write(connection, statement, values)
            else:  # by hand: one statement in autocommit mode needs none of the transaction's ceremony
                connection = self.pool.getconn()
                try:
                    write(connection, statement, values)
                finally:
                    self.pool.putconn(connection)
        except psycopg.OperationalError as error:
            self.machines.note_error(error)
            raise
        except UniqueViolation as violation:
            if (violation.diag.constraint_name or "").startswith(_KEYED):
                raise DuplicateCommand from violation
            # Sent again at once, the command collides with its own events before it does with its key.
            if keyed and self.find_command(game_id, records[0].command_id) is not None:
                raise DuplicateCommand from violation
            raise VersionConflict from violation

    def lend(self, game_id: str) -> AbstractContextManager[Connection[tuple[Any, ...]]]:
        """Lend a connection for statements about one game: to its machine, where that is to be asked itself.

        Raises as :meth:`DirectPools.lend`.
        """
        direct = self.machines.direct
        return self.pool.connection() if direct is None else direct.lend(game_id)

    def choose_hashes(self, records: Sequence[Record]) -> list[bytes | None]:
        """Return the hashes that the rows of *records* store; None for a row that goes without.

        All of them where programs of an earlier version may read the rows: the database says so.
        """
        if self._omits is None:
            row = self._fetch_one(_HASHES_OMITTED, ())
            self._omits = row is None or bool(row[0])
        return select_hashes(records) if self._omits else [record.hash for record in records]

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Events with seq > *after*, oldest first, hidden parts included.

        Raises :class:`ArchiveUnavailable` where they are in a bundle that cannot be read.
        """
        found = self._read_rows(game_id, after, limit)
        if is_complete(found, after):
            return found
        moved = self._bundles.records(game_id)
        if moved is None:
            return self._read_rows(game_id, after, limit)  # it was put back meanwhile
        return moved[after : None if limit is None else after + limit]

    def _read_rows(self, game_id: str, after: int, limit: int | None) -> list[Record]:
        """Events with seq > *after* as the database holds them, with their hidden parts."""
        with self.machines.watch(game_id), self.lend(game_id) as connection:
            head, rows = self._select_linked(connection, game_id, after, limit)
            hidden = self._select_hidden(connection, game_id, rows)
        return _build_records(rows, head, hidden)

    def _select_linked(
        self, connection: Connection[Any], game_id: str, after: int, limit: int | None
    ) -> tuple[bytes, list[tuple[Any, ...]]]:
        """Return the rows with seq > *after*, and the hash on which they follow.

        Event *after* comes along for its hash. Within a command it has none, and earlier rows come too: in
        one statement with the others, for what two statements find may have been archived between them.
        """
        first = max(after, 1)
        while True:
            most = None if limit is None else limit + after - first + 1
            rows = self._select_events(connection, game_id, first, most)
            before = [row for row in rows if row[0] <= after]
            if first == 1 or not before or any(stored is not None for _, _, stored in before):
                head = canonical.genesis(game_id)
                for _, text, stored in before:
                    head = _next_hash(head, text.encode(), stored)
                return head, rows[len(before) :]
            first = max(first - _STRIDE, 1)

    def _select_events(
        self, connection: Connection[Any], game_id: str, first: int, limit: int | None
    ) -> list[tuple[Any, ...]]:
        """Number, body and hash of events from *first* on; no hash where the row goes without."""
        return connection.execute(
            "SELECT seq, body, hash FROM es.event WHERE game_id = %s AND seq >= %s ORDER BY seq LIMIT %s",
            (game_id, first, limit),
        ).fetchall()

    def _select_hidden(
        self, connection: Connection[Any], game_id: str, rows: Sequence[tuple[Any, ...]]
    ) -> list[tuple[Any, ...]]:
        """Return the hidden parts of events; few have any, and their bodies say so."""
        having = [seq for seq, body, _ in rows if _HAS_HIDDEN in body]
        if not having:
            return []
        return connection.execute(
            "SELECT seq, audience, salt, body FROM es.secret WHERE game_id = %s AND seq >= %s AND seq <= %s"
            " ORDER BY seq, audience",  # as a bundle is to hold them, whatever the plan
            (game_id, having[0], having[-1]),
        ).fetchall()

    def read_many(self, wanted: Mapping[str, tuple[int, int]]) -> dict[str, list[Record]]:
        """Events of several streams, hidden parts included: of each those after one seq and up to another.

        By two statements, so for a database that is one machine. A stream is left out where these do not tell
        all of it: it is archived, or its first event here stands within a command.
        """
        events, parts = defaultdict(list), defaultdict(list)
        with self.pool.connection() as connection:
            for game_id, *row in connection.execute(_EVENTS_OF_MANY, _list_ranges(wanted)):
                events[game_id].append(tuple(row))
            hiding = {
                game_id: (min(seqs), max(seqs))
                for game_id, rows in events.items()
                if (seqs := [seq for seq, body, _ in rows[1:] if _HAS_HIDDEN in body])
            }
            for game_id, *row in connection.execute(_PARTS_OF_MANY, _list_ranges(hiding)) if hiding else ():
                parts[game_id].append(tuple(row))
        found = {}
        for game_id, (after, last) in wanted.items():
            first, *rows = events[game_id] or [(None, "", None)]
            if first[0] == after and first[2] is not None and len(rows) == last - after:
                records = _build_records(rows, bytes(first[2]), parts[game_id])
                if is_complete(records, after):
                    found[game_id] = records
        return found

    def is_archived(self, game_id: str) -> bool:
        """Return True if the events of a game, but for the first and the last, are in its bundle."""
        return self._fetch_of(game_id, SELECT_ARCHIVED, (game_id,)) is not None

    def find_command(self, game_id: str, command_id: str) -> int | None:
        """Return the seq of the first event of a keyed command, if it has been appended."""
        row = self._fetch_of(
            game_id, "SELECT seq FROM es.event WHERE game_id = %s AND keyed = %s", (game_id, command_id)
        )
        if row is not None:
            return int(row[0])
        moved = self._bundles.records(game_id) or ()
        return next((record.seq for record in moved if record.command_id == command_id), None)

    def keys(self, game_id: str) -> Secrets:
        """Return the keys that the game's first event commits to. KeyError if there is no such game."""
        row = self._fetch_of(
            game_id,
            "SELECT anchor, deal, hide, bot, tables FROM es.game_secret WHERE game_id = %s",
            (game_id,),
        )
        if row is None:
            raise KeyError(game_id)
        anchor, deal, hide, bot = map(bytes, row[:4])
        return Secrets(anchor, deal, hide, bot, None if row[4] is None else bytes(row[4]))

    def sequence(self, most: int = SEQUENCE_BATCH) -> int:
        """Give positions to events that have none yet, all of the games of the *most* oldest appends.

        How many got one; 0 when none is left, -1 while another sequencer is at work.
        """
        found = self._ask_all_machines("SELECT es.sequence_events(%s::int)", (most,))
        if found is None:
            found = self._fetch_one(_SEQUENCE_STREAMS, (self._list_reachable(most),))
        return int(found[0]) if found else 0

    def sequence_streams(self, streams: Iterable[str]) -> int:
        """Give positions to the events of these streams that have none yet.

        How many got one; -1 while another sequencer is at work. Only the machines of these streams are asked,
        as long as they answer.
        """
        waiting = set(streams)
        waiting -= self.machines.list_unreachable(waiting)
        try:
            found = self._fetch_one(_SEQUENCE_STREAMS, (list(waiting),))
        except psycopg.OperationalError as error:
            if not self._is_one_away(error):
                raise
            return self.sequence()
        return int(found[0]) if found else 0

    def has_unnumbered(self) -> bool:
        """Return True if an append has no position yet, as far as machines answer."""
        found = self._ask_all_machines(_COUNT_ONE, ())
        return bool(found[0] if found is not None else self._list_reachable(1))

    def _ask_all_machines(self, statement: str, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Return the row of a statement that needs all machines; None while one of them is away."""
        if self.machines.silent:
            self.machines.look_soon()
            return None
        if time.monotonic() < self._whole_again_at:
            return None
        try:
            return self._fetch_one(statement, values)
        except psycopg.OperationalError as error:
            if not self._is_one_away(error):
                raise
            self._whole_again_at = time.monotonic() + MACHINE_PAUSE
            return None

    def _is_one_away(self, error: psycopg.OperationalError) -> bool:
        """Return True if a statement failed because a machine of a cluster is away, and not the database.

        A frozen one only takes too long. Then all are looked at: this waits for their answers.
        """
        return is_machine_away(error) or bool(self.machines.look())

    def _list_reachable(self, most: int) -> list[str]:
        """Return the games of the oldest appends without a position that lie on machines that answer."""
        with self.pool.connection() as connection:
            silent = [machine.group for machine in self.machines.silent]
            found = connection.execute(_OLDEST_OF_SHARDS, (_OLDEST.format(most=most), silent)).fetchall()
        oldest = sorted((at, game_id) for (shard,) in found for game_id, at in msgspec.json.decode(shard))
        return list(dict.fromkeys(game_id for _, game_id in oldest[:most]))

    def sequencing_backlog(self) -> SequencingBacklog:
        """Return the appends without a position; if the oldest is not recent, nobody numbers."""
        with self.pool.connection() as connection, self.machines.limit(connection):
            row = connection.execute(
                "SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(made_at)), 0)"
                " FROM es.fresh"
            ).fetchone()
        return SequencingBacklog(int(row[0]), float(row[1])) if row else SequencingBacklog(0, 0.0)

    def save_snapshot(self, game: Game, rules: str) -> None:
        """Keep *game* as a snapshot (a cache: losing it costs time, never truth), and let go of too many.

        Where nothing may be written (a replica, a full disk, a login that only reads) there is none, nor of
        an archived game, whose events are not there to tie it to.
        """
        with (
            contextlib.suppress(*_READ_ONLY_ERRORS),
            self.machines.watch(game.id),
            self.pool.connection() as connection,
        ):
            newest, archived = connection.execute(
                "SELECT (SELECT max(seq) FROM es.snapshot WHERE game_id = %(game)s AND rules = %(rules)s),"
                " EXISTS (SELECT FROM es.archived WHERE game_id = %(game)s AND dropped)",
                {"game": game.id, "rules": rules},
            ).fetchone() or (None, False)
            if archived:
                return
            recent, apart = snapshot_retention(max(game.seq, newest or 0))
            if game.seq < recent and game.seq % apart:
                return  # a viewer looks at what was long ago
            connection.execute(
                "INSERT INTO es.snapshot (game_id, rules, seq, hash, state) VALUES (%s,%s,%s,%s,%s)"
                " ON CONFLICT DO NOTHING",
                (game.id, rules, game.seq, game.head, encode_game(game)),
            )
            connection.execute(
                "DELETE FROM es.snapshot WHERE game_id = %s AND rules = %s AND seq < %s AND seq %% %s <> 0",
                (game.id, rules, recent, apart),
            )

    def newest_snapshot(self, game_id: str, rules: str, at: int) -> Game | None:
        """Return the newest snapshot under these rules, not after event *at*, that belongs to the log.

        One that does not (its hash is not that of its event, or it cannot be read) is thrown away, which is
        told; it is written again when its event is folded again.
        """
        while True:
            seq, game = self._snapshot_before(game_id, rules, at)
            if seq is None or game is not None:
                return game
            self._drop_snapshot(game_id, rules, seq)
            at = seq - 1

    def find_snapshot(self, game_id: str, rules: str, at: int) -> tuple[Game | None, bool]:
        """Like :meth:`newest_snapshot`, and throws nothing away: False where it found a wrong one."""
        seq, game = self._snapshot_before(game_id, rules, at)
        return game, seq is None or game is not None

    def _snapshot_before(self, game_id: str, rules: str, at: int) -> tuple[int | None, Game | None]:
        """The number of the newest snapshot, None without any, and its game; None where it is a wrong one."""
        row = self._snapshot_row(game_id, rules, at)
        if row is None:
            return None, None
        seq, kept, state, recorded = row
        if recorded is None:
            found = self._read_rows(game_id, seq - 1, 1)
            recorded = found[0].hash if found and found[0].seq == seq else None
        game = _decode_or_none(bytes(state)) if kept == recorded else None
        if game is not None and (game.id, game.seq, game.head) == (game_id, seq, bytes(recorded)):
            return seq, game
        return seq, None

    def _snapshot_row(self, game_id: str, rules: str, at: int) -> tuple[Any, ...] | None:
        """Number, hash and state of the newest snapshot not after event *at*, and the hash of its event."""
        return self._fetch_of(
            game_id,
            "SELECT s.seq, s.hash, s.state, e.hash FROM es.snapshot s"
            " LEFT JOIN es.event e ON e.game_id = s.game_id AND e.seq = s.seq"
            " WHERE s.game_id = %s AND s.rules = %s AND s.seq <= %s ORDER BY s.seq DESC LIMIT 1",
            (game_id, rules, at),
        )

    def _drop_snapshot(self, game_id: str, rules: str, seq: int) -> None:
        log.warning("snapshot_refused", game=game_id, rules=rules, seq=seq)  # never what it holds
        with contextlib.suppress(*_READ_ONLY_ERRORS), self.pool.connection() as connection:
            connection.execute(
                "DELETE FROM es.snapshot WHERE game_id = %s AND rules = %s AND seq = %s",
                (game_id, rules, seq),
            )

    def _fetch_of(self, game_id: str, statement: str, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Return the first row of a statement that asks the machine of a game."""
        with self.machines.watch(game_id), self.lend(game_id) as connection:
            return connection.execute(statement, values).fetchone()

    def _fetch_one(self, statement: str, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        with self.pool.connection() as connection:
            return connection.execute(statement, values).fetchone()


def read_log_size(connection: Connection[Any]) -> int:
    """Return the position of the newest event that has one: how many events the log has."""
    row = connection.execute("SELECT size FROM es.sequencer").fetchone()
    return int(row[0]) if row else 0


def snapshot_retention(seq: int) -> tuple[int, int]:
    """Return the event from which all snapshots are kept, and the distance of those before it.

    So any event is near one however long the game is, and their number does not grow with it.
    """
    apart = SNAPSHOT_EVERY
    while seq > SPARSE_SNAPSHOTS * apart:
        apart *= 2
    return seq - (RECENT_SNAPSHOTS - 1) * SNAPSHOT_EVERY, apart


def _list_ranges(ranges: Mapping[str, tuple[int, int]]) -> tuple[list[str], list[int], list[int]]:
    """Return streams, and the first and the last number of each, as the statements for several take them."""
    return list(ranges), [first for first, _ in ranges.values()], [last for _, last in ranges.values()]


def select_hashes(records: Sequence[Record]) -> list[bytes | None]:
    """Return the hashes that are stored of *records*, which end with a command: None where it is omitted.

    Stored are that of each command's last event, which receipts and the log of all games name, and those that
    a snapshot names.
    """
    ends = [one.command_id != following.command_id for one, following in pairwise(records)]
    return [
        one.hash if is_end or one.seq % SNAPSHOT_EVERY == 0 else None
        for one, is_end in zip(records, [*ends, True], strict=True)
    ]


def _append_statement(
    game_id: str,
    records: Sequence[Record],
    hashes: Sequence[bytes | None],
    keys: Secrets | None,
    *,
    keyed: bool,
) -> tuple[str, list[Any]]:
    """One statement, so that events, hidden parts, keys and outbox are written together or not at all."""
    values: list[Any] = []
    hidden: list[Any] = []
    key = records[0].command_id if keyed else None
    for r, kept in zip(records, hashes, strict=True):
        values += (game_id, r.seq, r.body.decode(), kept, key)
        key = None
        for name, part in r.parts.items():
            hidden += (game_id, r.seq, name, part.salt, part.body.decode())
    steps = [f"WITH appended AS ({_INSERT}{','.join([_EVENT_ROW] * len(records))})"]
    if keys is not None:
        steps.append(f", keys AS ({_INSERT_KEYS})")
        values += (game_id, keys.anchor, keys.deal, keys.hide, keys.bot, keys.tables)
    if hidden:
        steps.append(f", parts AS ({_INSERT_PARTS}{','.join([_PART_ROW] * (len(hidden) // 5))})")
        values += hidden
    steps.append(_INSERT_FRESH)
    values += (game_id, records[0].seq, records[-1].seq)
    return "".join(steps), values


class _Head(msgspec.Struct):
    """The members of a body that a record also holds by themselves."""

    t: str
    cmd: str


class _Hidden(msgspec.Struct):
    hid: dict[str, msgspec.Raw] | None = None


_HAS_HIDDEN = '"hid":{'
"""Stands in the body of each event with hidden parts, for bodies are canonical JSON."""
_HEAD = msgspec.json.Decoder(_Head)
_HIDDEN = msgspec.json.Decoder(_Hidden)


def is_complete(records: Sequence[Record], after: int) -> bool:
    """Return True if these follow on event *after* without a gap, each with all its hidden parts.

    Parts are read after events: they may have gone into a bundle between the two statements.
    """
    if records and records[-1].seq - after != len(records):
        return False
    return _count_hidden_parts(records) == sum(len(record.parts) for record in records)


def _count_hidden_parts(records: Iterable[Record]) -> int:
    """Return the number of hidden parts that the events have."""
    # Few events have any, and to look for the word costs less than to decode them all.
    bodies = (record.body for record in records if _HAS_HIDDEN.encode() in record.body)
    return sum(len(_HIDDEN.decode(body).hid or ()) for body in bodies)


def _build_records(
    rows: Iterable[tuple[Any, ...]], head: bytes, hidden: Iterable[tuple[Any, ...]]
) -> list[Record]:
    """Return the events of *rows*, which follow on an event with the hash *head*, with their parts."""
    parts: dict[int, dict[str, Part]] = defaultdict(dict)
    for seq, audience, salt, body in hidden:
        parts[seq][audience] = Part(bytes(salt), body.encode())
    records = []
    for seq, text, stored in rows:
        body = text.encode()
        head = _next_hash(head, body, stored)
        said = _HEAD.decode(body)
        records.append(Record(seq, said.t, body, head, said.cmd, parts.get(seq, {})))
    return records


def _next_hash(head: bytes, body: bytes, stored: bytes | None) -> bytes:
    """Return the hash of the event with this *body* after the hash *head*, as it is *stored* if it is."""
    return canonical.link(head, body) if stored is None else bytes(stored)


_NO_STATE = msgspec.msgpack.encode(None)


class _Stored(msgspec.Struct):
    game: Game
    state: msgspec.Raw
    kept: tuple[msgspec.Raw, ...] = ()
    """The states that can come back by taking commands back, in their order."""


def encode_game(game: Game) -> bytes:
    """Return a game as a snapshot stores it."""
    encoder = msgspec.msgpack.Encoder()
    state = msgspec.Raw(encoder.encode(game.state))
    kept = tuple(msgspec.Raw(encoder.encode(before.state)) for before in game.undoable.kept)
    bare = _keep_states(game, (None,) * len(kept))
    return encoder.encode(_Stored(msgspec.structs.replace(bare, state=None), state, kept))


def _keep_states(game: Game, states: Sequence[Any]) -> Game:
    """Return *game*, which keeps these *states* of the title for taking commands back."""
    kept = zip(game.undoable.kept, states, strict=True)
    own = tuple(msgspec.structs.replace(before, state=state) for before, state in kept)
    return msgspec.structs.replace(game, undoable=msgspec.structs.replace(game.undoable, kept=own))


def _decode_or_none(data: bytes) -> Game | None:
    """Return a stored game; None where the bytes are none. Why is not told: it would show what they hold."""
    try:
        return decode_game(data)
    except (msgspec.MsgspecError, ValueError, LookupError, TypeError):
        return None


def decode_game(data: bytes) -> Game:
    """Return the inverse of :func:`encode_game`."""
    stored = msgspec.msgpack.decode(data, type=_Stored)
    game = stored.game
    if bytes(stored.state) == _NO_STATE:
        return game
    decoder = msgspec.msgpack.Decoder(game.title.State)
    game = _keep_states(game, [decoder.decode(state) for state in stored.kept])
    return msgspec.structs.replace(game, state=decoder.decode(stored.state))
