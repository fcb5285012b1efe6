"""`rutter keys`: which keys sign the log of all games, and how one takes another's place."""

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
from events.store.connection import connect
from events.store.signing_keys import KEY_FILE, LoggedKey, load_seeds, logged_keys, read_origin
from events.tlog.notes import SigningKey
from ops.base.errors import OpsError
from ops.cli import data_option
from ops.cli.log.succeed import command as succeed
from ops.runtime.servers import find_or_start_servers

TOGETHER = timedelta(days=30)
"""For how long the old and the new key sign together, so that everybody learns of the new one."""


@click.group("keys")
def command() -> None:
    """The keys that sign receipts and the log of all games.

    Exit status 0 when done, 1 with a sentence when it cannot be, 2 for a wrong call.
    """


command.add_command(succeed)


@command.command("list")
@data_option
def list_keys(data: Path) -> None:
    """List all keys: from which size of the log on each signs, and until which."""
    with _open_log(data) as (connection, _):
        for key in logged_keys(connection):
            until = "signs" if key.until is None else f"until {key.until}"
            click.echo(f"{key.vkey}  since {key.since}, {'REVOKED, ' if key.revoked else ''}{until}")


@command.command()
@click.option("--finish", is_flag=True, help="The new key has been known long enough: the old one ends.")
@click.option("--early", is_flag=True, help="With --finish: although it has not been 30 days.")
@data_option
def rotate(*, finish: bool, early: bool, data: Path) -> None:
    """Announce a new key in the log; after 30 days in which both sign, --finish ends the old one.

    A key file in the data folder gets a second line with a new key. Where RUTTER_SIGNING_KEY gives the key,
    set it to the old and the new one first, with a space between. Rutter must be started again after each of
    both steps.
    """
    if early and not finish:
        raise click.UsageError("--early is for --finish.")
    with _open_log(data) as (connection, origin):
        if finish:
            _finish(connection, early=early)
        else:
            _announce(connection, origin, data)


def _announce(connection: psycopg.Connection[Any], origin: str, data: Path) -> None:
    known = {key.vkey for key in logged_keys(connection)}
    given = RUTTER_SIGNING_KEY.read()
    seeds = load_seeds(given, data)
    new = [vkey for vkey in (SigningKey(origin, seed).vkey for seed in seeds) if vkey not in known]
    if len(new) == len(seeds):
        raise OpsError("None of these keys is the log's. Give the key that signs now, too.")
    if not new and given:
        raise OpsError("Set RUTTER_SIGNING_KEY to the old and the new key, with a space between.")
    if not new:
        new = [_add_second_key(data / KEY_FILE, origin)]
    _write_statement(connection, "add", new[0])
    click.echo(new[0])
    click.echo("Start Rutter again: then both keys sign. Tell everybody who pins a key of the new one,")
    click.echo(f"and after {TOGETHER.days} days end the old one with `rutter keys rotate --finish`.")


def _add_second_key(path: Path, origin: str) -> str:
    """Put a new key into the key file behind the one that is there; its vkey."""
    old = path.read_text(encoding="ascii").split()
    if len(old) != 1:
        raise OpsError(
            f"{path} holds two keys already: end the older one with `rutter keys rotate --finish`."
        )
    seed = os.urandom(32)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # 0600
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{old[0]}\n{seed.hex()}\n")
        file.flush()
        os.fsync(file.fileno())
    Path(draft).replace(path)
    return SigningKey(origin, seed).vkey


def _finish(connection: psycopg.Connection[Any], *, early: bool) -> None:
    signing = [key for key in logged_keys(connection) if key.until is None]
    if len(signing) < 2:
        raise OpsError("There is one key only. `rutter keys rotate` announces another.")
    row = connection.execute(
        "SELECT made FROM es.key WHERE vkey = %s AND word = 'add'", (signing[-1].vkey,)
    ).fetchone()
    announced = row[0] if row else datetime.now(UTC)
    if not early and datetime.now(UTC) - announced < TOGETHER:
        raise OpsError(
            f"The new key was announced on {announced:%Y-%m-%d}. Both sign for {TOGETHER.days} days, so "
            "that everybody can learn of it; --early ends the old one now."
        )
    for key in signing[:-1]:
        _write_statement(connection, "end", key.vkey, _read_size(connection))
        click.echo(f"{key.vkey} has ended.")
    click.echo("Start Rutter again, and take the old key out of where it is kept.")


@command.command()
@click.argument("vkey")
@click.option(
    "--size", type=click.IntRange(min=0), help="From which size on it is not believed (default: now)."
)
@data_option
def revoke(vkey: str, size: int | None, data: Path) -> None:
    """Tell in the log that a key was stolen, by the hand of another key that signs.

    What the key signed counts from then on only with a proof that it was in the log below that size.
    Verifiers learn it from whoever gives them their policy: `rutter verify --revoked VKEY@SIZE`.
    """
    with _open_log(data) as (connection, _):
        keys = logged_keys(connection)
        if vkey not in {key.vkey for key in keys}:
            raise OpsError("The log has told of no such key; `rutter keys list` shows them.")
        if not _other_keys(keys, vkey):
            raise OpsError(
                "It is the only key that signs: announce another first, with `rutter keys rotate`."
            )
        at = _read_size(connection) if size is None else size
        _write_statement(connection, "revoke", vkey, at)
        click.echo(
            f"Revoked from size {at} on. Start Rutter again without it, and tell: --revoked {vkey}@{at}"
        )


def _other_keys(keys: list[LoggedKey], vkey: str) -> list[LoggedKey]:
    return [key for key in keys if key.vkey != vkey and key.until is None]


@contextmanager
def _open_log(data: Path) -> Iterator[tuple[psycopg.Connection[Any], str]]:
    with (
        find_or_start_servers(data) as addresses,
        connect(addresses.database, autocommit=True) as connection,
    ):
        origin = read_origin(connection)
        if origin is None:
            raise OpsError("This database has no log yet: start Rutter once.")
        yield connection, origin


def _write_statement(
    connection: psycopg.Connection[Any], word: str, vkey: str, size: int | None = None
) -> None:
    """Write down what is said of a key, where the tree stands now: that is where it will stand again."""
    try:
        with connection.transaction():
            connection.execute(
                "WITH held AS (SELECT position FROM es.tree FOR UPDATE)"
                " INSERT INTO es.key (word, vkey, size, position) SELECT %s, %s, %s, position FROM held",
                (word, vkey, size),
            )
    except psycopg.errors.UniqueViolation:
        raise OpsError("That has been said of this key before.") from None


def _read_size(connection: psycopg.Connection[Any]) -> int:
    row = connection.execute("SELECT size FROM es.tree").fetchone()
    return int(row[0]) if row else 0
