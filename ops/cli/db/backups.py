"""`rutter backup` and `rutter restore`: the whole database in one file, and a database from it."""

import json
from pathlib import Path

import click

from ops.cli.options import data_option
from ops.database import backup as backup_file
from ops.database.backup import BackupResult
from ops.database.privileges import migrate_and_grant
from ops.runtime.servers import find_or_start_servers


@click.command("backup")
@click.argument("target", metavar="FILE|DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Tell the figures as JSON.")
@data_option
def backup(target: Path, as_json: bool, data: Path) -> None:
    """Back up every game, account and read model to FILE, or to a new file in DIR; games go on meanwhile.

    The file holds the database as it was at one moment. Before it is written, every game is hashed again and
    compared with the newest signed checkpoint; afterwards the file is read back and compared. Only its owner
    may read it (0600): it holds the secrets of running games. It never holds the signing key: keep
    `signing.key` of the data folder (or RUTTER_SIGNING_KEY) apart, in another safe place.

    Exit status 0 when done, 1 with a sentence when not, 2 for a wrong call.
    """
    with find_or_start_servers(data) as addresses:
        done = backup_file.back_up(addresses.owner, target)
    _print_result(done, as_json=as_json)
    if not as_json:
        click.echo(
            "It holds the secrets of running games: who reads it knows every hand and every coming die.\n"
            "It does not hold the signing key, without which a restored service cannot go on signing as this "
            "one: keep that apart."
        )


@click.command("restore")
@click.argument("source", metavar="FILE|DIR", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Tell the figures as JSON.")
@data_option
def restore(source: Path, as_json: bool, data: Path) -> None:
    """Restore a backup from FILE, or the newest one in DIR, into an empty database.

    That is the one of a new --data folder, or the one that DATABASE_URL (and RUTTER_MIGRATE_URL) name. A
    damaged file is refused before anything is touched; whatever goes wrong later leaves the database empty.
    In the end every game is hashed again and compared with the newest signed checkpoint. Put the signing key
    of the old service into the data folder (`signing.key`) or RUTTER_SIGNING_KEY before `rutter up`.

    Exit status 0 when done, 1 with a sentence when not, 2 for a wrong call.
    """
    with find_or_start_servers(data) as addresses:
        done = backup_file.restore(addresses.owner, source)
        migrate_and_grant(addresses)
    _print_result(done, as_json=as_json)


def _print_result(done: BackupResult, *, as_json: bool) -> None:
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
