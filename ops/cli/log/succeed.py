"""`rutter keys succeed`: a new log takes over where the key, or a part, of the old one was lost."""

from __future__ import annotations

from pathlib import Path

import click

from events.base.settings import RUTTER_LOG_STATE, RUTTER_ORIGIN, RUTTER_SIGNING_KEY
from events.proof.hash_chain import default_origin
from events.store.connection import connect
from events.store.signing_keys import load_seeds, logged_keys, read_origin
from events.tlog.notes import SigningKey, Verifier
from ops.base.errors import OpsError
from ops.base.progress import progress
from ops.cli import data_option
from ops.runtime.data_folder import DataFolder
from ops.runtime.servers import find_or_start_servers
from projections.tree import succession
from projections.tree.log_state import LogState
from projections.tree.succession import CannotSucceed, SuccessionResult
from projections.tree.tree_store import Db

_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND usesysid IS NOT NULL"
)
"""Connections of other programs: the database's own processes have no user."""


@click.command("succeed")
@click.option("--origin", help="The name of the new log (default: RUTTER_ORIGIN, else one after its key).")
@click.option(
    "--checkpoint",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The old log's last checkpoint as a witness shows it (default: the last that was cosigned here).",
)
@click.option("--lost", is_flag=True, help="Although the database lacks a part of what was signed.")
@data_option
def command(origin: str | None, checkpoint: Path | None, *, lost: bool, data: Path) -> None:
    """Begin a new log where the key of the old one was lost, or the database was set back for good.

    Stop Rutter first, and put the new key into RUTTER_SIGNING_KEY, or take `signing.key` out of the data
    folder: then one is made. The new log begins with its key, the old log's last checkpoint and all entries
    that it covers. Games that end there go on; those that reach beyond are frozen for good: they can be read.
    Where it was interrupted, start it again: what was done is not done twice.

    Afterwards tell everybody who pinned the old key: --successor OLD=NEW, for `rutter verify` and `rutter
    audit`. Exit status 0 when done, 1 with a sentence when it cannot be, 2 for a wrong call.
    """
    if DataFolder(data).is_in_use():
        raise OpsError("Rutter runs on this folder. Stop it first: two must not write while a log begins.")
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
        except CannotSucceed as reason:
            raise OpsError(str(reason)) from None
        _print_result(done, [key.vkey for key in logged_keys(connection)])


def _make_signer(origin: str | None, data: Path) -> SigningKey:
    """Return the new key, under the new name."""
    try:
        seeds = load_seeds(RUTTER_SIGNING_KEY.read(), data)
        if len(seeds) != 1:
            raise OpsError("Give one key, the new one: nothing else can sign the new log.")
        return SigningKey(origin or default_origin(SigningKey("rutter", seeds[0]).public), seeds[0])
    except ValueError as error:
        raise OpsError(str(error)) from None


def _find_finished(connection: Db, signer: SigningKey, state: LogState | None) -> SuccessionResult | None:
    """Finish an earlier run and return its result; None if there was none under this name and key."""
    if read_origin(connection) != signer.name:
        return None
    if signer.vkey not in {key.vkey for key in logged_keys(connection)}:
        raise OpsError(
            f"The log {signer.name} is that of this database, and of another key. The log that succeeds it "
            "has another name: give it with --origin."
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
            f"Of what the log {last.checkpoint.origin} signed, this database holds a part only. Put the lost "
            "part back from a replica or a newer backup. Without it, --lost goes on from what is here: then "
            "every game that is not over is frozen, and every audit will tell what is missing."
        )
    row = connection.execute(_OTHERS).fetchone()
    if row and row[0]:
        raise OpsError(
            f"{row[0]} others are connected to this database. Stop everything that uses it first: two must "
            "not write while a log begins."
        )
    with progress("Taking over", last.checkpoint.size) as step:
        succession.succeed(connection, signer, last, state, lost=short, progress=step)
    done = succession.finish(connection, signer.name, state)
    assert done is not None  # noqa: S101 - it was just begun
    return done


def _refuse_needless(connection: Db, signer: SigningKey, *, short: bool) -> None:
    """Refuse if the log's key is at hand and nothing is lost: such a log goes on by itself."""
    known = logged_keys(connection)
    origin = read_origin(connection) or signer.name
    signing = {Verifier.read(key.vkey).public for key in known if key.until is None}
    if not short and signer.public in signing:
        raise OpsError(
            f"This is a key of the log {origin}, and nothing of that log is lost: start Rutter with it. For "
            "another key in its place there is `rutter keys rotate`."
        )
    if signer.name == origin:
        raise OpsError(f"The log of this database is called {origin}: its successor needs another --origin.")


def _print_result(done: SuccessionResult, vkeys: list[str]) -> None:
    click.echo(f"{vkeys[0]} succeeds the log {done.former}.")
    click.echo(f"  entries  {done.kept} of the {done.covered} that the old log's last checkpoint covers")
    click.echo(f"  frozen   {done.frozen} games that reach beyond it; they can be read")
    click.echo(
        "Start Rutter. Tell everybody who pinned the old key: --successor OLD=NEW, with this key as NEW."
    )
