"""Ratings: how strong people are, by the places that they took in games that count.

The model is Weng and Lin's for n players (Plackett-Luce), as `openskill` computes it; :data:`MODEL` names it.
Games enter in the order in which their ends stand in the log of all games. What a game changes, and the step
of the follower over it, are one transaction. So a process that dies on the way has done nothing, and several
share the work.

Rows hang on *subjects*, random names. The account behind one is a row of its own, which goes with the
account. The claims by which a subject has played are kept, so that building the ratings again gives the same
rows.

A game between people and bots also enters a pool of its own kind, in which both are rated. There people have
a level of their own, so bots never change what people are in other pools. The subject of a bot is made of its
name and version.

A ruling of its tournament may take a game out of the ratings. The game is left out when its pool is counted
again, which the follower does when it comes to that ruling.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from statistics import fmean
from typing import Any, LiteralString

import msgspec
import structlog
from openskill.models import PlackettLuce
from psycopg import Connection

from events.store.event_log import EventLog, read_log_size
from events.table.record import Record
from events.tournament.facts import Effect, Ruled
from events.tournament.folding import fold
from events.tournament.ladder_ratings import DEVIATION, MEAN
from events.tournament.state import Tournament, initial_tournament, number_of
from projections import rating_results
from projections.runner import is_game_error

MODEL = "pl-1"
"""The name of the model.

Any change of a number below, or in the library, makes another model: then all is counted again.
"""
MU, SIGMA = MEAN, DEVIATION
TAU = 0.25
"""The uncertainty that a month without a game adds to a rating; its square is added to sigma squared."""
MONTH_MS = 30 * 24 * 3600 * 1000
"""Whole months of 30 days count."""
SURE, FEW = 4.2, 8
"""A rating is provisional as long as its sigma is larger, or its games are fewer."""
WINDOW = 2000
"""Events of the log that one step passes over at the most."""

_BOTS = uuid.UUID("0b7d6f0e-53f5-5a4d-9a6a-3f1f2f6f0d17")
"""Namespace of the subjects of bots."""

log = structlog.get_logger()
_MODEL = PlackettLuce(mu=MU, sigma=SIGMA, limit_sigma=True)


class Level(msgspec.Struct, frozen=True):
    """The knowledge of a player's strength: mean and standard deviation."""

    mu: float = MU
    sigma: float = SIGMA


def display_deviation(sigma: float) -> int:
    """Return the deviation that people are shown: how far off a rating may be."""
    return round(40 * sigma)


def is_provisional(sigma: float, games: int) -> bool:
    """Return True if a rating says little yet."""
    return sigma > SURE or games < FEW


def count_months(since: datetime, at: datetime) -> int:
    """Return the whole months from one game to the next."""
    return max(0, round((at - since).total_seconds() * 1000)) // MONTH_MS


def add_idle_uncertainty(level: Level, idle: int) -> Level:
    """Return *level* after so many months without a game: less certain, at the most as of a new player."""
    return Level(level.mu, min(SIGMA, math.sqrt(level.sigma**2 + TAU**2 * idle)) if idle else level.sigma)


def rate_players(levels: Sequence[Level], places: Sequence[int]) -> list[Level]:
    """Return the levels after a game in which they took *places* (1 the best, equal ones shared)."""
    teams = [[_MODEL.rating(mu=level.mu, sigma=level.sigma)] for level in levels]
    found = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [Level(one.mu, one.sigma) for (one,) in found]


class CountedPlayer(msgspec.Struct, frozen=True):
    """A player of a game that counts, a person or a bot, as `rating_game` keeps them."""

    seat: int
    place: int
    subject: str


class _RatingState(msgspec.Struct, frozen=True):
    level: Level
    games: int
    at: datetime
    shown_at: datetime


_PLACES: LiteralString = (
    "SELECT position, game_id, seq FROM es.log WHERE position > %s AND position <= %s ORDER BY position"
)
_ENDS: LiteralString = (
    'SELECT w.position, w.game_id::text, w.seq, strpos(e.body, \'"t":"TableClosed"\') > 0'
    " FROM unnest(%s::bigint[], %s::uuid[], %s::bigint[]) AS w (position, game_id, seq)"
    " JOIN es.event e ON e.game_id = w.game_id AND e.seq = w.seq"
    ' WHERE strpos(e.body, \'"t":"TableClosed"\') > 0 OR strpos(e.body, \'"t":"Ruled"\') > 0'
    " ORDER BY 1"
)
"""Ends of games and rulings; whether an event is one is asked again when it is read."""


