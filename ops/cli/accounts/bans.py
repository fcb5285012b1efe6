"""`rutter ban` and `rutter unban`: keep an account from taking seats, or lift that."""

from __future__ import annotations

import uuid
from datetime import UTC
from pathlib import Path
from typing import Any

import click
import psycopg

from ops.base.errors import OpsError
from ops.cli.options import data_option
from ops.runtime.servers import open_connection
from service.base.people import Account
from service.stores.accounts import ACCOUNT_COLUMNS, read_account


@click.command("ban")
@click.argument("account", required=False)
@click.option("--reason", help="A note for operators. The account sees it in the export of its own data.")
@data_option
def ban(account: str | None, reason: str | None, data: Path) -> None:
    """Ban ACCOUNT (an id or a handle), or list all banned accounts.

    A banned account and its service accounts cannot make games, take seats, enter tournaments or talk. They
    get 403 `banned`, at once and on every host. They may finish the games that they play. `rutter unban`
    lifts the ban.
    """
    with open_connection(data) as connection:
        if account is None:
            if reason is not None:
                raise OpsError("--reason needs an account. Name the account to ban.")
            _print_bans(connection)
            return
        found = _find_account(connection, account)
        connection.execute(
            "INSERT INTO ban (account_id, reason) VALUES (%s, %s)"
            " ON CONFLICT (account_id) DO UPDATE SET reason = coalesce(EXCLUDED.reason, ban.reason)",
            (found.id, reason),
        )
        click.echo(f"{found.name} ({found.id}) is banned.")


@click.command("unban")
@click.argument("account")
@data_option
def unban(account: str, data: Path) -> None:
    """Lift the ban of ACCOUNT (an id or a handle)."""
    with open_connection(data) as connection:
        found = _find_account(connection, account)
        ended = connection.execute("DELETE FROM ban WHERE account_id = %s", (found.id,)).rowcount
        click.echo(f"{found.name} ({found.id}) {'is no longer banned' if ended else 'was not banned'}.")


def _print_bans(connection: psycopg.Connection[Any]) -> None:
    banned = connection.execute(
        "SELECT a.id::text, a.name, b.since, b.reason FROM ban b JOIN account a ON a.id = b.account_id"
        " ORDER BY b.since, a.id"
    )
    for account, name, since, why in banned:
        day = since.astimezone(UTC).strftime("%Y-%m-%d")
        click.echo(f"{account}  {name}  since {day}" + (f"  {why}" if why else ""))


def _find_account(connection: psycopg.Connection[Any], name: str) -> Account:
    """Return the account with this id or this handle, with or without an @ before it.

    Raises:
        OpsError: there is none.
    """
    row = connection.execute(
        f"SELECT {ACCOUNT_COLUMNS} FROM account a WHERE a.id = %s OR a.id ="  # noqa: S608 - constants
        " (SELECT h.account_id FROM handle h WHERE h.handle = %s AND h.until IS NULL)",
        (_parse_uuid(name), name.removeprefix("@")),
    ).fetchone()
    if row is None:
        raise OpsError(f"There is no account {name}. Give the id or the handle of an account.")
    return read_account(row)


def _parse_uuid(text: str) -> str | None:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return None
