"""Games without people who act: a table whose seats are not taken in time, a game where nothing happens."""

from __future__ import annotations

from typing import ClassVar

from events.absences import abandoned
from events.engine import Batch
from events.game import Game
from events.moments import DAY_MS, later
from events.proof import Keys
from events.record import SYSTEM, Actor
from events.steps import Command, Rejected
from events.table import Reason
from events.table_roles import not_ended

DESERTED_MS = 210 * DAY_MS
"""After which a game without a clock in which nothing happens is abandoned."""
LEAST_MS = 5_000
"""How far ahead it is at the least that a table expires."""
OPEN_MS = 14 * DAY_MS
LIVE_MS = 3_600_000
"""How long a table waits for its seats to be taken where it says nothing else; a live one less."""


class TableExpire(Command, frozen=True):
    """Abandon a game that waited for people in vain."""

    house: ClassVar[bool] = True


def expires(game: Game) -> tuple[Reason, str] | None:
    """Why and when the house abandons *game* if nothing happens; None where it never does."""
    if game.status == "open":
        waits = game.expires_at is not None and not all(sits.taken for sits in game.seats)
        return ("not_filled", game.expires_at) if waits and game.expires_at else None
    if game.status == "running" and game.clock is None and game.paused is None:
        return "deserted", later(game.at, DESERTED_MS)
    return None


def expire(game: Game, _actor: Actor, _command: TableExpire, at: str, keys: Keys) -> Batch:
    """The house abandons a game whose time is up. Raises :class:`Rejected`."""
    not_ended(game)
    found = expires(game)
    if found is None or at < found[1]:
        when = f"before {found[1]}" if found else "as it is"
        raise Rejected("not_due", f"This game is not abandoned {when}.")
    return Batch([abandoned(found[0], SYSTEM, keys)])
