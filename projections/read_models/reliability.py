"""Reliability of players: of the decisions due where time is counted, those they answered in time.

A time-out is one that was not, excused or not. An answer after its deadline, which is taken where no time-out
stands in the log, is another. Each counts for the account that held the seat then, not for a later holder.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import msgspec
from psycopg import Connection

from events.base.timestamps import read_time
from events.rules.fact import Seat
from events.store.event_log import Pool
from events.table import clock_updates, lifecycle_facts
from events.table.game import Game
from events.table.record import Record, seat_of

DAYS = 90
"""Days for which a decision counts."""
MOST_DECISIONS = 1000
"""The number of newest decisions that count at most: a look costs the same however much is played."""
LEAST_DECISIONS = 20
"""The least number of decisions that says anything: with fewer an account counts as reliable."""
FULL_PERCENT = 100


class ReliabilityRecord(msgspec.Struct, frozen=True):
    """The record of an account: the decisions of the last ninety days."""

    due: int = 0
    answered: int = 0
    """The number of those that were answered in time."""

    @property
    def percent(self) -> int:
        """0 to 100, rounded down; 100 where too few were due."""
        return FULL_PERCENT if self.due < LEAST_DECISIONS else FULL_PERCENT * self.answered // self.due


def make_rows(before: Game, record: Record) -> list[tuple[Any, ...]]:
    """Return the rows of an event that follows on *before*: (game, seq, claim, at, in time)."""
    if not before.clocks:
        return []
    envelope = record.envelope()
    if envelope.clock is None:
        return []
    seat, in_time = _find_decision(before, record)
    if seat is None or seat not in before.claims:
        return []
    return [(before.id, record.seq, before.claims[seat], read_time(envelope.at), in_time)]


def _find_decision(before: Game, record: Record) -> tuple[Seat | None, bool]:
    """Return the seat whose decision it was, and True if it was answered in time."""
    envelope = record.envelope()
    if record.type == "SeatTimedOut":
        return msgspec.json.decode(envelope.data)["seat"], False
    seat = seat_of(envelope.by)
    if (
        seat is None
        or record.type in lifecycle_facts.FACTS
        or envelope.by not in (envelope.clock or {}).get("spent", {})
    ):
        return None, False
    due = clock_updates.seat_deadline(before, seat)
    return seat, due is not None and envelope.at <= due


def write(connection: Connection[Any], rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep what events tell; what stands there stays."""
    for row in rows:
        connection.execute(
            "INSERT INTO reliability (game_id, seq, claim, at, in_time, account_id)"
            " SELECT %s, %s, %s, %s, %s, (SELECT account_id FROM seat_claim"
            " WHERE game_id = %s AND claim = %s AND seat >= 0 LIMIT 1)"
            " ON CONFLICT (game_id, seq) DO NOTHING",
            (*row, row[0], row[2]),
        )


def read_rows(connection: Connection[Any], game_id: str) -> list[tuple[Any, ...]]:
    """Return the rows of a game, in order."""
    return connection.execute(
        "SELECT game_id::text, seq, claim::text, at, in_time FROM reliability"
        " WHERE game_id = %s ORDER BY seq",
        (game_id,),
    ).fetchall()


def clear(connection: Connection[Any], game_id: str) -> None:
    """Delete the rows of a game."""
    connection.execute("DELETE FROM reliability WHERE game_id = %s", (game_id,))


def read_record(pool: Pool, account_id: str, now: str) -> ReliabilityRecord:
    """Return the record of an account at *now* (as events record it)."""
    since = read_time(now) - timedelta(days=DAYS)
    with pool.connection() as connection:
        row = connection.execute(
            "SELECT count(*), count(*) FILTER (WHERE in_time) FROM (SELECT in_time FROM reliability"
            " WHERE account_id = %s AND at > %s ORDER BY at DESC LIMIT %s) newest",
            (account_id, since, MOST_DECISIONS),
        ).fetchone()
    return ReliabilityRecord(*row) if row else ReliabilityRecord()