_NOTHING_NEW = "SELECT s.size = r.position AND r.model = %s FROM rating_state r, es.sequencer s"


def follow_log(events: EventLog, window: int = WINDOW) -> int:
    """Take the next events of the log into account; return their number.

    0 where nothing is left, or another is at work.
    """
    with events.pool.connection() as connection:
        if connection.execute(_NOTHING_NEW, (MODEL,)).fetchone() == (True,):
            return 0  # seen by one look, without a transaction: so it is nearly always
    with events.pool.connection() as connection, connection.transaction():
        row = connection.execute("SELECT position, model FROM rating_state FOR UPDATE SKIP LOCKED").fetchone()
        if row is None:
            return 0
        position, model = row
        if model != MODEL:
            _delete_all(connection)
            position = 0
        last = min(position + window, read_log_size(connection))
        if last == position:
            return 0
        _take(events, connection, position, last)
        return int(last - position)


def rebuild(
    events: EventLog, progress: Callable[[int], None] = lambda _events: None
) -> tuple[int, int, bool]:
    """Count everything again; return the numbers of rows before and after, and True if all are the same.

    Readers see what stood there until all is done.
    """
    with events.pool.connection() as connection, connection.transaction():
        row = connection.execute("SELECT position FROM rating_state FOR UPDATE").fetchone()
        until, position = (row[0] if row else 0), 0
        before = read_rows(connection)
        _delete_all(connection)
        while position < until:
            last = min(position + WINDOW, until)
            _take(events, connection, position, last)
            position = last
            progress(position)
        now = read_rows(connection)
    return len(before), len(now), before == now


def read_rows(connection: Connection[Any]) -> list[tuple[Any, ...]]:
    """Return all rows that follow from the log, in order."""
    found: list[tuple[Any, ...]] = []
    for table, order in _TABLES:
        found += connection.execute(f"SELECT t::text FROM {table} t ORDER BY {order}").fetchall()  # noqa: S608 - constants
    return found


_TABLES: tuple[tuple[LiteralString, LiteralString], ...] = (
    ("rating_game", "position"),
    ("rating_change", "position, pool, seat"),
    ("rating", "pool, subject"),
    ("rating_void", "game_id"),
)


def _delete_all(connection: Connection[Any]) -> None:
    for table, _ in _TABLES:
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - constants
    connection.execute("UPDATE rating_state SET position = 0, model = %s", (MODEL,))


def _take(events: EventLog, connection: Connection[Any], position: int, last: int) -> None:
    places = connection.execute(_PLACES, (position, last)).fetchall()
    named = [list(column) for column in zip(*places, strict=True)] or [[], [], []]
    for at, stream, seq, ends in connection.execute(_ENDS, named).fetchall():
        try:
            with connection.transaction():
                (_rate_ended_game if ends else _apply_ruling)(events, connection, at, stream, seq)
        except Exception as error:
            if not is_game_error(error):
                raise
            log.exception("rating_failed", stream=stream, seq=seq)  # without it; a rebuild tries it again
    connection.execute("UPDATE rating_state SET position = %s", (last,))


def _rate_ended_game(
    events: EventLog, connection: Connection[Any], position: int, game_id: str, seq: int
) -> None:
    """Rate a game that has ended: keep what of it counts, and count it."""
    records = events.read(game_id, 0, seq)
    if records[-1].type != "TableClosed":
        return
    result = rating_results.read_result(game_id, records)
    players = [
        CountedPlayer(one.seat, one.place, _get_holder_subject(connection, game_id, one.claim))
        for one in result.players
    ]
    alone = len({one.subject for one in players}) < len(players)
    why = result.why or ("one_player" if alone else None)
    bot_pool = None if alone else result.bot_pool
    pool = None if why else result.pool
    subjects = {one.seat: one.subject for one in players}
    if bot_pool is not None:
        subjects |= {bot.seat: _get_bot_subject(connection, bot.name, bot.version) for bot in result.bots}
    entrants = [CountedPlayer(seat, place, subjects[seat]) for seat, place in result.places if bot_pool]
    row = (position, game_id, result.head, result.at, result.shown_at, pool, why, bot_pool)
    connection.execute(
        "INSERT INTO rating_game"
        " (position, game_id, head, at, shown_at, pool, why, bot_pool, players, entrants)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        (*row, msgspec.json.encode(players).decode(), msgspec.json.encode(entrants).decode()),
    )
    for counted in (pool, bot_pool):
        if counted is not None:
            _count_game(connection, game_id, counted)


