"""Vacations of accounts: thirty days of a calendar year, one at a time. The server tells their games."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
from psycopg import Connection

from events.base.timestamps import DAY_MS
from events.store.event_log import Pool
from service.base.database import retry_on_disconnect
from service.base.store_error import StoreError
from service.stores.accounts import Account

YEAR_MS = 30 * DAY_MS
"""Milliseconds of vacation that an account has in a calendar year."""


class Vacation(msgspec.Struct, frozen=True):
    """The vacation of an account: the time used in a year, and the current or planned vacation."""

    year: int
    used_ms: int = 0
    """Milliseconds of the year's vacation that are used, the current or planned one included."""
    begins: datetime | None = None
    ends: datetime | None = None

    @property
    def left_ms(self) -> int:
        """The milliseconds of vacation that are left of the year."""
        return YEAR_MS - self.used_ms

    def give_back_unused(self, now: datetime) -> Vacation:
        """Return the vacation ended at *now*, with the time that was not used given back."""
        if self.begins is None or self.ends is None or self.ends <= now:
            return msgspec.structs.replace(self, begins=None, ends=None)
        rest = self.ends - max(now, self.begins)
        return Vacation(self.year, self.used_ms - rest // timedelta(milliseconds=1))


class Vacations:
    """The vacations in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def get(self, account: Account, now: datetime) -> Vacation:
        """Return the vacation of *account* in the year of *now*."""
        with self._pool.connection() as connection:
            return _read_vacation(connection, account, now)

    @retry_on_disconnect
    def take(self, account: Account, begins: datetime, ends: datetime, now: datetime) -> Vacation:
        """Set the vacation to *begins* until *ends*, in place of any other.

        Raises StoreError `vacation_spent`.
        """
        with self._pool.connection() as connection, connection.transaction():
            connection.execute("SELECT 1 FROM account WHERE id = %s FOR UPDATE", (account.id,))
            before = _read_vacation(connection, account, now).give_back_unused(now)
            used = before.used_ms if before.year == begins.year else 0
            wanted = Vacation(begins.year, used + (ends - begins) // timedelta(milliseconds=1), begins, ends)
            if wanted.left_ms < 0:
                left = (YEAR_MS - used) // DAY_MS
                raise StoreError(
                    "vacation_spent",
                    f"You have about {left} days of vacation left this year. Choose a shorter vacation.",
                )
            return _write_vacation(connection, account, wanted)

    @retry_on_disconnect
    def stop(self, account: Account, now: datetime) -> Vacation:
        """End the vacation at *now*; return what is left."""
        with self._pool.connection() as connection, connection.transaction():
            connection.execute("SELECT 1 FROM account WHERE id = %s FOR UPDATE", (account.id,))
            return _write_vacation(
                connection, account, _read_vacation(connection, account, now).give_back_unused(now)
            )


def _read_vacation(connection: Connection[Any], account: Account, now: datetime) -> Vacation:
    row = connection.execute(
        "SELECT year, used_ms, begins, ends FROM vacation WHERE account_id = %s", (account.id,)
    ).fetchone()
    found = Vacation(*row) if row else Vacation(now.year)
    over = found.ends is None or found.ends <= now
    return Vacation(now.year) if over and found.year != now.year else found


def _write_vacation(connection: Connection[Any], account: Account, vacation: Vacation) -> Vacation:
    connection.execute(
        "INSERT INTO vacation (account_id, year, used_ms, begins, ends) VALUES (%s, %s, %s, %s, %s)"
        " ON CONFLICT (account_id) DO UPDATE SET year = EXCLUDED.year, used_ms = EXCLUDED.used_ms,"
        " begins = EXCLUDED.begins, ends = EXCLUDED.ends",
        (account.id, vacation.year, vacation.used_ms, vacation.begins, vacation.ends),
    )
    return vacation
