"""`rutter up`: the whole server on this machine."""

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
    help="The port of the page and the API; 0 takes a free one. Ports below 1024 usually require root.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; 0.0.0.0 lets other machines in.",
)
@data_option
@click.option(
    "--demo/--no-demo",
    default=True,
    show_default=True,
    help="Open games with bots and a small tournament, to look at.",
)
@click.option(
    "--limits/--no-limits",
    default=True,
    show_default=True,
    help="Limit the requests of each client. RUTTER_LIMITS names a file with other limits.",
)
def command(port: int, host: str, data: Path, demo: bool, limits: bool) -> None:
    """Run Postgres, Redis, the API and the workers until Ctrl-C.

    If you set DATABASE_URL or REDIS_URL, Rutter uses that server and starts none of its own.
    RUTTER_MIGRATE_URL is then the login that owns the tables. DATABASE_URL is the login of the API and the
    workers, which cannot alter the log.
    """
    if not limits:
        os.environ[RUTTER_LIMITS.name] = "off"
    run_service(data, host=host, port=port, demo=demo)
