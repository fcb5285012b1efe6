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
    default=SHARDS,
    show_default=True,
    help="Into how many parts the games are divided: a few for each core there will ever be.",
)
@click.option("--dry-run", is_flag=True, help="Print the statements for a new database, and ask none.")
@data_option
def command(shards: int, dry_run: bool, data: Path) -> None:
    """Spread games over the machines of a Citus cluster, each game with all its rows on one.

    Works as the owner of the tables, RUTTER_MIGRATE_URL, on a migrated database that has the extension citus,
    and best before the first game: rows that are there already are copied, and their old places stay
    taken. May be called again, after an interruption or when a migration has brought new tables; how many
    parts there are, the first call decides. Order, tree and accounts stay on the coordinator.

    Exit status 0 when done, 1 with a sentence when it cannot be, 2 for a wrong call.
    """
    if dry_run:
        click.echo("".join(f"{statement};\n" for statement in Distribution.load().plan(shards)), nl=False)
        return
    with find_or_start_servers(data) as addresses:
        distribute(addresses.owner, shards, click.echo)
    click.echo("All tables are where they belong.")
