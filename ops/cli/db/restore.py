"""`rutter restore`: a database from a backup."""

import json
from pathlib import Path

import click

from ops.cli.options import data_option
from ops.database.backup import BackupResult, restore
from ops.database.privileges import migrate_and_grant
from ops.runtime.servers import find_or_start_servers


@click.command("restore")
@click.argument("source", metavar="FILE|DIR", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Tell the figures as JSON.")
@data_option
def command(source: Path, as_json: bool, data: Path) -> None:
    """Restore a backup from FILE, or the newest one in DIR, into an empty database.

    That is the one of a new --data folder, or the one that DATABASE_URL (and RUTTER_MIGRATE_URL) name. A
    damaged file is refused before anything is touched; whatever goes wrong later leaves the database empty.
    In the end every game is hashed again and compared with the newest signed checkpoint. Put the signing key
    of the old service into the data folder (`signing.key`) or RUTTER_SIGNING_KEY before `rutter up`.

    Exit status 0 when done, 1 with a sentence when not, 2 for a wrong call.
    """
    with find_or_start_servers(data) as addresses:
        done = restore(addresses.owner, source)
        migrate_and_grant(addresses)
    print_result(done, as_json=as_json)


def print_result(done: BackupResult, *, as_json: bool) -> None:
    """Tell what was backed up or restored."""
    checked = done.checked
    if as_json:
        members = {
            "file": str(done.path),
            "bytes": done.path.stat().st_size,
            "made_at": done.manifest.made_at,
            "origin": done.manifest.origin,
            "games": checked.games,
            "events": checked.events,
            "checkpoint": checked.checkpoint,
            "archived": checked.archived,
            "rows": {table.name: table.rows for table in done.manifest.tables},
        }
        click.echo(json.dumps(members))
        return
    signed = f", as signed up to entry {checked.checkpoint}" if checked.checkpoint is not None else ""
    click.echo(
        f"{done.path} ({done.path.stat().st_size:,} bytes, of {done.manifest.made_at}): "
        f"{checked.games} games, {checked.events} events, every chain is whole{signed}."
    )
    if checked.archived:
        click.echo(
            f"Of {checked.archived} archived games the bundles are not in it: keep their folder as well."
        )
