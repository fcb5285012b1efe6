"""`rutter keygen`: a signing key for hosts that share one database."""

import os

import click


@click.command("keygen")
def command() -> None:
    """Make a signing key and print it: 64 hex digits, the seed of an Ed25519 key.

    Set RUTTER_SIGNING_KEY to it on every host of one database. Tell it to no one else: anyone who has it can
    sign as your server. Keep a copy in another place than the backups of the database.
    """
    click.echo(os.urandom(32).hex())
