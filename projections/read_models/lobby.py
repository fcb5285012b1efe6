"""The lobby: one row a game, with what anyone may know of it at a glance, and what it waits for.

A row also holds the owner, beside what the log tells, so that all owners have their turn with bots and
server. It tells too whether the game is held because a task of it failed. A new event ends that: what failed
may go well now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from psycopg import Connection

from events.base.timestamps import read_time
from events.rules.bot_names import is_thinker
from events.rules.catalogue import RulesMissing
from events.rules.fact import Json
from events.table.game import Game
from events.table.vacancies import is_halted, may_be_taken
from projections.read_models import game_counts, game_ends, timers
from projections.read_models.game_counts import CountKey
from projections.read_models.stream_rows import StreamRows

COLUMNS = (
    "game_id",
    "title",
    "version",
    "status",
    "seats",
    "waiting_for",
    "house",
    "bot",
    "analysis",
    "outcome",
    "seq",
    "created_at",
    "due",
    "person",
    "since",
    "free",
    "deadline",
    "stuck",
    "opened",
    "delay",
    "tournament",
    "origin",
    "thinking",
    "undo",
)


def make_row(game: Game) -> tuple[Any, ...]:
    """Return the lobby's row of a game, in the order of the columns."""
    running = game.status == "running" and game.paused is None and game.state is not None
    awaited = game.title.list_awaited_seats(game.state) if running else ()
    due, until = timers.find_first_due(game), timers.find_first_turn(game)
    waiting_for = sorted({seat for seat in awaited if seat is not None})
    house = None in awaited
    thinking = [seat for seat in waiting_for if is_thinker(game.seats[seat].bot)]
    bot = next((seat for seat in waiting_for if game.seats[seat].bot and seat not in thinking), None)
    return (
        game.id,
        game.title_id,
        game.version,
        game.status,
        _encode(_describe_seats(game)),
        waiting_for,
        house,
        bot,
        game.analysis,
        _encode(game.result) if game.result else None,
        game.seq,
        read_time(game.created_at),
        read_time(due) if due else None,
        bool(game.persons),
        read_time(game.at) if house or bot is not None or thinking else None,
        any(may_be_taken(game, seat) for seat in range(len(game.seats))),
        read_time(until) if until else None,
        is_halted(game),
        game.opened,
        _encode(_describe_delay(game)) if game.terms.delay else None,
        game.tournament["id"] if game.tournament else None,
        game.origin["game"] if game.origin else None,
        thinking,
        game.terms.undo,
    )


def is_waiting(row: tuple[Any, ...]) -> bool:
    """Return True if the game of a row waits for a bot or the server: only then it has a time in `since`."""
    return row[COLUMNS.index("since")] is not None


def _describe_delay(game: Game) -> Json:
    """Return what a list needs to keep a game's delay: its length, and since when the row is as it is."""
    return {**msgspec.to_builtins(game.terms.delay), "at": game.at, "begun": game.state is not None}


def _describe_seats(game: Game) -> list[Json]:
    """Return what a list shows of each seat, with its colour as the game has it."""
    seats = [_describe_seat(game, number) for number in range(len(game.seats))]
    try:
        colours = game.list_colours()
    except RulesMissing:
        colours = ()
    for seat, colour in zip(seats, colours, strict=False):
        seat["colour"] = colour
    return seats


def _describe_seat(game: Game, number: int) -> Json:
    seat = game.seats[number]
    if not seat.taken:
        return {"seat": number, "open": True}
    free = {"free": True} if may_be_taken(game, number) else {}
    if seat.vacant:
        return {"seat": number, "vacant": True, **free}
    if seat.bot:
        return {"seat": number, "bot": seat.bot, "bot_version": seat.bot_version, **free}
    return {"seat": number, "claim": game.claims[number]}


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def write(connection: Connection[Any], rows: Sequence[tuple[Any, ...]]) -> None:
    """Put the rows of games in place, each unless a newer one stands there."""
    renewed = ROWS.renew(connection, rows, alike=_COUNTED)
    for row in rows:
        if row[0] not in renewed:
            _write_and_count(connection, row)


def _write_and_count(connection: Connection[Any], row: tuple[Any, ...]) -> None:
    """Put a row in place by which the game may be counted otherwise than before: both happen, or neither."""
    with connection.transaction():
        before = game_counts.read_key(connection, row[0])
        if before is None:
            changed = ROWS.add(connection, row, owner=_find_owner(connection, row[0]))
        else:
            changed = bool(ROWS.renew(connection, [row]))
        if changed:
            game_counts.move_count(connection, row[0], before, get_count_key(row))
            if row[COLUMNS.index("status")] in ENDED:
                delay = row[COLUMNS.index("delay")]
                seq = row[COLUMNS.index("seq")]
                game_ends.add_end(connection, row[0], seq, delay and msgspec.json.decode(delay))


def get_count_key(row: tuple[Any, ...]) -> CountKey:
    """Return the key under which the game of a row is counted."""
    return CountKey(*(row[COLUMNS.index(column)] for column in _COUNTED))


def clear(connection: Connection[Any], game_id: str) -> None:
    """Delete the row of a game, which is counted no more."""
    with connection.transaction():
        before = game_counts.read_key(connection, game_id)
        ROWS.clear(connection, game_id)
        game_counts.move_count(connection, game_id, before, None)


_AS_TEXT = ("game_id", "seats", "outcome", "opened", "delay", "tournament", "origin")
ROWS = StreamRows(
    "lobby", COLUMNS, dict.fromkeys(_AS_TEXT, "text"), ", held = false", ("seats", "outcome", "delay")
)
read_rows = ROWS.read_rows
_COUNTED = ("title", "status", "stuck")
"""The columns by which games are counted."""

ENDED = ("finished", "abandoned")
"""The status of a game to which nothing can happen any more."""
NOBODY = "ffffffff-ffff-ffff-ffff-ffffffffffff"
"""The owner of a game that no account made, or one that was erased."""
_MADE_BY = "SELECT body::json->>'cmd' FROM es.event WHERE game_id = %s AND seq = 1"
"""The query for the claim of a game's maker, which event 1 names."""
_OWNER = "SELECT account_id FROM seat_claim WHERE game_id = %s AND seat = -1 AND claim = %s"


def _find_owner(connection: Connection[Any], game_id: str) -> Any:
    made = connection.execute(_MADE_BY, (game_id,)).fetchone()
    found = connection.execute(_OWNER, (game_id, made[0])).fetchone() if made else None
    return found[0] if found and found[0] else NOBODY
