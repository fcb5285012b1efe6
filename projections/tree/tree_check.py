"""Makes the tree again from the log, leaf by leaf, and compares: for operators, on their own database."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from events.proof import canonical
from events.store.archived_games import ArchiveUnavailable
from events.store.event_log import read_log_size
from events.tlog import checkpoints, leaves, tree
from events.tlog.notes import BadNote, UnsignedNote, Verifier, open_note
from events.tlog.text import b64
from events.verify.errors import BadBundle, UncheckableClaim, UnreadableFile
from projections.tree.archive import Archive, Row
from projections.tree.grower import PARKED, RightEdge, begins_with
from projections.tree.leaf_batches import read_command_id
from projections.tree.log_state import LogState
from projections.tree.tree_store import Db, TreeStore

PAGE = 1_000
"""Leaves that are compared at once."""
MOST_FINDINGS = 20
"""The number of findings after which the rest is not looked for."""

_LEAVES = (
    "SELECT l.index, l.position, l.name, l.n, l.entry, g.game_id::text, g.seq,"
    " k.word, k.vkey, k.size, k.note"
    " FROM es.leaf l"
    " LEFT JOIN es.log g ON g.position = l.position AND l.key IS NULL LEFT JOIN es.key k ON k.id = l.key"
    " WHERE l.index >= %s AND l.index < %s ORDER BY l.index"
)
_BEFORE = (
    "SELECT w.index, l.entry"
    " FROM unnest(%s::bigint[], %s::bytea[], %s::bigint[]) AS w (index, name, n), LATERAL"
    " (SELECT entry FROM es.leaf WHERE leaf.name = w.name AND leaf.n < w.n ORDER BY leaf.n DESC LIMIT 1) l"
)
_EVENTS = (
    "SELECT w.index, e.seq, e.body, e.hash"
    " FROM unnest(%s::bigint[], %s::uuid[], %s::bigint[], %s::bigint[]) AS w (index, game_id, first, last)"
    " JOIN es.event e ON e.game_id = w.game_id AND e.seq >= w.first AND e.seq <= w.last ORDER BY 1, 2"
)
_DAMAGED = "SELECT game_id::text, seq, error FROM es.parked WHERE projection = %s"
_FROZEN = "SELECT game_id::text, last, NULL FROM es.frozen"
"""Games whose events are damaged, and those that are frozen (without an error); rarely any."""
_POSITIONS = (
    "SELECT count(*) FROM es.log WHERE game_id = %s AND position <= %s"
    " AND lane = get_byte(uuid_send(%s::uuid), 15) & 63"
)


class TreeCheckResult(msgspec.Struct):
    """The number of things compared, and the findings that did not agree."""

    leaves: int = 0
    events: int = 0
    tiles: int = 0
    checkpoints: int = 0
    cosignatures: int = 0
    archived: int = 0
    """The number of games whose events stand in the archive."""
    waiting: int = 0
    """Events with a position that the tree does not hold yet."""
    parked: list[str] = []
    """Games that the tree has set aside because an event of theirs is damaged."""
    frozen: int = 0
    """Games that reach beyond a log that was succeeded."""
    findings: list[str] = []


class _Leaf(msgspec.Struct, frozen=True):
    """A stored leaf with all that it must follow from."""

    index: int
    name: bytes
    n: int
    entry: bytes
    game: str | None
    seq: int | None


def check_tree(
    connection: Db,
    known: Iterable[Verifier],
    state: LogState | None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
    archive: Archive | None = None,
) -> TreeCheckResult:
    """Compare everything that the database holds of the tree with what follows from its events.

    *known*: the keys of the log. *progress* is told how many of how many leaves are done. *archive*: where
    the events are of games that the database no longer holds.
    """
    return _TreeCheck(connection, list(known), progress, archive).check_all(state)


class _TreeCheck:
    def __init__(
        self,
        connection: Db,
        known: list[Verifier],
        progress: Callable[[int, int], None],
        archive: Archive | None,
    ) -> None:
        self._db = connection
        self._archive = archive
        self._archived: set[bytes] = set()
        self._known = known
        self._progress = progress
        self._store = TreeStore(connection)
        self._edge = RightEdge()
        self.result = TreeCheckResult()

    def check_all(self, state: LogState | None) -> TreeCheckResult:
        """Check the whole tree."""
        row = self._db.execute("SELECT size, position, root FROM es.tree").fetchone()
        assert row is not None  # noqa: S101 - the migration put it there
        size, position, root = int(row[0]), int(row[1]), bytes(row[2])
        if self._check_checkpoints(-1, 0).get(0, tree.EMPTY_ROOT) != tree.EMPTY_ROOT:
            self._report("the checkpoint of an empty tree has a root of another one")
        for first in range(0, size, PAGE):
            if len(self.result.findings) >= MOST_FINDINGS:
                break
            self._check_page(first, min(first + PAGE, size))
            self._progress(min(first + PAGE, size), size)
        else:
            self._check_whole(size, position, root)
        if (
            state is not None
            and (signed := state.read()) is not None
            and not begins_with(self._store, size, signed)
        ):
            self._report(
                f"{state.path} remembers a signed tree of {signed.size} leaves that is not in this database"
            )
        return self.result

    def _report(self, what: str) -> None:
        self.result.findings.append(what)

    def _find_uncovered(self) -> list[tuple[str, int, str | None]]:
        """Return the damaged games, and those that are frozen without being damaged."""
        damaged = self._db.execute(_DAMAGED, (PARKED,)).fetchall()
        known = {game for game, _, _ in damaged}
        return damaged + [row for row in self._db.execute(_FROZEN).fetchall() if row[0] not in known]

    def _check_whole(self, size: int, position: int, root: bytes) -> None:
        """Check what can only be told at the end: nothing is missing, nothing too much."""
        if self._edge.frontier.size != size or self._edge.frontier.root() != root:
            self._report(f"the leaves do not give the root of the tree of {size} leaves")
        surplus = self._db.execute("SELECT 1 FROM es.leaf WHERE index >= %s LIMIT 1", (size,)).fetchone()
        tiles = self._db.execute("SELECT count(*) FROM es.tile").fetchone()
        if surplus or (tiles and tiles[0] != self.result.tiles):
            self._report("there are leaves or tiles beyond the tree's size")
        later = self._db.execute("SELECT size FROM es.checkpoint WHERE size > %s LIMIT 1", (size,)).fetchone()
        if later:
            self._report(f"the checkpoint of {later[0]} leaves was signed, and the tree has {size}")
        out = 0
        for game, n, error in self._find_uncovered():
            (count,) = self._db.execute(_POSITIONS, (game, position, game)).fetchone() or (0,)
            name = bytes.fromhex(leaves.log_name(game))
            covered = self._db.execute(
                "SELECT coalesce(max(n), 0) FROM es.leaf WHERE name = %s", (name,)
            ).fetchone()
            out += count - (int(covered[0]) if covered else 0)
            if error is None:
                self.result.frozen += 1
            else:
                self.result.parked.append(f"{game} at event {n}: {error}")
        if self.result.events + out != position:
            self._report(f"of {position} events {position - out - self.result.events} are in no leaf")
        self.result.waiting = read_log_size(self._db) - position

    def _check_page(self, first: int, end: int) -> None:
        games: list[_Leaf] = []
        entries: list[bytes] = []
        for index, _, name, n, entry, game, seq, *said in self._db.execute(_LEAVES, (first, end)).fetchall():
            if index != first + len(entries):
                self._report(f"leaf {first + len(entries)} is missing")
                return
            entries.append(bytes(entry))
            if name is not None:
                games.append(_Leaf(index, bytes(name), n, bytes(entry), game, seq))
            elif not _matches(bytes(entry), *said):
                self._report(f"leaf {index} about a key is not what was said about it")
        self._check_games(games)
        wanted = self._check_checkpoints(first, end)
        for entry in entries:
            self._edge.add(tree.leaf_hash(entry))
            root = wanted.get(self._edge.frontier.size)
            if root is not None and root != self._edge.frontier.root():
                self._report(
                    f"the checkpoint of {self._edge.frontier.size} leaves has another root than they"
                )
        self._check_tiles()
        self.result.leaves += len(entries)

    def _check_tiles(self) -> None:
        for level, n, hashes, above in self._edge.full:
            row = self._db.execute(
                "SELECT hashes, root FROM es.tile WHERE level = %s AND n = %s", (level, n)
            ).fetchone()
            self.result.tiles += 1
            if row is None or (bytes(row[0]), bytes(row[1])) != (hashes, above):
                self._report(f"tile {level}/{n} does not follow from the leaves")
        self._edge.full = []

    def _check_games(self, games: list[_Leaf]) -> None:
        """Check that each leaf follows from the events of its batch and the game's leaf before it."""
        places = [leaf.index for leaf in games], [leaf.name for leaf in games], [leaf.n for leaf in games]
        found = self._db.execute(_BEFORE, places).fetchall()
        before = {index: bytes(entry) for index, entry in found}
        numbers = {index: leaves.read_event_number(entry) for index, entry in before.items()}
        asked = [leaf for leaf in games if leaf.game is not None]
        rows: dict[int, list[Row]] = {leaf.index: [] for leaf in asked}
        cursor = self._db.execute(
            _EVENTS,
            (
                [leaf.index for leaf in asked],
                [leaf.game for leaf in asked],
                [numbers.get(leaf.index, 0) for leaf in asked],
                [leaf.n + 1 for leaf in asked],
            ),
        )
        for index, seq, body, digest in cursor:
            rows[index].append((seq, body, None if digest is None else bytes(digest)))
        for leaf in games:
            after = numbers.get(leaf.index, 0)
            reason = self._judge_leaf(leaf, before.get(leaf.index), after, rows.get(leaf.index, []))
            if reason is not None:
                self._report(f"leaf {leaf.index} (event {leaf.n} of the game {leaf.game}): {reason}")
            self.result.events += leaf.n - after

    def _judge_leaf(self, leaf: _Leaf, before: bytes | None, after: int, rows: list[Row]) -> str | None:
        """Return the reason that a leaf is not the one its batch gives, in the database or in the archive."""
        held = sum(after < number <= leaf.n for number, _, _ in rows)
        game = None if held == leaf.n - after or self._archive is None else self._archive.game(leaf.name)
        if game is None or self._archive is None:
            return _find_fault(leaf, before, after, rows)
        try:
            moved = self._archive.events(leaf.name)[max(0, after - 1) : leaf.n + 1]
        except (BadBundle, UncheckableClaim, UnreadableFile, OSError, ArchiveUnavailable) as error:
            return f"the bundle of its game in the archive does not hold: {error}"
        if any(row not in moved for row in _fill_hashes(rows, moved)):
            return "the bundle of its game in the archive holds another event than the database"
        self._archived.add(leaf.name)
        self.result.archived = len(self._archived)
        return _find_fault(msgspec.structs.replace(leaf, game=game, seq=leaf.n), before, after, moved)

    def _check_checkpoints(self, after: int, until: int) -> dict[int, bytes]:
        """Return the roots of the checkpoints of sizes from *after* (not it) to *until*.

        Their notes are checked.
        """
        rows = self._db.execute(
            "SELECT size, root, note FROM es.checkpoint WHERE size > %s AND size <= %s", (after, until)
        ).fetchall()
        for size, root, note in rows:
            self.result.checkpoints += 1
            try:
                checkpoint = checkpoints.Checkpoint.read(open_note(note, self._known).text)
                if (checkpoint.size, checkpoint.root) != (size, bytes(root)):
                    self._report(f"the checkpoint of {size} leaves was signed with another size or root")
            except BadNote as error:
                self._report(f"the checkpoint of {size} leaves: {error}")
            self._check_cosignatures(size, note)
        return {size: bytes(root) for size, root, _ in rows}

    def _check_cosignatures(self, size: int, note: str) -> None:
        for witness, line in self._db.execute(
            "SELECT witness, line FROM es.cosignature WHERE size = %s", (size,)
        ).fetchall():
            self.result.cosignatures += 1
            try:
                open_note(checkpoints.merge_signatures(note, [line]), [Verifier.read(witness)])
            except (UnsignedNote, BadNote, ValueError) as error:
                self._report(f"a cosignature under the checkpoint of {size} leaves: {error}")


