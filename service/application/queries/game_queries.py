"""Lists of games, from the lobby that the projections keep."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, LiteralString

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from events.rules.catalogue import RulesMissing, find_title
from events.rules.fact import Seat
from events.rules.title import Outcome
from projections.read_models import lobby
from service.application.container import Services
from service.application.game_context import visible_state
from service.base.database import format_utc, retry_on_disconnect
from service.base.people import Account, Holders
from service.openapi import response_structs
from service.presenters import game_presenter


class GameFilter(msgspec.Struct, frozen=True, kw_only=True):
    """A filter for a list of games."""

    status: str | None = None
    title: str | None = None
    mine: bool = False
    role: str | None = None
    """Only those of *mine* where I am a ``seat``, the ``owner``, or a ``director``."""
    player: str | None = None
    """Only games in which this account holds a seat."""
    seat_free: bool = False
    forked_from: str | None = None
    """Only analysis games that begin at an event of this game."""
    club: str | None = None
    """Only games of this club, to which the asking account belongs."""
    among: Collection[str] | None = None
    """Only games of these ids."""
    limit: int = 50
    after: str | None = None


NO_ACCOUNT = "00000000-0000-0000-0000-000000000000"
"""The id of no account, for viewers without one: compared with NULL, no row would be found by its game."""
_SEAT: LiteralString = (
    "EXISTS (SELECT FROM seat_claim c WHERE c.game_id = lobby.game_id AND c.account_id = %(who)s"
    " AND c.seat >= 0 AND lobby.seats::jsonb @> jsonb_build_array(jsonb_build_object('claim', c.claim)))"
)
"""The condition that an account sits in a game: one of its claims holds."""
_PLAYS: LiteralString = _SEAT.replace("%(who)s", "%(player)s")
_HAS_CLAIM: LiteralString = "lobby.game_id IN (SELECT game_id FROM seat_claim WHERE account_id = %(player)s)"
"""The condition that an account may sit in a game, or have sat there: found by its own claims."""
_OWNER: LiteralString = "lobby.owner = %(who)s"
_NAMED: LiteralString = (
    "EXISTS (SELECT FROM game_director d WHERE d.game_id = lobby.game_id AND d.claim = lobby.opened"
    " AND d.account_id = %(who)s)"
)
_MANAGED: LiteralString = "(SELECT club FROM club_member WHERE account_id = %(who)s AND role <> 'member') m"
"""The clubs that an account manages: asked for alone, for games may be on other machines than clubs."""
_MANAGER: LiteralString = (
    f"EXISTS (SELECT FROM club_game g JOIN {_MANAGED} ON m.club = g.club"
    " WHERE g.game_id = lobby.game_id AND g.claim = lobby.opened)"
)
_DIRECTOR: LiteralString = (
    f"({_NAMED} OR {_MANAGER} OR ({_OWNER} AND NOT EXISTS (SELECT FROM game_director d"
    " WHERE d.game_id = lobby.game_id AND d.claim = lobby.opened)))"
)
"""The condition that an account directs a game.

Directors are the accounts that are named, and the managers of its club; without any named, its owner.
"""
_ROLES: dict[str, LiteralString] = {"seat": _SEAT, "owner": _OWNER, "director": _DIRECTOR}
_MINE: LiteralString = (
    "lobby.game_id IN (SELECT game_id FROM seat_claim WHERE account_id = %(who)s"  # noqa: S608 - a constant
    " UNION SELECT game_id FROM game_director WHERE account_id = %(who)s"
    f" UNION SELECT g.game_id FROM club_game g JOIN {_MANAGED} ON m.club = g.club)"
)
"""Games with which an account may have to do: found by its own rows, before each is looked at."""
_KEPT: LiteralString = (
    "EXISTS (SELECT FROM seat_reservation r WHERE r.game_id = lobby.game_id AND r.claim = lobby.opened"
    " AND r.account_id = %(who)s)"
)
_CLUB: LiteralString = (
    "EXISTS (SELECT FROM club_game g WHERE g.game_id = lobby.game_id AND g.claim = lobby.opened"
    " AND g.club = %(club)s)"
)
_VISIBILITY: LiteralString = (
    "coalesce((SELECT x.visibility FROM game_access x WHERE x.game_id = lobby.game_id"
    " AND x.claim = lobby.opened), 'public')"
)
LISTED: LiteralString = (
    f"({_VISIBILITY} = 'public' OR {_VISIBILITY} <> 'hidden'"
    f" AND ({_SEAT} OR {_OWNER} OR {_NAMED} OR {_MANAGER} OR {_KEPT}))"
)
"""The condition that a game is listed.

