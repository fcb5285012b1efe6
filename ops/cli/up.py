"""`rutter up`: the whole service on this machine."""

import os
from pathlib import Path

import click

from events.base.settings import RUTTER_LIMITS
from ops.cli.options import data_option
from ops.runtime.launcher import run_service


@click.command("up")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Where the page and the API are; 0 takes a free one. Those below 1024 are mostly root's alone.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other machines in.")
@data_option
@click.option(
    "--demo/--no-demo", default=True, show_default=True, help="Open a demonstration game with bots."
)
@click.option(
    "--limits/--no-limits",
    default=True,
    show_default=True,
    help="What one client may ask for (RUTTER_LIMITS names a file of one's own).",
)
def command(port: int, host: str, data: Path, demo: bool, limits: bool) -> None:
    """Run everything: Postgres, Redis, API, workers, until Ctrl-C.

    With DATABASE_URL or REDIS_URL set, that server is used and none is started for it. RUTTER_MIGRATE_URL is
    then the login that owns the tables, and DATABASE_URL that of the service, which cannot alter the log.
    """
    if not limits:
        os.environ[RUTTER_LIMITS.name] = "off"
    run_service(data, host=host, port=port, demo=demo)
