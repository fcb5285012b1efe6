"""`rutter backup`: the whole database in one file."""

from pathlib import Path

import click

from ops.cli.db.restore import print_result
from ops.cli.options import data_option
from ops.database.backup import back_up
from ops.runtime.servers import find_or_start_servers


@click.command("backup")
@click.argument("target", metavar="FILE|DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Tell the figures as JSON.")
@data_option
def command(target: Path, as_json: bool, data: Path) -> None:
    """Back up every game, account and read model to FILE, or to a new file in DIR; games go on meanwhile.

    The file holds the database as it was at one moment. Before it is written, every game is hashed again and
    compared with the newest signed checkpoint; afterwards the file is read back and compared. Only its owner
    may read it (0600): it holds the secrets of running games. It never holds the signing key: keep
    `signing.key` of the data folder (or RUTTER_SIGNING_KEY) apart, in another safe place.

    Exit status 0 when done, 1 with a sentence when not, 2 for a wrong call.
    """
    with find_or_start_servers(data) as addresses:
        done = back_up(addresses.owner, target)
    print_result(done, as_json=as_json)
    if not as_json:
        click.echo(
            "It holds the secrets of running games: whoever reads it knows every hand and every coming die.\n"
            "It does not hold the signing key, without which a restored service cannot go on signing as this "
            "one: keep that apart."
        )
