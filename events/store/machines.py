"""The machines of a cluster that do not answer: nobody waits for one of which that is known.

A machine that refuses is noticed at once. One that is frozen takes what it is sent and says nothing, and each
statement that asks it would wait until its time is over, with a thread and a connection that the games of
other machines need. So after a statement that failed all machines are looked at. While one of them is silent
its games are refused without asking it, and it is looked at again and again. Where the database is one
machine there is nothing to look at.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, LiteralString

import msgspec
import structlog
from psycopg import Connection, OperationalError
from psycopg.errors import ProtocolViolation
from psycopg_pool import ConnectionPool, PoolTimeout

from events.base.settings import RUTTER_CLUSTER_DIRECT
from events.store.connection import NodeAway, TimeoutConnection, limit_answers
from events.store.direct_pools import DirectPools

LOOK_AGAIN_SECONDS = 1.0
"""Seconds between two looks while a machine is silent, or after statements that failed."""
ANSWER_SECONDS = 3
"""Seconds in which a machine has to answer the coordinator."""
CONNECT_SECONDS = 2
"""Seconds in which the coordinator itself has to be reached for that."""

_HAS_NODES = "SELECT to_regclass('pg_dist_node') IS NOT NULL"
_NODES: LiteralString = (
    "SELECT n.nodename, n.nodeport, n.groupid, count(*) FROM pg_dist_shard s"
    " JOIN pg_dist_placement p ON p.shardid = s.shardid"
    " JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'"
    " WHERE s.logicalrelid = 'es.event'::regclass GROUP BY n.nodename, n.nodeport, n.groupid"
    " ORDER BY n.nodename, n.nodeport"
)
_ANSWERS = "SELECT citus_check_connection_to_node(%s, %s)"
_GAMES_OF_GROUPS = (
    "SELECT wanted.id::text FROM unnest(%s::uuid[]) AS wanted (id) JOIN pg_dist_placement p"
    " ON p.shardid = get_shard_id_for_distribution_column('es.event', wanted.id) WHERE p.groupid = ANY (%s)"
)
"""The query for those of some games that lie on machines of these groups. It asks the coordinator alone."""

log = structlog.get_logger()


class Machine(msgspec.Struct, frozen=True):
    """A machine of the cluster that holds events."""

    name: str
    port: int
    group: int
    """Its number, by which Citus says where a shard lies."""
    shards: int
    """The number of shards of the events that lie on it."""


class Machines:
    """The machines behind *pool*, as one process knows them. Safe for many threads."""

    def __init__(self, pool: ConnectionPool[Connection[tuple[Any, ...]]]) -> None:
        self._pool = pool
        self.direct = DirectPools(pool) if RUTTER_CLUSTER_DIRECT.read() else None
        """The connections to the machines themselves, where the operator wants them."""
        self.known: tuple[Machine, ...] = ()
        """Those that the last look found; none where the database is one machine, or nobody has looked."""
        self.silent: tuple[Machine, ...] = ()
        """Those of them that did not answer."""
        self._begun = float("-inf")
        self._looking = threading.Lock()
        self._starting = threading.Lock()

    @contextmanager
    def watch(self, game_id: str) -> Iterator[None]:
        """Guard what asks the machine of a game.

        Raises :class:`NodeAway` at once where that is known to be silent. Where the database fails within,
        the machines are looked at, in another thread.
        """
        if self.silent:
            self.check(game_id)
        try:
            yield
        except OperationalError as error:
            self.note_error(error)
            raise

    def check(self, game_id: str) -> None:
        """Raise :class:`NodeAway` if the machine of a game is known to be silent. Look at it again soon."""
        self.look_soon()
        if self.list_unreachable([game_id]):
            raise NodeAway("the machine of this game has not answered a moment ago")

    def note_error(self, error: OperationalError) -> None:
        """Look at the machines soon, after an *error* that one of them may have made."""
        if not isinstance(error, PoolTimeout | ProtocolViolation):  # also of a pooler: no machine was asked
            self.look_soon()

    @contextmanager
    def limit(self, connection: Connection[Any], seconds: float = ANSWER_SECONDS) -> Iterator[None]:
        """Wait at the most so long for each answer within, where the answers of all machines are needed."""
        if self.known:
            with limit_answers(connection, seconds):
                yield
        else:
            yield

    def list_unreachable(self, game_ids: Collection[str]) -> set[str]:
        """Return those of some games whose machines are known to be silent."""
        if not (self.silent and game_ids):
            return set()
        groups = [machine.group for machine in self.silent]
        with self._pool.connection() as connection:
            found = connection.execute(_GAMES_OF_GROUPS, (list(game_ids), groups)).fetchall()
        return {game_id for (game_id,) in found}

    def look_soon(self) -> None:
        """Look at the machines in another thread, unless somebody does or has done so a moment ago."""
        with self._starting:
            if self._looking.locked() or time.monotonic() < self._begun + LOOK_AGAIN_SECONDS:
                return
            self._begun = time.monotonic()
            threading.Thread(target=self._look_in_vain, name="look at machines", daemon=True).start()

    def _look_in_vain(self) -> None:
        try:
            self.look()
        except Exception as error:  # noqa: BLE001 - whatever a pool says that has no connection at present
            log.info("look_failed", of="machines", error=type(error).__name__)

    def look(self) -> tuple[Machine, ...]:
        """Ask each machine that holds events; return those that do not answer."""
        with self._looking:
            self._begun = time.monotonic()
            with self._pool.connection() as connection:
                spread = connection.execute(_HAS_NODES).fetchone()
                nodes = connection.execute(_NODES).fetchall() if spread and spread[0] else []
            self.known = tuple(Machine(*node) for node in nodes)
            silent = tuple(machine for machine in self.known if not self._answers(machine))
            if silent != self.silent:
                log.warning("machines", silent=[f"{machine.name}:{machine.port}" for machine in silent])
            self.silent = silent
            return silent

    def _answers(self, machine: Machine) -> bool:
        """Return True if the coordinator reaches *machine*.

        By a connection of our own: one of the pool may have a connection to the machine from before, on which
        the coordinator would wait for longer, and then for ever to cancel what it asked.
        """
        url = self._pool.conninfo
        with TimeoutConnection.connect(
            url if isinstance(url, str) else url(), autocommit=True, connect_timeout=CONNECT_SECONDS
        ) as connection:
            connection.prepare_threshold = None
            try:
                with limit_answers(connection, ANSWER_SECONDS), connection.transaction():
                    connection.execute(f"SET LOCAL statement_timeout = '{ANSWER_SECONDS}s'")
                    row = connection.execute(_ANSWERS, (machine.name, machine.port)).fetchone()
            except OperationalError:  # it took too long, among others
                return False
        return bool(row and row[0])
