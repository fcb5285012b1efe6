"""The database as requests use it: a pool, another try where it was away, times as SQL writes them."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import LiteralString, ParamSpec, TypeVar

from psycopg import InterfaceError, OperationalError
from psycopg.errors import DiskFull, QueryCanceled
from psycopg_pool import PoolTimeout

from events.store.connection import LazyPool, get_remaining_seconds, is_machine_away
from events.store.event_log import Pool
from events.store.pooler import POOLER_ERRORS, note_pooler_error
from service.base.rate_limits import TimeLimits

P = ParamSpec("P")
R = TypeVar("R")

RETRY_PAUSES = (0.02, 0.2, 0.6, 1.5)
"""Seconds to wait before each new try to ask the database."""


def retry_on_disconnect(action: Callable[P, R]) -> Callable[P, R]:
    """Repeat *action* where the database was away for a moment: only for what may be done twice.

    After a restart of the database every connection of a pool is dead, and each is noticed only in use. Where
    one machine of several is away, the action is tried once more.
    """

    @wraps(action)
    def retry(*arguments: P.args, **named: P.kwargs) -> R:
        tried = False
        for pause in RETRY_PAUSES:
            try:
                return action(*arguments, **named)
            except QueryCanceled:
                raise  # it had its time
            except DiskFull:  # not for a moment
                raise
            except POOLER_ERRORS as error:
                note_pooler_error(error)
            except (OperationalError, InterfaceError, PoolTimeout) as error:
                left = get_remaining_seconds()
                away = is_machine_away(error)
                if (left is not None and left <= pause) or (away and tried):
                    raise
                tried = tried or away
                time.sleep(pause)
        return action(*arguments, **named)

    return retry


def format_utc(column: LiteralString) -> LiteralString:
    """Return SQL that writes a time as RFC 3339 in UTC."""
    return f"to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"


def make_lazy_pool(url: str, most: int, wait: TimeLimits, *, reading: bool = False) -> Pool:
    """Return a pool of autocommit connections, not opened yet; for *reading* it may be of a replica."""
    return LazyPool(url, most, wait, reading=reading)
