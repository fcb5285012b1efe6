"""Readiness of this host to carry out commands, and all else that is lacking.

An orchestrator removes a host that is not ready. So a host is not ready only if it cannot carry out commands;
without bots, Redis or read models people still play.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from msgspec import UNSET, structs
from psycopg import Connection

from events.store.connection import REQUEST_TIME, RequestTime
from events.store.entropy import find_configured_seed
from events.store.event_log import ReadOnly
from projections.health import failed_tasks, lag, process_registry
from projections.tree.replica import ReplicaState as Copies
from service.application.container import Services
from service.http.problems import DATABASE_AWAY
from service.openapi.response_structs import Lack, Readiness

MIGRATIONS = Path(__file__).parents[2] / "ops" / "database" / "migrations"
CONNECT_SECONDS = 1.5
"""Seconds for which a check waits for a connection to the database."""
STUCK_SECONDS = 5.0
"""Age in seconds from which an append without a position means that nothing numbers the log."""
LAG_SECONDS = 5.0
"""Age in seconds of an unseen event from which a read model is called late."""

Database = Literal["ok", "away", "not_migrated", "read_only"]


def check_readiness(services: Services) -> Readiness:
    """Return the readiness of this host, with all that is lacking."""
    database, lacking = _inspect_database(services)
    blocking = [lack for block in BLOCKERS if (lack := block(services)) is not None]
    if database != "ok":
        said = _DATABASE[database]
        blocking = [said, *(lack for lack in blocking if lack.code != said.code)]
    elif any(lack.code == "node_away" for lack in lacking):
        blocking = [lack for lack in blocking if lack is not _SILENT]  # it waited for that machine's callers
    redis = services.hints.is_redis_alive()
    if find_configured_seed():
        lacking.append(_TEST_SEED)
    if services.rate_limiter.is_local():
        lacking.insert(0, _LIMITS)
    if not redis:
        lacking.insert(0, _REDIS)
    return Readiness(
        status="not_ready" if blocking else "degraded" if lacking else "ready",
        database=database,
        redis="ok" if redis else "away",
        lacking=blocking + lacking,
    )


def _inspect_database(services: Services, *, again: bool = True) -> tuple[Database, list[Lack]]:
    """Return the state of the database, and what is lacking as far as it can be seen there.

    Where a statement fails on a cluster, and all machines answer after it, all is asked *again*: once, in a
    time of its own, for the look at a machine that was just coming back may have used up that of the request.
    """
    lacking: list[Lack] = []
    database: Database = "away"
    try:
        with services.pool.connection(timeout=CONNECT_SECONDS) as connection:
            database = _get_database_state(connection)
            if database == "ok":
                lacking.extend(_check_nodes(services))
                with services.games.log.machines.limit(connection):
                    for found in _check_backlog(services, connection):
                        lacking.append(found)  # one by one: what has been found stays  # noqa: PERF402
                lacking.extend(_check_replica(services))
    except DATABASE_AWAY:
        # One of several machines may be down, and with it what asks them all; on the others people play.
        down = list(_check_nodes(services, now=True)) if database == "ok" else []
        if not down and again and database == "ok" and services.games.log.machines.known:
            REQUEST_TIME.set(RequestTime(time.monotonic() + CONNECT_SECONDS, long=False))
            return _inspect_database(services, again=False)
        if not down:
            return "away", lacking
        lacking = down + [found for found in lacking if found.code != "node_away"]
    return database, lacking


_DATABASE = {
    "away": Lack(
        code="database_away",
        detail="The database cannot be reached, so nothing can be read or written. Start it, and check"
        " DATABASE_URL.",
    ),
    "not_migrated": Lack(
        code="not_migrated",
        detail="The schema of the database does not fit this program. Run `rutter migrate`.",
    ),
    "read_only": Lack(
        code="read_only",
        detail="The database is read-only: it is a replica, or was set to be. Connect to the primary, or"
        " allow writes.",
    ),
}
_SILENT = Lack(
    code="database_away",
    detail="The database does not answer in time, so nothing can be signed or written. Check its load.",
)
_REDIS = Lack(
    code="redis_away",
    detail="Redis cannot be reached, so bots and server moves wait and live streams are slower. Start it,"
    " and check REDIS_URL.",
)
_LIMITS = Lack(
    code="limits_local",
    detail="Redis answers too slowly, so each process counts requests alone and clients may exceed the "
    "limits. Check the load of Redis.",
)

_TEST_SEED = Lack(
    code="test_seed",
    detail="RUTTER_TEST_SEED is set, so all cards can be predicted. Remove it, except for tests.",
)


def _get_database_state(connection: Connection[Any]) -> Database:
    row = connection.execute(
        "SELECT to_regclass('schema_migrations') IS NOT NULL, current_setting('transaction_read_only')"
    ).fetchone()
    if not row or not row[0]:
        return "not_migrated"
    names = {name for (name,) in connection.execute("SELECT name FROM schema_migrations")}
    if not {path.name for path in MIGRATIONS.glob("*.sql")} <= names:
        return "not_migrated"
    return "read_only" if row[1] == "on" else "ok"


def _check_signing(services: Services) -> Lack | None:
    try:
        services.signer.line("Can this be signed?\n")
    except ReadOnly as reason:  # no key, another log's key, a database that was set back
        return Lack(code=cast("Any", reason.code), detail=str(reason))
    except DATABASE_AWAY:
        return _SILENT
    except Exception:  # noqa: BLE001 - whatever the key lives in
        return Lack(
            code="cannot_sign",
            detail="The signing key cannot be used, so no receipt can be signed. Set RUTTER_SIGNING_KEY or"
            " RUTTER_DATA.",
        )
    return None


def _check_disk(services: Services) -> Lack | None:
    if not services.disk_space.is_full():
        return None
    return Lack(code="disk_full", detail="The disk is full, so games can only be read. Free space on it.")


BLOCKERS: Sequence[Callable[[Services], Lack | None]] = (_check_signing, _check_disk)
"""Checks, beside the database, that may find this host unable to carry out commands; None: no fault."""


def _check_nodes(services: Services, *, now: bool = False) -> Iterator[Lack]:
    """Yield a lack for the machines of the database that do not answer, if it has several."""
    away = services.nodes.find_unreachable(now=now)
    if away.nodes:
        detail = (
            f"These database machines do not answer: {', '.join(away.nodes)}. Start them: the games of "
            f"{away.shards} of {away.all_shards} shards wait for them."
        )
        yield Lack(code="node_away", detail=detail, count=away.shards)


_REPLICA = {
    Copies.AWAY: Lack(
        code="copy_away",
        detail="The replica at DATABASE_READ_URL cannot be read, so old events come from the database. Start "
        "the replica, or correct the address.",
    ),
    Copies.OTHER: Lack(
        code="copy_of_another_log",
        detail="DATABASE_READ_URL leads to another log, or to a server that no longer follows this database. "
        "Set it to a replica of this database.",
    ),
    Copies.BEHIND: Lack(
        code="copy_behind",
        detail="The replica at DATABASE_READ_URL is far behind, so newer events come from the database. "
        "Check the replication.",
    ),
}


def _check_replica(services: Services) -> Iterator[Lack]:
    """Yield a lack for a fault of the replica from which old events are read."""
    found = services.replica.get_status() if services.replica is not None else None
    if found is not None and found.state in _REPLICA:
        condition = _REPLICA[found.state]
        seconds = round(found.behind, 1) if found.state is Copies.BEHIND else UNSET
        yield structs.replace(condition, seconds=seconds)


def _check_backlog(services: Services, connection: Connection[Any]) -> Iterator[Lack]:
    """Yield what is lacking besides this host, the gravest first.

    While a machine of a cluster is silent, nothing is asked that all of them would have to answer.
    """
    whole = not services.games.log.machines.silent
    duties = set(process_registry.list_duties(services.pool).values())
    if process_registry.DISPATCHER not in duties:
        detail = (
            "No dispatcher runs, so lists of games, histories and bots wait. Start one, and read its log."
        )
        yield Lack(code="dispatcher_missing", detail=detail)
    fresh = services.games.log.sequencing_backlog().seconds if whole else 0.0
    if fresh > STUCK_SECONDS:
        detail = "New events are not numbered, because no dispatcher does it. Check its log, and restart it."
        yield Lack(code="sequencer_stuck", detail=detail, seconds=round(fresh, 1))
    if missing := [duty for duty in process_registry.WORKERS if duty not in duties]:
        detail = f"No worker runs for: {', '.join(missing)}. Start one; its work waits."
        yield Lack(code="worker_missing", detail=detail, count=len(missing))
    late = max(lag.measure_lag(connection).values(), default=0.0) if whole else 0.0
    if late > LAG_SECONDS:
        detail = (
            "Lists of games and histories are behind the games. Check the dispatcher and the load of"
            " the database."
        )
        yield Lack(code="projection_lag", detail=detail, seconds=round(late, 1))
    tasks, games = failed_tasks.count(services.pool)
    if games:
        detail = (
            "The read models of some games are set aside after errors. Run `rutter failed` to see which"
            " and why."
        )
        yield Lack(code="projection_parked", detail=detail, count=games)
    if tasks:
        detail = "Tasks of some games are set aside after errors. Run `rutter failed` to see which and why."
        yield Lack(code="tasks_failed", detail=detail, count=tasks)
