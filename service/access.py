"""Which games are not for everybody: rows beside the log, as claims to seats are."""

from __future__ import annotations

import time
from typing import Literal, Protocol

from events.base.lru_cache import LruCache
from events.store.event_log import Pool
from service.pool import patient
from service.together import Together

Visibility = Literal["public", "unlisted", "private"]
"""For everybody; for whoever knows the id; for those who have to do with it."""
Kept = Visibility | Literal["hidden"]
"""What is kept of it: of what was put away nobody knows any more, though its log stands."""
KEPT_FOR = 1.0
"""Seconds after which a game that was narrowed elsewhere is narrow here."""
WIDTH: tuple[Visibility, ...] = ("private", "unlisted", "public")
"""The narrowest first."""
_WIDTH: tuple[Kept, ...] = ("hidden", *WIDTH)


class Opened(Protocol):
    """A stream, of which rows beside the log tell: a game or a tournament."""

    @property
    def id(self) -> str:
        """Of the stream."""
        ...

    @property
    def opened(self) -> str:
        """The command id of its first event."""
        ...


class Access:
    """The visibility of games and tournaments, in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._kept: LruCache[tuple[float, Kept]] = LruCache(5000)
        self._asking: Together[Kept] = Together()

    def of(self, game: Opened) -> Visibility:
        """How visible a game is now: one that is gone is private to whoever has got hold of it before."""
        found = self._of(game)
        return "private" if found == "hidden" else found

    def gone(self, game: Opened) -> bool:
        """Whether a game has been put away: then there is none for anybody."""
        return self._of(game) == "hidden"

    def _of(self, game: Opened) -> Kept:
        kept = self._kept.get((game.id, game.opened))
        if kept is not None and kept[0] > time.monotonic():
            return kept[1]
        found = self._asking.ask((game.id, game.opened), lambda: self._row(game))
        self._kept.put((game.id, game.opened), (time.monotonic() + KEPT_FOR, found))
        return found

    @patient
    def _row(self, game: Opened) -> Kept:
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT visibility FROM game_access WHERE game_id = %s AND claim = %s", (game.id, game.opened)
            ).fetchone()
        return row[0] if row else "public"

    @patient
    def settle(self, game_id: str, claim: str, visibility: Kept) -> None:
        """The game that an event of the command id *claim* opened, or will open, is that visible at most.

        `hidden` puts it away, for everybody and for good.
        """
        if visibility == "public":
            return
        wider = list(_WIDTH[_WIDTH.index(visibility) + 1 :])  # of two at once the narrower counts
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO game_access (game_id, claim, visibility) VALUES (%(game)s, %(claim)s, %(kept)s)"
                " ON CONFLICT (game_id, claim) DO UPDATE SET visibility = excluded.visibility"
                " WHERE game_access.visibility = ANY(%(wider)s)",
                {"game": game_id, "claim": claim, "kept": visibility, "wider": wider},
            )
        self._kept.forget((game_id, claim))
