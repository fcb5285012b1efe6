"""The visibility of games that are not public: rows beside the log, as claims to seats are."""

from __future__ import annotations

import time
from typing import Literal, Protocol

from events.base.bounded_cache import BoundedCache
from events.store.event_log import Pool
from service.base.database import retry_on_disconnect
from service.base.single_flight import SingleFlight
from service.base.visibility import VISIBILITIES, Visibility

StoredVisibility = Visibility | Literal["hidden"]
"""A stored visibility; `hidden` means put away: nobody sees the game any more, though its log stands."""
CACHE_SECONDS = 1.0
"""Seconds after which this process knows that a game was narrowed by another."""
_STORED_VISIBILITIES: tuple[StoredVisibility, ...] = ("hidden", *VISIBILITIES)


class GameOrTournament(Protocol):
    """A stream that rows beside the log describe: a game or a tournament."""

    @property
    def id(self) -> str:
        """The id of the stream."""
        ...

    @property
    def opened(self) -> str:
        """The command id of its first event."""
        ...


class StreamVisibility:
    """The visibility of games and tournaments, in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._cache: BoundedCache[tuple[float, StoredVisibility]] = BoundedCache(5000)
        self._asking: SingleFlight[StoredVisibility] = SingleFlight()

    def get(self, game: GameOrTournament) -> Visibility:
        """Return the visibility of a game now; a hidden one is private for those who have loaded it."""
        found = self.get_stored(game)
        return "private" if found == "hidden" else found

    def is_hidden(self, game: GameOrTournament) -> bool:
        """Return True if a game has been put away, so that it exists for nobody."""
        return self.get_stored(game) == "hidden"

    def get_stored(self, game: GameOrTournament) -> StoredVisibility:
        """Return the visibility of a game now as it is stored, `hidden` among them."""
        cached = self._cache.get((game.id, game.opened))
        if cached is not None and cached[0] > time.monotonic():
            return cached[1]
        found = self._asking.do((game.id, game.opened), lambda: self._read_row(game))
        self._cache.put((game.id, game.opened), (time.monotonic() + CACHE_SECONDS, found))
        return found

    @retry_on_disconnect
    def _read_row(self, game: GameOrTournament) -> StoredVisibility:
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT visibility FROM game_access WHERE game_id = %s AND claim = %s", (game.id, game.opened)
            ).fetchone()
        return row[0] if row else "public"

    @retry_on_disconnect
    def narrow(self, game_id: str, claim: str, visibility: StoredVisibility) -> None:
        """Narrow to *visibility* the game that an event of the command id *claim* opened, or will open.

        `hidden` puts it away, for everybody and for good.
        """
        if visibility == "public":
            return
        wider = list(
            _STORED_VISIBILITIES[_STORED_VISIBILITIES.index(visibility) + 1 :]
        )  # of two at once the narrower counts
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO game_access (game_id, claim, visibility) VALUES (%(game)s, %(claim)s, %(kept)s)"
                " ON CONFLICT (game_id, claim) DO UPDATE SET visibility = excluded.visibility"
                " WHERE game_access.visibility = ANY(%(wider)s)",
                {"game": game_id, "claim": claim, "kept": visibility, "wider": wider},
            )
        self._cache.forget((game_id, claim))
