"""`rutter mcp SERVER`: tools with which an agent plays games at a server."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import click

from events.base.installation import install_command
from ops.base.errors import OpsError


@click.command("mcp")
@click.argument("server", metavar="SERVER")
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="A file with a token that has the scopes game:read and game:play, and no others.",
)
@click.option("--allow-account", is_flag=True, help="Accept a token with more scopes.")
@click.option(
    "--receipts",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the keys of the server and the receipts of commands in this folder.",
)
def command(server: str, token_file: Path, allow_account: bool, receipts: Path | None) -> None:
    """Let an agent play at SERVER, by the Model Context Protocol on standard input and output.

    SERVER is an origin, such as https://rutter.example. The agent gets six tools: list_games, look,
    decisions, act, history and verify. It can see and do what the token permits, and never sees the token.

    This needs the extra `mcp`.
    """
    if importlib.util.find_spec("mcp") is None:
        raise OpsError(f"The package mcp is not installed. Install it with `{install_command('mcp')}`.")
    from ops.clients.agent_tools import HIDDEN, WrongToken, check_token, make_server
    from service.client import AsyncClient, Client, Problem

    token = token_file.read_text(encoding="utf-8").strip()
    if not token:
        raise OpsError(f"{token_file} is empty. Write a token to it.")
    try:
        with Client(server, token, waits=10) as once:
            check_token(once, allow_account=allow_account)
        client = AsyncClient(server, token, waits=30, folder=receipts or "")
    except (Problem, ValueError, WrongToken) as problem:
        raise OpsError(str(problem).replace(token, HIDDEN)) from None
    try:
        make_server(client).run("stdio")
    finally:
        client.close()
