"""Ratings as they are shown: without changes by games whose end is not public yet.

A change is shown when the end of its game is, and the ends of all games that it follows on. So the shown
rating of a player is the newest that may be seen, which need not be the newest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, LiteralString

import msgspec

from events.store.event_log import Pool
from events.table.game import Game
from events.tournament.ladder_ratings import BANDS, BOTS, LARGE, display_rating
from projections import ratings
from projections.ratings import FEW, MODEL, SURE, display_deviation
from service.base.database import format_utc, retry_on_disconnect
from service.base.people import Account
from service.openapi import response_structs
from service.stores.accounts import ACCOUNT_COLUMNS, read_account

PAGE = 500
"""Games that an export reads at a time."""
YEAR_DAYS = 365
"""Days without a game, before the pool's newest one, after which its leaderboard leaves a player out."""

_SEEN: LiteralString = (
    "SELECT r.pool, r.subject, coalesce(c.mu, r.mu) AS mu, coalesce(c.sigma, r.sigma) AS sigma,"
    " coalesce(c.games, r.games) AS games, coalesce(c.at, r.at) AS at FROM rating r LEFT JOIN LATERAL"
    " (SELECT mu, sigma, games, at FROM rating_change o WHERE r.shown_at > %(now)s AND o.pool = r.pool"
    " AND o.subject = r.subject AND o.shown_at <= %(now)s ORDER BY o.position DESC LIMIT 1) c ON true"
    " WHERE (r.shown_at <= %(now)s OR c.mu IS NOT NULL)"
)
"""SQL for the ratings that may be seen now; without the newest changes if those may not be seen yet."""
_SHOWN: LiteralString = "round(40 * s.mu) - 3 * round(40 * s.sigma)"
"""SQL for the value that ranks: the rating minus three deviations, in the numbers that people are shown."""
_LEADERS: LiteralString = (
    f"WITH seen AS ({_SEEN} AND r.pool = %(pool)s), ranked AS (SELECT s.*, t.account_id,"  # noqa: S608 - constants
    f" rank() OVER (ORDER BY {_SHOWN} DESC) AS rank,"
    f" row_number() OVER (ORDER BY {_SHOWN} DESC, s.subject) AS place"
    " FROM seen s JOIN subject t USING (subject) WHERE s.sigma <= %(sure)s AND s.games >= %(few)s"
    " AND s.at > (SELECT max(at) FROM seen) - make_interval(days => %(days)s))"
    f" SELECT k.rank, k.place, k.mu, k.sigma, k.games, {ACCOUNT_COLUMNS}"
    " FROM ranked k JOIN account a ON a.id = k.account_id"
    " WHERE k.place > %(after)s ORDER BY k.place LIMIT %(limit)s"
)
_EXPORT: LiteralString = (
    "WITH page AS (SELECT g.* FROM rating_game g"  # noqa: S608 - constants
    " WHERE g.pool = %(pool)s AND g.position > %(after)s"
    " AND NOT EXISTS (SELECT FROM rating_void v WHERE v.game_id = g.game_id)"
    " AND (SELECT max(shown_at) FROM rating_change c WHERE (c.position, c.pool) = (g.position, g.pool))"
    " <= %(now)s"
    " ORDER BY g.position LIMIT %(limit)s)"
    " SELECT g.position, g.game_id::text, encode(g.head, 'hex'),"
    f" {format_utc('g.at')},"
    " json_agg(json_build_object('subject', c.subject, 'place', c.place, 'months', c.months,"
    " 'before', json_build_object('mu', c.mu_before, 'sigma', c.sigma_before),"
    " 'after', json_build_object('mu', c.mu, 'sigma', c.sigma)) ORDER BY c.seat)::text,"
    " coalesce((SELECT max(v.position) FROM rating_void v JOIN rating_game o USING (game_id)"
    " WHERE o.pool = %(pool)s), 0)"
    " FROM page g JOIN rating_change c USING (position, pool)"
    " GROUP BY g.position, g.game_id, g.head, g.at ORDER BY g.position"
)
"""SQL for a page of the games that count and whose ends are public; see also :data:`_NARROWED`."""
_NARROWED: LiteralString = "SELECT game_id::text, visibility FROM game_access WHERE game_id = ANY (%s)"
_RESULTS: LiteralString = (
    "SELECT l.title, count(*) FILTER (WHERE l.status = 'finished'),"
    " count(*) FILTER (WHERE (l.outcome->'winners')::jsonb @> to_jsonb((s.value->>'seat')::int)),"
    " count(*) FILTER (WHERE l.status = 'abandoned')"
    " FROM (SELECT DISTINCT game_id, claim FROM seat_claim WHERE account_id = %(account)s AND seat >= 0) c"
    " JOIN lobby l ON l.game_id = c.game_id CROSS JOIN LATERAL json_array_elements(l.seats) s"
    " WHERE s.value->>'claim' = c.claim::text AND l.status IN ('finished', 'abandoned') AND NOT l.analysis"
    " AND NOT EXISTS (SELECT FROM game_access x WHERE x.game_id = l.game_id)"
    " AND (l.delay IS NULL OR (l.delay->>'at')::timestamptz"
    " + make_interval(secs => (l.delay->>'ms')::float8 / 1000) <= %(now)s)"
    " GROUP BY l.title ORDER BY l.title"
)
"""SQL for the results by title of an account in public games whose end everybody may see at `now`."""


