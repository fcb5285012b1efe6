"""Accounts as the operator names them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from events.store.connection import connect
from ops.base.errors import OpsError
from ops.runtime.servers import find_or_start_servers
from service.stores.accounts import ACCOUNT_COLUMNS, Account, read_account


@contextmanager
def open_connection(data: Path) -> Iterator[psycopg.Connection[Any]]:
    """Open a connection to the database of the service, each statement for itself."""
    with (
        find_or_start_servers(data) as addresses,
        connect(addresses.database, autocommit=True) as connection,
    ):
        yield connection


def find_account(connection: psycopg.Connection[Any], name: str) -> Account:
    """Return the account of this id, or with this handle (an @ before it is forgiven).

    Raises:
        OpsError: there is none.
    """
    row = connection.execute(
        f"SELECT {ACCOUNT_COLUMNS} FROM account a WHERE a.id = %s OR a.id ="  # noqa: S608 - constants
        " (SELECT h.account_id FROM handle h WHERE h.handle = %s AND h.until IS NULL)",
        (_parse_uuid(name), name.removeprefix("@")),
    ).fetchone()
    if row is None:
        raise OpsError(f"There is no account {name}. Give its id, or its handle.")
    return read_account(row)


def _parse_uuid(text: str) -> str | None:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return None
