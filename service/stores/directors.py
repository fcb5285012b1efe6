"""Directors of tables: the accounts behind the names that the log has for them."""

from __future__ import annotations

from collections.abc import Sequence

from events.rules.fact import Seat
from events.store.event_log import Pool
from events.table.game import Game
from service.base.database import retry_on_disconnect
from service.base.people import Account
from service.base.store_error import StoreError
from service.stores.clubs import Clubs
from service.stores.seat_claims import SeatClaims

OWNER_NAME = "d0"
"""The name in the log of the maker of a table, who directs it where no directors are named."""


class TableDirectors:
    """The directors of tables, in the database."""

    def __init__(self, pool: Pool, seats: SeatClaims, clubs: Clubs) -> None:
        self._pool = pool
        self._seats = seats
        self._clubs = clubs

    @retry_on_disconnect
    def find_unknown_accounts(self, accounts: Sequence[str]) -> list[str]:
        """Return those of the ids *accounts* that belong to no account."""
        if not accounts:
            return []
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT id::text FROM account WHERE id = ANY(%s)", (list(accounts),)
            ).fetchall()
        known = {account for (account,) in rows}
        return [account for account in accounts if account not in known]

    @retry_on_disconnect
    def appoint(self, game_id: str, claim: str, accounts: Sequence[str]) -> None:
        """Store the directors d1, d2, ... of the game that an event of the command id *claim* will open."""
        if accounts:
            with self._pool.connection() as connection:
                connection.execute(
                    "INSERT INTO game_director (game_id, claim, director, account_id)"
                    " SELECT %s, %s, number, account"
                    " FROM unnest(%s::uuid[]) WITH ORDINALITY d (account, number)"
                    " ON CONFLICT DO NOTHING",
                    (game_id, claim, list(accounts)),
                )

    def find_director_name(self, game: Game, account: Account) -> str | None:
        """Return the name in the log of *account* as a director of *game*; None if it is no director.

        Owners and managers of the club that the game belongs to direct it as well.
        """
        named = self._find_name(game, account)
        if named is not None:
            return named
        place = self._clubs.find_position(game, account)
        if place is None or place.role == "member":
            return None
        return OWNER_NAME if place.director is None else f"d{place.director}"

    def _find_name(self, game: Game, account: Account) -> str | None:
        if game.directors is None:
            return OWNER_NAME if self._seats.owner(game) == account.id else None
        return self._find_appointed(game, account)

    @retry_on_disconnect
    def _find_appointed(self, game: Game, account: Account) -> str | None:
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT min(director) FROM game_director"
                " WHERE game_id = %s AND claim = %s AND account_id = %s",
                (game.id, game.opened, account.id),
            ).fetchone()
        return f"d{row[0]}" if row and row[0] is not None else None

    def require_director_name(
        self, game: Game, account: Account, own: Sequence[Seat], *, removing: bool
    ) -> str:
        """Return the name under which *account*, with the seats *own*, directs *game*.

        Nobody directs a game that they play themselves. The maker of a table without directors may before it
        begins; until then any maker may remove players (*removing*). Raises StoreError: `not_a_director`,
        `own_table`.
        """
        waiting = game.status == "open" and self._seats.owner(game) == account.id
        if waiting and removing:
            return OWNER_NAME
        name = self.find_director_name(game, account)
        if name is None:
            raise StoreError("not_a_director", "Only a director of this game may do that. Ask one of them.")
        if own and not (waiting and name == OWNER_NAME):
            raise StoreError(
                "own_table",
                "You play in this game yourself, so you cannot direct it. Ask another director.",
            )
        return name
