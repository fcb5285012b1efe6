"""Notifications of an account: the turns that its games wait for, and its notices."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, LiteralString

import msgspec
from msgspec import UNSET

from events.base.timestamps import format_timestamp
from events.store.event_log import Pool
from projections.read_models.notices import get_subject_kind
from service.base.database import format_utc, retry_on_disconnect
from service.base.people import Account
from service.openapi import response_structs

NO_DEADLINE = 2**62
"""The deadline, in microseconds since 1970, of a seat for which no time runs."""

_CLAIMS: LiteralString = (
    "SELECT DISTINCT c.game_id, c.claim FROM seat_claim c WHERE c.account_id = %(account)s AND c.seat >= 0"
    " AND NOT EXISTS (SELECT FROM game_access x WHERE x.game_id = c.game_id AND x.visibility = 'hidden')"
)
_MICROS: LiteralString = "(extract(epoch FROM {}) * 1000000)::bigint"
_TURNS: LiteralString = (
    "SELECT game, title, seat, kinds, due, since, tournament FROM (SELECT t.game_id::text AS game,"  # noqa: S608
    f" l.title, t.seat, t.kinds, coalesce({_MICROS.format('t.deadline')}, %(never)s) AS due,"
    f" {_MICROS.format('coalesce(t.since, l.created_at)')} AS since, t.game_id,"
    " l.tournament::text AS tournament"
    f" FROM ({_CLAIMS}) mine JOIN turn t ON t.game_id = mine.game_id AND t.claim = mine.claim"
    " AND t.kinds <> '{}' AND NOT t.stands JOIN lobby l ON l.game_id = t.game_id) turns"
    " WHERE (due, game_id, seat) > (%(due)s, %(game)s, %(seat)s) ORDER BY due, game_id, seat LIMIT %(limit)s"
)
_PLAYED: LiteralString = (
    f"SELECT DISTINCT t.game_id::text FROM ({_CLAIMS}) mine JOIN turn t ON t.game_id = mine.game_id"  # noqa: S608
    " AND t.claim = mine.claim AND t.kinds <> '{}'"
)
_NOTICES: LiteralString = (
    "SELECT number, type, stream::text, seq, data::text,"  # noqa: S608 - constants
    f" {format_utc('at')} FROM notice"
    " WHERE account_id = %s AND number > %s ORDER BY number LIMIT %s"
)


class TurnCursor(msgspec.Struct, frozen=True):
    """The place in the list of awaited seats at which a page ends."""

    due: int = -1
    game: str = "00000000-0000-0000-0000-000000000000"
    seat: int = -1

    @classmethod
    def read(cls, text: str | None) -> TurnCursor:
        """Read a cursor from the form that :attr:`text` has; None gives the beginning."""
        if text is None:
            return cls()
        due, game, seat = text.split("_")
        return cls(NO_DEADLINE if due == "never" else int(due), game, int(seat))

    @property
    def text(self) -> str:
        """The cursor as query strings have it."""
        return f"{'never' if self.due == NO_DEADLINE else self.due}_{self.game}_{self.seat}"


class Notifications:
    """The turns and notices of accounts, in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def list_turns(
        self, account: Account, after: TurnCursor, limit: int
    ) -> tuple[list[response_structs.AwaitedSeat], TurnCursor | None]:
        """Return a page of the seats of *account* that games wait for, and the cursor of the next page.

        The seats come by deadline; the cursor is None on the last page.
        """
        values = {
            "account": account.id,
            "never": NO_DEADLINE,
            "due": after.due,
            "game": after.game,
            "seat": after.seat,
            "limit": limit + 1,
        }
        with self._pool.connection() as connection:
            rows = connection.execute(_TURNS, values).fetchall()
        page = rows[:limit]
        last = page[-1] if len(rows) > limit else None
        found = [
            response_structs.AwaitedSeat(
                game,
                title,
                seat,
                kinds,
                None if due == NO_DEADLINE else format_timestamp(due),
                format_timestamp(since),
                tournament,
            )
            for game, title, seat, kinds, due, since, tournament in page
        ]
        return found, None if last is None else TurnCursor(last[4], last[0], last[2])

    @retry_on_disconnect
    def list_awaited_games(self, account: Account) -> list[str]:
        """Return the ids of the games that wait for *account*, paused or not."""
        with self._pool.connection() as connection:
            return [game for (game,) in connection.execute(_PLAYED, {"account": account.id})]

    @retry_on_disconnect
    def newest_position(self, account: Account) -> int:
        """Return the number of the newest notice of *account*; 0 without any."""
        with self._pool.connection() as connection:
            row = connection.execute("SELECT notices FROM account WHERE id = %s", (account.id,)).fetchone()
        return int(row[0]) if row else 0

    @retry_on_disconnect
    def list_notices(self, account: Account, after: int, limit: int) -> list[response_structs.Notice]:
        """Return the notices of *account* after the one of the number *after*, the oldest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(_NOTICES, (account.id, after, limit)).fetchall()
        return [_read_notice(*row) for row in rows]


def _read_notice(
    number: int, type_: Any, stream: str, seq: int, data: str, at: str
) -> response_structs.Notice:
    kind = get_subject_kind(type_)
    return response_structs.Notice(
        position=number,
        type=type_,
        game=stream if kind == "game" else UNSET,
        tournament=stream if kind == "tournament" else UNSET,
        webhook=stream if kind == "webhook" else UNSET,
        account=stream if kind == "account" else UNSET,
        seq=seq,
        at=at,
        data=msgspec.json.decode(data),
    )


def get_game_ids(notices: Collection[response_structs.Notice]) -> set[str]:
    """Return the ids of the games that *notices* are about."""
    return {one.game for one in notices if isinstance(one.game, str)}
