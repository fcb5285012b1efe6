"""`rutter migrate`: the newest schema of the database."""

from pathlib import Path

import click

from ops.cli.options import data_option
from ops.database.privileges import migrate_and_grant
from ops.runtime.servers import find_or_start_servers


@click.command("migrate")
@data_option
def command(data: Path) -> None:
    """Bring the database to the newest schema.

    The command logs in as the owner of the tables: with RUTTER_MIGRATE_URL, or else with DATABASE_URL.
    """
    with find_or_start_servers(data) as addresses:
        names = migrate_and_grant(addresses)
    click.echo("\n".join(f"applied {name}" for name in names) or "The schema is up to date.")
