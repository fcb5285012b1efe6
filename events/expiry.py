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
from events.table_facts import TableWarned
from events.table_roles import not_ended

IDLE_MS = 180 * DAY_MS
"""After which those at a table are told that nothing happens in their game, where no time is counted."""
GRACE_MS = 30 * DAY_MS
"""After which the game is abandoned then."""
LEAST_MS = 5_000
"""How far ahead it is at the least that a table expires."""
OPEN_MS = 14 * DAY_MS
UNLISTED_MS = 180 * DAY_MS
LIVE_MS = 3_600_000
"""How long a table waits for its seats to be taken where it says nothing else: one that is listed for
everybody, one that is not, and one of a tournament that is played at one sitting."""


class TableWarn(Command, frozen=True):
    """Tell those at a table that it is given up if nothing happens any more."""

    house: ClassVar[bool] = True


class TableExpire(Command, frozen=True):
    """Abandon a game that waited for people in vain."""

    house: ClassVar[bool] = True


def warns(game: Game) -> str | None:
    """When those at the table are told that nothing happens; None where they need not, or were told."""
    if game.status != "running" or game.clock is not None or game.paused is not None or game.warned:
        return None
    return later(game.at, IDLE_MS)


def warn(game: Game, _actor: Actor, _command: TableWarn, at: str, _keys: Keys) -> Batch:
    """The house tells those at the table. Raises :class:`Rejected`.

    A game of a tournament is never given up so: its directors are told.
    """
    not_ended(game)
    due = warns(game)
    if due is None or at < due:
        raise Rejected("not_due", f"Nobody is to be told {f'before {due}' if due else 'as it is'}.")
    return Batch([TableWarned(None if game.tournament else later(at, GRACE_MS))])


def expires(game: Game) -> tuple[Reason, str] | None:
    """Why and when the house abandons *game* if nothing happens; None where it never does."""
    if game.status == "open":
        waits = game.expires_at is not None and not all(sits.taken for sits in game.seats)
        return ("not_filled", game.expires_at) if waits and game.expires_at else None
    if game.status == "running" and game.warned is not None:
        return "deserted", game.warned
    return None


def expire(game: Game, _actor: Actor, _command: TableExpire, at: str, keys: Keys) -> Batch:
    """The house abandons a game whose time is up. Raises :class:`Rejected`."""
    not_ended(game)
    found = expires(game)
    if found is None or at < found[1]:
        when = f"before {found[1]}" if found else "as it is"
        raise Rejected("not_due", f"This game is not abandoned {when}.")
    return Batch([abandoned(found[0], SYSTEM, keys)])
