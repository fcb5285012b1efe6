"""`rutter grant`: the privileges of the roles that use the database."""

from pathlib import Path

import click

from ops.cli.options import data_option
from ops.database.privileges import grant
from ops.runtime.servers import find_or_start_servers


@click.command("grant")
@click.option("--app", metavar="ROLE", help="The role that DATABASE_URL logs in as.")
@click.option("--auditor", metavar="ROLE", help="A role that reads the log, and never a secret.")
@click.option("--archiver", metavar="ROLE", help="A role that `rutter archive` logs in as.")
@data_option
def command(app: str | None, auditor: str | None, archiver: str | None, data: Path) -> None:
    """Grant the privileges of the service, of an auditor and of an archiver, and take all others away.

    Works as the owner of the tables: RUTTER_MIGRATE_URL, else DATABASE_URL, else the embedded server's. The
    roles must be there. The service cannot change or delete what the log holds, an auditor sees no secrets,
    an archiver reads the games and can have events go that lie in a bundle, and no others.
    `rutter up` and `rutter migrate` do this for the login in DATABASE_URL whenever RUTTER_MIGRATE_URL names
    another.

    Exit status 0 when done, 1 with a sentence when a role is missing, 2 for a wrong call.
    """
    if not (app or auditor or archiver):
        raise click.UsageError("Name a role: --app ROLE, --auditor ROLE, --archiver ROLE, or several.")
    with find_or_start_servers(data) as addresses:
        grant(addresses.owner, app=app, auditor=auditor, archiver=archiver)