def _fill_hashes(rows: list[Row], moved: list[Row]) -> list[Row]:
    """Return *rows*, where those that go without a hash have that of the same event of the bundle."""
    hashes = {number: digest for number, _, digest in moved}
    return [(number, body, hashes.get(number) if stored is None else stored) for number, body, stored in rows]


def _matches(entry: bytes, word: str | None, vkey: str | None, size: int | None, note: str | None) -> bool:
    if word == "old":
        return entry == leaves.canonical_bytes({"old": b64((note or "").encode())})
    return entry == leaves.make_key_entry(word, vkey, size)


def _find_fault(leaf: _Leaf, before: bytes | None, after: int, rows: list[Row]) -> str | None:
    """Return the reason that a leaf is not the one that its batch gives; None for a good one.

    *rows*: number, body and hash of events, without a hash within a command: the one *after* which the batch
    begins, the batch, the next.
    """
    if leaf.game is None or leaf.seq != leaf.n or bytes.fromhex(leaves.log_name(leaf.game)) != leaf.name:
        return "its position holds another event"
    head = canonical.genesis(leaf.game)
    if after and rows and rows[0][0] == after:
        if rows[0][2] is None:
            return f"event {after}, the last of its command, has no hash"
        head = rows[0][2]
    batch = [row for row in rows if after < row[0] <= leaf.n]
    if [row[0] for row in batch] != list(range(after + 1, leaf.n + 1)):
        return "events of its batch are missing; games that were moved out of here are found by --archive"
    for number, body, digest in batch:
        head = canonical.link(head, body.encode())
        if digest is not None and head != digest:
            return f"the hash of event {number} does not follow from the event before and its body"
    commands = {read_command_id(body.encode()) for _, body, _ in batch}
    behind = {read_command_id(body.encode()) for number, body, _ in rows if number > leaf.n}
    if len(commands) != 1 or commands & behind:
        return "it stands for something else than one batch"
    if leaf.entry != leaves.make_entry(leaf.name.hex(), leaf.n, head, before):
        return "its entry is not what the batch gives"
    return None
