"""Why games stand still, as far as a service can tell: for the reader of a soak's report."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from psycopg_pool import ConnectionPool
from redis import Redis
from rq import Queue
from rq.utils import as_text

from events.store.event_log import Pool
from ops.runtime.servers import ServerAddresses
from projections.base.redis_client import redis_client
from projections.health import process_registry
from workers.job_queues import DUTIES

LINES = 8
"""How many lines of the logs tell of each game, the newest."""
_ROW = (
    "SELECT status, seq, house, bot, thinking, held, person, since::text,"
    " (SELECT max(e.seq) FROM es.event e WHERE e.game_id = l.game_id) AS newest,"
    " ARRAY(SELECT f.kind || ' after ' || f.seq || ': ' || f.error FROM es.failed f"
    " WHERE f.game_id = l.game_id) AS failed FROM lobby l WHERE l.game_id = %s"
)


def describe_stuck_games(addresses: ServerAddresses, logs: Path, games: Iterable[str]) -> Iterator[str]:
    """A sentence for each thing that may tell why *games* do not move on.

    What each waits for and what of it failed, with the last lines of the *logs* that name it; who is at work;
    the jobs in Redis.
    """
    pool: Pool = ConnectionPool(
        addresses.database, min_size=1, max_size=1, kwargs={"autocommit": True}, open=False
    )
    with pool, redis_client(addresses.redis, socket_timeout=5) as redis:
        for game in games:
            yield f"game {game} waits as {_read_row(pool, game)}; the logs end {_find_last_lines(logs, game)}"
        yield f"at work: {process_registry.list_signs(pool)}"
        yield f"jobs: {_list_jobs(redis)}"


def _read_row(pool: Pool, game: str) -> str:
    """What the lobby knows of a game."""
    with pool.connection() as connection:
        cursor = connection.execute(_ROW, (game,))
        names = [column.name for column in cursor.description or ()]
        found = cursor.fetchone()
    return msgspec.json.encode(dict(zip(names, found, strict=True)) if found else None).decode()


def _find_last_lines(logs: Path, game: str) -> list[str]:
    naming = (
        line
        for log in sorted(logs.glob("*.log"))
        for line in log.read_text(errors="replace").splitlines()
        if game in line
    )
    return list(naming)[-LINES:]


def _list_jobs(redis: Redis) -> list[dict[str, Any]]:
    """All jobs: as what they count, who has them, and whether they lie in their queue."""
    lying = {
        job for queues in DUTIES.values() for name in queues for job in Queue(name, connection=redis).job_ids
    }
    found = []
    for key in redis.scan_iter("rq:job:*"):
        name, fields = as_text(key).removeprefix("rq:job:"), ("status", "worker_name")
        stored = zip(fields, redis.hmget(key, fields), strict=True)
        told = {field: as_text(value) for field, value in stored if value is not None}
        found.append({"job": name, "queued": name in lying, **told})
    return found
