"""The succession of a log: a new one takes over from another whose key, or newest part, was lost.

The new log has a name of its own. Its first entry names its key, the second the old log's last checkpoint.
Then come, one by one, the entries which that checkpoint covers. So a reader of the new log can check alone
that nothing of the old one was altered or left out. Games that end there go on. Those that reach beyond,
which no log covers any longer, are frozen.

A part of what was signed may be lost itself. Then the third entry says from which size on the old key's word
counts for nothing. Every game that was not over is frozen: any may have gone on in the lost part.

All of it is one transaction. Only the memory of what was signed last lies outside of it, and follows behind.
A succession that was killed in between is finished by being started again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from psycopg import sql

from events.store.signing_keys import list_logged_keys
from events.tlog import leaves, tree
from events.tlog.checkpoints import Checkpoint, open_checkpoint
from events.tlog.notes import BadNote, SigningKey, Verifier
from events.tlog.text import b64
from projections.tree.grower import COPY_TILES, RightEdge, begins_with
from projections.tree.log_state import LogState, SignedTree
from projections.tree.tree_store import Db, TreeStore, read_tree_size

PAGE = 1_000
"""Entries that are hashed at once."""
_REMADE = ("es.cosignature", "es.checkpoint", "es.leaf", "es.tile")
"""Tables that are filled again for the new log."""

_KEEP = "CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM es.leaf WHERE index < %s"
_FORMER_CHECKPOINTS = (
    "INSERT INTO es.former_checkpoint (origin, size, root, note, made)"
    " SELECT %s, size, root, note, made FROM es.checkpoint"
)
_FORMER_COSIGNATURES = (
    "INSERT INTO es.former_cosignature (origin, size, witness, line, made)"
    " SELECT %s, size, witness, line, made FROM es.cosignature"
)
_SAID = "INSERT INTO es.key (word, vkey, size, note, position) VALUES (%s, %s, %s, %s, 0) RETURNING id"
_LEAF = "INSERT INTO es.leaf (index, position, key, entry) VALUES (%s, 0, %s, %s)"
_KEPT = (
    "INSERT INTO es.leaf (index, position, name, n, key, entry)"
    " SELECT index + %s, position, name, n, key, entry FROM kept"
)
_FREEZE = (
    "INSERT INTO es.frozen (game_id, last, former)"
    " SELECT g.game_id, coalesce((SELECT max(l.n) FROM kept l WHERE l.name ="
    " substr(sha256('bg/log-game/1'::bytea || '\\x00'::bytea || uuid_send(g.game_id)), 1, 16)), 0), %s"
    " FROM ({}) g ON CONFLICT (game_id) DO NOTHING"
)
_BEYOND = (
    "SELECT game_id FROM es.log WHERE position > %s UNION SELECT game_id FROM es.fresh"
    " UNION SELECT game_id FROM es.parked WHERE projection = 'tree'"
)
_NOT_OVER = (
    " UNION SELECT e.game_id FROM (SELECT DISTINCT ON (game_id) game_id, body FROM es.event"
    " ORDER BY game_id, seq DESC) e WHERE e.body::json->>'t' NOT IN ('TableClosed', 'TableAbandoned')"
)
_ENTERED = (
    "INSERT INTO es.succession (former, origin, note, size, root, signed) VALUES (%s, %s, %s, %s, %s, %s)"
)
_GROWN = (
    "UPDATE es.tree SET size = %s, root = %s, key = %s, set_back = false,"
    " position = (SELECT coalesce(max(position), 0) FROM kept)"
)


class SuccessionError(Exception):
    """The log cannot be succeeded like this; the message says why and what to do."""


class SuccessionResult(msgspec.Struct, frozen=True):
    """The result of a succession."""

    former: str
    origin: str
    covered: int
    """Entries that the old log's last checkpoint covers."""
    kept: int
    """Those of them that the new log has."""
    frozen: int
    """Games that are frozen."""


