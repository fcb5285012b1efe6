"""`rutter bench`: measure this machine, each figure beside a yardstick of the same run."""

import sys
from contextlib import redirect_stdout
from pathlib import Path

import click
import msgspec

from ops.base.errors import OpsError
from ops.benchmark.database_filler import EVENTS
from ops.benchmark.rows import HEAD, pair_with_earlier, read_figures
from ops.benchmark.suite import QUICK, Extent, measure_all


@click.command("bench")
@click.option("--seconds", default=3.0, show_default=True, help="The time to measure each rate.")
@click.option(
    "--quick",
    is_flag=True,
    help="Measure very little. This tests the benchmark, and its figures mean nothing.",
)
@click.option("--json", "as_json", is_flag=True, help="Print each row as a line of JSON.")
@click.option(
    "--filled",
    type=click.IntRange(1),
    is_flag=False,
    flag_value=EVENTS,
    metavar="[EVENTS]",
    help="Also measure the server with a filled database, and compare it with an empty one. "
    f"Default: {EVENTS:,} events in 15,000 games, most of them running.",
)
@click.option(
    "--peers", is_flag=True, help="Also measure catanatron, python-chess and OpenSpiel at random play."
)
@click.option(
    "--compare",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Print each row beside that of an earlier run, which printed FILE with --json.",
)
def command(
    seconds: float, quick: bool, as_json: bool, filled: int | None, peers: bool, compare: Path | None
) -> None:
    """Measure log, core and server, each figure beside a yardstick of the same run.

    The benchmark starts its own servers (with fsync on), in a folder that it deletes afterwards. The names of
    the rows never change. Figures of the server count all its processes, and all work that a command causes:
    positions, read models and the log of all games.
    """
    extent = QUICK if quick else Extent(seconds)
    try:
        earlier = read_figures(compare.read_text().splitlines()) if compare else {}
    except msgspec.DecodeError as problem:
        raise OpsError(
            f"{compare} holds no rows of an earlier run: {problem}. Make it with `rutter bench --json`."
        ) from problem
    if not as_json:
        click.echo(HEAD.rstrip())
    failed, out = 0, sys.stdout
    with redirect_stdout(sys.stderr):  # whatever the processes say is no row
        for row in pair_with_earlier(measure_all(extent, filled, peers=peers), earlier):
            click.echo(row.json() if as_json else row.text(), file=out)
            failed += bool(row.failed)
    if failed:
        raise OpsError(f"{failed} of the rows failed. Each says why; measure again when that is put right.")
