"""Lists of games, from the lobby that the projections keep."""

from __future__ import annotations

from typing import Any

import msgspec

from events.fact import Seat
from events.log import Pool
from events.title import Outcome
from service import present
from service.accounts import Account
from service.pool import patient
from service.process import Process
from service.schemas import shapes
from service.seats import Holders


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Which games to list."""

    status: str | None = None
    title: str | None = None
    mine: bool = False
    seat_free: bool = False
    limit: int = 50
    after: str | None = None


_SELECT = (
    "SELECT game_id::text, title, version, status, seats::text, waiting_for, analysis, outcome::text, seq,"
    " to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') FROM lobby"
)

_MINE = (
    "game_id IN (SELECT c.game_id FROM seat_claim c JOIN lobby l ON l.game_id = c.game_id,"
    " json_array_elements(l.seats) s WHERE c.account_id = %s AND c.seat >= 0 AND s->>'claim' = c.claim::text)"
)
"""Of the claims of an account those that hold."""


_LISTED = (
    "(NOT EXISTS (SELECT FROM game_access x WHERE x.game_id = lobby.game_id)"
    " OR EXISTS (SELECT FROM seat_claim c WHERE c.game_id = lobby.game_id AND c.account_id = %s)"
    " OR EXISTS (SELECT FROM game_director d WHERE d.game_id = lobby.game_id AND d.account_id = %s))"
)
"""What is not public is listed for those who have to do with it."""


def page(process: Process, who: Account | None, wanted: Filter) -> list[shapes.Summary]:
    """Games, newest first."""
    rows = _rows(process.pool, who, wanted)
    holders = process.seats.of_games({row[0]: _claims(row[4]) for row in rows}) if rows else {}
    return [_summary(row, holders.get(row[0], {}), who) for row in rows]


def _claims(seats: str) -> dict[Seat, str]:
    return {entry["seat"]: entry["claim"] for entry in msgspec.json.decode(seats) if "claim" in entry}


@patient
def _rows(pool: Pool, who: Account | None, wanted: Filter) -> list[tuple[Any, ...]]:
    conditions: list[str] = []
    values: list[Any] = []
    for condition, value in (
        ("status = %s", wanted.status),
        ("title = %s", wanted.title),
        ("game_id < %s", wanted.after),
        (
            _MINE,
            who.id if wanted.mine and who else None,
        ),
    ):
        if value is not None:
            conditions.append(condition)
            values.append(value)
    conditions.append(_LISTED)
    values += [who.id, who.id] if who else [None, None]
    if wanted.seat_free:
        conditions.append("free")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    statement = f"{_SELECT}{where} ORDER BY lobby.game_id DESC LIMIT %s"
    with pool.connection() as connection:
        return connection.execute(statement, [*values, wanted.limit]).fetchall()


def _summary(row: tuple[Any, ...], holders: Holders, who: Account | None) -> shapes.Summary:
    game_id, title, version, status, seats, waiting_for, analysis, outcome, seq, created_at = row
    return shapes.Summary(
        id=game_id,
        title=title,
        version=version,
        status=status,
        seats=[_seat(entry, holders, who) for entry in msgspec.json.decode(seats)],
        seq=seq,
        analysis=analysis,
        created_at=created_at,
        waiting_for=list(waiting_for),
        outcome=msgspec.json.decode(outcome, type=Outcome) if outcome else None,
    )


def _seat(entry: dict[str, Any], holders: Holders, who: Account | None) -> shapes.Seat:
    number = entry["seat"]
    return present.seat(
        number,
        f"Seat {number}",
        holders.get(number),
        who,
        bot=entry.get("bot"),
        taken=not entry.get("open"),
        vacant=entry.get("vacant", False),
        free=entry.get("free", False),
    )
