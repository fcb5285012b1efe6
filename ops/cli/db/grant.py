"""`rutter grant`: the privileges of the roles that use the database."""

from pathlib import Path

import click

from ops.cli.options import data_option
from ops.database.privileges import grant
from ops.runtime.servers import find_or_start_servers


@click.command("grant")
@click.option("--app", metavar="ROLE", help="The role that DATABASE_URL logs in as.")
@click.option("--auditor", metavar="ROLE", help="The role of an auditor: it reads the log, but no secrets.")
@click.option("--archiver", metavar="ROLE", help="The role that `rutter archive` logs in as.")
@data_option
def command(app: str | None, auditor: str | None, archiver: str | None, data: Path) -> None:
    """Grant database roles exactly the privileges they need, and revoke all others.

    The command logs in as the owner of the tables: with RUTTER_MIGRATE_URL, else DATABASE_URL, else in the
    embedded Postgres. Create the roles first.

    \b
      --app       plays games; it cannot change or delete events
      --auditor   reads the log; it sees no secrets
      --archiver  reads games, and deletes only events that a bundle holds

    `rutter up` and `rutter migrate` do this for the role in DATABASE_URL if RUTTER_MIGRATE_URL names another.

    Exit status: 0 when done, 1 when a role is missing, 2 for wrong usage.
    """  # noqa: D301 - \b is how click keeps lines
    if not (app or auditor or archiver):
        raise click.UsageError("Name at least one role: --app ROLE, --auditor ROLE or --archiver ROLE.")
    with find_or_start_servers(data) as addresses:
        grant(addresses.owner, app=app, auditor=auditor, archiver=archiver)
