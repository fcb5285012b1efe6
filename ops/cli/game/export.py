"""`rutter export URL`: the games of a server as files for statistics."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from ops.base.errors import OpsError
from ops.base.table_files import Format, Kind, open_writer
from ops.clients.export_download import ExportDownload

COLUMNS: dict[str, dict[str, Kind]] = {
    "games": {
        "game": "text",
        "title": "text",
        "version": "integer",
        "status": "text",
        "options": "json",
        "seats": "json",
        "seq": "integer",
        "winners": "integers",
        "places": "integers",
        "scores": "integers",
        "outcome": "json",
        "ended_by": "text",
        "analysis": "boolean",
        "origin": "json",
        "rated": "boolean",
        "visibility": "text",
        "tournament": "json",
        "created_at": "text",
        "cursor": "text",
    },
    "events": {
        "game": "text",
        "seq": "integer",
        "type": "text",
        "by": "text",
        "seat": "integer",
        "data": "json",
        "command": "json",
        "at": "text",
        "hash": "text",
        "hidden": "json",
        "draws": "json",
        "bot": "json",
        "sig": "json",
        "clock": "json",
        "text": "text",
        "cursor": "text",
    },
}
"""The columns of each export as Parquet."""


@click.command("export")
@click.argument("url", metavar="URL")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder of the files. It is made if it is missing.",
)
@click.option("--title", help="Only games of this title.")
@click.option(
    "--status",
    type=click.Choice(["finished", "abandoned"]),
    default="finished",
    show_default=True,
    help="Only games with this status.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["ndjson", "parquet"]),
    default="ndjson",
    show_default=True,
    help="With parquet, also write games.parquet and events.parquet. This needs pyarrow.",
)
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file with the token of an account, for its private games.",
)
def command(
    url: str, out: Path, title: str | None, status: str, form: Format, token_file: Path | None
) -> None:
    """Fetch all games of the server at URL that have ended, and all of their events.

    The command writes games.ndjson and events.ndjson to the folder, and follows the pages of the export. Run
    it again after an interruption or days later: it goes on after the last line, and fetches the games that
    ended since. Use one folder for one server, title and status.

    Exit status: 0 when everything is fetched, 1 when not, 2 for wrong usage.
    """
    token = None if token_file is None else token_file.read_text(encoding="utf-8").strip()
    server = ExportDownload(url, token)
    out.mkdir(parents=True, exist_ok=True)
    query = {"status": status} | ({} if title is None else {"title": title})
    for what, columns in COLUMNS.items():
        path, count = out / f"{what}.ndjson", 0
        for lines in server.fetch(what, query, path):
            count += lines
            if sys.stderr.isatty():
                click.echo(f"\r{what}: {count:,} lines", nl=False, err=True)
        click.echo(f"{what}: {count} new lines in {path}")
        if form == "parquet" and path.exists():
            _convert(path, path.with_suffix(".parquet"), columns)


def _convert(lines: Path, out: Path, columns: dict[str, Kind]) -> None:
    """Write the lines of a file as Parquet, in the place of an older file once it is whole."""
    aside = out.with_name(f"{out.name}.new")
    with aside.open("wb") as stream, open_writer(stream, "parquet", columns) as table:
        table.add(_read_rows(lines))
    aside.replace(out)


def _read_rows(lines: Path) -> Iterator[dict[str, Any]]:
    """Yield each line with the members of its outcome beside the others."""
    with lines.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                row = msgspec.json.decode(line, type=dict[str, Any])
            except msgspec.MsgspecError as error:
                raise OpsError(f"{lines}, line {number}: {error}. Name another folder.") from None
            outcome = row.get("outcome") or {}
            yield row | {name: outcome.get(name) for name in ("winners", "places", "scores")}
