"""Turns: the seats of people that their game awaits, since when, and until when they must answer.

A row stands for a seat, not for an account: whose claim it names is asked when a reader wants to know. All
but `warned` can be built again from the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString

import msgspec
from psycopg import Connection

from events.base.timestamps import format_timestamp, parse_timestamp, read_time
from events.rules.fact import Seat
from events.store.event_log import Pool
from events.table import clock_updates
from events.table.game import Game

LEAST_NEAR = 60 * 1_000_000
"""Microseconds before a deadline at which its seat is told at the latest."""
NEAR_PART = 10
"""The part of the time given for an answer that counts as near its end: the last tenth."""


class Turn(msgspec.Struct, frozen=True):
    """A seat that its game awaits."""

    claim: str
    """The claim by which its holder holds it: another holder has a turn of their own."""
    kinds: tuple[str, ...]
    """The kinds of the decisions that are awaited from it, sorted."""
    since: str | None
    """The time since which it is awaited; None where that was before what is known here."""
    deadline: str | None
    """None while no time runs for it."""
    armed: int | None
    """The event since which the deadline is this one; None where that was before what is known here."""

    near: str | None = None
    """The time at which little of it is left; None where none runs, where little was given, or as `armed`."""


Turns = Mapping[Seat, Turn]


def make_first_turns(game: Game) -> Turns:
    """Return the turns in a *game* of whose past nothing is known here."""
    return {
        seat: Turn(claim, kinds, None, clock_updates.seat_deadline(game, seat), None)
        for seat, claim, kinds in _list_awaited(game)
    }


def make_next_turns(earlier: Turns, game: Game) -> Turns:
    """Return the turns in *game*, the batch of whose newest event follows on *earlier*."""
    found: dict[Seat, Turn] = {}
    for seat, claim, kinds in _list_awaited(game):
        known = earlier.get(seat)
        stays = known is not None and known.claim == claim
        since = known.since if known is not None and stays else game.at
        deadline = clock_updates.seat_deadline(game, seat)
        same = known is not None and stays and known.deadline == deadline
        if known is not None and same:
            found[seat] = known if known.kinds == kinds else msgspec.structs.replace(known, kinds=kinds)
        else:
            found[seat] = Turn(claim, kinds, since, deadline, game.seq, _find_warning_time(deadline, game.at))
    return found


def _find_warning_time(deadline: str | None, at: str) -> str | None:
    """Return the time at which little is left of that from *at* to *deadline*; None where little is given."""
    given = 0 if deadline is None else parse_timestamp(deadline) - parse_timestamp(at)
    if deadline is None or given <= LEAST_NEAR:
        return None
    return format_timestamp(parse_timestamp(deadline) - max(LEAST_NEAR, given // NEAR_PART))


def _list_awaited(game: Game) -> list[tuple[Seat, str, tuple[str, ...]]]:
    if game.status != "running":
        return []
    kinds: dict[Seat, set[str]] = {}
    for decision in game.title.list_awaited_kinds(game.state):
        seat = decision.seat
        if seat is not None and game.seats[seat].person and seat in game.claims:
            kinds.setdefault(seat, set()).add(decision.kind)
    return [(seat, game.claims[seat], tuple(sorted(kinds[seat]))) for seat in sorted(kinds)]


Changes = Mapping[Seat, int]
"""By seat the newest event that changed its row; a seat without one has the row that it had before."""


def list_changed(before: Game, earlier: Turns, game: Game, now: Turns) -> list[Seat]:
    """Return the seats whose rows say something else in *game* than *before*, by the turns on both sides."""
    if game.state is None:
        return []
    switched = (before.paused is None) != (game.paused is None)
    if before.state is not None and not switched and earlier == now and _has_same_people(before, game):
        return []
    known = set() if before.state is None else _list_held(before)
    return [
        seat
        for seat in _list_held(game)
        if switched or seat not in known or earlier.get(seat) != now.get(seat)
    ]


def _has_same_people(before: Game, game: Game) -> bool:
    """Return True if the same people hold seats, and have held them, on both sides."""
    return before.seats == game.seats and before.past == game.past


def _list_held(game: Game) -> set[Seat]:
    """Return the seats that a person has held."""
    return {*game.persons, *(tenure.seat for tenure in game.past)}


def make_rows(game: Game, standing: Turns, changed: Changes) -> list[tuple[Any, ...]]:
    """Return the rows of the seats that were *changed*, in the order of the columns.

    Each names the event that changed it, so it is the same whichever events were told of together.
    """
    return [_make_row(game, seat, changed[seat], standing.get(seat)) for seat in sorted(changed)]


def without_events(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return rows without the events that changed them: earlier programs named the game's newest event."""
    place = _NAMES.index("seq")
    return [(*row[:place], *row[place + 1 :]) for row in rows]


