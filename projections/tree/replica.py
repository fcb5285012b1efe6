"""A copy of the database for old events: whether it is one, and how far it has come.

The copy is asked now and then for its newest signed tree. Where the database holds that tree as well, both
agree in every event of it. A copy with another tree may have been left behind when another server took over,
and gone on by itself. Or it is of another log altogether.
"""

from __future__ import annotations

import time
from enum import Enum
from typing import Any, LiteralString

import msgspec
import psycopg
import structlog

from events.store.event_log import Pool
from events.store.replica import AgreedTree
from projections.base.background_check import BackgroundCheck

LOOK_SECONDS = 5.0
"""Seconds between two looks at both.

The request that finds a look due starts it, beside itself: no request waits for that.
"""
OVERDUE_SECONDS = 1.5
"""Seconds after which a copy that does not answer counts as away."""
BEHIND_SECONDS = 60.0
"""Seconds for which a copy may lack something before it is told of."""
AGAIN_SECONDS = 0.5
"""Seconds after which a database that seems to lack what the copy has is asked again.

A replica may show a commit a moment before the database does.
"""

log = structlog.get_logger()

_COPY: LiteralString = (
    "SELECT s.claim_key, s.origin, c.size, c.root FROM es.service s"
    " LEFT JOIN (SELECT size, root FROM es.checkpoint ORDER BY size DESC LIMIT 1) c ON true"
)
_NEWEST: LiteralString = (
    "SELECT s.claim_key, s.origin, (SELECT root FROM es.checkpoint WHERE size = %(size)s),"
    " (SELECT extract(epoch FROM clock_timestamp() - made)::float8 FROM es.checkpoint"
    " WHERE size > %(size)s ORDER BY size LIMIT 1) FROM es.service s"
)


class ReplicaState(Enum):
    """The state of a copy."""

    UNKNOWN = "not asked yet"
    GOOD = "good"
    AWAY = "away"
    BEHIND = "far behind"
    OTHER = "of another log"


class ReplicaStatus(msgspec.Struct, frozen=True):
    """The findings of the newest look at a copy."""

    state: ReplicaState
    agreed: AgreedTree | None = None
    behind: float = 0.0
    """Seconds for which it has lacked something that the database has."""


AWAY = ReplicaStatus(ReplicaState.AWAY)
OTHER = ReplicaStatus(ReplicaState.OTHER)


class Replica:
    """A copy of the database *newest*, to which the connections of *pool* lead. Safe for many threads."""

    def __init__(self, pool: Pool, newest: Pool) -> None:
        self.pool = pool
        self._newest = newest
        self._looks = BackgroundCheck("copy of the database", self.look)
        self._found = ReplicaStatus(ReplicaState.UNKNOWN)

    def get_agreed_tree(self) -> AgreedTree | None:
        """Return the tree up to which the copy may be read; None where it may not."""
        self._looks.start_if_due(LOOK_SECONDS)
        return None if self._looks.is_overdue(OVERDUE_SECONDS) else self._found.agreed

    def get_status(self) -> ReplicaStatus:
        """Return the state of the copy; wait a moment for its answer where it is being asked."""
        self._looks.start_if_due(LOOK_SECONDS)
        return self._found if self._looks.wait(OVERDUE_SECONDS) else AWAY

    def report_failure(self, error: Exception) -> None:
        """Report that a reader got no answer: nobody asks until the copy has answered to a look."""
        self._tell(AWAY, error)

    def look(self) -> None:
        """Ask both, and keep what they say; psycopg's errors where the database itself cannot be had."""
        self._looks.mark_begun()
        try:
            with self.pool.connection() as connection:
                copy = connection.execute(_COPY).fetchone()
        except psycopg.Error as error:
            if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.InvalidSchemaName):
                self._tell(OTHER)  # no log at all
            else:
                self._tell(AWAY, error)
            return
        found = self._compare(copy)
        if found is OTHER:
            time.sleep(AGAIN_SECONDS)
            found = self._compare(copy)
        self._tell(found)

    def _compare(self, copy: tuple[Any, ...] | None) -> ReplicaStatus:
        """Compare what the copy said with what the database says."""
        size = -1 if copy is None or copy[2] is None else int(copy[2])
        with self._newest.connection() as connection:
            newest = connection.execute(_NEWEST, {"size": size}).fetchone()
        if newest is None:
            return ReplicaStatus(ReplicaState.UNKNOWN)  # nobody has played yet
        if copy is None or copy[:2] != newest[:2]:
            return OTHER
        behind = max(0.0, newest[3] or 0.0)
        state = ReplicaState.BEHIND if behind > BEHIND_SECONDS else ReplicaState.GOOD
        if size < 0:
            return ReplicaStatus(state, None, behind)
        root = bytes(copy[3])
        return ReplicaStatus(state, AgreedTree(size, root), behind) if newest[2] == root else OTHER

    def _tell(self, found: ReplicaStatus, error: Exception | None = None) -> None:
        before, self._found = self._found.state, found
        if found.state is not before:
            tell = log.info if found.state is ReplicaState.GOOD else log.warning
            more = {} if error is None else {"error": type(error).__name__}
            tell("copy", state=found.state.value, was=before.value, **more)
