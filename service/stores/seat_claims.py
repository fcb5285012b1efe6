"""Claims to seats: they tie a seat, which is all that the log knows, to an account."""

from __future__ import annotations

import hmac
import os
import time
from collections.abc import Iterable, Mapping
from uuid import UUID

from events.base.bounded_cache import BoundedCache
from events.rules.fact import Seat
from events.store.event_log import Pool
from events.table.game import Game, Tenure
from service.base.database import retry_on_disconnect
from service.base.people import Account, Holders, Viewer
from service.base.store_error import StoreError
from service.stores.accounts import ACCOUNT_COLUMNS, read_account

SALT_BYTES = 16
"""Bytes of the salt with which the log names an account."""
CACHE_SECONDS = 60.0
"""Seconds that the accounts behind claims are cached; changed accounts are announced to the cache."""
OWNER_SEAT: Seat = -1
"""The seat in the claim of the maker of a game."""


class SeatClaims:
    """The accounts at the seats of games: the claims in the database that the log names."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._key: bytes | None = None
        self._cache: BoundedCache[tuple[float, Holders]] = BoundedCache(5000)

    def derive_claim_id(self, account: Account, game_id: str, key: str) -> str:
        """Return the claim id of *account* that follows from *key*: a repeated request finds its own claim.

        Nobody can guess an account from it, nor derive another account's claim.
        """
        words = UUID(account.id).bytes + UUID(game_id).bytes + key.encode()
        return str(UUID(bytes=hmac.digest(self.claim_key(), words, "sha256")[:16]))

    @retry_on_disconnect
    def claim(
        self, claim: str, game_id: str, account: Account, seats: Iterable[Seat], salt: bytes | None = None
    ) -> Mapping[Seat, bytes]:
        """Store the seats that *account* will hold once an event of the command id *claim* says so.

        If that never happens, nothing has to be undone: a claim that no event names is swept up later, unless
        it is made again meanwhile. Return by seat the salt with which the log names the account: *salt*, or a
        new one; always that of the first time the claim was made.
        """
        wanted = list(seats)
        salts = [salt or os.urandom(SALT_BYTES) for _ in wanted]
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO seat_claim (game_id, claim, seat, account_id, salt)"
                " SELECT %s, %s, seat, %s, salt FROM unnest(%s::smallint[], %s::bytea[]) wanted (seat, salt)"
                " ON CONFLICT (game_id, claim, seat) DO UPDATE SET made_at = EXCLUDED.made_at",
                (game_id, claim, account.id, wanted, salts),
            )
        return self.salts(claim, game_id)

    @retry_on_disconnect
    def salts(self, claim: str, game_id: str) -> Mapping[Seat, bytes]:
        """Return the salts of a claim by seat; a salt proves which account the log names at that seat."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT seat, salt FROM seat_claim"
                " WHERE game_id = %s AND claim = %s AND seat >= 0 AND salt IS NOT NULL",
                (game_id, claim),
            ).fetchall()
        return {seat: bytes(salt) for seat, salt in rows}

    def holders(self, game: Game) -> Holders:
        """Return the accounts at the seats of *game*."""
        # Claims stand before the events that name them, and never change: only an account may be erased. With
        # a player who joins or leaves the game has other claims, so nobody is taken for a holder any longer.
        claims = game.held_claims
        place = (game.id, tuple(claims.items()))
        cached = self._cache.get(place)
        if cached is not None and cached[0] > time.monotonic():
            return cached[1]
        found = self.holders_of_games({game.id: claims}).get(game.id, {})
        self._cache.put(place, (time.monotonic() + CACHE_SECONDS, found))
        return found

    def forget_all(self) -> None:
        """Forget the cached accounts behind claims: an account has changed."""
        self._cache.clear()

    @retry_on_disconnect
    def holders_of_games(self, claims: Mapping[str, Mapping[Seat, str]]) -> dict[str, dict[Seat, Account]]:
        """Return the accounts at the seats of several games; *claims* has by game the claim at each seat.

        A claim is one account's, whatever seats it names: players who swapped seats keep theirs.
        """
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT game_id::text, claim::text, account_id::text FROM seat_claim"
                " WHERE game_id = ANY(%s) AND seat >= 0",
                (list(claims),),
            ).fetchall()
            by_claim = {(game_id, claim): account for game_id, claim, account in rows}
            holding = [
                (game_id, seat, account)
                for game_id, held in claims.items()
                for seat, claim in sorted(held.items())
                if (account := by_claim.get((game_id, claim))) is not None
            ]
            rows = connection.execute(
                f"SELECT {ACCOUNT_COLUMNS} FROM account a WHERE a.id = ANY(%s)",  # noqa: S608 - constants
                (list({account for _, _, account in holding}),),
            ).fetchall()
        accounts = {row[0]: read_account(row) for row in rows}
        found: dict[str, dict[Seat, Account]] = {}
        for game_id, seat, account in holding:
            if account in accounts:
                found.setdefault(game_id, {})[seat] = accounts[account]
        return found

    def former_tenures(self, game: Game, account: Account | None) -> tuple[Tenure, ...]:
        """Return the tenures of *account* in *game* that have ended, in order."""
        claims = dict(enumerate(held.claim for held in game.past if held.claim is not None))
        if account is None or not claims:
            return ()
        held = self.holders_of_games({game.id: claims}).get(game.id, {})
        mine = {claims[number] for number, holder in held.items() if holder.id == account.id}
        return tuple(held for held in game.past if held.claim in mine)

    @retry_on_disconnect
    def list_claimed_seats(self, game_id: str, account: Account) -> list[Seat]:
        """Return the seats that *account* has ever claimed in a game, even where no event names the claim."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT DISTINCT seat FROM seat_claim"
                " WHERE account_id = %s AND game_id = %s AND seat >= 0 ORDER BY seat",
                (account.id, game_id),
            ).fetchall()
        return [seat for (seat,) in rows]

    @retry_on_disconnect
    def owner(self, game: Game) -> str | None:
        """Return the id of the account that made a game; None if it is not known."""
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT account_id::text FROM seat_claim WHERE game_id = %s AND claim = %s AND seat = %s",
                (game.id, game.opened, OWNER_SEAT),
            ).fetchone()
        return row[0] if row else None

    @retry_on_disconnect
    def claim_key(self) -> bytes:
        """Return the claim key of this installation; make it when it is first needed."""
        if self._key is None:
            with self._pool.connection() as connection:
                connection.execute(
                    "INSERT INTO es.service (claim_key) VALUES (%s) ON CONFLICT DO NOTHING", (os.urandom(32),)
                )
                row = connection.execute("SELECT claim_key FROM es.service").fetchone()
            assert row is not None  # noqa: S101 - inserted
            self._key = bytes(row[0])
        return self._key


def get_own_seats(holders: Holders, account: Account | None) -> tuple[Seat, ...]:
    """Return the seats that *account* holds."""
    if account is None:
        return ()
    return tuple(sorted([seat for seat, holder in holders.items() if holder.id == account.id]))


def make_viewer(holders: Holders, account: Account | None, asked: Seat | str | None = None) -> Viewer:
    """Return the viewer: at the seat *asked* for (``"spectator"``: none), else at their lowest seat.

    Raises :class:`ForeignSeat` for a seat that the account does not hold.
    """
    own = get_own_seats(holders, account)
    if asked == "spectator":
        return Viewer(account, own, None)
    if asked is None:
        return Viewer(account, own, own[0] if own else None)
    if asked not in own:
        raise ForeignSeat(own)
    return Viewer(account, own, int(asked))


class ForeignSeat(StoreError):
    """The seat asked for is not the account's."""

    def __init__(self, own: tuple[Seat, ...]) -> None:
        yours = (
            f"Send one of: {', '.join(map(str, own))}."
            if own
            else "You hold no seat in this game; leave `seat` out."
        )
        super().__init__("not_your_seat", f"This seat is not yours. {yours}")


class MissingSeat(StoreError):
    """An account without a seat wants to act."""

    def __init__(self) -> None:
        super().__init__(
            "not_a_player", "You hold no seat in this game. Take one with POST .../join while it is open."
        )
