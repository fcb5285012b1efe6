"""Tell games who is on vacation: each seat once for each vacation of its holder."""

from __future__ import annotations

import contextlib
from datetime import datetime
from typing import LiteralString

from events.base.timestamps import add_milliseconds, format_time, read_time
from events.clocks.clock import Correspondence
from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.store.event_log import Pool
from events.store.games import Games, StaleVersion
from events.table.commands.vacations import TableVacation, vacation_left_ms
from workers.task_failures import record_failure

SEATS_ON_VACATION: LiteralString = (
    "SELECT l.game_id::text, l.seq, (s->>'seat')::int, c.claim::text, v.begins, v.ends"
    " FROM (SELECT account_id, begins, ends FROM vacation WHERE begins <= %(now)s AND ends > %(now)s) v"
    " JOIN seat_claim c ON c.account_id = v.account_id AND c.seat >= 0"
    " JOIN lobby l ON l.game_id = c.game_id AND l.status = 'running' AND NOT l.held,"
    " json_array_elements(l.seats) s WHERE s->>'claim' = c.claim::text"
    " GROUP BY 1, 2, 3, 4, 5, 6"
)
"""The seats whose holders are away, over all games whose tasks do not fail."""


def apply_vacations(games: Games, pool: Pool, now: str) -> int:
    """Let the time stand still of all who are away; of how many seats it does from now on."""
    with pool.connection() as connection:
        rows = connection.execute(SEATS_ON_VACATION, {"now": read_time(now)}).fetchall()
    stopped = 0
    for game_id, seq, *seat in rows:
        with record_failure(pool, game_id, "vacation", seq):
            stopped += _apply_vacation(games, game_id, *seat)
    return stopped


def _apply_vacation(
    games: Games, game_id: str, seat: Seat, claim: str, begins: datetime, ends: datetime
) -> bool:
    game = games.load(game_id)
    if game.claims.get(seat) != claim:
        return False  # the seat was given to somebody else since
    sits = game.seats[seat]
    is_rested = sits.rested is not None and read_time(sits.rested) >= begins
    if is_rested or not isinstance(game.clock, Correspondence) or not sits.person:
        return False
    at = games.next_time(game)
    until = min(format_time(ends), add_milliseconds(at, vacation_left_ms(game, seat, at)))
    if until <= at:
        return False
    with contextlib.suppress(Rejected, StaleVersion):  # the game has gone on: it is looked at again
        games.table_command(game_id, None, TableVacation(seat, until), expected=game.seq)
        return True
    return False
