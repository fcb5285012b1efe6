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
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@data_option
def backup(target: Path, as_json: bool, data: Path) -> None:
    """Back up every game, account and read model to FILE, or to a new file in DIR. Games go on meanwhile.

    The file holds the database at one moment. The command first hashes every game again and compares it with
    the newest signed checkpoint. Then it writes the file, reads it back and compares it.

    Only you can read the file (mode 0600): it holds the secrets of running games. It does not hold the
    signing key. Keep `signing.key` of the data folder, or RUTTER_SIGNING_KEY, in another safe place.

    Exit status: 0 when done, 1 when something failed, 2 for wrong usage.
    """
    with find_or_start_servers(data) as addresses:
        done = backup_file.back_up(addresses.owner, target)
    _print_result(done, as_json=as_json)
    if not as_json:
        click.echo(
            "The file holds the secrets of running games: anyone who can read it knows every hand and every "
            "future die roll.\nIt does not hold the signing key. Keep a copy of the key in another place: a "
            "restored server needs it to sign as before."
        )


@click.command("restore")
@click.argument("source", metavar="FILE|DIR", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@data_option
def restore(source: Path, as_json: bool, data: Path) -> None:
    """Restore a backup from FILE, or the newest one in DIR, into an empty database.

    That is the database of a new --data folder, or the one in DATABASE_URL and RUTTER_MIGRATE_URL. A damaged
    file is refused before anything is written. If something fails later, the database is empty again. At the
    end the command hashes every game again and compares it with the newest signed checkpoint.

    Before you run `rutter up`, put the old signing key back: into `signing.key` of the data folder, or into
    RUTTER_SIGNING_KEY.

    Exit status: 0 when done, 1 when something failed, 2 for wrong usage.
    """
    with find_or_start_servers(data) as addresses:
        done = backup_file.restore(addresses.owner, source)
        migrate_and_grant(addresses)
    _print_result(done, as_json=as_json)


def _print_result(done: BackupResult, *, as_json: bool) -> None:
    """Print what was backed up or restored."""
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
    signed = f"; they agree with the log signed up to entry {checked.checkpoint}"
    click.echo(
        f"{done.path} ({done.path.stat().st_size:,} bytes, made {done.manifest.made_at}): "
        f"{checked.games} games, {checked.events} events, all hash chains are complete"
        f"{signed if checked.checkpoint is not None else ''}."
    )
    if checked.archived:
        click.echo(
            f"The bundles of {checked.archived} archived games are not in the backup. "
            "Keep a copy of their folder as well."
        )