class Leader(msgspec.Struct, frozen=True):
    """A place of a leaderboard."""

    rank: int
    """Players of the same rating and deviation share it."""
    place: int
    """The number of the line in the whole list."""
    account: Account
    rating: response_structs.Rating


class Ratings:
    """The ratings in the database, at a time *now*, as events record it."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def list_for_account(self, account_id: str, now: str) -> list[response_structs.Rating]:
        """Return the ratings of an account, by pool."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"WITH seen AS ({_SEEN} AND r.subject = (SELECT subject FROM subject"  # noqa: S608 - constants
                " WHERE account_id = %(account)s)) SELECT pool, mu, sigma, games FROM seen"
                " WHERE NOT pool LIKE %(bots)s ORDER BY pool",
                {"now": now, "account": account_id, "bots": f"%.{BOTS}"},
            ).fetchall()
        return [_make_rating(*row) for row in rows]

    @retry_on_disconnect
    def list_bots(self, title_id: str, now: str) -> list[response_structs.BotRating]:
        """Return the ratings of the bots of a title, by number of seats, best first."""
        bands = [name for _, name in BANDS] + [LARGE]
        pools = [f"{title_id}.{band}.{BOTS}" for band in bands]
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"WITH seen AS ({_SEEN} AND r.pool = ANY (%(pools)s))"  # noqa: S608 - constants
                " SELECT b.bot, b.version, s.pool, s.mu, s.sigma, s.games FROM seen s"
                " JOIN bot_subject b USING (subject)"
                " ORDER BY array_position(%(pools)s, s.pool), s.mu DESC, b.bot, b.version DESC",
                {"now": now, "pools": pools},
            ).fetchall()
        return [
            response_structs.BotRating(
                bot,
                version,
                bands[pools.index(pool)],
                display_rating(mu),
                display_deviation(sigma),
                ratings.is_provisional(sigma, games),
                games,
            )
            for bot, version, pool, mu, sigma, games in rows
        ]

    @retry_on_disconnect
    def leaders(self, pool: str, now: str, after: int, limit: int) -> list[Leader]:
        """Return the players of a pool whose rating is not provisional, best first, after a place."""
        wanted = {"pool": pool, "now": now, "after": after, "limit": limit}
        fixed = {"sure": SURE, "few": FEW, "days": YEAR_DAYS}
        with self._pool.connection() as connection:
            rows = connection.execute(_LEADERS, {**wanted, **fixed}).fetchall()
        return [
            Leader(rank, place, read_account(row), _make_rating(pool, mu, sigma, games))
            for rank, place, mu, sigma, games, *row in rows
        ]

    @retry_on_disconnect
    def get_game_rating(self, game: Game, now: str) -> response_structs.GameRating:
        """Return the rating changes of *game*; the caller may know that it has ended, if it has."""
        rating = response_structs.GameRating(game.id, "pending", None, None, [])
        if game.status != "finished":
            return (
                rating
                if not game.has_ended
                else msgspec.structs.replace(rating, status="unrated", why="abandoned")
            )
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT position, pool, why, EXISTS (SELECT FROM rating_void v WHERE v.game_id = g.game_id)"
                " FROM rating_game g WHERE game_id = %s AND shown_at <= %s",
                (game.id, now),
            ).fetchone()
            if row is None:
                return rating
            position, pool, why, void = row
            changes = connection.execute(
                "SELECT seat, place, mu_before, sigma_before, games, mu, sigma FROM rating_change"
                " WHERE position = %s AND pool = %s AND shown_at <= %s ORDER BY seat",
                (position, pool, now),
            ).fetchall()
        if why is not None or void:
            return response_structs.GameRating(game.id, "void" if void else "unrated", why, pool, [])
        shown = [_make_change(*change) for change in changes]
        return response_structs.GameRating(game.id, "rated" if shown else "pending", None, pool, shown)

    @retry_on_disconnect
    def games(self, pool: str, now: str, after: int) -> list[response_structs.RatedGame]:
        """Return a page of the games that count in a pool and ended after a log position, in order.

        Private games are left out, and unlisted ones come without their id. The page is empty only where
        there are no more.
        """
        with self._pool.connection() as connection:
            while True:
                rows = connection.execute(
                    _EXPORT, {"pool": pool, "now": now, "after": after, "limit": PAGE}
                ).fetchall()
                narrowed: dict[str, str] = dict(
                    connection.execute(_NARROWED, ([row[1] for row in rows],)).fetchall()
                )
                found = [_read_rated_game(pool, narrowed.get(row[1]), row) for row in rows]
                known = [game for game in found if game is not None]
                if known or not rows:
                    return known
                after = rows[-1][0]

    def export(self, pool: str, now: str) -> Iterator[bytes]:
        """Yield all games that count in a pool, one JSON object a line."""
        after = 0
        while page := self.games(pool, now, after):
            yield msgspec.json.Encoder().encode_lines(page)
            after = page[-1].position

    @retry_on_disconnect
    def results(self, account_id: str, now: str) -> list[response_structs.TitleResults]:
        """Return the results of an account by title, of the games whose end everybody may see."""
        with self._pool.connection() as connection:
            rows = connection.execute(_RESULTS, {"account": account_id, "now": now}).fetchall()
        return [response_structs.TitleResults(*row) for row in rows]


