"""`rutter distribute`: games on several machines."""

from pathlib import Path

import click

from ops.cli.options import data_option
from ops.database.distribution import SHARDS, Distribution, distribute
from ops.runtime.servers import find_or_start_servers


@click.command("distribute")
@click.option(
    "--shards",
    type=click.IntRange(1, 4096),
    default=None,
    help="The number of parts that games are divided into. Plan a few for each core you will ever have. "
    f"Default: {SHARDS}, or what they are divided into already.",
)
@click.option("--dry-run", is_flag=True, help="Print the statements for a new database, and run none.")
@data_option
def command(shards: int | None, dry_run: bool, data: Path) -> None:
    """Spread games over the machines of a Citus cluster; all rows of a game are on one machine.

    The command logs in as the owner of the tables (RUTTER_MIGRATE_URL). The database must have the newest
    schema and the extension citus. Run it before the first game if you can: it copies rows that exist, and
    does not free their old space.

    You can run it again, after an interruption or after a migration with new tables. The first call fixes the
    number of parts, and another number is refused later. The order of events, the transparency log and the
    accounts stay on the coordinator.

    Exit status: 0 when done, 1 when something failed, 2 for wrong usage.
    """
    if dry_run:
        click.echo(
            "".join(f"{statement};\n" for statement in Distribution.load().plan(shards or SHARDS)), nl=False
        )
        return
    with find_or_start_servers(data) as addresses:
        distribute(addresses.owner, shards, click.echo)
    click.echo("All tables are distributed.")
