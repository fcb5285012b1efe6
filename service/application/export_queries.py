"""The games of an export, page by page; what of them may be shown is asked of each game as usual."""

from __future__ import annotations

from typing import LiteralString

import msgspec

from events.store.event_log import Pool
from service.application.game_queries import LISTED, PLAYER, make_status_condition
from service.base.database import retry_on_disconnect
from service.stores.accounts import Account

_BY_BOT: LiteralString = "EXISTS (SELECT FROM json_array_elements(lobby.seats) s WHERE s->>'bot' = %(bot)s)"


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


@retry_on_disconnect
def list_exported_games(
    pool: Pool, now: str, who: Account | None, wanted: ExportFilter
) -> tuple[list[str], bool]:
    """Return the ids of the next games of an export, in order, and True if more follow.

    They are those that *who* may find in a list of games.
    """
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
        (wanted.after, f"lobby.game_id {'>' if whole else '>='} %(place)s"),
        (True, LISTED),
    ]
    where = " AND ".join(condition for asked, condition in found if asked)
    values = {
        **msgspec.structs.asdict(wanted),
        "after": None,
        "place": wanted.after and wanted.after.game,
        "who": who.id if who else None,
        "now": now,
        "most": wanted.games + 1,
    }
    with pool.connection() as connection:
        rows = connection.execute(
            f"SELECT game_id::text FROM lobby WHERE {where} ORDER BY lobby.game_id LIMIT %(most)s",  # noqa: S608
            values,
        ).fetchall()
    ids = [game_id for (game_id,) in rows]
    return ids[: wanted.games], len(ids) > wanted.games