class LastCheckpoint(msgspec.Struct, frozen=True):
    """The last checkpoint of the old log."""

    note: str
    checkpoint: Checkpoint
    signer: Verifier


def find_last_checkpoint(connection: Db, note: str | None = None) -> LastCheckpoint:
    """Return the last known checkpoint, cosigned if any was: *note*, or the newest in the database.

    Raises :class:`SuccessionError` where no key of the log signed it, or there is none.
    """
    found = note if note is not None else _read_newest(connection)
    if found is None:
        raise SuccessionError("Nothing was ever signed here, so there is no log to be succeeded.")
    for known in list_logged_keys(connection):
        key = Verifier.read(known.vkey)
        try:
            checkpoint, _ = open_checkpoint(found, key)
        except BadNote:
            continue
        return LastCheckpoint(found, checkpoint, key)
    raise SuccessionError(
        "No key of the log signed that checkpoint. `rutter keys list` shows which there are."
    )


def _read_newest(connection: Db) -> str | None:
    store = TreeStore(connection)
    row = connection.execute("SELECT max(size) FROM es.cosignature").fetchone()
    one = store.checkpoint(row[0]) if row and row[0] is not None else store.find_newest()
    return store.make_cosigned_note(one) if one is not None else None


def is_lost(connection: Db, last: LastCheckpoint, state: LogState | None) -> bool:
    """Return True if the database lacks something of what was signed. Raises :class:`SuccessionError`.

    That is where it was set back: it has less than *last* covers, or than the *state* remembers.
    """
    store, size = TreeStore(connection), read_tree_size(connection)
    signed = SignedTree(last.checkpoint.size, last.checkpoint.root)
    if size >= signed.size and not begins_with(store, size, signed):
        raise SuccessionError(
            f"This database has another log of {signed.size} entries than that checkpoint: it cannot go on "
            "from there. Restore the newest backup of the server that signed it."
        )
    remembered = state.read() if state is not None else None
    return size < signed.size or (remembered is not None and not begins_with(store, size, remembered))


def succeed(
    connection: Db,
    signer: SigningKey,
    last: LastCheckpoint,
    state: LogState | None,
    *,
    lost: bool,
    progress: Callable[[int], None] = lambda _entries: None,
) -> SuccessionResult:
    """Begin the log of *signer* behind *last*; by the owner of the tables, while nobody else writes.

    *lost*: see :func:`is_lost`. *progress* is told how many more entries are done.
    """
    former = last.checkpoint.origin
    remembered = state.read() if state is not None else None
    with connection.transaction():
        connection.execute("SELECT size FROM es.tree FOR UPDATE")
        kept = min(last.checkpoint.size, read_tree_size(connection))
        connection.execute(_KEEP, (kept,))
        connection.execute("ALTER TABLE kept ADD PRIMARY KEY (index)")
        connection.execute("CREATE INDEX ON kept (name, n)")
        _clear(connection, former)
        said = _write_statements(connection, signer, last, kept if lost else None)
        connection.execute(_KEPT, (len(said),))
        edge = _write_tiles(connection, said, kept, progress)
        frozen = _freeze(connection, former, lost=lost)
        size, root = edge.frontier.size, edge.frontier.root()
        connection.execute(
            _ENTERED,
            (former, signer.name, last.note, size, root, remembered.root if remembered else None),
        )
        connection.execute("UPDATE es.service SET origin = %s", (signer.name,))
        newest_key = connection.execute("SELECT max(id) FROM es.key").fetchone()
        connection.execute(_GROWN, (size, root, newest_key[0] if newest_key else 0))
    return SuccessionResult(former, signer.name, last.checkpoint.size, kept, frozen)


