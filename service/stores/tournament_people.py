"""The entrants and directors of tournaments: rows beside the log, by the claims that it names."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from events.base.bounded_cache import BoundedCache
from events.store.event_log import Pool
from events.tournament.state import Tournament
from projections import tournament_claims
from service.base.database import retry_on_disconnect
from service.base.people import Account, Participation
from service.base.single_flight import SingleFlight
from service.stores.accounts import ACCOUNT_COLUMNS, read_account
from service.stores.seat_claims import CACHE_SECONDS


class TournamentPeople:
    """The people of tournaments, in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._parts: BoundedCache[tuple[float, Mapping[str, Participation]]] = BoundedCache(200)
        self._asking: SingleFlight[Mapping[str, Participation]] = SingleFlight()

    @retry_on_disconnect
    def accounts(self, state: Tournament) -> Mapping[str, Account]:
        """Return the accounts by the names of entrants and directors, without erased accounts."""
        found = tournament_claims.find_accounts(self._pool, state)
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"SELECT {ACCOUNT_COLUMNS} FROM account a WHERE a.id = ANY(%s)",  # noqa: S608 - constants
                (list(set(found.values())),),
            ).fetchall()
        by_id = {row[0]: read_account(row) for row in rows}
        return {name: by_id[account] for name, account in found.items() if account in by_id}

    def get_participation(self, state: Tournament, account: Account | None) -> Participation:
        """Return the part of *account* in a tournament."""
        if account is None:
            return Participation()
        entered, named = self._read_claims(state.id, account)
        entrant = next((one.number for one in state.entrants if one.claim in entered), None)
        director = next(
            (
                number
                for number in state.directors
                if (state.appointed[number], number) in named or (state.appointed[number], 0) in named
            ),
            None,
        )
        role = None if director is None else state.directors[director]
        return Participation(entrant, director, role)

    def get_participations(self, state: Tournament) -> Mapping[str, Participation]:
        """Return by account the parts of all entrants and directors of a tournament, for its followers.

        Claims stand before the events that name them, and never change: only an account may be erased.
        """
        claims = tuple(one.claim for one in state.entrants)
        place = (
            state.id,
            claims,
            *sorted((n, state.appointed[n], role) for n, role in state.directors.items()),
        )
        cached = self._parts.get(place)
        if cached is not None and cached[0] > time.monotonic():
            return cached[1]
        found = self._asking.do(place, lambda: self._read_participations(state))
        self._parts.put(place, (time.monotonic() + CACHE_SECONDS, found))
        return found

    def forget_all(self) -> None:
        """Forget the cached accounts behind claims: an account has changed."""
        self._parts.clear()

    @retry_on_disconnect
    def _read_participations(self, state: Tournament) -> Mapping[str, Participation]:
        entered: dict[str, int] = {}
        named: dict[str, int] = {}
        people = tournament_claims.find_accounts(self._pool, state)
        for name, account in people.items():
            (entered if name.startswith("e") else named).setdefault(account, int(name[1:]))
        return {
            account: Participation(
                entered.get(account), named.get(account), state.directors.get(named.get(account, -1))
            )
            for account in people.values()
        }

    @retry_on_disconnect
    def _read_claims(self, tournament: str, account: Account) -> tuple[set[str], set[tuple[str, int]]]:
        """Return the claims of *account* in a tournament: as an entrant, and as a director."""
        with self._pool.connection() as connection:
            entered = connection.execute(
                "SELECT claim::text FROM entrant WHERE tournament = %s AND account_id = %s",
                (tournament, account.id),
            ).fetchall()
            named = connection.execute(
                "SELECT claim::text, director FROM tournament_director"
                " WHERE tournament = %s AND account_id = %s",
                (tournament, account.id),
            ).fetchall()
        return {claim for (claim,) in entered}, {(claim, number) for claim, number in named}

    @retry_on_disconnect
    def claim(
        self, tournament: str, claim: str, account: Account, key: str | None, *, again: bool
    ) -> str | None:
        """Store that *account* enters by the command *claim*, asked for by a request with this *key*.

        Answers the key of the request that counts: where the log names the claim *again*, the one before.
        """
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO entrant (tournament, claim, account_id, key) VALUES (%s, %s, %s, %s)"
                " ON CONFLICT (tournament, claim) DO UPDATE SET key = excluded.key WHERE NOT %s",
                (tournament, claim, account.id, key, again),
            )
            row = connection.execute(
                "SELECT key FROM entrant WHERE tournament = %s AND claim = %s", (tournament, claim)
            ).fetchone()
        return row[0] if row else None

    @retry_on_disconnect
    def appoint(self, tournament: str, claim: str, directors: Sequence[str], first: int = 1) -> None:
        """Store the accounts that the command *claim* makes directors, numbered from *first* on."""
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO tournament_director (tournament, claim, director, account_id)"
                " SELECT %s, %s, number + %s, account::uuid"
                " FROM unnest(%s::text[]) WITH ORDINALITY d (account, number) ON CONFLICT DO NOTHING",
                (tournament, claim, first - 1, list(directors)),
            )
