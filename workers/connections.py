"""Connections of a worker process to the database and to Redis, from the environment."""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import cache
from typing import Any

import structlog
from psycopg import Connection
from redis import Redis

from events.base.settings import (
    DATABASE_URL,
    REDIS_URL,
    RUTTER_DATA,
    RUTTER_DRAND_URL,
    RUTTER_LOG_STATE,
    RUTTER_ORIGIN,
    RUTTER_SIGNING_KEY,
    RUTTER_WITNESSES,
    Setting,
)
from events.store.connection import (
    MACHINE_SECONDS,
    TimeoutConnection,
    TimeoutPool,
    is_coordinator,
    set_session_timeout,
)
from events.store.event_log import EventLog, Pool
from events.store.games import Games
from events.store.signing_keys import Keyring, load_seeds, read_origin
from events.store.tournaments import Tournaments
from projections.base.redis_client import redis_client
from projections.base.server_clock import make_clock
from projections.messages.hints import Hints
from projections.messages.thinking_times import ThinkingTimes
from projections.tree.append_guard import AppendGuard
from projections.tree.drop_boxes import DropBoxes
from projections.tree.grower import Grower
from projections.tree.log_state import LogState
from workers.bots import find_bot_version

log = structlog.get_logger()

SILENCE_SECONDS = 20.0
"""Seconds for which an answer of Postgres is waited for; then the connection is given up, and made again."""
REDIS_SECONDS = 5.0
"""The same for Redis, which has less to do. A worker that listens for jobs waits longer."""
HINT_SECONDS = 1.0
"""The same for hints, which nobody needs."""


class MissingSetting(RuntimeError):
    """DATABASE_URL or REDIS_URL is missing; `rutter up` starts workers with both."""


def require_setting(setting: Setting[str]) -> str:
    """Return the value of a setting that must be there. Raises :class:`MissingSetting`."""
    value = setting.read()
    if not value:
        raise MissingSetting(
            f"{setting.name} is not set. `rutter up` starts workers with it; for one more, set it yourself."
        )
    return value


def get_beacon_url() -> str | None:
    """Return the URL from which rounds of drand are fetched; None where no game may have a beacon."""
    return RUTTER_DRAND_URL.read() or None


@cache
def get_drop_boxes() -> DropBoxes:
    """Return the drop boxes of the witnesses that this server collects reveals from."""
    return DropBoxes(RUTTER_WITNESSES.read())


def open_pool(size: int) -> Pool:
    """Return a pool of autocommit connections, opened now."""
    pool = TimeoutPool(
        require_setting(DATABASE_URL),
        "rutter-workers",
        max_size=size,
        configure=_set_statement_timeout,
        timeout=5,
    )
    pool.open()
    return pool


def _set_statement_timeout(connection: Connection[Any]) -> None:
    if isinstance(connection, TimeoutConnection):
        connection.statement_timeout = SILENCE_SECONDS
        if is_coordinator(connection):
            set_session_timeout(connection, MACHINE_SECONDS)


def connect_redis(patience: float = REDIS_SECONDS) -> Redis:
    """Return a client of Redis, which connects when it is used.

    It gives up a Redis that does not answer in time.
    """
    return redis_client(
        require_setting(REDIS_URL),
        health_check_interval=30,
        socket_connect_timeout=patience,
        socket_timeout=patience,
    )


@cache
def get_thinking_times() -> ThinkingTimes:
    """Return the store of the times that bots take to think."""
    return ThinkingTimes(connect_redis(HINT_SECONDS) if REDIS_URL.read() else None)


def make_hints() -> Hints:
    """Return the hints between processes."""
    return Hints(connect_redis(HINT_SECONDS))


@cache
def get_games() -> Games:
    """Return the games, as jobs of this process use them; all who listen are told of what they append."""
    pool = open_pool(3)
    return Games(
        EventLog(pool, AppendGuard(pool).check),
        origin=lambda: _read_origin(pool),
        now=make_clock(),
        appended=make_hints().publish_append,
        find_bot=find_bot_version,
    )


def _read_origin(pool: Pool) -> str:
    """Return the name under which the server signs, which the API has settled before anything was made."""
    with pool.connection() as connection:
        return read_origin(connection) or "rutter"


@cache
def get_tournaments() -> Tournaments:
    """Return the tournaments, as the runner serves them; all who listen are told of what they append."""
    log = get_games().log
    return Tournaments(log, now=make_clock(), appended=make_hints().publish_append)


def make_grower(pool: Pool) -> Grower:
    """Return the :class:`Grower` of the log of all games, with the keys of this installation."""
    data = RUTTER_DATA.read()
    keyring = Keyring(pool, load_seeds(RUTTER_SIGNING_KEY.read(), data), RUTTER_ORIGIN.read() or None)
    return Grower(pool, keyring, LogState.locate(RUTTER_LOG_STATE.read(), data), RUTTER_WITNESSES.read())


def call_on_stop(stop: Callable[[], None]) -> None:
    """Call *stop* at SIGTERM and Ctrl-C instead of dying in the middle of something."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop())