def _get_bot_subject(connection: Connection[Any], bot: str, version: int) -> str:
    """Return the subject of a version of a bot: always the same."""
    subject = str(uuid.uuid5(_BOTS, f"{bot}@{version}"))
    connection.execute(
        "INSERT INTO bot_subject (subject, bot, version) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        (subject, bot, version),
    )
    return subject


def _get_holder_subject(connection: Connection[Any], game_id: str, claim: str) -> str:
    """Return the subject that held a seat by *claim*.

    It is a subject of the account, or of nobody where the account is gone. It is written down where it is
    new.
    """
    known = connection.execute(
        "SELECT subject::text FROM subject_claim WHERE game_id = %s AND claim = %s", (game_id, claim)
    ).fetchone()
    if known:
        return str(known[0])
    holder = _find_holder(connection, game_id, claim)
    subject = get_subject(connection, holder) if holder else str(uuid.uuid4())
    connection.execute(
        "INSERT INTO subject_claim (game_id, claim, subject) VALUES (%s, %s, %s)", (game_id, claim, subject)
    )
    return subject


def _find_holder(connection: Connection[Any], game_id: str, claim: str) -> str | None:
    """Return the account that held a seat by *claim*, kept until this transaction ends; None: it is gone."""
    claimed = connection.execute(
        "SELECT account_id FROM seat_claim WHERE game_id = %s AND claim = %s AND seat >= 0"
        " AND account_id IS NOT NULL LIMIT 1",
        (game_id, claim),
    ).fetchone()
    account = (
        claimed
        and connection.execute("SELECT id FROM account WHERE id = %s FOR KEY SHARE", claimed).fetchone()
    )
    return str(account[0]) if account else None


def get_subject(connection: Connection[Any], account_id: str) -> str:
    """Return the subject under which an account is rated; give it one where it has none."""
    connection.execute(
        "INSERT INTO subject (account_id, subject) VALUES (%s, %s) ON CONFLICT DO NOTHING",
        (account_id, str(uuid.uuid4())),
    )
    row = connection.execute(
        "SELECT subject::text FROM subject WHERE account_id = %s", (account_id,)
    ).fetchone()
    assert row is not None  # noqa: S101 - inserted
    return str(row[0])


def unlink_account(connection: Connection[Any], account_id: str) -> None:
    """Prepare the ratings for the end of an account.

    Its claims stay its subject's, of whom nobody knows any more who it was.
    """
    sat = connection.execute(
        "SELECT 1 FROM seat_claim WHERE account_id = %s AND seat >= 0 LIMIT 1", (account_id,)
    ).fetchone()
    if sat is None:
        return
    connection.execute(
        "INSERT INTO subject_claim (game_id, claim, subject) SELECT DISTINCT game_id, claim, %s::uuid"
        " FROM seat_claim WHERE account_id = %s AND seat >= 0 ON CONFLICT DO NOTHING",
        (get_subject(connection, account_id), account_id),
    )
    connection.execute("DELETE FROM subject WHERE account_id = %s", (account_id,))


def _apply_ruling(
    events: EventLog, connection: Connection[Any], position: int, tournament: str, seq: int
) -> None:
    """Apply a director's ruling: games that it takes out count no more."""
    records = events.read(tournament, 0, seq)
    void = find_voided_games(tournament, records) if records[-1].type == "Ruled" else ()
    pools = set()
    for game_id in void:
        connection.execute(
            "INSERT INTO rating_void (game_id, position) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (game_id, position),
        )
        pools |= set(
            connection.execute(
                "SELECT p FROM rating_game CROSS JOIN LATERAL unnest(ARRAY[pool, bot_pool]) p"
                " WHERE game_id = %s AND p IS NOT NULL",
                (game_id,),
            ).fetchall()
        )
    for (pool,) in sorted(pools):
        _recount_pool(connection, pool)


