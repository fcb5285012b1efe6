"""Building the read models again from the log, and comparing them with what stood there.

All of it happens in one transaction: readers see the old rows until the new ones are complete.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, LiteralString

import msgspec
from psycopg import Connection

from events.log import EventLog
from projections.runner import PROJECTIONS, Runner, lock

_CONTENT: dict[str, LiteralString] = {
    "history": "SELECT t::text FROM history t ORDER BY game_id, seq, viewer",
    "lobby": "SELECT t::text FROM lobby t ORDER BY game_id",
}
_EMPTY: dict[str, LiteralString] = {
    "history": "DELETE FROM history",
    "lobby": "DELETE FROM lobby",
}


class Rebuilt(msgspec.Struct, frozen=True):
    """What a rebuild of one projection found."""

    name: str
    rows_before: int
    rows_after: int
    equal: bool
    """Whether the rows before and after are the same to the letter."""


def rebuild(
    events: EventLog,
    names: Sequence[str] = PROJECTIONS,
    progress: Callable[[int], None] = lambda _events: None,
) -> list[Rebuilt]:
    """Build projections again from position 0. *progress* is told the number of events so far."""
    with events.pool.connection() as connection, connection.transaction():
        runner = Runner(events)
        positions = lock(connection, names, wait=True)
        # First let them catch up, so that before and after speak of the same events.
        while runner.advance(connection, positions):
            pass
        before = {name: content(connection, name) for name in names}
        for name in names:
            connection.execute(_EMPTY[name])
            connection.execute("DELETE FROM es.parked WHERE projection = %s", (name,))
        positions = dict.fromkeys(names, 0)
        runner, done = Runner(events), 0
        while count := runner.advance(connection, positions):
            done += count
            progress(done)
        after = {name: content(connection, name) for name in names}
    return [Rebuilt(n, before[n][0], after[n][0], before[n] == after[n]) for n in names]


def content(connection: Connection[Any], name: str) -> tuple[int, str]:
    """How many rows a projection has, and a digest over all of them in order."""
    digest, rows = hashlib.sha256(), 0
    with connection.transaction(), connection.cursor(name="content") as cursor:
        for (row,) in cursor.execute(_CONTENT[name]):
            digest.update(row.encode() + b"\n")
            rows += 1
    return rows, digest.hexdigest()
