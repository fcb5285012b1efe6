"""`rutter archive`: games that ended long ago, out of the database."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import click
import msgspec

from events.base.settings import RUTTER_ARCHIVE_URL, RUTTER_SIGNING_KEY
from events.store.connection import connect
from events.store.signing_keys import load_seeds
from ops.base.errors import OpsError
from ops.base.progress import progress
from ops.cli.options import TimeParam, data_option
from ops.database.game_archive import ArchivableGame, ArchiveReport, find_archivable_games, open_archiver
from ops.database.game_return import put_back
from ops.runtime.servers import find_or_start_servers

FOLDER = "archive"
"""The folder in the data folder, where no other is named."""
LEAST_DAYS = 30
"""Games stay so long after their end; the database refuses earlier."""


@click.command("archive")
@click.option(
    "--before",
    type=TimeParam(),
    help="Archive games that ended before this day or time (UTC), at least 30 days ago.",
)
@click.option(
    "--older-than",
    "days",
    type=click.IntRange(LEAST_DAYS, 36_500),
    metavar="DAYS",
    help="Archive games that ended more than DAYS days ago, in place of --before. Good for a nightly job.",
)
@click.option(
    "--to",
    "target",
    metavar="PLACE",
    help="Where to put the bundles: a folder, or the URL of a store. Default: `archive` in --data.",
)
@click.option(
    "--back",
    type=click.UUID,
    metavar="GAME",
    help="Put this archived game back into the database, in place of all other options but --json.",
)
@click.option("--dry-run", is_flag=True, help="Count the games that would be archived, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@data_option
def command(
    before: datetime | None,
    days: int | None,
    target: str | None,
    back: UUID | None,
    dry_run: bool,
    as_json: bool,
    data: Path,
) -> None:
    """Move finished games into bundles, one packed file each, and delete their events from the database.

    Before it deletes events, the command reads the bundle back. It verifies it like `rutter verify`, and
    compares it with the database event by event. Archived games can be read like all others: the server then
    reads the bundle. So all hosts must see the folder under the same path, or reach the store. Running games
    go on meanwhile. After an interruption, run the command again.

    A store is anything that fsspec supports, such as s3://BUCKET/FOLDER. It needs the extra `archive`, and S3
    also needs the package s3fs. The login comes from the environment (AWS_ACCESS_KEY_ID, FSSPEC_FTP_USERNAME,
    ...), never from the URL, which is recorded. All hosts need the same packages and login.

    The command logs in with RUTTER_ARCHIVE_URL (see `rutter grant --archiver`), or else as the owner of the
    tables. It signs with the key of the server. A backup does not hold the bundles: keep copies of them.

    With --back, the command puts one game back, as the owner of the tables. It checks the bundle against the
    events and the log that stayed; the database computes the chain again. The bundle stays where it is. A
    nightly job leaves such a game for as long as one that ended when you put it back.

    Exit status: 0 when all games are archived, 1 when games were left or something failed, 2 for wrong usage.
    """
    if back is not None:
        if before is not None or days is not None or target is not None or dry_run:
            raise click.UsageError("Give --back alone, or leave it out.")
        _put_back(data, str(back), as_json=as_json)
        return
    place = _read_target(target, data)
    until = _read_cutoff(before, days)
    with find_or_start_servers(data) as addresses:
        url = RUTTER_ARCHIVE_URL.read() or addresses.owner
        with connect(url, autocommit=True) as connection:
            games = list(find_archivable_games(connection, until))
        report = (
            ArchiveReport(len(games), sum(one.last for one in games))
            if dry_run
            else _archive(url, data, place, games)
        )
    if as_json:
        click.echo(
            json.dumps({"before": until.isoformat(), "dry_run": dry_run, **msgspec.to_builtins(report)})
        )
    else:
        _print_report(report, place, dry_run=dry_run)
    sys.exit(1 if report.left else 0)


def _read_cutoff(before: datetime | None, days: int | None) -> datetime:
    if (before is None) == (days is None):
        raise click.UsageError("Choose the games: give either --before or --older-than.")
    if days is not None:
        return datetime.now(UTC) - timedelta(days=days)
    if before is None or before > datetime.now(UTC) - timedelta(days=LEAST_DAYS):
        raise click.UsageError("Games stay for 30 days after their end. Give an earlier day with --before.")
    return before


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


def _put_back(data: Path, game: str, *, as_json: bool) -> None:
    with find_or_start_servers(data) as addresses:
        done = put_back(addresses.owner, game)
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(done)))
    elif done.events:
        click.echo(f"The game {game} is back in the database: {done.events} events.")
    else:
        click.echo(f"The game {game} is in the database. Nothing was changed.")


def _print_report(report: ArchiveReport, place: Path | str, *, dry_run: bool) -> None:
    for left in report.left:
        click.echo(f"LEFT: {left.game}: {left.reason}", err=True)
    if dry_run:
        click.echo(
            f"{report.games} games with {report.events} events would go to {place}. Nothing was changed."
        )
        return
    each = f", {report.bytes / report.events:.0f} bytes an event" if report.events else ""
    click.echo(
        f"{report.games} games with {report.events} events are now in {place}: {report.bytes:,} bytes{each}."
    )
