"""Accounts of people, and service accounts of their programs."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from psycopg import Connection

from events.store.event_log import Pool
from events.store.games import new_id
from service.base.database import retry_on_disconnect
from service.base.people import Account, AccountKind
from service.base.store_error import StoreError

MAX_SERVICE_ACCOUNTS = 20
"""The most service accounts of one account."""
HANDLE_DAYS, RESERVED_DAYS = 30, 90
"""Days before a handle can be changed again, and days for which a given-up handle stays reserved."""

ACCOUNT_COLUMNS = (
    "a.id::text, a.name,"
    " (SELECT h.handle FROM handle h WHERE h.account_id = a.id AND h.until IS NULL), a.kind, a.owner::text"
)
"""SQL for the columns that :func:`read_account` takes, of the table `account` as `a`."""


def read_account(row: Sequence[Any]) -> Account:
    """Return the account that a row of :data:`ACCOUNT_COLUMNS` describes."""
    return Account(*row)


class Accounts:
    """The accounts in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def is_older_than(self, account_id: str, days: int) -> bool:
        """Return True if the account was made more than so many days ago."""
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT created_at < now() - make_interval(days => %s) FROM account WHERE id = %s",
                (days, account_id),
            ).fetchone()
        return bool(row and row[0])

    @retry_on_disconnect
    def find(self, account_id: str) -> Account | None:
        """Return the account of this id; None if there is none."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"SELECT {ACCOUNT_COLUMNS} FROM account a WHERE a.id = %s",  # noqa: S608 - constants
                (account_id,),
            ).fetchone()
        return read_account(row) if row else None

    @retry_on_disconnect
    def find_by_handle(self, handle: str) -> Account | None:
        """Return the account that has this handle now; None if nobody has it."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"SELECT {ACCOUNT_COLUMNS} FROM handle t JOIN account a ON a.id = t.account_id"  # noqa: S608 - constants
                " WHERE t.handle = %s AND t.until IS NULL",
                (handle,),
            ).fetchone()
        return read_account(row) if row else None

    @retry_on_disconnect
    def service_accounts_of(self, owner: Account) -> list[Account]:
        """Return the service accounts of *owner*, oldest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"SELECT {ACCOUNT_COLUMNS} FROM account a WHERE a.owner = %s ORDER BY a.created_at, a.id",  # noqa: S608
                (owner.id,),
            ).fetchall()
        return [read_account(row) for row in rows]

    def change(self, account: Account, name: str | None, handle: str | None) -> Account:
        """Give an account another name or handle. Raises StoreError as :func:`take_handle` does."""
        self._change(account, name, handle)
        return self.find(account.id) or account

    @retry_on_disconnect
    def _change(self, account: Account, name: str | None, handle: str | None) -> None:
        with self._pool.connection() as connection, connection.transaction():
            if name is not None:
                connection.execute("UPDATE account SET name = %s WHERE id = %s", (name, account.id))
            if handle is not None:
                take_handle(connection, account.id, handle)


def make_account(name: str | None, owner: str | None = None) -> Account:
    """Return a new account that is not stored yet; with an *owner* it is that account's service account."""
    kind: AccountKind = "personal" if owner is None else "service"
    return Account(new_id(), name or f"Guest {secrets.token_hex(2)}", None, kind, owner)


def insert_account(connection: Connection[Any], account: Account, handle: str | None) -> None:
    """Store a new account, unless it is there. Raises StoreError as :func:`take_handle` does."""
    connection.execute(
        "INSERT INTO account (id, name, kind, owner) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
        (account.id, account.name, account.kind, account.owner),
    )
    if handle is not None:
        take_handle(connection, account.id, handle)


def has_account(connection: Connection[Any], account_id: str) -> bool:
    """Return True if there is an account of this id."""
    return connection.execute("SELECT 1 FROM account WHERE id = %s", (account_id,)).fetchone() is not None


def check_service_account_quota(connection: Connection[Any], owner: str) -> None:
    """Raise StoreError `too_many_accounts` if *owner* may not have one more service account."""
    connection.execute("SELECT 1 FROM account WHERE id = %s FOR UPDATE", (owner,))  # one at a time
    row = connection.execute("SELECT count(*) FROM account WHERE owner = %s", (owner,)).fetchone()
    if row is not None and row[0] >= MAX_SERVICE_ACCOUNTS:
        detail = f"An account has at most {MAX_SERVICE_ACCOUNTS} service accounts. Delete one first."
        raise StoreError("too_many_accounts", detail)


def take_handle(connection: Connection[Any], account_id: str, handle: str) -> None:
    """Give an account the handle *handle*, within the transaction of *connection*.

    Raises StoreError: `handle_taken` if it is taken or reserved, `handle_too_young` if the present one is too
    young to be changed.
    """
    connection.execute("SELECT 1 FROM account WHERE id = %s FOR UPDATE", (account_id,))
    own = connection.execute(
        "SELECT handle, since + make_interval(days => %s) > now() FROM handle"
        " WHERE account_id = %s AND until IS NULL",
        (HANDLE_DAYS, account_id),
    ).fetchone()
    if own is not None and own[0] == handle:
        return
    if own is not None and own[1]:
        detail = f"A handle can be changed every {HANDLE_DAYS} days. Keep {own[0]} until then."
        raise StoreError("handle_too_young", detail)
    give_up_handle(connection, account_id)
    taken = connection.execute(
        "INSERT INTO handle AS h (handle, account_id) VALUES (%(handle)s, %(account)s)"
        " ON CONFLICT (handle) DO UPDATE SET account_id = %(account)s, since = now(), until = NULL"
        " WHERE h.until <= now() OR (h.until IS NOT NULL AND h.account_id = %(account)s) RETURNING true",
        {"handle": handle, "account": account_id},
    ).fetchone()
    if taken is None:
        raise StoreError(
            "handle_taken",
            f"Another account has the handle {handle}, or had it recently. Choose another one.",
        )


def give_up_handle(connection: Connection[Any], account_id: str) -> None:
    """Take the handle from an account; nobody else can have it for RESERVED_DAYS days."""
    connection.execute(
        "UPDATE handle SET until = now() + make_interval(days => %s) WHERE account_id = %s AND until IS NULL",
        (RESERVED_DAYS, account_id),
    )


class UnknownAccount(StoreError):
    """There is no such account, or it was deleted."""

    def __init__(self) -> None:
        detail = "There is no account with this id. GET /v1/accounts?handle= finds an account by its handle."
        super().__init__("unknown_account", detail)
