"""`rutter keys succeed`: begin a new log when the key, or a part, of the old one was lost."""

from __future__ import annotations

from pathlib import Path

import click

from events.base.settings import RUTTER_LOG_STATE, RUTTER_ORIGIN, RUTTER_SIGNING_KEY
from events.store.connection import connect
from events.store.signing_keys import default_origin, list_logged_keys, load_seeds, read_origin
from events.tlog.notes import SigningKey, Verifier
from ops.base.errors import OpsError
from ops.base.progress import progress
from ops.cli.options import data_option
from ops.runtime.data_folder import DataFolder
from ops.runtime.servers import find_or_start_servers
from projections.tree import succession
from projections.tree.log_state import LogState
from projections.tree.succession import SuccessionError, SuccessionResult
from projections.tree.tree_store import Db

_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND usesysid IS NOT NULL AND application_name <> 'Citus Maintenance Daemon'"
    " AND NOT starts_with(application_name, 'citus_internal ')"
)
"""Connections of other programs: the database's own processes have no user, those of Citus these names."""


@click.command("succeed")
@click.option(
    "--origin", help="The name of the new log. Default: RUTTER_ORIGIN, else a name made from its key."
)
@click.option(
    "--checkpoint",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The last checkpoint of the old log, from a witness. Default: the last cosigned one here.",
)
@click.option("--lost", is_flag=True, help="Go on although the database lacks a part of the signed log.")
@data_option
def command(origin: str | None, checkpoint: Path | None, *, lost: bool, data: Path) -> None:
    """Begin a new log when its key, or a part of it, is lost for good.

    Stop Rutter first. Put the new key into RUTTER_SIGNING_KEY, or move `signing.key` out of the data folder:
    then the command makes a key. The new log begins with its key, the last checkpoint of the old log, and all
    entries that the checkpoint covers. Games that the checkpoint covers go on. Games with later events are
    frozen: they can be read, but not continued. After an interruption, run the command again.

    Then tell everyone who noted the old key to use --successor OLD=NEW with `rutter verify` and `rutter
    audit`.

    Exit status: 0 when done, 1 when something failed, 2 for wrong usage.
    """
    if DataFolder(data).is_in_use():
        raise OpsError("Rutter runs on this data folder. Stop it, then run the command again.")
    state = LogState.locate(RUTTER_LOG_STATE.read(), data)
    note = checkpoint.read_text(encoding="utf-8") if checkpoint else None
    with (
        find_or_start_servers(data) as addresses,
        connect(addresses.owner, autocommit=True) as connection,
    ):
        signer = _make_signer(origin or RUTTER_ORIGIN.read(), data)
        try:
            done = _find_finished(connection, signer, state) or _begin(
                connection, signer, state, note, lost=lost
            )
        except SuccessionError as reason:
            raise OpsError(str(reason)) from None
        _print_result(done, [key.vkey for key in list_logged_keys(connection)])


def _make_signer(origin: str | None, data: Path) -> SigningKey:
    """Return the new key, under the new name."""
    try:
        seeds = load_seeds(RUTTER_SIGNING_KEY.read(), data)
        if len(seeds) != 1:
            raise OpsError("The new log is signed by one key. Give exactly one, the new one.")
        return SigningKey(origin or default_origin(SigningKey("rutter", seeds[0]).public), seeds[0])
    except ValueError as error:
        raise OpsError(str(error)) from None


def _find_finished(connection: Db, signer: SigningKey, state: LogState | None) -> SuccessionResult | None:
    """Finish an earlier run and return its result; None if there was none under this name and key."""
    if read_origin(connection) != signer.name:
        return None
    if signer.vkey not in {key.vkey for key in list_logged_keys(connection)}:
        raise OpsError(
            f"The log {signer.name} of this database has another key. Give the new log another name with "
            "--origin."
        )
    return succession.finish(connection, signer.name, state)


def _begin(
    connection: Db, signer: SigningKey, state: LogState | None, note: str | None, *, lost: bool
) -> SuccessionResult:
    last = succession.find_last_checkpoint(connection, note)
    short = succession.is_lost(connection, last, state)
    _refuse_needless(connection, signer, short=short)
    if short and not lost:
        raise OpsError(
            f"This database has only a part of what the log {last.checkpoint.origin} signed. Restore the "
            "lost part from a replica or a newer backup. If that is impossible, use --lost: then every game "
            "that is not over is frozen, and every audit says what is missing."
        )
    row = connection.execute(_OTHERS).fetchone()
    if row and row[0]:
        raise OpsError(
            f"Other connections use this database: {row[0]}. Stop everything that uses it, then run the "
            "command again."
        )
    with progress("Taking over", last.checkpoint.size) as step:
        succession.succeed(connection, signer, last, state, lost=short, progress=step)
    done = succession.finish(connection, signer.name, state)
    assert done is not None  # noqa: S101 - it was just begun
    return done


def _refuse_needless(connection: Db, signer: SigningKey, *, short: bool) -> None:
    """Refuse if the key of the log is there and nothing is lost: such a log needs no successor."""
    known = list_logged_keys(connection)
    origin = read_origin(connection) or signer.name
    signing = {Verifier.read(key.vkey).public for key in known if key.until is None}
    if not short and signer.public in signing:
        raise OpsError(
            f"This is a key of the log {origin}, and nothing of that log is lost. Start Rutter with this "
            "key. To replace the key, use `rutter keys rotate`."
        )
    if signer.name == origin:
        raise OpsError(
            f"The log of this database has the name {origin}. Give the new log another name with --origin."
        )


def _print_result(done: SuccessionResult, vkeys: list[str]) -> None:
    click.echo(f"{vkeys[0]} succeeds the log {done.former}.")
    click.echo(f"  entries  {done.kept} of the {done.covered} that the last checkpoint of the old log covers")
    click.echo(f"  frozen   {done.frozen} games with later events; they can be read")
    click.echo(
        "Start Rutter. Tell everyone who noted the old key to use --successor OLD=NEW; NEW is this key."
    )