def find_voided_games(tournament: str, records: Sequence[Record]) -> tuple[str, ...]:
    """Return the games that the last of *records*, a ruling, takes out of the ratings.

    Those whose result it changes, or else that of the table which its dispute is about; none where it does
    not say that it does.
    """
    ruled = msgspec.json.decode(records[-1].envelope().data, type=Ruled)
    if all(effect.rating != "void" for effect in ruled.effects):
        return ()
    state = fold(initial_tournament(tournament), records[:-1])
    games = [game for effect in ruled.effects for game in _find_affected_games(state, effect)]
    if not games and ruled.dispute is not None:
        about = state.disputes[ruled.dispute - 1]
        games = [] if about.table is None else [state.table(about.round, about.table)[1].game]
    return tuple(game for game in dict.fromkeys(games) if game)


def _find_affected_games(state: Tournament, effect: Effect) -> list[str]:
    """Return the games whose result *effect* changes."""
    named = effect.result or effect.replay
    if named is not None:
        return [state.table(named.round, named.table)[1].game]
    if effect.end_game is not None:
        return [effect.end_game.game]
    if effect.forfeit is None:
        return []
    number = number_of(effect.forfeit.entrant)
    tables = state.round(effect.forfeit.round).tables
    return [table.game for table in tables if number in (*table.entrants, *table.holders)]


def _recount_pool(connection: Connection[Any], pool: str) -> None:
    connection.execute("DELETE FROM rating_change WHERE pool = %s", (pool,))
    connection.execute("DELETE FROM rating WHERE pool = %s", (pool,))
    games = connection.execute(
        "SELECT game_id::text FROM rating_game WHERE pool = %s OR bot_pool = %s ORDER BY position",
        (pool, pool),
    ).fetchall()
    for (game_id,) in games:
        _count_game(connection, game_id, pool)


def _count_game(connection: Connection[Any], game_id: str, pool: str) -> None:
    """Change the ratings in *pool* of those who played a game, unless it was taken out.

    A bot at several seats has the mean of what each of them would change.
    """
    row = connection.execute(
        "SELECT position, at, shown_at, CASE WHEN bot_pool = %s THEN entrants ELSE players END::text"
        " FROM rating_game g WHERE game_id = %s"
        " AND NOT EXISTS (SELECT FROM rating_void v WHERE v.game_id = g.game_id)",
        (pool, game_id),
    ).fetchone()
    if row is None:
        return
    position, at, shown_at, result = row
    players = msgspec.json.decode(result, type=list[CountedPlayer])
    standings = _read_rating_states(connection, pool, [one.subject for one in players])
    before = [standings.get(one.subject) or _RatingState(Level(), 0, at, shown_at) for one in players]
    idle = [count_months(one.at, at) for one in before]
    levels = rate_players(
        [add_idle_uncertainty(one.level, away) for one, away in zip(before, idle, strict=True)],
        [one.place for one in players],
    )
    shown = max(shown_at, *(one.shown_at for one in before))
    reached: dict[str, list[Level]] = {}
    for player, level in zip(players, levels, strict=True):
        reached.setdefault(player.subject, []).append(level)
    for player, stood, away in zip(players, before, idle, strict=True):
        if (found := reached.pop(player.subject, None)) is None:
            continue  # another seat of a bot that is done
        mu, sigma = fmean(level.mu for level in found), fmean(level.sigma for level in found)
        now = (mu, sigma, stood.games + 1, at, shown)
        connection.execute(
            "INSERT INTO rating_change (position, seat, pool, subject, place, months,"
            " mu_before, sigma_before, mu, sigma, games, at, shown_at)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (
                *(position, player.seat, pool, player.subject, player.place, away),
                *(stood.level.mu, stood.level.sigma, *now),
            ),
        )
        connection.execute(
            "INSERT INTO rating (pool, subject, mu, sigma, games, at, shown_at)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (pool, subject) DO UPDATE SET"
            " (mu, sigma, games, at, shown_at) ="
            " (EXCLUDED.mu, EXCLUDED.sigma, EXCLUDED.games, EXCLUDED.at, EXCLUDED.shown_at)",
            (pool, player.subject, *now),
        )


def _read_rating_states(
    connection: Connection[Any], pool: str, subjects: Iterable[str]
) -> dict[str, _RatingState]:
    rows = connection.execute(
        "SELECT subject::text, mu, sigma, games, at, shown_at FROM rating"
        " WHERE pool = %s AND subject = ANY(%s::uuid[])",
        (pool, list(subjects)),
    ).fetchall()
    return {
        subject: _RatingState(Level(mu, sigma), games, at, shown_at)
        for subject, mu, sigma, games, at, shown_at in rows
    }
