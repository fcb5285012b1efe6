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
@click.option("--retry", metavar="GAME|all", help="Try again what was set aside of this game, or of all.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@data_option
def command(retry: str | None, as_json: bool, data: Path) -> None:
    """List the games that bots, the house or a read model failed on again and again, oldest first.

    Of each: the game, the event after which it failed, what failed (bot, house, projection NAME), since when,
    and the error. Such a game is left alone until another program runs, until somebody moves in it, or until
    --retry; the dispatcher then takes it up within a few seconds.

    Exit status 0 if nothing is set aside (with --retry: if something was there to try again), 1 otherwise,
    2 for a wrong call.
    """
    game = None if retry in (None, "all") else _parse_game_id(retry)
    with open_pool(data, 1) as pool:
        if retry is not None:
            found = failed_tasks.retry(pool, game)
            click.echo(f"{found} to be tried again.")
            sys.exit(0 if found else 1)
        failures = failed_tasks.list_set_aside(pool)
    for failure in failures:
        click.echo(msgspec.json.encode(failure).decode() if as_json else _format_line(failure))
    sys.exit(1 if failures else 0)


def _parse_game_id(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        raise click.UsageError("--retry takes the id of a game, or all.") from None


def _format_line(failure: Failure) -> str:
    since = failure.since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"{failure.game}  event {failure.seq}  {failure.kind}  since {since}  {failure.error}"
