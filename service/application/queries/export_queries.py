"""The games of an export, page by page; what of them may be shown is asked of each game as usual."""

from __future__ import annotations

import contextlib
from typing import LiteralString

import msgspec
from psycopg.errors import DiskFull, ReadOnlySqlTransaction

from events.store.event_log import Pool
from projections.read_models import game_ends, lobby
from service.application.queries.game_queries import (
    AT_TABLE,
    LISTED,
    NO_ACCOUNT,
    PLAYER,
    make_status_condition,
)
from service.base.database import retry_on_disconnect
from service.base.people import Account

NO_POSITION = 2**62
"""A position that no log reaches."""
_KNOWN: LiteralString = (
    f"CASE e.audience WHEN 'all' THEN true WHEN 'table' THEN {AT_TABLE} ELSE NOT {AT_TABLE} END"
)
"""The condition that a place is the one at which the viewer learns of the end."""
_FROM: dict[bool, LiteralString] = {
    True: "game_end e JOIN lobby ON lobby.game_id = e.game_id",
    False: "lobby",
}
"""By whether ended games are exported, and so the following."""
_ORDER: dict[bool, LiteralString] = {
    True: "e.position, e.nth",
    False: "lobby.created_at, lobby.game_id",
}
_AFTER: dict[bool, LiteralString] = {
    True: "(e.position, e.nth) {} (%(first)s, %(second)s)",
    False: "(lobby.created_at, lobby.game_id) {} (%(first)s::timestamptz, %(second)s)",
}
_PLACE: dict[bool, LiteralString] = {
    True: (
        f"SELECT e.position, e.nth FROM {_FROM[True]} WHERE e.game_id = %(place)s AND e.position IS NOT NULL"  # noqa: S608
        f" ORDER BY NOT ({_KNOWN}), e.position, e.nth LIMIT 1"
    ),
    False: "SELECT created_at, game_id FROM lobby WHERE game_id = %(place)s",
}
"""The query for the place of a game in that order."""
_ALL_KNOWN: LiteralString = "e.position < %(unseen)s"
"""The condition that the lobby knows all ends before this one."""
_BY_BOT: LiteralString = "lobby.seats::jsonb @> jsonb_build_array(jsonb_build_object('bot', %(bot)s::text))"


class ExportCursor(msgspec.Struct, frozen=True):
    """A place in an export: a game, and the last of its events that was exported; None: all of it."""

    game: str
    seq: int | None = None

    @classmethod
    def read(cls, text: str) -> ExportCursor:
        """Read a cursor from the form that :attr:`text` has."""
        game, _, seq = text.partition("_")
        return cls(game.lower(), int(seq) if seq else None)

    @property
    def text(self) -> str:
        """The place as the text of a cursor."""
        return self.game if self.seq is None else f"{self.game}_{self.seq}"


class ExportFilter(msgspec.Struct, frozen=True, kw_only=True):
    """A filter for the games of an export; None leaves a criterion open."""

    status: str | None = None
    title: str | None = None
    version: int | None = None
    player: str | None = None
    """The id of an account that holds a seat."""
    bot: str | None = None
    analysis: bool | None = None
    since: str | None = None
    """Made at that time or later."""
    until: str | None = None
    """Made before that time."""
    after: ExportCursor | None = None
    games: int = 1000


class UnknownPlace(Exception):
    """The cursor is of no game that this export could have."""


@retry_on_disconnect
def list_exported_games(
    pool: Pool, now: str, who: Account | None, wanted: ExportFilter
) -> tuple[list[str], bool]:
    """Return the ids of the next games of an export, in order, and True if more follow.

    They are those that *who* may find in a list of games. Ended games come in the order in which their ends
    became known, so that an export which goes on later misses none; others in the order of their creation.
    Raises :class:`UnknownPlace`.
    """
    ended = wanted.status in lobby.ENDED
    if ended:
        with contextlib.suppress(ReadOnlySqlTransaction, DiskFull):  # then games are only read
            game_ends.add_overdue(pool, now)
    where = _make_condition(wanted, ended=ended)
    values = {
        **msgspec.structs.asdict(wanted),
        "place": wanted.after and wanted.after.game,
        "who": who.id if who else NO_ACCOUNT,
        "now": now,
        "most": wanted.games + 1,
    }
    with pool.connection() as connection:
        if wanted.after is not None:
            row = connection.execute(_PLACE[ended], values).fetchone()
            if row is None:
                raise UnknownPlace
            values |= {"first": row[0], "second": row[1]}
        if ended:
            values["unseen"] = game_ends.find_first_unseen(connection) or NO_POSITION
        rows = connection.execute(
            f"SELECT lobby.game_id::text FROM {_FROM[ended]} WHERE {where}"  # noqa: S608 - constants
            f" ORDER BY {_ORDER[ended]} LIMIT %(most)s",
            values,
        ).fetchall()
    ids = [game_id for (game_id,) in rows]
    return ids[: wanted.games], len(ids) > wanted.games


def _make_condition(wanted: ExportFilter, *, ended: bool) -> str:
    """Return the condition of SQL for the games that are *wanted*."""
    whole = wanted.after is None or wanted.after.seq is None
    found = [
        (True, make_status_condition(wanted.status)),
        (wanted.title, "title = %(title)s"),
        (wanted.version, "version = %(version)s"),
        (wanted.player, PLAYER),
        (wanted.bot, _BY_BOT),
        (wanted.analysis is not None, "analysis = %(analysis)s"),
        (wanted.since, "created_at >= %(since)s::timestamptz"),
        (wanted.until, "created_at < %(until)s::timestamptz"),
        (wanted.after, _AFTER[ended].format(">" if whole else ">=")),
        (ended, _KNOWN),
        (ended, _ALL_KNOWN),
        (True, LISTED),
    ]
    return " AND ".join(condition for asked, condition in found if asked)
