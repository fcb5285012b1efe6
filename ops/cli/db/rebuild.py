"""`rutter rebuild`: make the read models again from the log."""

import sys
from pathlib import Path

import click

from events.store.archived_games import ArchiveUnavailable
from events.store.event_log import EventLog
from ops.base.errors import OpsError
from ops.cli.options import data_option
from ops.runtime.servers import open_pool
from projections import ratings
from projections.read_models.catalogue import PROJECTIONS
from projections.rebuild import RebuildResult, rebuild

RATINGS = "ratings"
NAMES = (*PROJECTIONS, RATINGS)


@click.command("rebuild")
@click.argument("names", nargs=-1, type=click.Choice(NAMES))
@data_option
def command(names: tuple[str, ...], data: Path) -> None:
    """Build read models again from the log (all, or those you name), and compare them with the old rows.

    Games can go on meanwhile: each game is compared at one event. Readers see the old rows until the new ones
    are complete. `ratings` are computed again up to the event that they had reached. Archived games are read
    from their bundles, which also serve their histories.

    Exit status: 0 if all rows were equal, 1 if some were corrected or could not be built.
    """
    with open_pool(data, 4) as pool:
        try:
            results = _rebuild(EventLog(pool), names or NAMES)
        except ArchiveUnavailable as away:
            raise OpsError(f"{away} What was rebuilt so far is kept. Run the command again.") from None
    for r in results:
        verdict = "equal" if r.equal else "DIFFERENT"
        click.echo(f"{r.name}: {r.rows_before} rows before, {r.rows_after} after, {verdict}")
        if r.failed:
            click.echo(f"{r.name}: {r.failed} games could not be rebuilt. `rutter failed` says why.")
    sys.exit(0 if all(r.equal for r in results) else 1)


def _rebuild(events: EventLog, names: tuple[str, ...]) -> list[RebuildResult]:
    views = [name for name in names if name != RATINGS]
    results = rebuild(events, views, _progress) if views else []
    if RATINGS in names:
        before, after, equal = ratings.rebuild(events, _progress)
        results.append(RebuildResult(RATINGS, before, after, equal))
    return results


def _progress(done: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{done} events", nl=False, err=True)
