"""Claims behind the names in a tournament's log, written before the events that name them.

Of a row nothing follows as long as no event names its claim. Here is what both the service and the
tournament runner need of them; only the service lets anybody enter.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import LiteralString

from events.rules.fact import Seat
from events.store.event_log import Pool
from events.table.terms import account_digest
from events.table.tournament_link import seat_claim
from events.tournament.commands import PairByRatings
from events.tournament.ladder_ratings import name_pool, pairing_rating
from events.tournament.rounds import present_entrants
from events.tournament.state import Tournament, entrant_name

SALT = 16
"""Bytes of the salt with which the log of a game names an account."""

_ENTRANTS: LiteralString = (
    "SELECT claim::text, account_id::text FROM entrant WHERE tournament = %s AND account_id IS NOT NULL"
)
_DIRECTORS: LiteralString = (
    "SELECT claim::text, director, account_id::text FROM tournament_director"
    " WHERE tournament = %s AND account_id IS NOT NULL"
)


_RATINGS: LiteralString = (
    "SELECT t.position, s.account_id::text, r.mu FROM rating_state t"
    " LEFT JOIN (rating r JOIN subject s USING (subject)) ON r.pool = %s AND s.account_id = ANY(%s)"
)
"""SQL for the position up to which games count, and the ratings there: one statement sees one moment."""


def find_accounts(pool: Pool, state: Tournament) -> dict[str, str]:
    """Return the account ids of entrants and directors by their names; without those that were erased."""
    with pool.connection() as connection:
        rows: list[tuple[str, str]] = connection.execute(_ENTRANTS, (state.id,)).fetchall()
        entrants = dict(rows)
        directors = {
            (claim, number): account for claim, number, account in connection.execute(_DIRECTORS, (state.id,))
        }
    found = {entrant_name(one.number): entrants[one.claim] for one in state.entrants if one.claim in entrants}
    for number in state.directors:
        claim = state.appointed[number]
        account = directors.get((claim, number)) or directors.get((claim, 0))
        if account is not None:
            found[f"d{number}"] = account
    return found


def find_ratings(pool: Pool, state: Tournament) -> PairByRatings:
    """Return the command that pairs the coming period of a ladder, by the ratings of those who are ready.

    The ratings are those in games like those of the tournament, at the position up to which games count.
    """
    settings, people = state.settings, find_accounts(pool, state)
    ready = [entrant_name(one.number) for one in present_entrants(state, state.next_round)]
    accounts = {people[name]: name for name in ready if name in people}
    with pool.connection() as connection:
        rows: list[tuple[int, str | None, float]] = connection.execute(
            _RATINGS,
            (name_pool(settings.title, settings.table.size, settings.clock), list(accounts)),
        ).fetchall()
    found = {accounts[account]: pairing_rating(mu) for _, account, mu in rows if account is not None}
    return PairByRatings(rows[0][0] if rows else 0, found)


def claim_seats(
    pool: Pool, game_id: str, cmd: str, holders: Sequence[str | None], origin: str
) -> Mapping[Seat, str]:
    """Write down who holds the seats of a game that the command *cmd* makes.

    Returns by seat the ``who`` of its log. *holders*: by seat the account, None where it was erased. Written
    again it is the same.
    """
    with pool.connection() as connection:
        for number, account in enumerate(holders):
            connection.execute(
                "INSERT INTO seat_claim (game_id, claim, seat, account_id, salt, made_by)"
                " VALUES (%s, %s, %s, %s, %s, %s)"
                " ON CONFLICT (game_id, claim, seat) DO UPDATE SET made_at = EXCLUDED.made_at",
                (game_id, seat_claim(cmd, number), number, account, os.urandom(SALT), cmd),
            )
        rows = connection.execute(
            "SELECT seat, salt FROM seat_claim WHERE game_id = %s AND made_by = %s AND salt IS NOT NULL",
            (game_id, cmd),
        ).fetchall()
    salts = {number: bytes(salt) for number, salt in rows}
    return {
        number: account_digest(salts[number], account, origin)
        for number, account in enumerate(holders)
        if account is not None and number in salts
    }


def claim_seat(pool: Pool, game_id: str, cmd: str, number: Seat, account: str, origin: str) -> str:
    """Write down that *account* takes a seat by the command *cmd*; the ``who`` of the log."""
    with pool.connection() as connection:
        connection.execute(
            "INSERT INTO seat_claim (game_id, claim, seat, account_id, salt) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT (game_id, claim, seat) DO UPDATE SET made_at = EXCLUDED.made_at",
            (game_id, cmd, number, account, os.urandom(SALT)),
        )
        row = connection.execute(
            "SELECT salt FROM seat_claim WHERE game_id = %s AND claim = %s AND seat = %s",
            (game_id, cmd, number),
        ).fetchone()
    assert row is not None  # noqa: S101 - inserted
    return account_digest(bytes(row[0]), account, origin)


def appoint_directors(
    pool: Pool, game_id: str, cmd: str, state: Tournament, people: Mapping[str, str]
) -> None:
    """Let those who run a tournament direct a game of it that the command *cmd* makes; not its assistants."""
    for number, role in state.directors.items():
        account = people.get(f"d{number}")
        if role != "assistant" and account is not None:
            appoint_director(pool, game_id, cmd, number, account)


def appoint_director(pool: Pool, game_id: str, cmd: str, number: int, account: str) -> None:
    """Let *account* direct a game that the command *cmd* made, as the director of that number."""
    with pool.connection() as connection:
        connection.execute(
            "INSERT INTO game_director (game_id, claim, director, account_id) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (game_id, claim, director) DO UPDATE SET account_id = excluded.account_id",
            (game_id, cmd, number, account),
        )


def dismiss_director(pool: Pool, game_id: str, cmd: str, number: int) -> None:
    """Remove the director of that number from a game."""
    with pool.connection() as connection:
        connection.execute(
            "DELETE FROM game_director WHERE game_id = %s AND claim = %s AND director = %s",
            (game_id, cmd, number),
        )


def copy_visibility(pool: Pool, game_id: str, cmd: str, state: Tournament) -> None:
    """Let a game of a tournament be seen by as many as the tournament is."""
    with pool.connection() as connection:
        connection.execute(
            "INSERT INTO game_access (game_id, claim, visibility)"
            " SELECT %s, %s, visibility FROM game_access WHERE game_id = %s AND claim = %s"
            " ON CONFLICT DO NOTHING",
            (game_id, cmd, state.id, state.opened),
        )
