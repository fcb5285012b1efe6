"""Vacations of accounts: thirty days of each calendar year, one at a time.

The server tells their games.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from psycopg import Connection

from events.base.timestamps import DAY_MS
from events.store.event_log import Pool
from service.base.database import retry_on_disconnect
from service.base.people import Account
from service.base.store_error import StoreError

YEAR_MS = 30 * DAY_MS
"""Milliseconds of vacation that an account has in a calendar year, in UTC."""


class Vacation(msgspec.Struct, frozen=True):
    """The current or planned vacation of an account, if any, and what is left of this year's."""

    left_ms: int
    begins: datetime | None = None
    ends: datetime | None = None


class Vacations:
    """The vacations in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def get(self, account: Account, now: datetime) -> Vacation:
        """Return the vacation of *account* at *now*."""
        with self._pool.connection() as connection:
            return _read_vacation(connection, account, now)

    @retry_on_disconnect
    def take(self, account: Account, begins: datetime, ends: datetime, now: datetime) -> Vacation:
        """Set the vacation to *begins* until *ends*, in place of any other.

        Raises StoreError `vacation_spent`.
        """
        with self._pool.connection() as connection, connection.transaction():
            connection.execute("SELECT 1 FROM account WHERE id = %s FOR UPDATE", (account.id,))
            _give_back_unused(connection, account, now)
            for year, milliseconds in _split_by_year(begins, ends).items():
                left = YEAR_MS - _read_used(connection, account, year)
                if milliseconds > left:
                    raise StoreError(
                        "vacation_spent",
                        f"You have about {left // DAY_MS} days of vacation left in {year}. Choose a shorter"
                        " vacation.",
                    )
                _add_used(connection, account, {year: milliseconds})
            connection.execute(
                "INSERT INTO vacation (account_id, begins, ends) VALUES (%s, %s, %s)",
                (account.id, begins, ends),
            )
            return _read_vacation(connection, account, now)

    @retry_on_disconnect
    def stop(self, account: Account, now: datetime) -> Vacation:
        """End the vacation at *now*; return what is left."""
        with self._pool.connection() as connection, connection.transaction():
            connection.execute("SELECT 1 FROM account WHERE id = %s FOR UPDATE", (account.id,))
            _give_back_unused(connection, account, now)
            return _read_vacation(connection, account, now)


def _read_vacation(connection: Connection[Any], account: Account, now: datetime) -> Vacation:
    left = max(0, YEAR_MS - _read_used(connection, account, now.year))
    standing = _read_standing(connection, account)
    return Vacation(left, *standing) if standing is not None and standing[1] > now else Vacation(left)


def _read_standing(connection: Connection[Any], account: Account) -> tuple[datetime, datetime] | None:
    row = connection.execute(
        "SELECT begins, ends FROM vacation WHERE account_id = %s", (account.id,)
    ).fetchone()
    return None if row is None else (row[0].astimezone(UTC), row[1].astimezone(UTC))


def _read_used(connection: Connection[Any], account: Account, year: int) -> int:
    """Return the milliseconds that are used of the vacation of a year, the planned vacation included."""
    row = connection.execute(
        "SELECT used_ms FROM vacation_year WHERE account_id = %s AND year = %s", (account.id, year)
    ).fetchone()
    return int(row[0]) if row else 0


def _add_used(connection: Connection[Any], account: Account, by_year: Mapping[int, int]) -> None:
    for year, milliseconds in by_year.items():
        connection.execute(
            "INSERT INTO vacation_year AS v (account_id, year, used_ms) VALUES (%s, %s, %s)"
            " ON CONFLICT (account_id, year) DO UPDATE SET used_ms = v.used_ms + EXCLUDED.used_ms",
            (account.id, year, milliseconds),
        )


def _give_back_unused(connection: Connection[Any], account: Account, now: datetime) -> None:
    """End the vacation that stands at *now*, and give back to each year what was not used of it."""
    standing = _read_standing(connection, account)
    if standing is None:
        return
    begins, ends = standing
    unused = _split_by_year(max(now, begins), ends)
    _add_used(connection, account, {year: -milliseconds for year, milliseconds in unused.items()})
    connection.execute("DELETE FROM vacation WHERE account_id = %s", (account.id,))


def _split_by_year(begins: datetime, ends: datetime) -> dict[int, int]:
    """Return the milliseconds from *begins* to *ends* by the calendar year in which they lie."""
    found = {}
    while begins < ends:
        until = min(ends, datetime(begins.year + 1, 1, 1, tzinfo=UTC))
        found[begins.year] = (until - begins) // timedelta(milliseconds=1)
        begins = until
    return found
