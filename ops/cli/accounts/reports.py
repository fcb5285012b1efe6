"""`rutter reports`: list the messages that players reported, and erase their words."""

from __future__ import annotations

import uuid
from datetime import UTC
from pathlib import Path
from typing import Any

import click
import msgspec
import psycopg

from events.talk.content import Content
from events.talk.state import talk_id
from events.tlog.text import escape_controls
from ops.base.errors import OpsError
from ops.cli.options import data_option
from ops.runtime.servers import open_connection
from service.stores.messages import SAID_FIELD

_REPORTED = (
    "SELECT game_id::text, n, account_id::text, reason, made_at FROM message_report"
    " ORDER BY made_at, game_id, n"
)
_WORDS = (
    "SELECT t.body, t.account_id::text FROM es.event e"
    " JOIN es.text t ON t.game_id = e.game_id AND t.cmd = (e.body::json->>'cmd')::uuid AND t.field = %s"
    " WHERE e.game_id = %s AND e.seq = %s"
)
_ERASE = (
    "DELETE FROM es.text t USING es.event e WHERE e.game_id = %s AND e.seq = %s AND t.game_id = e.game_id"
    " AND t.cmd = (e.body::json->>'cmd')::uuid AND t.field = %s"
)


@click.command("reports")
@click.argument("game", required=False)
@click.option("--message", type=click.IntRange(2), help="The number of the message in its talk.")
@click.option("--erase", is_flag=True, help="Erase the words of that message, with their salt.")
@data_option
def command(game: str | None, message: int | None, erase: bool, data: Path) -> None:
    """List the messages that players reported, or those of GAME.

    With --message and --erase, the words of that message of GAME are erased for everybody. The log keeps
    their digest. `rutter ban` bans an account: the list names the author of each message.
    """
    with open_connection(data) as connection:
        if not erase:
            if message is not None:
                raise OpsError("--message needs --erase. Leave it out to list all reports.")
            _print_reports(connection, game)
            return
        if game is None or message is None:
            raise OpsError("--erase needs a game and a --message. Name both.")
        erased = connection.execute(_ERASE, (talk_id(_read_id(game)), message, SAID_FIELD)).rowcount
        click.echo(f"message {message} of game {game}: {'erased' if erased else 'its words were not there'}")


def _print_reports(connection: psycopg.Connection[Any], game: str | None) -> None:
    wanted = None if game is None else _read_id(game)
    for reported, n, account, reason, made_at in connection.execute(_REPORTED).fetchall():
        if wanted in (None, reported):
            day = made_at.astimezone(UTC).strftime("%Y-%m-%d")
            told = f": {escape_controls(reason)}" if reason else ""
            click.echo(f"{reported}  message {n}  {day}  by {_find_name(connection, account)}{told}")
            click.echo(f"    {_describe_words(connection, reported, n)}")


def _describe_words(connection: psycopg.Connection[Any], game: str, n: int) -> str:
    """Return who wrote what, in one line."""
    row = connection.execute(_WORDS, (SAID_FIELD, talk_id(game), n)).fetchone()
    if row is None:
        return "erased"
    body, author = row
    text = msgspec.json.decode(body, type=Content).text
    return f'{_find_name(connection, author)} ({author}): "{escape_controls(text)}"'


def _find_name(connection: psycopg.Connection[Any], account: str) -> str:
    row = connection.execute("SELECT name FROM account WHERE id = %s", (account,)).fetchone()
    return escape_controls(row[0]) if row else "a deleted account"


def _read_id(game: str) -> str:
    """Return the id of a game as the log has it. Raises :class:`OpsError`."""
    try:
        return str(uuid.UUID(game))
    except ValueError:
        raise OpsError(f"{game} is no id of a game. Give a UUID.") from None