def _make_row(game: Game, seat: Seat, seq: int, turn: Turn | None) -> tuple[Any, ...]:
    stands = game.paused is not None
    if turn is None:
        return (game.id, seat, seq, None, [], None, None, None, None, stands)
    return (
        game.id,
        seat,
        seq,
        turn.claim,
        list(turn.kinds),
        _parse_time(turn.since),
        _parse_time(turn.deadline),
        turn.armed,
        _parse_time(turn.near),
        stands,
    )


def _parse_time(at: str | None) -> datetime | None:
    return None if at is None else read_time(at)


COLUMNS: LiteralString = "game_id, seat, seq, claim, kinds, since, deadline, armed, near, stands"
_STAYS: LiteralString = "t.claim IS NOT DISTINCT FROM EXCLUDED.claim AND t.kinds <> '{}'"
_SAME: LiteralString = f"{_STAYS} AND t.deadline IS NOT DISTINCT FROM EXCLUDED.deadline"
_WRITE: LiteralString = (
    f"INSERT INTO turn AS t ({COLUMNS})"  # noqa: S608 - constants
    " SELECT game_id, seat, seq, claim, kinds, since, deadline, armed, near, stands"
    " FROM json_to_recordset(%s) AS told (game_id uuid, seat smallint, seq bigint, claim uuid, kinds text[],"
    " since timestamptz, deadline timestamptz, armed bigint, near timestamptz, stands boolean)"
    " ON CONFLICT (game_id, seat) DO UPDATE SET seq = EXCLUDED.seq, claim = EXCLUDED.claim,"
    " kinds = EXCLUDED.kinds, deadline = EXCLUDED.deadline, stands = EXCLUDED.stands,"
    # What the teller did not know was told before.
    f" since = CASE WHEN EXCLUDED.since IS NULL AND {_STAYS} THEN t.since ELSE EXCLUDED.since END,"
    f" armed = CASE WHEN EXCLUDED.armed IS NULL AND {_SAME} THEN t.armed ELSE EXCLUDED.armed END,"
    f" near = CASE WHEN EXCLUDED.armed IS NULL AND {_SAME} THEN t.near ELSE EXCLUDED.near END,"
    f" warned = t.warned AND {_SAME}"
    " WHERE t.seq < EXCLUDED.seq"
)
_NAMES = COLUMNS.split(", ")


def write(connection: Connection[Any], rows: Sequence[tuple[Any, ...]]) -> None:
    """Put rows in place, each unless a newer one stands there."""
    if rows:
        # All seats by one statement of one form, however many they are and whatever is known of them.
        members = [dict(zip(_NAMES, row, strict=True)) for row in rows]
        connection.execute(_WRITE, (msgspec.json.encode(members).decode(),))


def read_rows(connection: Connection[Any], game_id: str) -> list[tuple[Any, ...]]:
    """Return the rows of a game, in order."""
    return connection.execute(
        "SELECT game_id::text, seat, seq, claim::text, kinds, since, deadline, armed, near, stands"
        " FROM turn WHERE game_id = %s ORDER BY seat",
        (game_id,),
    ).fetchall()


def clear(connection: Connection[Any], game_id: str) -> None:
    """Delete the rows of a game."""
    connection.execute("DELETE FROM turn WHERE game_id = %s", (game_id,))


# --------------------------------------------------------------------------------------------- deadlines near

NEAR: LiteralString = (
    "SELECT game_id::text, seat, claim::text, deadline, armed FROM turn"
    " WHERE near <= %(now)s AND NOT warned AND kinds <> '{}' ORDER BY near LIMIT 200"
)
"""Seats of which little time is left and whose holders were not told."""


class NearDeadline(msgspec.Struct, frozen=True):
    """A seat that has little time left."""

    game_id: str
    seat: Seat
    claim: str
    deadline: datetime
    armed: int


def find_near(pool: Pool, now: str) -> list[NearDeadline]:
    """Return the deadlines whose holders are to be told at *now* that little time is left."""
    with pool.connection() as connection:
        return [NearDeadline(*row) for row in connection.execute(NEAR, {"now": read_time(now)})]


def mark_warned(pool: Pool, one: NearDeadline) -> None:
    """Note that the holder of a seat was told that little time is left."""
    with pool.connection() as connection:
        connection.execute(
            "UPDATE turn SET warned = true WHERE game_id = %s AND seat = %s AND armed = %s",
            (one.game_id, one.seat, one.armed),
        )
