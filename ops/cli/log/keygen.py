"""`rutter keygen`: a key to sign with, for hosts that share one database."""

import os

import click


@click.command("keygen")
def command() -> None:
    """Make a signing key and print it: 64 hex digits, the seed of an Ed25519 key.

    Give it to every host of one database in RUTTER_SIGNING_KEY, and to nobody else: whoever has it can sign
    in the name of the service. Keep a copy apart from the backups of the database.
    """
    click.echo(os.urandom(32).hex())
