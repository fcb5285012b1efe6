"""Games on their way into the archive: what comes before, and the command's work without its words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from events.base.timestamps import add_milliseconds
from events.store.connection import connect
from events.store.event_log import EventLog
from events.store.signing_keys import Keyring
from events.store.stream_writer import utc_now
from ops.database.game_archive import find_archivable_games, open_archiver
from projections import ratings
from projections.runner import Runner
from projections.tree.grower import Grower


def follow(log: EventLog, keyring: Keyring) -> None:
    """Everything that follows the log comes to its end, as the dispatcher sees to it."""
    while log.sequence() > 0:
        pass
    runner = Runner(log)
    while runner.step():
        pass
    Grower(log.pool, keyring, None).run()
    while ratings.follow_log(log):
        pass


def long_ago() -> str:
    """A time as events record it, so long ago that a game which ended then may be archived."""
    return add_milliseconds(utc_now(), -40 * 86_400_000)


def tomorrow() -> datetime:
    """By then all games have ended that have ended now."""
    return datetime.now(UTC) + timedelta(days=1)


def run_archiver(url, seeds, folder, only=None):
    """Archive what has ended by now; only these games, where any are named."""
    with connect(url, autocommit=True) as connection:
        games = [
            one for one in find_archivable_games(connection, tomorrow()) if only is None or one.game in only
        ]
    with open_archiver(url, seeds, folder) as work:
        return work.run(games)
