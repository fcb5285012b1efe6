"""`rutter unban`: let an account sit down again."""

from __future__ import annotations

from pathlib import Path

import click

from ops.cli.accounts.lookup import find_account, open_connection
from ops.cli.options import data_option


@click.command("unban")
@click.argument("account")
@data_option
def command(account: str, data: Path) -> None:
    """Let ACCOUNT (its id or handle) sit down again."""
    with open_connection(data) as connection:
        found = find_account(connection, account)
        ended = connection.execute("DELETE FROM ban WHERE account_id = %s", (found.id,)).rowcount
        click.echo(f"{found.name} ({found.id}) {'is banned no more' if ended else 'was not banned'}.")