def finish(connection: Db, origin: str, state: LogState | None) -> SuccessionResult | None:
    """Finish the last step of a succession that was killed before it: write the memory of what was signed.

    Returns the result; None where the log *origin* has succeeded no other. The memory is touched only where
    it is that of the old log still.
    """
    row = connection.execute(
        "SELECT former, note, size, root, signed FROM es.succession WHERE origin = %s", (origin,)
    ).fetchone()
    if row is None:
        return None
    former, note, size, root, signed = row
    if state is not None and (remembered := state.read()) is not None and remembered.root == signed:
        state.write(SignedTree(int(size), bytes(root)))
    frozen = connection.execute("SELECT count(*) FROM es.frozen WHERE former = %s", (former,)).fetchone()
    said = connection.execute(
        "SELECT count(*) FROM es.leaf l JOIN es.key k ON k.id = l.key"
        " WHERE l.index < 3 AND k.id >= (SELECT max(id) FROM es.key WHERE word = 'old')"
    ).fetchone()
    assert frozen is not None and said is not None  # noqa: S101, PT018 - counts
    covered = Checkpoint.read(note.partition("\n\n")[0] + "\n").size
    return SuccessionResult(former, origin, covered, int(size) - int(said[0]), int(frozen[0]))


def _clear(connection: Db, former: str) -> None:
    """Put aside what the old log signed, and make room for the new one's tree."""
    connection.execute(_FORMER_CHECKPOINTS, (former,))
    connection.execute(_FORMER_COSIGNATURES, (former,))
    names = [sql.Identifier(*table.split(".")) for table in _REMADE]
    for name in names:
        connection.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(name))
    connection.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(names)))
    for name in names:
        connection.execute(sql.SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(name))


def _write_statements(
    connection: Db, signer: SigningKey, last: LastCheckpoint, kept: int | None
) -> list[bytes]:
    """Return the entries with which the new log begins; *kept*: how much was kept where a part was lost."""
    old = _write_key(connection, "old", last.signer.vkey, None, last.note)
    said: list[tuple[int, dict[str, object]]] = [
        (_write_key(connection, "add", signer.vkey, None, None), {"add": signer.vkey}),
        (old, {"old": b64(last.note.encode())}),
    ]
    if kept is not None:
        lost = _write_key(connection, "revoke", last.signer.vkey, kept, None)
        said.append((lost, {"revoke": last.signer.vkey, "size": kept}))
    entries = [leaves.canonical_bytes(members) for _, members in said]
    for index, ((key, _), entry) in enumerate(zip(said, entries, strict=True)):
        connection.execute(_LEAF, (index, key, entry))
    return entries


def _write_key(connection: Db, word: str, vkey: str, size: int | None, note: str | None) -> int:
    row = connection.execute(_SAID, (word, vkey, size, note)).fetchone()
    assert row is not None  # noqa: S101 - it was just written
    return int(row[0])


def _write_tiles(connection: Db, said: list[bytes], kept: int, progress: Callable[[int], None]) -> RightEdge:
    """Return the tree over what was *said* and what was *kept*, and its tiles."""
    edge = RightEdge()
    for entry in said:
        edge.add(tree.leaf_hash(entry))
    for page in _read_pages(connection, kept):
        for entry in page:
            edge.add(tree.leaf_hash(entry))
        progress(len(page))
        if edge.full:
            with connection.cursor() as cursor, cursor.copy(COPY_TILES) as copy:
                for tile in edge.full:
                    copy.write_row(tile)
            edge.full = []
    return edge


def _read_pages(connection: Db, kept: int) -> Iterator[list[bytes]]:
    for first in range(0, kept, PAGE):
        rows = connection.execute(
            "SELECT entry FROM kept WHERE index >= %s AND index < %s ORDER BY index", (first, first + PAGE)
        ).fetchall()
        yield [bytes(entry) for (entry,) in rows]


def _freeze(connection: Db, former: str, *, lost: bool) -> int:
    """Freeze the games that reach beyond what was kept; return their number."""
    row = connection.execute("SELECT coalesce(max(position), 0) FROM kept").fetchone()
    games = _BEYOND + (_NOT_OVER if lost else "")
    values: tuple[Any, ...] = (former, row[0] if row else 0)
    return connection.execute(_FREEZE.format(games), values).rowcount
