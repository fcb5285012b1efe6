"""The growth of the tree of all games behind the positions, and its signing.

A run adds the leaves of what was numbered since the one before, with tiles and checkpoint, in one
transaction. Leaves are a function of positions that are committed, so a run that was killed is made again and
gives the same tree. Before anybody can see a checkpoint, its size and root stand in the log's state outside
the database. A database that has less, or something else, was set back: nothing is signed then, and nothing
appended.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Any, Self

import msgspec
import structlog
from psycopg import Error
from psycopg_pool import PoolTimeout

from events.proof import canonical
from events.store.event_log import Pool, ReadOnly, read_log_size
from events.store.signing_keys import Keyring, list_logged_keys
from events.tlog import leaves, tree
from events.tlog.checkpoints import Checkpoint
from events.tlog.notes import SigningKey, Verifier
from events.tlog.tree import WIDTH, Frontier
from projections.tree.leaf_batches import (
    DamagedGame,
    NewLeaf,
    Predecessor,
    Stretch,
    drop_open_batch,
    make_leaves,
)
from projections.tree.log_state import LogState, SignedTree
from projections.tree.tree_store import Db, PublishedCheckpoint, TreeStore
from projections.tree.witness_memory import ask_witnesses

GROWTH_SECONDS = 1.0
"""Seconds between two runs."""
REST_SECONDS = 4.0
"""Seconds between two runs of a tree that has everything, and of which nobody says that it has not."""
EVENTS_AT_ONCE = 5_000
"""Events of one transaction."""
LATE_SECONDS = 50
"""Seconds after which an event without a position keeps checkpoints from being signed.

A receipt promises that a checkpoint which is signed 60 s after it covers its event: none may be signed that
does not.
"""
LATE_LOOK_SECONDS = 5.0
"""Seconds between two looks for such events: each look asks all machines of a cluster."""
PARKED = "tree"
"""The name under which games are parked whose events are damaged."""

log = structlog.get_logger()

_TREE = "SELECT size, position, key, root, set_back FROM es.tree FOR UPDATE SKIP LOCKED"
# What is read comes game by game, one row for all that follows on each other there: a row an event took the
# driver longer than all hashes take. The same goes for arrays, so lists are handed over as one text each.
_IN_A_ROW = (
    "SELECT min(position), game_id::text, min(seq), max(seq) FROM ({}) l GROUP BY game_id, position - seq"
    " ORDER BY 1"
)
_NEXT = _IN_A_ROW.format(
    "SELECT position, game_id, seq FROM es.log WHERE position > %s AND position <= %s"
    " ORDER BY position LIMIT %s"
)
_EVENTS = (
    "SELECT e.game_id::text, min(e.seq), string_agg(e.hash, '' ORDER BY e.seq),"
    " string_agg(CASE WHEN e.hash IS NULL THEN '0' ELSE '1' END, '' ORDER BY e.seq),"
    " convert_to(string_agg(e.body, E'\n' ORDER BY e.seq), 'UTF8')"
    " FROM unnest(string_to_array(%s, ',')::uuid[], string_to_array(%s, ',')::bigint[],"
    " string_to_array(%s, ',')::bigint[]) AS w (game_id, first, last)"
    " JOIN es.event e ON e.game_id = w.game_id AND e.seq >= w.first AND e.seq <= w.last"
    " GROUP BY e.game_id, w.first"
)
"""A body is one line: its canonical form holds no line feed."""
_HEADS = (
    "SELECT e.game_id::text, e.hash FROM unnest(string_to_array(%s, ',')::uuid[],"
    " string_to_array(%s, ',')::bigint[]) AS w (game_id, n)"
    " JOIN es.event e ON e.game_id = w.game_id AND e.seq = w.n - 1"
)
_ENTRIES = (
    "SELECT w.game, l.entry FROM unnest(string_to_array(%s, ','), string_to_array(%s, ','),"
    " string_to_array(%s, ',')::bigint[]) AS w (game, name, n)"
    " CROSS JOIN LATERAL (SELECT entry FROM es.leaf WHERE leaf.name = decode(w.name, 'hex') AND leaf.n < w.n"
    " ORDER BY leaf.n DESC LIMIT 1) l"
)
"""Two statements: events may be on other machines than the tree."""
_OF_GAME = _IN_A_ROW.format(
    "SELECT position, game_id, seq FROM es.log"
    " WHERE lane = get_byte(uuid_send(%s::uuid), 15) & 63 AND position <= %s AND game_id = %s"
    " AND seq > coalesce((SELECT max(n) FROM es.leaf WHERE name = decode(%s, 'hex')), 0)"
)
"""Events of a game that have a position and no leaf. For repairs only: it reads the game's whole lane."""
_SIGNED_WHOLE = (
    "SELECT t.size, t.root FROM es.tree t, es.sequencer s WHERE t.position = s.size AND NOT t.set_back"
    " AND t.size = (SELECT max(size) FROM es.checkpoint)"
    " AND NOT EXISTS (SELECT FROM es.key k WHERE k.id > t.key AND k.word IN ('add', 'revoke'))"
)
"""The tree, if it has everything that it could have and is signed; one look, without a lock or a commit."""
_LATE = "SELECT 1 FROM es.fresh WHERE made_at < clock_timestamp() - make_interval(secs => %s) LIMIT 1"
_KEY_ENTRIES = (
    "SELECT id, word, vkey, size FROM es.key WHERE id > %s AND word IN ('add', 'revoke') ORDER BY id"
)
_COPY_LEAVES = "COPY es.leaf (index, position, name, n, key, entry) FROM STDIN"
_NULL = r"\N"
COPY_TILES = "COPY es.tile (level, n, hashes, root) FROM STDIN"


