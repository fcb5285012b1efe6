"""Games without people who act: a table whose seats stay open, a game where nothing happens."""

from __future__ import annotations

from typing import ClassVar

from events.base.timestamps import DAY_MS, add_milliseconds
from events.proof.randomness import Keys
from events.rules.steps import Command, Rejected
from events.table.commands.checks import require_not_ended
from events.table.conduct_facts import TableWarned
from events.table.engine import Batch
from events.table.game import Game
from events.table.lifecycle_facts import AbandonReason
from events.table.record import SYSTEM, Actor
from events.table.vacancies import abandon_game

IDLE_MS = 180 * DAY_MS
"""The idle time, without a clock, after which those at a table are told that nothing happens."""
GRACE_MS = 30 * DAY_MS
"""The time from that warning until the game is abandoned."""
MIN_EXPIRY_MS = 5_000
"""The least time ahead for a table to expire."""
OPEN_TABLE_MS = 14 * DAY_MS
UNLISTED_TABLE_MS = 180 * DAY_MS
LIVE_TABLE_MS = 3_600_000
"""The times that a table waits for its seats to be taken where it says nothing else.

One is for a table that is listed for everybody, one for a table that is not. The last is for a table of a
tournament that is played at one sitting.
"""


class TableWarn(Command, frozen=True):
    """Tell those at a table that it is given up if nothing happens any more."""

    house: ClassVar[bool] = True


class TableExpire(Command, frozen=True):
    """Abandon a game that waited for people in vain."""

    house: ClassVar[bool] = True


def warning_due(game: Game) -> str | None:
    """Return the time at which those at the table are told that nothing happens; None if not, or told."""
    if game.status != "running" or game.clock is not None or game.paused is not None or game.warned:
        return None
    return add_milliseconds(game.at, IDLE_MS)


def warn(game: Game, _actor: Actor, _command: TableWarn, at: str, _keys: Keys) -> Batch:
    """Decide that the server tells those at the table. Raises :class:`Rejected`.

    A game of a tournament is never given up so: its directors are told.
    """
    require_not_ended(game)
    due = warning_due(game)
    if due is None or at < due:
        raise Rejected(
            "not_due",
            f"No warning is due {f'before {due}' if due else 'in this game'}. Nothing needs to be done.",
        )
    return Batch([TableWarned(None if game.tournament else add_milliseconds(at, GRACE_MS))])


def expiry_due(game: Game) -> tuple[AbandonReason, str] | None:
    """Return the reason and time at which the server abandons *game* if nothing happens; None if never."""
    if game.status == "open":
        waits = game.expires_at is not None and not all(sits.taken for sits in game.seats)
        return ("not_filled", game.expires_at) if waits and game.expires_at else None
    if game.status == "running" and game.warned is not None:
        return "deserted", game.warned
    return None


def expire(game: Game, _actor: Actor, _command: TableExpire, at: str, keys: Keys) -> Batch:
    """Decide that the server abandons a game whose time is up. Raises :class:`Rejected`."""
    require_not_ended(game)
    found = expiry_due(game)
    if found is None or at < found[1]:
        when = f"before {found[1]}" if found else "in its present state"
        raise Rejected("not_due", f"This game is not abandoned {when}. Nothing needs to be done.")
    return Batch([abandon_game(found[0], SYSTEM, keys)])
