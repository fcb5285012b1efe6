"""`rutter bench`: measure this machine, each figure beside a yardstick of the same run."""

import click

from ops.benchmark.database_filler import EVENTS
from ops.benchmark.rows import HEAD
from ops.benchmark.suite import QUICK, Extent, measure_all


@click.command("bench")
@click.option("--seconds", default=3.0, show_default=True, help="How long each rate is measured.")
@click.option("--quick", is_flag=True, help="Next to nothing of everything: shows that it runs, no figures.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each row.")
@click.option(
    "--filled",
    type=click.IntRange(1),
    is_flag=False,
    flag_value=EVENTS,
    metavar="[EVENTS]",
    help=f"Measure the service in a database of so many events ({EVENTS:,} in 15,000 games, most of them"
    " running) too, and show what an empty one gives beside it.",
)
@click.option(
    "--peers", is_flag=True, help="Also measure catanatron, python-chess and OpenSpiel at random play."
)
def command(seconds: float, quick: bool, as_json: bool, filled: int | None, peers: bool) -> None:
    """Measure log, core and service, each figure beside a yardstick of the same run.

    Everything runs on servers of its own (fsync on) in a folder that is deleted afterwards. The names of the
    rows stay for ever. What the service is measured by counts all its processes, and all that a command leads
    to: positions, read models, the log of all games.
    """
    extent = QUICK if quick else Extent(seconds)
    if not as_json:
        click.echo(HEAD.rstrip())
    for row in measure_all(extent, filled, peers=peers):
        click.echo(row.json() if as_json else row.text())