A game that is not public is listed for accounts that have to do with it; a hidden one for nobody.
"""
AT_TABLE: LiteralString = f"({_SEAT} OR {_DIRECTOR})"
"""The condition that a viewer is at a table: they know at once what others learn after its delay."""
_HELD: LiteralString = (
    "(lobby.delay IS NOT NULL AND ((lobby.delay->>'at')::timestamptz >"
    " %(now)s::timestamptz - make_interval(secs => (lobby.delay->>'ms')::float8 / 1000)"
    " OR ((lobby.delay->>'until_end')::boolean AND lobby.status IN ('open', 'running')))"
    f" AND NOT {AT_TABLE})"
)
"""The condition that a row tells more than the viewer may know yet."""
_PLAYED: LiteralString = f"{_HAS_CLAIM} AND ({_PLAYS} OR {_HELD})"
"""The condition that an account may be seen at a table; of what is held back its seats then decide."""
PLAYER: LiteralString = f"{_HAS_CLAIM} AND {_PLAYS} AND NOT {_HELD}"
"""The condition that an account sits in a game of which nothing is held back."""
STATUS: LiteralString = (
    f"CASE WHEN lobby.status IN ('finished', 'abandoned') AND {_HELD}"
    " THEN CASE WHEN (lobby.delay->>'begun')::boolean THEN 'running' ELSE 'open' END"
    " ELSE lobby.status END"
)
"""The status as the viewer may know it: an end is told when it may be seen."""
_UNFILLED: LiteralString = "(lobby.status = 'abandoned' AND lobby.seats::jsonb @> '[{\"open\": true}]')"
"""The condition that a game was given up for want of players: nothing was ever played."""


_SELECT: LiteralString = (
    "SELECT lobby.game_id::text, title, version, status, seats::text, waiting_for,"  # noqa: S608 - constants
    " analysis, outcome::text,"
    f" seq, {format_utc('created_at')}, {format_utc('deadline')}, {_VISIBILITY}, {_HELD},"
    f" (SELECT last FROM es.frozen f WHERE f.game_id = lobby.game_id),"
    " lobby.tournament::text, lobby.origin::text, undo FROM lobby"
)
_OPENINGS: LiteralString = (
    "SELECT game_id::text, (body::json->'data'->'tournament')::text, (body::json->'data'->'origin')::text"
    " FROM es.event WHERE game_id = ANY(%s::uuid[]) AND seq = 1"
)
"""The query for tournaments and origins as first events tell them; the lobby has only the ids."""


CREATED: LiteralString = "SELECT created_at FROM lobby WHERE game_id = %s"
"""The query for the time at which a game was created."""


class _Row(msgspec.Struct, frozen=True):
    """A game's row of the lobby."""

    id: str
    title: str
    version: int
    status: str
    seats: str
    waiting_for: list[int]
    analysis: bool
    outcome: str | None
    seq: int
    created_at: str
    deadline: str | None
    visibility: Any
    held: bool
    frozen: int | None
    tied: str | None
    """The tournament whose game it is, and its place in it."""
    origin: str | None
    """The game and event from which it was forked."""
    undo: Any


def make_status_condition(wanted: str | None) -> LiteralString:
    """Return the condition that a game has the status *wanted*, as clients know it.

    ``abandoned`` is a part of ``finished`` and all that never found its players, which is in no other list.

    Each begins with words that an index has, by which the games that it can be about are found.
    """
    if wanted == "abandoned":
        return f"lobby.status = 'abandoned' AND {STATUS} = 'abandoned'"
    if wanted == "finished":
        ended: LiteralString = "('finished', 'abandoned')"
        return f"lobby.status IN {ended} AND {STATUS} IN {ended} AND NOT {_UNFILLED}"
    if wanted == "open":
        return f"(lobby.status = 'open' OR lobby.delay IS NOT NULL) AND {STATUS} = 'open'"
    if wanted == "running":
        return f"(lobby.status = 'running' OR lobby.delay IS NOT NULL) AND {STATUS} = 'running'"
    return f"NOT {_UNFILLED}"


def list_games(services: Services, who: Account | None, wanted: GameFilter) -> list[response_structs.Summary]:
    """Return games, newest first, as *who* may see them."""
    found: list[response_structs.Summary] = []
    asked = wanted
    while True:
        stored = _fetch_rows(services, who, asked)
        rows = [_limit_to_visible(services, who, row) for row in stored]
        claims = {row.id: _read_claims(row.seats) for row in rows}
        holders = services.seat_claims.holders_of_games(claims) if rows else {}
        found += [
            _present_summary(row, holders.get(row.id, {}), who)
            for row in rows
            if not row.held or _shows_player(holders.get(row.id, {}), wanted.player)
        ]
        if len(found) >= wanted.limit or len(stored) < asked.limit:
            return found[: wanted.limit]
        asked = replace(asked, after=stored[-1].id)


def _shows_player(holders: Holders, player: str | None) -> bool:
    """Return True if the account *player* is seen at a table; None asks for nobody."""
    return player is None or any(account.id == player.lower() for account in holders.values())


def _read_claims(seats: str) -> dict[Seat, str]:
    return {entry["seat"]: entry["claim"] for entry in msgspec.json.decode(seats) if "claim" in entry}


