"""Timers that run in games, as the log tells them: by when the server has something to do by itself.

The lobby keeps the first of them for each game, so that what is due is found by one look at an index. What is
then to be done is asked of the log again. All of it can be built again.
"""

from __future__ import annotations

from typing import Literal, LiteralString

import msgspec

from events.base.timestamps import read_time
from events.rules.fact import Seat
from events.store.event_log import Pool
from events.table import clock_updates, commit_reveal
from events.table.commands import expiry
from events.table.game import Game
from projections.read_models.work_queue import NOT_FROZEN

TimerKind = Literal["opening", "expiry", "warning", "pause_end", "vacation_end", "turn"]

DUE: LiteralString = (
    f"SELECT game_id::text, seq, status FROM lobby WHERE due <= %(now)s AND NOT held AND {NOT_FROZEN}"  # noqa: S608 - a constant
    " ORDER BY due LIMIT 200"
)
"""Games of which a timer is due."""
RUNNING: LiteralString = (
    "SELECT game_id::text FROM lobby WHERE status = 'running' AND due IS NOT NULL AND game_id > %s"  # noqa: S608 - a constant
    f" AND {NOT_FROZEN}"
    " ORDER BY lobby.game_id LIMIT 200"
)
"""Games that have begun and in which a timer runs."""


class Timer(msgspec.Struct, frozen=True):
    """Something that the server does when its time has come."""

    kind: TimerKind
    due: str
    seat: Seat | None = None
    """The seat whose time is up, or that is back."""


class DueGame(msgspec.Struct, frozen=True):
    """A game of which a timer is due, as the lobby tells it."""

    game_id: str
    seq: int
    status: str


def list_timers(game: Game) -> list[Timer]:
    """Return the timers that run in *game*, the first due first."""
    found = list_turn_timers(game)
    if (opens := commit_reveal.next_due(game)) is not None:
        found.append(Timer("opening", opens))
    if (expires := expiry.expiry_due(game)) is not None:
        found.append(Timer("expiry", expires[1]))
    if (warns := expiry.warning_due(game)) is not None:
        found.append(Timer("warning", warns))
    if game.paused is not None:
        found.append(Timer("pause_end", game.paused.until))
    back = [(seat, sits.vacation) for seat, sits in enumerate(game.seats)]
    found += [Timer("vacation_end", until, seat) for seat, until in back if until is not None]
    return sorted(found, key=lambda timer: timer.due)


def list_turn_timers(game: Game) -> list[Timer]:
    """Return, in order of seats, the timers of all seats that are on the clock."""
    due = [(seat, clock_updates.seat_deadline(game, seat)) for seat in range(len(game.seats))]
    return [Timer("turn", until, seat) for seat, until in due if until is not None]


def find_first_turn(game: Game) -> str | None:
    """Return the time at which the first seat's time is up; None where no time runs."""
    return min((timer.due for timer in list_turn_timers(game)), default=None)


def find_first_due(game: Game) -> str | None:
    """Return the time at which the first timer of *game* is due; None where none runs."""
    running = list_timers(game)
    return running[0].due if running else None


def find_due_games(pool: Pool, now: str) -> list[DueGame]:
    """Return the games of which a timer is due at *now* (as events record it)."""
    with pool.connection() as connection:
        rows = connection.execute(DUE, {"now": read_time(now)}).fetchall()
    return [DueGame(*row) for row in rows]


def find_running_games(pool: Pool, after: str) -> list[str]:
    """Return the next games after that id that have begun and in which a timer runs."""
    with pool.connection() as connection:
        return [game_id for (game_id,) in connection.execute(RUNNING, (after,))]
