"""Who sits where: the rows that tie a seat, which is all that the log knows, to an account."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

import msgspec

from events.fact import Seat
from events.game import Game
from events.log import Pool
from events.recent import Recent
from service.accounts import Account
from service.pool import patient
from service.wire.problems import Problem

KEPT_FOR = 60.0
"""Seconds that the seats of a game that has begun are kept in memory; only an erased account changes them."""

Holders = Mapping[Seat, Account]


class Viewer(msgspec.Struct, frozen=True):
    """Through whose eyes a game is looked at."""

    account: Account | None
    mine: tuple[Seat, ...]
    """The seats that this account holds, in order."""
    seat: Seat | None
    """The one that looks; None for a spectator."""


class Seats:
    """Who holds which seat, in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._kept: Recent[tuple[float, Holders]] = Recent(5000)

    def holders(self, game: Game) -> Holders:
        """The accounts at the seats of *game*."""
        # Rows stand before the events that take the seats, so once a game has begun all rows are there.
        settled = game.status != "open"
        if settled:
            kept = self._kept.get(game.id)
            if kept is not None and kept[0] > time.monotonic():
                return kept[1]
        found = self.of_games([game.id]).get(game.id, {})
        if settled:
            self._kept.put(game.id, (time.monotonic() + KEPT_FOR, found))
        return found

    @patient
    def of_games(self, game_ids: Iterable[str]) -> dict[str, dict[Seat, Account]]:
        """The accounts at the seats of several games."""
        found: dict[str, dict[Seat, Account]] = {}
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT s.game_id::text, s.seat, a.id::text, a.name"
                " FROM seat s JOIN account a ON a.id = s.account_id"
                " WHERE s.game_id = ANY(%s) ORDER BY s.seat",
                (list(game_ids),),
            ).fetchall()
        for game_id, seat, account_id, name in rows:
            found.setdefault(game_id, {})[seat] = Account(account_id, name)
        return found

    @patient
    def claim(self, game_id: str, seat: Seat, account: Account) -> bool:
        """Write down that *account* sits there; whether it does now. First come, first served.

        A row of the same account that an interrupted request left behind is taken over.
        """
        with self._pool.connection() as connection:
            row = connection.execute(
                "INSERT INTO seat (game_id, seat, account_id) VALUES (%s,%s,%s)"
                " ON CONFLICT (game_id, seat) DO UPDATE SET account_id = seat.account_id"
                " RETURNING account_id::text",
                (game_id, seat, account.id),
            ).fetchone()
        return row is not None and row[0] == account.id

    @patient
    def release(self, game_id: str, seat: Seat, account: Account) -> None:
        """Take the row back: the log refused the seat."""
        with self._pool.connection() as connection:
            connection.execute(
                "DELETE FROM seat WHERE game_id = %s AND seat = %s AND account_id = %s",
                (game_id, seat, account.id),
            )

    @patient
    def found(self, game_id: str, account: Account, seats: Iterable[Seat]) -> None:
        """Write down the creator of a game and the seats that he takes."""
        with self._pool.connection() as connection, connection.transaction():
            connection.execute(
                "INSERT INTO game_owner (game_id, account_id) VALUES (%s,%s) ON CONFLICT DO NOTHING",
                (game_id, account.id),
            )
            for seat in seats:
                connection.execute(
                    "INSERT INTO seat (game_id, seat, account_id) VALUES (%s,%s,%s) ON CONFLICT DO NOTHING",
                    (game_id, seat, account.id),
                )

    @patient
    def dissolve(self, game_id: str) -> None:
        """Forget the rows of a game that did not come to be."""
        with self._pool.connection() as connection, connection.transaction():
            connection.execute("DELETE FROM seat WHERE game_id = %s", (game_id,))
            connection.execute("DELETE FROM game_owner WHERE game_id = %s", (game_id,))

    @patient
    def owner(self, game_id: str) -> str | None:
        """The id of the account that created a game."""
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT account_id::text FROM game_owner WHERE game_id = %s", (game_id,)
            ).fetchone()
        return row[0] if row else None


def mine(game: Game, holders: Holders, account: Account | None) -> tuple[Seat, ...]:
    """The seats of *account* in *game*, as far as the log has them taken."""
    if account is None:
        return ()
    return tuple(
        seat
        for seat, holder in sorted(holders.items())
        if holder.id == account.id
        and seat < len(game.seats)
        and game.seats[seat].taken
        and not game.seats[seat].bot
    )


def viewer(game: Game, holders: Holders, account: Account | None, asked: Seat | str | None) -> Viewer:
    """Who looks: the seat *asked* for (``"spectator"`` for nobody), else the lowest of one's own.

    Raises a 403 problem for a seat that is not one's own.
    """
    own = mine(game, holders, account)
    if asked == "spectator":
        return Viewer(account, own, None)
    if asked is None:
        return Viewer(account, own, own[0] if own else None)
    if asked not in own:
        raise not_your_seat(own)
    return Viewer(account, own, int(asked))


def not_your_seat(own: tuple[Seat, ...]) -> Problem:
    """Somebody asks for what another seat may know or do."""
    yours = f"Yours: {', '.join(map(str, own))}." if own else "You hold none in this game."
    return Problem(403, "not_your_seat", f"You may use your own seats only. {yours}")


def not_a_player() -> Problem:
    """Somebody without a seat wants to act."""
    return Problem(
        403, "not_a_player", "You hold no seat in this game. POST .../join takes one while it is open."
    )
