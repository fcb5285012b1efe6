"""Reserved seats: for an account, or for bearers of an invitation. For the log they are open."""

from __future__ import annotations

from collections.abc import Mapping

from events.rules.fact import Seat
from events.store.event_log import Pool
from events.table.game import Game
from service.base.database import retry_on_disconnect

ReservedSeats = Mapping[Seat, str | None]
"""The only account that may take each seat; None: anybody with an invitation."""


class SeatReservations:
    """The reservations of seats of open games for accounts, in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def reserve(self, game_id: str, claim: str, kept: ReservedSeats) -> None:
        """Store the reserved seats of the game that an event of the command id *claim* will open."""
        if not kept:
            return
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO seat_reservation (game_id, claim, seat, account_id)"
                " SELECT %s, %s, seat, account FROM unnest(%s::smallint[], %s::uuid[]) kept (seat, account)"
                " ON CONFLICT DO NOTHING",
                (game_id, claim, list(kept), list(kept.values())),
            )

    @retry_on_disconnect
    def get(self, game: Game) -> ReservedSeats:
        """Return the reserved seats of *game*, in order, including those taken meanwhile."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT seat, account_id::text FROM seat_reservation"
                " WHERE game_id = %s AND claim = %s ORDER BY seat",
                (game.id, game.opened),
            ).fetchall()
        return dict(rows)