def _read_rated_game(
    pool: str, visibility: str | None, row: tuple[Any, ...]
) -> response_structs.RatedGame | None:
    """Return a row of :data:`_EXPORT` as everybody may see it; None for a game that they may not."""
    position, game, head, at, result, recounted = row
    if visibility == "private":
        return None
    players = msgspec.json.decode(result)
    columns: dict[str, Any] = {
        name: [player[member] for player in players] for name, member in _COLUMNS.items()
    }
    columns["recounted"] = recounted
    if visibility is not None:
        return response_structs.RatedGame(position, None, None, at, pool, MODEL, **columns)
    return response_structs.RatedGame(position, game, head, at, pool, MODEL, **columns)


_COLUMNS = {
    "subjects": "subject",
    "places": "place",
    "months": "months",
    "before": "before",
    "after": "after",
}
"""The members of a rated game, each with that of its players."""


def _make_rating(pool: str, mu: float, sigma: float, games: int) -> response_structs.Rating:
    return response_structs.Rating(
        pool, display_rating(mu), display_deviation(sigma), ratings.is_provisional(sigma, games), games
    )


def _make_change(
    seat: int, place: int, mu_before: float, sigma_before: float, games: int, mu: float, sigma: float
) -> response_structs.RatingChange:
    return response_structs.RatingChange(
        seat,
        place,
        response_structs.RatingAt(display_rating(mu_before), display_deviation(sigma_before), games - 1),
        response_structs.RatingAt(display_rating(mu), display_deviation(sigma), games),
    )
