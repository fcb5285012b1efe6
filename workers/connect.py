"""Connections of a worker process to the database and to Redis, from the environment."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import cache

import structlog
from psycopg_pool import ConnectionPool
from redis import Redis

from events.games import Games
from events.log import EventLog, Pool
from projections.hints import Hints

log = structlog.get_logger()


class NotConfigured(RuntimeError):
    """DATABASE_URL or REDIS_URL is missing: workers are started by `rutter up`, which sets both."""


def setting(name: str) -> str:
    """The value of an environment variable that must be there. Raises :class:`NotConfigured`."""
    value = os.environ.get(name)
    if not value:
        raise NotConfigured(f"{name} is not set; `rutter up` starts the workers with it")
    return value


def open_pool(size: int) -> Pool:
    """A pool of autocommit connections, opened now."""
    pool: Pool = ConnectionPool(
        setting("DATABASE_URL"), min_size=1, max_size=size, kwargs={"autocommit": True}, open=False, timeout=5
    )
    pool.open()
    return pool


def redis() -> Redis:
    """A client of Redis; it connects when it is used."""
    return Redis.from_url(setting("REDIS_URL"), health_check_interval=30)


@cache
def games() -> Games:
    """The games, as jobs of this process use them; whoever listens is told of what they append."""
    return Games(EventLog(open_pool(3)), appended=Hints(redis()).publish)


def on_stop(stop: Callable[[], None]) -> None:
    """Call *stop* at SIGTERM and Ctrl-C instead of dying in the middle of something."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop())
