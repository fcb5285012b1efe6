"""The machines of a Citus cluster: those that do not answer, and the number of game shards on them.

A machine that is down stops its own games only. Where the database is one machine nothing is asked.
"""

from __future__ import annotations

from typing import LiteralString

import msgspec
import psycopg

from events.store.event_log import Pool
from projections.base.background_check import BackgroundCheck

LOOK_SECONDS = 10.0
"""Seconds between two looks at the machines while anyone wants to know."""
WAIT_SECONDS = 1.5
"""Seconds for which a caller waits for a look that is under way."""
ANSWER_SECONDS = 3
"""Seconds in which a machine has to answer the coordinator."""

_HAS_NODES = "SELECT to_regclass('pg_dist_node') IS NOT NULL"
_NODES: LiteralString = (
    "SELECT n.nodename, n.nodeport, count(*) FROM pg_dist_shard s"
    " JOIN pg_dist_placement p ON p.shardid = s.shardid"
    " JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'"
    " WHERE s.logicalrelid = 'es.event'::regclass GROUP BY n.nodename, n.nodeport"
    " ORDER BY n.nodename, n.nodeport"
)
_ANSWERS = "SELECT citus_check_connection_to_node(%s, %s)"


class UnreachableNodes(msgspec.Struct, frozen=True):
    """The findings of the newest look."""

    nodes: tuple[str, ...] = ()
    """The machines that do not answer, `HOST:PORT` each."""
    shards: int = 0
    """The number of shards of the events that lie on them."""
    all_shards: int = 0


class ClusterNodes:
    """The machines behind *pool*. Safe for many threads."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._looks = BackgroundCheck("machines of the database", self.look)
        self._away = UnreachableNodes()

    def find_unreachable(self, *, now: bool = False) -> UnreachableNodes:
        """Return the machines that do not answer, as it was found a moment ago; *now*: look again first."""
        self._looks.start_if_due(0.0 if now else LOOK_SECONDS)
        self._looks.wait(WAIT_SECONDS + ANSWER_SECONDS if now else WAIT_SECONDS)
        return self._away

    def look(self) -> None:
        """Ask each machine that holds events."""
        with self._pool.connection() as connection:
            spread = connection.execute(_HAS_NODES).fetchone()
            nodes = connection.execute(_NODES).fetchall() if spread and spread[0] else []
        silent = [node for node in nodes if not self._answers(node[0], node[1])]
        self._away = UnreachableNodes(
            tuple(f"{name}:{port}" for name, port, _ in silent),
            sum(shards for _, _, shards in silent),
            sum(shards for _, _, shards in nodes),
        )

    def _answers(self, name: str, port: int) -> bool:
        try:
            with self._pool.connection() as connection, connection.transaction():
                connection.execute(f"SET LOCAL statement_timeout = '{ANSWER_SECONDS}s'")
                row = connection.execute(_ANSWERS, (name, port)).fetchone()
        except psycopg.OperationalError:  # it took too long, among others
            return False
        return bool(row and row[0])
