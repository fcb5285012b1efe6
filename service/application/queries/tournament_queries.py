"""Lists of tournaments, from the rows that the projections keep."""

from __future__ import annotations

from typing import Any, LiteralString

import msgspec

from service.application.container import Services
from service.application.queries.game_queries import NO_ACCOUNT
from service.application.tournament_context import make_tournament_context
from service.base.database import format_utc, retry_on_disconnect
from service.base.people import Account
from service.openapi import tournament_structs
from service.presenters.tournament_presenter import present_summary


class TournamentFilter(msgspec.Struct, frozen=True, kw_only=True):
    """A filter for a list of tournaments."""

    status: str | None = None
    title: str | None = None
    club: str | None = None
    """Only those of this club, to which the asking account belongs."""
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
    "SELECT t.tournament::text, t.name, t.title, t.status, t.formats, t.entrants, t.most,"  # noqa: S608 - constants
    f" t.stage, t.round, t.seq, {format_utc('t.created_at')}, {format_utc('t.starts_at')},"
    f" {_VISIBILITY}, {_CLUB}, t.delayed FROM tournament t"
)
_CREATED: LiteralString = "SELECT created_at FROM tournament WHERE tournament = %s"


@retry_on_disconnect
def list_tournaments(
    services: Services, who: Account | None, wanted: TournamentFilter
) -> list[tournament_structs.TournamentSummary]:
    """Return tournaments, newest first, as *who* may see them."""
    values = {"who": who.id if who else NO_ACCOUNT, **msgspec.structs.asdict(wanted)}
    found: list[tuple[Any, LiteralString]] = [
        (wanted.status, "t.status = %(status)s"),
        (wanted.title, "t.title = %(title)s"),
        (wanted.after, "(t.created_at, t.tournament) < (%(created_at)s::timestamptz, %(after)s)"),
        (wanted.mine, f"{_MINE} AND {_TAKES_PART}"),
        (wanted.club, f"{_OF_CLUB} AND {_CLUB}::uuid = %(club)s"),
        (wanted.club is None, f"({_VISIBILITY} = 'public' OR {_CLUB} IS NOT NULL OR {_TAKES_PART})"),
    ]
    where = " AND ".join(condition for asked, condition in found if asked)
    with services.pool.connection() as connection:
        if wanted.after is not None:
            place = connection.execute(_CREATED, (wanted.after,)).fetchone()
            if place is None:
                return []  # no list has such a tournament
            values["created_at"] = place[0]
        rows = connection.execute(
            f"{_SELECT} WHERE {where} ORDER BY t.created_at DESC, t.tournament DESC LIMIT %(limit)s", values
        ).fetchall()
    names = services.texts.names_of_streams(row[0] for row in rows)
    return [_present_summary(services, who, row, names.get(row[1] or "")) for row in rows]


def _present_summary(
    services: Services, who: Account | None, row: tuple[Any, ...], name: str | None
) -> tournament_structs.TournamentSummary:
    """Return a row as *who* may know it now, where a delay holds something back."""
    *columns, delayed = row
    members = dict(zip(tournament_structs.TournamentSummary.__struct_fields__, columns, strict=True))
    if delayed:
        seen = make_tournament_context(services, members["id"], who).state
        members |= present_summary(seen, name, members["visibility"], members["club"])
    return tournament_structs.TournamentSummary(**{**members, "name": name})
