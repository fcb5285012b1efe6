"""`rutter ban`: keep an account from sitting down; who is banned."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import Any

import click
import psycopg

from ops.base.errors import OpsError
from ops.cli.accounts.lookup import find_account, open_connection
from ops.cli.options import data_option


def _print_bans(connection: psycopg.Connection[Any]) -> None:
    banned = connection.execute(
        "SELECT a.id::text, a.name, b.since, b.reason FROM ban b JOIN account a ON a.id = b.account_id"
        " ORDER BY b.since, a.id"
    )
    for account, name, since, why in banned:
        day = since.astimezone(UTC).strftime("%Y-%m-%d")
        click.echo(f"{account}  {name}  since {day}" + (f"  {why}" if why else ""))


@click.command("ban")
@click.argument("account", required=False)
@click.option("--reason", help="Why, for the operator; the account finds it in its export.")
@data_option
def command(account: str | None, reason: str | None, data: Path) -> None:
    """Ban ACCOUNT (its id or handle), or list who is banned.

    It, and its programs, make no games, take no seats and enter no tournaments any more: 403 `banned`, at
    once and in every process. What it plays it may finish. `rutter unban` ends that.
    """
    with open_connection(data) as connection:
        if account is None:
            if reason is not None:
                raise OpsError("Name the account that is to be banned.")
            _print_bans(connection)
            return
        found = find_account(connection, account)
        connection.execute(
            "INSERT INTO ban (account_id, reason) VALUES (%s, %s)"
            " ON CONFLICT (account_id) DO UPDATE SET reason = coalesce(EXCLUDED.reason, ban.reason)",
            (found.id, reason),
        )
        click.echo(f"{found.name} ({found.id}) is banned.")
