"""Connections to the machines of a cluster themselves, for statements about one game.

Asked by way of the coordinator, a statement is planned there and again on the machine of the game. Any
machine of the cluster may plan it, and the game's own one then carries it out at once. A statement that meets
another machine, because the game has moved, is passed on. So an old address costs time only.

The coordinator is asked wherever a machine cannot be had directly: it knows best what is wrong.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import structlog
from psycopg import Connection, OperationalError
from psycopg.errors import QueryCanceled
from psycopg_pool import ConnectionPool, PoolTimeout

from events.store.connection import (
    ExhaustedPool,
    NodeAway,
    TimeoutConnection,
    TimeoutPool,
    get_remaining_seconds,
)
from events.store.pooler import is_pooled

PLACES_SECONDS = 300.0
"""Seconds for which it is remembered on which machine a game lies."""
MOST_PLACES = 50_000
"""Games at most of which that is remembered."""
RETRY_SECONDS = 10.0
"""Seconds after which a machine that could not be had directly is tried again."""
CONNECT_SECONDS = 1.0
"""Seconds to wait for a connection to a machine: one that is frozen takes it and never answers."""
LATE_SECONDS = 1.0
"""Seconds for which nobody is let wait for a machine after an answer that has not come in time.

Else the next try of the same request would wait again, now for the coordinator.
"""

_HAS_NODES = "SELECT to_regclass('pg_dist_node') IS NOT NULL"
_PLACE = (
    "SELECT n.nodename, n.nodeport FROM pg_dist_placement p"
    " JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'"
    " WHERE p.shardid = get_shard_id_for_distribution_column('es.event', %s::uuid) AND n.groupid <> 0"
)
"""The query for the machine of a game, unless it is the coordinator, which alone is asked."""
_SERVER_ID = "SELECT metadata ->> 'server_id' FROM pg_dist_node_metadata"
_SERVER_ID_THERE = "SELECT result FROM master_run_on_worker(ARRAY[%s], ARRAY[%s], ARRAY[%s], false)"
"""The query for the same of a machine, as the coordinator reaches it."""
_SHUTDOWN = "57P"
"""The first characters of the SQLSTATE of a server that shuts down or starts."""

log = structlog.get_logger()

Pool = ConnectionPool[Connection[tuple[Any, ...]]]


class _Machine:
    """A machine of the cluster at one address, and the pool of connections to it."""

    def __init__(self, coordinator: TimeoutPool, host: str, port: int) -> None:
        self.pool = coordinator.make_neighbour(host, port, self._greet)
        self._coordinator = coordinator
        self._address = host, port
        self._server_id = ""
        self._is_trusted = False
        self._tried_at = self._late_at = float("-inf")
        self._trying = threading.Lock()

    def is_ready(self) -> bool:
        """Return True if the machine has answered, and not failed since. If not, it is tried now and then."""
        if not self._is_trusted and time.monotonic() > self._tried_at + RETRY_SECONDS:
            with self._trying:
                if time.monotonic() > self._tried_at + RETRY_SECONDS:
                    self._tried_at = time.monotonic()
                    threading.Thread(target=self._try, name="try a machine", daemon=True).start()
        return self._is_trusted

    def borrow(self) -> Connection[tuple[Any, ...]] | None:
        """Return a connection; None where none can be made in time, and the coordinator is to be asked.

        Raises PoolTimeout where the time of the request is over.
        """
        try:
            return self.pool.getconn(CONNECT_SECONDS)
        except PoolTimeout:
            left = get_remaining_seconds()
            if left is not None and left <= 0:
                raise
            self.distrust()
            return None

    def distrust(self, *, is_late: bool = False) -> None:
        """Ask the coordinator until the machine has answered again."""
        self._is_trusted, self._tried_at = False, time.monotonic()
        if is_late:
            self._late_at = self._tried_at

    def is_late(self) -> bool:
        """Return True if the machine has not answered in time a moment ago."""
        return time.monotonic() < self._late_at + LATE_SECONDS

    def _try(self) -> None:
        """Trust the machine if it answers, and is the one that the coordinator means by the address."""
        try:
            with self._coordinator.connection() as connection:
                told = connection.execute(_SERVER_ID_THERE, (*self._address, _SERVER_ID)).fetchone()
            self._server_id = told[0] if told else ""
            if self.pool.closed:
                self.pool.open()
            self.pool.check()
            with self.pool.connection() as connection:
                connection.execute("SELECT 1")
        except (psycopg.Error, ExhaustedPool) as error:
            host, port = self._address
            log.info("machine_not_reached", machine=f"{host}:{port}", error=type(error).__name__)
        else:
            self._is_trusted = True

    def _greet(self, connection: Connection[Any]) -> None:
        """Refuse a new connection to another server than the one that the coordinator means."""
        row = connection.execute(_SERVER_ID, prepare=False).fetchone()
        if row is None or row[0] != self._server_id:
            raise OperationalError("another server has the address of a machine of the cluster")


class DirectPools:
    """The pools of one process to the machines behind *pool*. Safe for many threads.

    There are none where a pooler stands before the database, and where the database is one machine.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._is_possible: bool | None = None
        self._places: dict[str, _Machine | None] = {}
        self._emptied_at = time.monotonic()
        self._machines: dict[tuple[str, int], _Machine] = {}
        self._adding = threading.Lock()

    @contextmanager
    def lend(self, game_id: str) -> Iterator[Connection[tuple[Any, ...]]]:
        """Lend a connection to the machine of a game, or to the coordinator.

        Raises:
            NodeAway: the machine failed within, and whether the statement was carried out is not known. Or it
                has not answered a moment ago, and nothing was asked.
            QueryCanceled: the machine has not answered in time, as if the coordinator had waited for it.
        """
        machine = self._find(game_id)
        # Borrowed by hand: one statement in autocommit mode needs none of the transaction's ceremony.
        connection = None if machine is None else machine.borrow()
        pool = self._pool if machine is None or connection is None else machine.pool
        connection = connection or pool.getconn()
        try:
            yield connection
        except OperationalError as error:
            if machine is not None and pool is machine.pool:
                self._places.pop(game_id, None)  # perhaps it lies elsewhere now
                if connection.closed or (error.sqlstate or "").startswith(_SHUTDOWN):
                    is_late = isinstance(connection, TimeoutConnection) and connection.timed_out
                    machine.distrust(is_late=is_late)
                    raise (QueryCanceled if is_late else NodeAway)(str(error)) from error
            raise
        finally:
            pool.putconn(connection)

    def _find(self, game_id: str) -> _Machine | None:
        """Return the machine of a game if it can be asked directly."""
        if self._is_possible is None:
            self._is_possible = self._check_possible()
        if not self._is_possible:
            return None
        if len(self._places) > MOST_PLACES or time.monotonic() > self._emptied_at + PLACES_SECONDS:
            self._places, self._emptied_at = {}, time.monotonic()
        places = self._places
        if game_id not in places:
            places[game_id] = self._locate(game_id)
        machine = places.get(game_id)
        if machine is None or machine.is_ready():
            return machine
        if machine.is_late():
            raise NodeAway("the machine of this game has not answered a moment ago")
        return None

    def _check_possible(self) -> bool:
        """Return True if no pooler is there, and the database is a cluster."""
        if is_pooled() or not isinstance(self._pool, TimeoutPool):
            return False
        with self._pool.connection() as connection:
            row = connection.execute(_HAS_NODES).fetchone()
        return bool(row and row[0])

    def _locate(self, game_id: str) -> _Machine | None:
        """Ask the coordinator on which machine a game lies."""
        with self._pool.connection() as connection:
            address = connection.execute(_PLACE, (game_id,)).fetchone()
        if address is None or not isinstance(self._pool, TimeoutPool):
            return None
        host, port = address
        with self._adding:
            if (host, port) not in self._machines:
                self._machines[host, port] = _Machine(self._pool, host, port)
            return self._machines[host, port]