@retry_on_disconnect
def _fetch_rows(services: Services, who: Account | None, wanted: GameFilter) -> list[_Row]:
    values = {
        "who": who.id if who else NO_ACCOUNT,
        "now": services.games.now(),
        **msgspec.structs.asdict(wanted),
        "among": None if wanted.among is None else list(wanted.among),
    }
    with services.pool.connection() as connection:
        if wanted.after is not None:
            found = connection.execute(CREATED, (wanted.after,)).fetchone()
            if found is None:
                return []  # no list has such a game
            values["created_at"] = found[0]
        rows = [_Row(*row) for row in connection.execute(make_statement(wanted), values).fetchall()]
        tied = [row.id for row in rows if row.tied or row.origin]
        told = {game: more for game, *more in connection.execute(_OPENINGS, (tied,))} if tied else {}
    return [_add_opening(row, *told.get(row.id, (None, None))) for row in rows]


def _add_opening(row: _Row, tied: str | None, origin: str | None) -> _Row:
    """Return *row* with what is told of the tournament and the origin that it names."""
    return replace(row, tied=row.tied and tied, origin=row.origin and origin)


def make_statement(wanted: GameFilter) -> LiteralString:
    """Return the query for games; its values are those of *wanted*, `who` asks, `now`, and `created_at`.

    That is the time of the game after which the page begins. Clients choose ids, so these order nothing.
    """
    found: list[tuple[object, LiteralString]] = [
        (True, make_status_condition(wanted.status)),
        (wanted.title, "title = %(title)s"),
        (wanted.after, "(lobby.created_at, lobby.game_id) < (%(created_at)s::timestamptz, %(after)s)"),
        (wanted.among is not None, "lobby.game_id = ANY(%(among)s::uuid[])"),
        (wanted.mine, _MINE),
        (wanted.mine, _ROLES.get(wanted.role or "", f"({_SEAT} OR {_OWNER} OR {_DIRECTOR})")),
        (wanted.player, _PLAYED),
        (wanted.seat_free, "free"),
        (wanted.forked_from, "lobby.origin = %(forked_from)s"),
        (True, LISTED if wanted.club is None else _CLUB),
    ]
    where = " AND ".join(condition for asked, condition in found if asked)
    return f"{_SELECT} WHERE {where} ORDER BY lobby.created_at DESC, lobby.game_id DESC LIMIT %(limit)s"


def _limit_to_visible(services: Services, who: Account | None, row: _Row) -> _Row:
    """Return *row* as far as *who* may know it now, where a delay holds something back."""
    if not row.held:
        return row
    changes = dict(
        zip(lobby.COLUMNS, lobby.make_row(visible_state(services.games.load(row.id), who)), strict=True)
    )
    kept = {name: changes[name] for name in ("status", "seats", "waiting_for", "outcome", "seq")}
    until = changes["deadline"]
    return replace(row, **kept, deadline=until and f"{until:%Y-%m-%dT%H:%M:%S.%fZ}")


def _present_summary(row: _Row, holders: Holders, who: Account | None) -> response_structs.Summary:
    return response_structs.Summary(
        id=row.id,
        title=row.title,
        version=row.version,
        status=game_presenter.present_status(row.status),
        seats=_present_seats(row, holders, who),
        seq=row.seq,
        analysis=row.analysis,
        created_at=row.created_at,
        waiting_for=list(row.waiting_for),
        outcome=msgspec.json.decode(row.outcome, type=Outcome) if row.outcome else None,
        deadline=row.deadline,
        visibility=row.visibility,
        tournament=msgspec.json.decode(row.tied) if row.tied else None,
        origin=msgspec.json.decode(row.origin) if row.origin else None,
        undo=row.undo,
        frozen=UNSET if row.frozen is None else min(row.frozen, row.seq),
    )


def _present_seats(row: _Row, holders: Holders, who: Account | None) -> list[response_structs.Seat]:
    """Return the seats of a game, in the colours of their pieces."""
    entries = msgspec.json.decode(row.seats)
    colours = [entry["colour"] for entry in entries if "colour" in entry]
    if not colours:  # a title without colours, or a row that an earlier release wrote
        colours = _find_usual_colours(row.title, row.version, len(entries))
    return [_present_seat(entry, holders, who, colours) for entry in entries]


def _find_usual_colours(title_id: str, version: int, seats: int) -> list[str]:
    """Return the colours that a title gives without options; none where its rules are missing."""
    try:
        title = find_title(title_id, version)
    except RulesMissing:
        return []
    return list(title.seat_colours(seats, title.Options()))


def _present_seat(
    entry: dict[str, Any], holders: Holders, who: Account | None, colours: Sequence[str]
) -> response_structs.Seat:
    number = entry["seat"]
    return game_presenter.present_seat(
        number,
        f"Seat {number}",
        holders.get(number),
        who,
        bot=entry.get("bot"),
        bot_version=entry.get("bot_version"),
        taken=not entry.get("open"),
        vacant=entry.get("vacant", False),
        free=entry.get("free", False),
        colours=colours,
    )
