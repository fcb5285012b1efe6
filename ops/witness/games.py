"""The memory that a follower keeps of every game, from one start to the next."""

from __future__ import annotations

import os

from events.tlog.monitor import RECORD, Heads, Monitor
from events.tlog.text import unhex
from events.tlog.tree import Frontier
from ops.base.durable_files import sync_folder
from ops.witness.errors import LostState
from ops.witness.folder import Folder, WitnessedGames

SLACK = 10_000
"""Records of newer entries that a file may hold above the number of games before it is rewritten."""


class _Heads(Heads):
    """Heads that know which of them changed since they were last written."""

    def __init__(self, records: bytes = b"") -> None:
        self.changed = bytearray()
        super().__init__(records)

    def put(self, name: bytes, n: int, digest: bytes) -> None:
        super().put(name, n, digest)
        self.changed += (name + n.to_bytes(6, "big") + digest)[:RECORD]


class Memory:
    """The entries of a log as far as they were read, durable as far as they were cosigned.

    A file begins with one record a game; records of newer entries are appended to it. Once these are more
    than the games, the next one is written from the start. The state of the log says which file it is and how
    much of it holds, so that a crash leaves nothing half done.

    Args:
        folder: the witness's.
        origin: the log's.
        games: what the state says; None before the first checkpoint.

    Raises:
        LostState: what the state names is not there.

    Attributes:
        monitor: reads the entries; it has read those of the recorded tree.
    """

    def __init__(self, folder: Folder, origin: str, games: WitnessedGames | None) -> None:
        self._folder = folder
        self._origin = origin
        self._games = games
        self.monitor = Monitor()
        self._heads = self._load() if games else _Heads()
        self.monitor.heads = self._heads
        if games:
            self.monitor.frontier = self._read_frontier(games)

    def keep(self) -> WitnessedGames:
        """Make durable what was read; what the state is to say of it."""
        tail = self._games.length - self._games.base if self._games else 0
        if self._games and tail + len(self._heads.changed) <= (len(self._heads) + SLACK) * RECORD:
            file, base = self._games.file, self._games.base
            self._write(file, self._games.length, bytes(self._heads.changed))
            length = self._games.length + len(self._heads.changed)
        else:
            records = self._heads.records()
            file, base = self._folder.games_file(self._origin, self.monitor.size), len(records)
            length = base
            self._write(file, 0, records)
            sync_folder(self._folder.path)
        self._heads.changed.clear()
        roots = tuple(root.hex() for root in self.monitor.frontier.roots)
        self._games = WitnessedGames(file, base, length, roots)
        return self._games

    def delete_old_files(self) -> None:
        """Delete the files that the recorded state no longer names."""
        if self._games:
            self._folder.forget_games(self._origin, self._games.file)

    def _write(self, file: str, at: int, records: bytes) -> None:
        descriptor = os.open(self._folder.path / file, os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "wb") as handle:
            handle.truncate(at)
            handle.seek(at)
            handle.write(records)
            handle.flush()
            os.fsync(handle.fileno())

    def _load(self) -> _Heads:
        games = self._games
        assert games is not None  # noqa: S101 - for the type checker
        try:
            raw = (self._folder.path / games.file).read_bytes()
        except OSError:
            raise LostState(self._origin) from None
        if len(raw) < games.length:
            raise LostState(self._origin)
        heads = _Heads(raw[: games.base])
        for at in range(games.base, games.length, RECORD):
            record = raw[at : at + RECORD]
            heads.put(record[:16], int.from_bytes(record[16:22], "big"), record[22:])
        heads.changed.clear()
        return heads

    def _read_frontier(self, games: WitnessedGames) -> Frontier:
        state = self._folder.state(self._origin)
        if state is None:
            raise LostState(self._origin)
        recorded = state.checkpoint
        try:
            frontier = Frontier(recorded.size, [unhex(root, 32) for root in games.frontier])
        except ValueError:
            raise LostState(self._origin) from None
        if frontier.root() != recorded.root:
            raise LostState(self._origin)
        return frontier
