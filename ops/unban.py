"""`rutter unban`: let an account sit down again."""

from __future__ import annotations

from pathlib import Path

import click

from ops.accounts import account_named, connected
from ops.cli import data_option


@click.command("unban")
@click.argument("account")
@data_option
def command(account: str, data: Path) -> None:
    """Let ACCOUNT (its id or handle) sit down again."""
    with connected(data) as connection:
        found = account_named(connection, account)
        ended = connection.execute("DELETE FROM ban WHERE account_id = %s", (found.id,)).rowcount
        click.echo(f"{found.name} ({found.id}) {'is banned no more' if ended else 'was not banned'}.")
