"""`rutter keys`: list and replace the keys that sign the log of all games."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
import psycopg

from events.base.settings import RUTTER_SIGNING_KEY
from events.store.signing_keys import KEY_FILE, list_logged_keys, load_seeds, read_origin
from events.tlog.notes import SigningKey
from ops.base.errors import OpsError
from ops.cli.log.succeed import command as succeed
from ops.cli.options import data_option
from ops.runtime.servers import open_connection
from projections.tree.tree_store import read_tree_size

TOGETHER = timedelta(days=30)
"""The time in which the old and the new key both sign, so that all auditors can note the new one."""


@click.group("keys")
def command() -> None:
    """Show and replace the keys that sign receipts and the log of all games.

    Exit status: 0 when done, 1 when something failed, 2 for wrong usage.
    """


command.add_command(succeed)


@command.command("list")
@data_option
def list_keys(data: Path) -> None:
    """List all keys. For each, show the sizes of the log from which and until which it signs."""
    with _open_log(data) as (connection, _):
        for key in list_logged_keys(connection):
            until = "signs" if key.until is None else f"until {key.until}"
            click.echo(f"{key.vkey}  since {key.since}, {'REVOKED, ' if key.revoked else ''}{until}")


@command.command()
@click.option("--finish", is_flag=True, help="End the old key, 30 days after the new one was announced.")
@click.option("--early", is_flag=True, help="With --finish: do not wait for the 30 days.")
@data_option
def rotate(*, finish: bool, early: bool, data: Path) -> None:
    """Announce a new key in the log. Both keys sign for 30 days, then --finish ends the old one.

    The command adds the new key to the key file in the data folder. If you use RUTTER_SIGNING_KEY instead,
    set it to the old and the new key first, with a space between. Restart Rutter after each of the two steps.
    """
    if early and not finish:
        raise click.UsageError("--early needs --finish. Give both, or none.")
    with _open_log(data) as (connection, origin):
        if finish:
            _finish(connection, early=early)
        else:
            _announce(connection, origin, data)


def _announce(connection: psycopg.Connection[Any], origin: str, data: Path) -> None:
    known = {key.vkey for key in list_logged_keys(connection)}
    given = RUTTER_SIGNING_KEY.read()
    seeds = load_seeds(given, data)
    new = [vkey for vkey in (SigningKey(origin, seed).vkey for seed in seeds) if vkey not in known]
    if len(new) == len(seeds):
        raise OpsError("No key of this log is given. Give the key that signs now as well.")
    if not new and given:
        raise OpsError(
            "RUTTER_SIGNING_KEY has no new key. Set it to the old and the new key, with a space between."
        )
    if not new:
        new = [_add_second_key(data / KEY_FILE, origin)]
    _write_statement(connection, "add", new[0])
    click.echo(new[0])
    click.echo("Restart Rutter: then both keys sign. Give the new key to everyone who noted the old one.")
    click.echo(f"After {TOGETHER.days} days, end the old key with `rutter keys rotate --finish`.")


def _add_second_key(path: Path, origin: str) -> str:
    """Add a new key to the key file, and return its vkey."""
    old = path.read_text(encoding="ascii").split()
    if len(old) != 1:
        raise OpsError(f"{path} has two keys already. End the older one with `rutter keys rotate --finish`.")
    seed = os.urandom(32)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # 0600
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{old[0]}\n{seed.hex()}\n")
        file.flush()
        os.fsync(file.fileno())
    Path(draft).replace(path)
    return SigningKey(origin, seed).vkey


def _finish(connection: psycopg.Connection[Any], *, early: bool) -> None:
    signing = [key for key in list_logged_keys(connection) if key.until is None]
    if len(signing) < 2:
        raise OpsError("There is only one key. Announce another with `rutter keys rotate` first.")
    row = connection.execute(
        "SELECT made FROM es.key WHERE vkey = %s AND word = 'add'", (signing[-1].vkey,)
    ).fetchone()
    announced = row[0] if row else datetime.now(UTC)
    if not early and datetime.now(UTC) - announced < TOGETHER:
        raise OpsError(
            f"The new key was announced on {announced:%Y-%m-%d}. Both keys sign for {TOGETHER.days} days, so "
            "that auditors can note the new one. Wait, or end the old one now with --early."
        )
    for key in signing[:-1]:
        _write_statement(connection, "end", key.vkey, read_tree_size(connection))
        click.echo(f"{key.vkey} has ended.")
    click.echo("Remove the old key from `signing.key` or RUTTER_SIGNING_KEY, then restart Rutter.")


@command.command()
@click.argument("vkey")
@click.option(
    "--size",
    type=click.IntRange(min=0),
    help="The size of the log from which the key is not trusted. Default: the size now.",
)
@data_option
def revoke(vkey: str, size: int | None, data: Path) -> None:
    """Write into the log that a key was stolen. Another key must sign for this.

    From then on, a signature of the key counts only with a proof that the log had it below that size. Tell
    auditors: they give `--revoked VKEY@SIZE` to `rutter verify`.
    """
    with _open_log(data) as (connection, _):
        keys = list_logged_keys(connection)
        if vkey not in {key.vkey for key in keys}:
            raise OpsError("The log has no such key. `rutter keys list` shows its keys.")
        if not any(key.vkey != vkey and key.until is None for key in keys):
            raise OpsError(
                "No other key signs this log. Announce another one first, with `rutter keys rotate`."
            )
        at = read_tree_size(connection) if size is None else size
        _write_statement(connection, "revoke", vkey, at)
        click.echo(
            f"The key is revoked from size {at} on. Restart Rutter without it, and tell auditors: "
            f"--revoked {vkey}@{at}"
        )


@contextmanager
def _open_log(data: Path) -> Iterator[tuple[psycopg.Connection[Any], str]]:
    with open_connection(data) as connection:
        origin = read_origin(connection)
        if origin is None:
            raise OpsError("This database has no log yet. Start Rutter once to begin one.")
        yield connection, origin


def _write_statement(
    connection: psycopg.Connection[Any], word: str, vkey: str, size: int | None = None
) -> None:
    """Record a statement about a key at the present position of the tree, so that it keeps its place."""
    try:
        with connection.transaction():
            connection.execute(
                "WITH held AS (SELECT position FROM es.tree FOR UPDATE)"
                " INSERT INTO es.key (word, vkey, size, position) SELECT %s, %s, %s, position FROM held",
                (word, vkey, size),
            )
    except psycopg.errors.UniqueViolation:
        raise OpsError("The log says this about the key already. Nothing needs to be done.") from None
