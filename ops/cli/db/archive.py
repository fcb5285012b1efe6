"""`rutter archive`: games that ended long ago, out of the database."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import msgspec

from events.base.settings import RUTTER_ARCHIVE_URL, RUTTER_SIGNING_KEY
from events.store.connection import connect
from events.store.signing_keys import load_seeds
from ops.base.errors import OpsError
from ops.base.progress import progress
from ops.cli import data_option
from ops.database.game_archive import ArchivableGame, ArchiveReport, find_archivable_games, open_archiver
from ops.runtime.servers import find_or_start_servers

FOLDER = "archive"
"""In the data folder, where no other is named."""


@click.command("archive")
@click.option(
    "--before",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ"]),
    help="Games that ended before that day (or time), UTC.",
)
@click.option(
    "--older-than",
    "days",
    type=click.IntRange(0, 36_500),
    metavar="DAYS",
    help="Games that ended so many days ago, for calls that come every night; in place of --before.",
)
@click.option(
    "--to",
    "target",
    metavar="PLACE",
    help="Where bundles go: a folder, or the URL of a store; else to `archive` in --data.",
)
@click.option("--dry-run", is_flag=True, help="Tell which games would go, and touch nothing.")
@click.option("--json", "as_json", is_flag=True, help="Tell the figures as JSON.")
@data_option
def command(
    before: datetime | None, days: int | None, target: str | None, dry_run: bool, as_json: bool, data: Path
) -> None:
    """Move finished games into bundles, one packed file each, and drop their events from the database.

    Each bundle is read back, verified as `rutter verify` does it, and compared with the database event by
    event before anything goes. Everything that could be asked of a game before can be asked after: the
    service reads the bundle then, so all its hosts must see the folder under the same path, or reach the
    store. Interrupted, call it again. Games go on meanwhile.

    A store is what fsspec can speak to, such as s3://BUCKET/FOLDER; it takes the extra `archive`, and S3 the
    package s3fs besides. Its login comes from the environment (AWS_ACCESS_KEY_ID, FSSPEC_FTP_USERNAME, ...),
    never from the URL, which is recorded. The service needs packages and login as well.

    Works as the login in RUTTER_ARCHIVE_URL (see `rutter grant --archiver`), else as the owner of the tables,
    and signs with the key of the service. A backup does not hold the bundles: keep copies of them.

    Exit status 0 when all is archived, 1 where games were left (with the reason) or it could not be, 2 for a
    wrong call.
    """
    place = _read_target(target, data)
    until = _read_cutoff(before, days)
    with find_or_start_servers(data) as addresses:
        url = RUTTER_ARCHIVE_URL.read() or addresses.owner
        with connect(url, autocommit=True) as connection:
            games = list(find_archivable_games(connection, until))
        told = (
            ArchiveReport(len(games), sum(one.last for one in games))
            if dry_run
            else _archive(url, data, place, games)
        )
    if as_json:
        click.echo(json.dumps({"before": until.isoformat(), "dry_run": dry_run, **msgspec.to_builtins(told)}))
    else:
        _print_report(told, place, dry_run=dry_run)
    sys.exit(1 if told.left else 0)


def _read_cutoff(before: datetime | None, days: int | None) -> datetime:
    if (before is None) == (days is None):
        raise click.UsageError("Say which games: either --before or --older-than.")
    return before.replace(tzinfo=UTC) if before else datetime.now(UTC) - timedelta(days=days or 0)


def _read_target(target: str | None, data: Path) -> Path | str:
    if target is None:
        return data / FOLDER
    return target if "://" in target else Path(target)


def _archive(url: str, data: Path, place: Path | str, games: list[ArchivableGame]) -> ArchiveReport:
    try:
        seeds = load_seeds(RUTTER_SIGNING_KEY.read(), data)
    except (OSError, ValueError) as problem:
        raise OpsError(str(problem)) from None
    with (
        open_archiver(url, seeds, place) as work,
        progress("Archiving", sum(one.last for one in games)) as step,
    ):
        return work.run(games, step)


def _print_report(told: ArchiveReport, place: Path | str, *, dry_run: bool) -> None:
    for left in told.left:
        click.echo(f"LEFT: {left.game}: {left.reason}", err=True)
    if dry_run:
        click.echo(f"{told.games} games, {told.events} events, would go to {place}. Nothing was touched.")
        return
    each = f", {told.bytes / told.events:.0f} bytes an event" if told.events else ""
    click.echo(f"{told.games} games, {told.events} events, went to {place}: {told.bytes:,} bytes{each}.")
