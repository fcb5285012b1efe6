"""`rutter failed`: what was set aside, and another attempt at it."""

import sys
import uuid
from datetime import UTC
from pathlib import Path

import click
import msgspec

from ops.cli.options import data_option
from ops.runtime.servers import open_pool
from projections.health import failed_tasks
from projections.health.failed_tasks import Failure


@click.command("failed")
@click.option(
    "--retry", metavar="ID|all", help="Try the failed jobs of this game or tournament again, or all of them."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@data_option
def command(retry: str | None, as_json: bool, data: Path) -> None:
    """List the games and tournaments whose background jobs failed repeatedly, oldest first.

    A line shows the game or tournament, the event after which a job failed, the kind of job, since when, and
    the error.

    \b
    bot              a move of a bot
    think SEAT       a move of a bot that thinks
    house            a move of the server
    opening          the opening of a game
    clock            what is due when a time is up
    vacation         a vacation of a player in a game
    outage           the time that an outage cost a game
    steward          the next step of a tournament
    projection NAME  a read model

    Rutter sets it aside until you upgrade, until someone acts in it, or until you use --retry. The
    dispatcher then tries it again within a few seconds.

    Exit status: 0 if nothing is set aside, 1 otherwise, 2 for wrong usage. With --retry: 0 if there was
    something to try again, else 1.
    """  # noqa: D301 - \b is how click keeps lines
    game = None if retry in (None, "all") else _parse_game_id(retry)
    with open_pool(data, 1) as pool:
        if retry is not None:
            found = failed_tasks.retry(pool, game)
            click.echo(f"{found} {'job' if found == 1 else 'jobs'} will be tried again.")
            sys.exit(0 if found else 1)
        failures = failed_tasks.list_set_aside(pool)
    for failure in failures:
        click.echo(msgspec.json.encode(failure).decode() if as_json else _format_line(failure))
    sys.exit(1 if failures else 0)


def _parse_game_id(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        raise click.UsageError("--retry takes the id of a game or tournament, or `all`.") from None


def _format_line(failure: Failure) -> str:
    since = failure.since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"{failure.game}  event {failure.seq}  {failure.kind}  since {since}  {failure.error}"
