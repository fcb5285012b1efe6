"""Tell games who is on vacation: each seat once for each vacation of its holder."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString, NamedTuple

from events.base.timestamps import add_milliseconds, format_time, read_time
from events.clocks.clock import CorrespondenceClock
from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.store.event_log import Pool
from events.store.games import Games, StaleVersion
from events.table.commands.vacations import TableVacation, vacation_left_ms
from workers.task_failures import record_failure

_IS_NOW: LiteralString = "begins <= %(now)s AND ends > %(now)s"
AWAY: LiteralString = f"SELECT 1 FROM vacation WHERE {_IS_NOW} LIMIT 1"  # noqa: S608 - a constant
"""The query that finds a row if anybody is away."""
SEATS_ON_VACATION: LiteralString = (
    "SELECT l.game_id::text, l.seq, (s->>'seat')::int, c.claim::text, v.begins, v.ends"  # noqa: S608 - a constant
    f" FROM (SELECT account_id, begins, ends FROM vacation WHERE {_IS_NOW}) v"
    " JOIN seat_claim c ON c.account_id = v.account_id AND c.seat >= 0"
    " JOIN lobby l ON l.game_id = c.game_id AND l.status = 'running' AND NOT l.held,"
    " json_array_elements(l.seats) s WHERE s->>'claim' = c.claim::text"
    " GROUP BY 1, 2, 3, 4, 5, 6"
)
"""The seats whose holders are away, over all games whose tasks do not fail."""


class SeatOnVacation(NamedTuple):
    """A seat whose holder is away."""

    game_id: str
    seq: int
    seat: Seat
    claim: str
    begins: datetime
    ends: datetime


def find_vacations(pool: Pool, now: str) -> list[SeatOnVacation]:
    """Return the seats of all who are away at *now*.

    Most often that is nobody. To find no seat of theirs may take a look at every running game.
    """
    at = {"now": read_time(now)}
    with pool.connection() as connection:
        if connection.execute(AWAY, at).fetchone() is None:
            return []
        rows = connection.execute(SEATS_ON_VACATION, at).fetchall()
    return [SeatOnVacation(*row) for row in rows]


def apply_vacations(games: Games, pool: Pool, seats: Sequence[SeatOnVacation]) -> int:
    """Let the time stand still of those who are away; of how many seats it does from now on."""
    stopped = 0
    for one in seats:
        with record_failure(pool, one.game_id, "vacation", one.seq):
            stopped += _apply_vacation(games, one)
    return stopped


def _apply_vacation(games: Games, one: SeatOnVacation) -> bool:
    game, seat = games.load(one.game_id), one.seat
    if game.claims.get(seat) != one.claim:
        return False  # the seat was given to another player since
    sits = game.seats[seat]
    is_rested = sits.rested is not None and read_time(sits.rested) >= one.begins
    if is_rested or not isinstance(game.clock, CorrespondenceClock) or not sits.person:
        return False
    at = games.next_time(game)
    until = min(format_time(one.ends), add_milliseconds(at, vacation_left_ms(game, seat, at)))
    if until <= at:
        return False
    with contextlib.suppress(Rejected, StaleVersion):  # the game has gone on: it is looked at again
        games.table_command(one.game_id, None, TableVacation(seat, until), expected=game.seq)
        return True
    return False
