"""Lists of tournaments, from the rows that the projections keep."""

from __future__ import annotations

from typing import Any, LiteralString

import msgspec

from service.accounts import Account
from service.game_list import time_text
from service.pool import patient
from service.present_tournament import summary
from service.process import Process
from service.schemas import tournament_shapes as shapes
from service.tournaments import met


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Which tournaments to list."""

    status: str | None = None
    title: str | None = None
    club: str | None = None
    """Only those of this club, to which whoever asks belongs."""
    mine: bool = False
    limit: int = 50
    after: str | None = None


_TAKES_PART: LiteralString = (
    "(EXISTS (SELECT FROM entrant e WHERE e.tournament = t.tournament AND e.account_id = %(who)s"
    " AND e.claim = ANY (t.claims)) OR EXISTS (SELECT FROM tournament_director d"
    " WHERE d.tournament = t.tournament AND d.account_id = %(who)s AND d.claim = ANY (t.claims)))"
)
_MINE: LiteralString = (
    "t.tournament IN (SELECT tournament FROM entrant WHERE account_id = %(who)s"
    " UNION SELECT tournament FROM tournament_director WHERE account_id = %(who)s)"
)
"""Tournaments with which an account may have to do: found by its own rows, before each is looked at."""
_VISIBILITY: LiteralString = (
    "coalesce((SELECT x.visibility FROM game_access x WHERE x.game_id = t.tournament"
    " AND x.claim = t.opened), 'public')"
)
_CLUB: LiteralString = (
    "(SELECT g.club::text FROM club_game g"
    " JOIN (SELECT club FROM club_member WHERE account_id = %(who)s) m ON m.club = g.club"
    " WHERE g.game_id = t.tournament AND g.claim = t.opened)"
)
_OF_CLUB: LiteralString = "t.tournament IN (SELECT game_id FROM club_game WHERE club = %(club)s)"
_SELECT: LiteralString = (
    "SELECT t.tournament::text, t.name, t.title, t.status, t.formats, t.entrants, t.most, t.stage, t.round,"  # noqa: S608 - constants
    f" t.seq, {time_text('t.created_at')}, {time_text('t.starts_at')}, {_VISIBILITY}, {_CLUB},"
    " t.delayed FROM tournament t"
)


@patient
def page(here: Process, who: Account | None, wanted: Filter) -> list[shapes.TournamentSummary]:
    """Tournaments, newest first, as *who* may see them."""
    values = {"who": who.id if who else None, **msgspec.structs.asdict(wanted)}
    found: list[tuple[Any, LiteralString]] = [
        (wanted.status, "t.status = %(status)s"),
        (wanted.title, "t.title = %(title)s"),
        (wanted.after, "t.tournament < %(after)s"),
        (wanted.mine, f"{_MINE} AND {_TAKES_PART}"),
        (wanted.club, f"{_OF_CLUB} AND {_CLUB}::uuid = %(club)s"),
        (wanted.club is None, f"({_VISIBILITY} = 'public' OR {_CLUB} IS NOT NULL OR {_TAKES_PART})"),
    ]
    where = " AND ".join(condition for asked, condition in found if asked)
    with here.pool.connection() as connection:
        rows = connection.execute(
            f"{_SELECT} WHERE {where} ORDER BY t.tournament DESC LIMIT %(limit)s", values
        ).fetchall()
    names = here.texts.names(row[0] for row in rows)
    return [_summary(here, who, row, names.get(row[1] or "")) for row in rows]


def _summary(
    here: Process, who: Account | None, row: tuple[Any, ...], name: str | None
) -> shapes.TournamentSummary:
    """A row as *who* may know it now, where a delay holds something back."""
    *told, delayed = row
    members = dict(zip(shapes.TournamentSummary.__struct_fields__, told, strict=True))
    if delayed:
        seen = met(here, members["id"], who).state
        members |= summary(seen, name, members["visibility"], members["club"])
    return shapes.TournamentSummary(**{**members, "name": name})
