"""The past, read from a copy of the database: a replica that follows it, a moment behind.

What is recorded never changes, so a copy that has the events which are asked for has the right ones, as
long as it is a copy of this log. One that was left behind when another server took over may have gone on by
itself, and an address may name anything. So a tree of all games is agreed upon first, which the database
and the copy both hold; and whatever is read there is read under the condition that this copy holds that
tree, and that the event stands in it. Where the copy has not come so far, has another tree, or does not
answer, the database itself is asked. Nothing is decided from a copy, and nothing is written there.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
import psycopg
from psycopg import Connection

from events.store.archived_games import ArchiveUnavailable
from events.store.event_log import EventLog, Pool, is_complete
from events.table.game import Game
from events.table.record import Record
from events.tlog.leaves import log_name


class AgreedTree(msgspec.Struct, frozen=True):
    """A tree of the log of all games that the database and its copy hold."""

    size: int
    root: bytes


NO_TREE = AgreedTree(-1, b"")
"""No database has a tree like this."""


class ReplicaConnection(Protocol):
    """A copy of the database, and what is known of it."""

    pool: Pool

    def get_agreed_tree(self) -> AgreedTree | None:
        """Return the tree that was agreed upon; None where nothing may be read from the copy now."""

    def report_failure(self, error: Exception) -> None:
        """The copy did not answer: nothing is agreed upon until it does again."""


class ReplicaLog(EventLog):
    """The log *newest*, whose old events are read from the database that *copy* connects to."""

    def __init__(self, newest: EventLog, copy: ReplicaConnection) -> None:
        super().__init__(newest.pool)
        self._newest = newest
        self._copy = copy
        self._log_of_copy = _AgreedTreeLog(copy)

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Events with seq > *after*, *limit* of them; from the copy only where it has all of these."""
        if limit is not None and self._copy.get_agreed_tree() is not None:
            try:
                records = self._log_of_copy.read(game_id, after, limit)
            except psycopg.Error as error:
                self._copy.report_failure(error)
            except ArchiveUnavailable:
                pass  # the database may know of another place
            else:
                # The copies behind a pooler may answer each statement by another of them.
                if len(records) == limit and is_complete(records, after):
                    return records
        return self._newest.read(game_id, after, limit)

    def newest_snapshot(self, game_id: str, rules: str, at: int) -> Game | None:
        """Return the newest snapshot that the copy has; one that it cannot use, the log is asked about."""
        if self._copy.get_agreed_tree() is not None:
            try:
                found, usable = self._log_of_copy.find_snapshot(game_id, rules, at)
            except psycopg.Error as error:
                self._copy.report_failure(error)
            else:
                if usable:
                    return found
        return self._newest.newest_snapshot(game_id, rules, at)


class _AgreedTreeLog(EventLog):
    """The events of a replica that lie in the agreed tree: none where it does not hold that tree."""

    def __init__(self, copy: ReplicaConnection) -> None:
        super().__init__(copy.pool)
        self._copy = copy

    def _select_events(
        self, connection: Connection[Any], game_id: str, first: int, limit: int | None
    ) -> list[tuple[Any, ...]]:
        return connection.execute(
            "SELECT seq, body, hash FROM es.event WHERE game_id = %s AND seq >= %s"
            " AND seq <= (SELECT max(n) FROM es.leaf WHERE name = %s"
            " AND index < (SELECT size FROM es.checkpoint WHERE size = %s AND root = %s))"
            " ORDER BY seq LIMIT %s",
            (game_id, first, *self._tree_condition(game_id), limit),
        ).fetchall()

    def _snapshot_row(self, game_id: str, rules: str, at: int) -> tuple[Any, ...] | None:
        return self._fetch_one(
            "SELECT s.seq, s.hash, s.state, e.hash FROM es.snapshot s"
            " LEFT JOIN es.event e ON e.game_id = s.game_id AND e.seq = s.seq"
            " WHERE s.game_id = %s AND s.rules = %s AND s.seq <= %s"
            " AND s.seq <= (SELECT max(n) FROM es.leaf WHERE name = %s"
            " AND index < (SELECT size FROM es.checkpoint WHERE size = %s AND root = %s))"
            " ORDER BY s.seq DESC LIMIT 1",
            (game_id, rules, at, *self._tree_condition(game_id)),
        )

    def _tree_condition(self, game_id: str) -> tuple[bytes, int, bytes]:
        agreed = self._copy.get_agreed_tree() or NO_TREE
        return bytes.fromhex(log_name(game_id)), agreed.size, agreed.root