MOST_FOLLOWED = 20_000
"""Games of which a process remembers where their leaves ended, about 10 MB."""

Followed = dict[str, tuple[int, Predecessor]]
"""The event with which the leaves of each game ended, and what the next one follows on."""


class TreePosition(msgspec.Struct):
    """The position that the tree has come to."""

    size: int
    position: int
    key: int
    root: bytes
    set_back: bool


class RightEdge:
    """The right edge of the tree: all that is needed to add a leaf, whatever its size."""

    def __init__(self) -> None:
        self.frontier = Frontier()
        self.tiles: list[bytearray] = [bytearray()]
        """Of each level of tiles the hashes of the last one, which is not full."""
        self.full: list[tuple[int, int, bytes, bytes]] = []
        """Tiles that were filled and are not written yet: level, number, hashes, root."""

    @staticmethod
    def read(store: TreeStore, size: int) -> RightEdge:
        """Return the edge of the tree of *size* leaves."""
        edge = RightEdge()
        level, there = 0, size
        while there:
            if level:
                edge.tiles.append(bytearray())
            width = there % WIDTH
            if width:
                edge.tiles[level] += store.tile(level, there // WIDTH, width)
            there //= WIDTH
            level += 1
        if level:
            edge.tiles.append(bytearray())
        edge.frontier = Frontier(size, _read_subtrees(store, size))
        return edge

    def add(self, leaf: bytes) -> None:
        """Add one more leaf, given by its hash."""
        self.frontier.add(leaf)
        size, level, added = self.frontier.size, 0, leaf
        self.tiles[0] += leaf
        while len(self.tiles[level]) == 32 * WIDTH:
            hashes = bytes(self.tiles[level])
            added = _hash_tile(hashes)
            self.full.append((level, (size >> 8 * (level + 1)) - 1, hashes, added))
            self.tiles[level].clear()
            level += 1
            if level == len(self.tiles):
                self.tiles.append(bytearray())
            self.tiles[level] += added


def _hash_tile(hashes: bytes) -> bytes:
    """Return the root of a full tile."""
    row = [hashes[at : at + 32] for at in range(0, len(hashes), 32)]
    while len(row) > 1:
        row = [tree.node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]


def _read_subtrees(store: TreeStore, size: int) -> list[bytes]:
    """Return the roots of the full subtrees that a tree of *size* leaves consists of, the largest first."""
    read = tree.Tiles(store.tile, size).read
    found: list[bytes] = []
    first = 0
    for level in range(size.bit_length() - 1, -1, -1):
        if size >> level & 1:
            found.append(read(level, first >> level))
            first += 1 << level
    return found


class Grower:
    """Makes the tree grow and signs it. Any number may be there; one at a time is at work.

    Args:
        pool: connections in autocommit mode.
        keyring: the keys that sign.
        state: the file of what was signed last; None where nobody is to remember it.
        witnesses: addresses of witnesses, who are asked at the first run what they remember.
    """

    def __init__(
        self, pool: Pool, keyring: Keyring, state: LogState | None, witnesses: Iterable[str] = ()
    ) -> None:
        self._pool = pool
        self._keyring = keyring
        self._state = state
        self._witnesses: Iterable[str] | None = witnesses
        self._remembered: SignedTree | None = None
        """The tree that a witness remembers."""
        self._edge: RightEdge | None = None
        self._followed: Followed = {}
        self._healed = False
        self._trusted: SignedTree | None = None
        """The state that the database was last found to agree with."""
        self._look_at = float("-inf")
        """The time from which events without a position are looked for again."""

    def run(self) -> PublishedCheckpoint | None:
        """Bring the tree up to what has a position by now, and sign it: the newest checkpoint if it is new.

        None where there is nothing new, something keeps it from being signed, or another one is at work.
        Raises :class:`ReadOnly` where no key of this process is the log's.
        """
        signer = self._keyring.signer
        self._ask_witnesses()
        if self._is_at_rest():
            return None
        while True:
            with self._pool.connection() as connection, connection.transaction():
                row = connection.execute(_TREE, binary=True).fetchone()
                if row is None:
                    return None
                at = TreePosition(*row)
                until = read_log_size(connection)
                try:
                    self._heal(connection, at)
                    self._grow(connection, at, until)
                    caught_up = at.position == until
                    made = self._publish(connection, at, signer) if caught_up else None
                except BaseException:
                    self._healed = False
                    self._edge = None  # it has leaves that will not be committed
                    raise
            if caught_up:
                return made

    def _is_at_rest(self) -> bool:
        """Return True if a run would find nothing to do: the tree is exactly what was signed last.

        Anything else, a database that was set back among it, is left to a run.
        """
        here = self._state.read() if self._state is not None else self._trusted
        if not self._healed or here is None or here != self._trusted or self._remembered is not None:
            return False
        with self._pool.connection() as connection:
            row = connection.execute(_SIGNED_WHOLE, binary=True).fetchone()
            if row is None or SignedTree(*row) != here:
                return False
            return not self._is_numbering_late(connection)

    # --- growing -----------------------------------------------------------------------------------------

    def _grow(self, connection: Db, at: TreePosition, until: int) -> None:
        """Add what follows on *at*, about :data:`EVENTS_AT_ONCE` events; *at* is where the tree is then."""
        # What was said about keys while the tree stood here comes first: so it does again after a kill.
        said = connection.execute(_KEY_ENTRIES, (at.key,)).fetchall()
        stretches = read_stretches(connection, at.position, until)
        if not stretches and not said:
            return
        self._find_edge(connection, at)
        made, damaged = make_leaves_after(connection, stretches, followed=self._followed)
        for one in damaged:
            _park(connection, one)
        rows: list[tuple[Any, ...]] = [
            (at.position, None, None, key, leaves.make_key_entry(word, vkey, size))
            for key, word, vkey, size in said
        ]
        rows += [(leaf.position, leaf.name, leaf.n, None, leaf.entry) for leaf in made]
        self._add(connection, at, rows)
        if stretches:
            at.position = stretches[-1].position + len(stretches[-1].hashes) - 1
        if len(self._followed) > MOST_FOLLOWED:
            self._followed.clear()
        at.key = said[-1][0] if said else at.key
        connection.execute(
            "UPDATE es.tree SET size = %s, position = %s, key = %s, root = %s",
            (at.size, at.position, at.key, at.root),
        )

    def _heal(self, connection: Db, at: TreePosition) -> None:
        """Add, once, the leaves that parked games lack whose events have been repaired."""
        if self._healed:
            return
        parked = connection.execute(
            "SELECT game_id::text FROM es.parked p WHERE projection = %s"
            " AND NOT EXISTS (SELECT FROM es.frozen f WHERE f.game_id = p.game_id) ORDER BY 1",
            (PARKED,),
        ).fetchall()
        for (game,) in parked:
            places = connection.execute(_OF_GAME, (game, at.position, game, leaves.log_name(game))).fetchall()
            made, damaged = make_leaves_after(connection, _read_events(connection, places), (game,))
            if damaged:
                continue
            self._add(connection, at, [(leaf.position, leaf.name, leaf.n, None, leaf.entry) for leaf in made])
            connection.execute("UPDATE es.tree SET size = %s, root = %s", (at.size, at.root))
            connection.execute("DELETE FROM es.parked WHERE projection = %s AND game_id = %s", (PARKED, game))
            log.warning("game_healed", projection=PARKED, game=game, leaves=len(made))
        self._healed = True

    def _find_edge(self, connection: Db, at: TreePosition) -> RightEdge:
        """Return the edge of the tree as it is at *at*.

        It is the remembered one, unless that is of another tree.
        """
        edge = self._edge
        if edge is None or edge.frontier.size != at.size or edge.frontier.root() != at.root:
            self._edge = edge = RightEdge.read(TreeStore(connection), at.size)
            self._followed = {}
        return edge

    def _add(self, connection: Db, at: TreePosition, rows: list[tuple[Any, ...]]) -> None:
        """Add leaves, given as they are stored but for their index, and the tiles that they fill."""
        edge = self._find_edge(connection, at)
        for row in rows:
            edge.add(tree.leaf_hash(row[-1]))
        with connection.cursor() as cursor:
            with cursor.copy(_COPY_LEAVES) as copy:
                copy.write("".join(_format_leaf(index, *row) for index, row in enumerate(rows, at.size)))
            if edge.full:
                with cursor.copy(COPY_TILES) as copy:
                    for tile in edge.full:
                        copy.write_row(tile)
        edge.full = []
        at.size, at.root = edge.frontier.size, edge.frontier.root()

    # --- signing -----------------------------------------------------------------------------------------

    def _publish(self, connection: Db, at: TreePosition, signer: SigningKey) -> PublishedCheckpoint | None:
        """Sign the tree, unless it is signed already, or must not be."""
        store = TreeStore(connection)
        if self._is_set_back(connection, store, at):
            return None
        if self._is_numbering_late(connection):
            log.warning("checkpoint_withheld", reason="an event waits for its position", seconds=LATE_SECONDS)
            return None
        newest = store.find_newest()
        if newest is not None and newest.size == at.size:
            return None
        note = signer.sign(Checkpoint(signer.name, at.size, at.root).text())
        made = PublishedCheckpoint(at.size, at.root, note)
        connection.execute(
            "INSERT INTO es.checkpoint (size, root, note) VALUES (%s, %s, %s)",
            (made.size, made.root, made.note),
        )
        signed = SignedTree(at.size, at.root)
        if self._state is not None:
            self._state.write(signed)  # before the commit, by which it is published
        self._trusted = signed
        return made

    def _is_numbering_late(self, connection: Db) -> bool:
        """Return True if an event without a position keeps checkpoints from being signed.

        None is found that could become too old before the next look.
        """
        now = time.monotonic()
        if now >= self._look_at:
            if connection.execute(_LATE, (LATE_SECONDS - LATE_LOOK_SECONDS,)).fetchone() is not None:
                return True
            self._look_at = now + LATE_LOOK_SECONDS
        return False

    def _ask_witnesses(self) -> None:
        """Ask the witnesses, once, what was signed, as our own memory may be set back too."""
        if self._witnesses is None:
            return
        with self._pool.connection() as connection:
            keys = [Verifier.read(key.vkey) for key in list_logged_keys(connection)]
        self._remembered, self._witnesses = ask_witnesses(self._witnesses, keys), None
        if self._state is not None and self._state.read() is None:
            log.warning(
                "log_state_is_made",
                path=str(self._state.path),
                reason="there is none yet",
            )

    def _is_set_back(self, connection: Db, store: TreeStore, at: TreePosition) -> bool:
        """Return True if more, or something else, was signed than the database holds.

        A change of it is written down in the database, for all who ask.
        """
        here = self._state.read() if self._state is not None else self._trusted
        remembered = [one for one in (here, self._remembered) if one is not None and one != self._trusted]
        lost = [one for one in remembered if not begins_with(store, at.size, one)]
        if not lost:
            self._trusted, self._remembered = here, None
        elif not at.set_back:
            log.error("database_set_back", size=at.size, signed=[one.size for one in lost])
        if bool(lost) != at.set_back:
            connection.execute("UPDATE es.tree SET set_back = %s", (bool(lost),))
        return bool(lost)


def _format_leaf(
    index: int, position: int, name: bytes | None, n: int | None, key: int | None, entry: bytes
) -> str:
    """Return a leaf as COPY reads it.

    The driver takes as long to write a row as all its hashes take.
    """
    known = f"{_NULL}\t{_NULL}" if name is None else f"\\\\x{name.hex()}\t{n}"
    return f"{index}\t{position}\t{known}\t{_NULL if key is None else key}\t\\\\x{entry.hex()}\n"


def begins_with(store: TreeStore, size: int, signed: SignedTree) -> bool:
    """Return True if the tree of *size* leaves begins with the one that was *signed*."""
    return size >= signed.size and store.root(signed.size) == signed.root


def read_stretches(connection: Db, after: int, until: int, most: int = EVENTS_AT_ONCE) -> list[Stretch]:
    """Return the stretches at positions after *after* and up to *until*, about *most* events.

    No batch is cut in two.
    """
    while True:
        places = connection.execute(_NEXT, (after, until, most), binary=True).fetchall()
        stretches = _read_events(connection, places)
        if sum(len(stretch.hashes) for stretch in stretches) < most:
            return stretches
        uncut = drop_open_batch(stretches)
        if uncut:
            return uncut
        most *= 2


def _read_events(connection: Db, places: list[tuple[Any, ...]]) -> list[Stretch]:
    """Return the events at *places*: position, game, first and last number of neighbours."""
    _, games, firsts, lasts = zip(*places, strict=True) if places else ((), (), (), ())
    asked = ",".join(games), _join(firsts), _join(lasts)
    cursor = connection.execute(_EVENTS, asked, binary=True)
    found = {(game, first): told for game, first, *told in cursor.fetchall()}
    return [
        _make_stretch(position, game, first, last, *found[game, first])
        for position, game, first, last in places
    ]


def _make_stretch(
    position: int, game: str, first: int, last: int, hashes: bytes | None, stored: str, bodies: bytes
) -> Stretch:
    """Return the events; *hashes* has those that are *stored*, which has a 1 for each of them, else a 0."""
    if len(stored) != last - first + 1:
        raise LookupError(f"events {first} to {last} of the game {game} are not all there")
    kept = BytesIO(hashes or b"")
    each = [kept.read(32) if one == "1" else None for one in stored]
    return Stretch(position, game, first, each, bodies.split(b"\n"))


def make_leaves_after(
    connection: Db,
    stretches: list[Stretch],
    healed: Sequence[str] = (),
    *,
    followed: Followed | None = None,
) -> tuple[list[NewLeaf], list[DamagedGame]]:
    """Return the leaves of *stretches*, and the games that turned out to be damaged.

    Damaged games are out from there on. What a log that was succeeded did not cover has no leaf either. Games
    that are *healed* are no more out. Of games that are *followed* nothing is read of what was before; it
    goes on with these leaves.
    """
    firsts = {stretch.game: stretch.first for stretch in reversed(stretches)}
    remembered = followed if followed is not None else {}
    before = {
        game: remembered[game][1]
        for game, first in firsts.items()
        if game in remembered and remembered[game][0] + 1 == first
    }
    before |= _read_predecessors(
        connection, {game: first for game, first in firsts.items() if game not in before}
    )
    out = _find_excluded(connection, firsts) - {*healed}
    made: list[NewLeaf] = []
    damaged: list[DamagedGame] = []
    for stretch in stretches:
        game = stretch.game
        if game in out:
            continue
        some, damage = make_leaves(stretch, before[game])
        made += some
        if damage is not None:
            remembered.pop(game, None)
            out.add(game)
            damaged.append(damage)
            continue
        entry = some[-1].entry if some else before[game].entry
        before[game] = Predecessor(stretch.hashes[-1] or b"", entry)
        remembered[game] = stretch.last, before[game]
    return made, damaged


def _read_predecessors(connection: Db, firsts: dict[str, int]) -> dict[str, Predecessor]:
    """Return the predecessor of event *n* of each game: what that event follows on."""
    if not firsts:
        return {}
    games, numbers, names = ",".join(firsts), _join(firsts.values()), ",".join(map(leaves.log_name, firsts))
    heads: dict[str, bytes] = dict(connection.execute(_HEADS, (games, numbers), binary=True).fetchall())
    entries: dict[str, bytes] = dict(
        connection.execute(_ENTRIES, (games, names, numbers), binary=True).fetchall()
    )
    return {
        game: Predecessor(heads.get(game) or canonical.genesis(game), entries.get(game)) for game in firsts
    }


def _join(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def _find_excluded(connection: Db, games: Iterable[str]) -> set[str]:
    """Return those of the *games* that are damaged or frozen."""
    asked = ",".join(games)
    rows = connection.execute(
        "SELECT game_id::text FROM es.parked WHERE projection = %s"
        " AND game_id = ANY(string_to_array(%s, ',')::uuid[])"
        " UNION SELECT game_id::text FROM es.frozen WHERE game_id = ANY(string_to_array(%s, ',')::uuid[])",
        (PARKED, asked, asked),
    ).fetchall()
    return {game for (game,) in rows}


def _park(connection: Db, one: DamagedGame) -> None:
    log.error("game_parked", projection=PARKED, game=one.game, seq=one.n, reason=one.reason)
    connection.execute(
        "INSERT INTO es.parked (projection, game_id, seq, error) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT DO NOTHING",
        (PARKED, one.game, one.n, one.reason),
    )


class GrowerThread:
    """A thread in which the tree grows, until it is stopped. Nothing that goes wrong ends it."""

    def __init__(self, grower: Grower, stopping: threading.Event) -> None:
        self._grower = grower
        self._stopping = stopping
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._work, name="tree", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._woken.set()
        self._thread.join(timeout=5)

    def wake(self) -> None:
        """Let the tree grow as soon as it may: the log has grown."""
        self._woken.set()

    def _work(self) -> None:
        said = ""
        self._woken.set()  # the first run comes at once: a new log has no checkpoint before it
        while True:
            self._woken.wait(REST_SECONDS - GROWTH_SECONDS)
            self._woken.clear()
            if self._stopping.is_set():
                return
            try:
                self._grower.run()
                said = ""
            except (Error, PoolTimeout, ReadOnly, OSError, ValueError, LookupError) as error:
                # Said once, not every second; the tree stands still meanwhile, which the metrics show.
                if repr(error) != said:
                    log.exception("tree_stands_still", error=repr(error))
                    said = repr(error)
            if self._stopping.wait(GROWTH_SECONDS):
                return
