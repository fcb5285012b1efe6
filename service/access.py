"""Which games are not for everybody: rows beside the log, as claims to seats are."""

from __future__ import annotations

import time
from typing import Literal

from events.game import Game
from events.log import Pool
from events.recent import Recent
from service.pool import patient

Visibility = Literal["public", "unlisted", "private"]
"""For everybody; for whoever knows the id; for those who have to do with it."""
KEPT_FOR = 1.0
"""Seconds after which a game that was narrowed elsewhere is narrow here."""
WIDTH: tuple[Visibility, ...] = ("private", "unlisted", "public")
"""The narrowest first."""


class Access:
    """The visibility of games, in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._kept: Recent[tuple[float, Visibility]] = Recent(5000)

    def of(self, game: Game) -> Visibility:
        """How visible a game is now."""
        kept = self._kept.get((game.id, game.opened))
        if kept is not None and kept[0] > time.monotonic():
            return kept[1]
        found = self._of(game)
        self._kept.put((game.id, game.opened), (time.monotonic() + KEPT_FOR, found))
        return found

    @patient
    def _of(self, game: Game) -> Visibility:
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT visibility FROM game_access WHERE game_id = %s AND claim = %s", (game.id, game.opened)
            ).fetchone()
        return row[0] if row else "public"

    @patient
    def settle(self, game_id: str, claim: str, visibility: Visibility) -> None:
        """The game that an event of the command id *claim* opens, or has opened, is that visible."""
        if visibility == "public":
            return
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO game_access (game_id, claim, visibility) VALUES (%s, %s, %s)"
                " ON CONFLICT (game_id, claim) DO UPDATE SET visibility = excluded.visibility",
                (game_id, claim, visibility),
            )
        self._kept.forget((game_id, claim))
