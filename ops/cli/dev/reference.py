"""`rutter reference`: write the page of the documentation that describes the commands."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

PAGE = Path(__file__).resolve().parents[3] / "service" / "docs" / "pages" / "reference" / "cli.md"
WIDTH = 118
"""The most characters of a line of text."""
_HEAD = """\
---
title: Commands
summary: Every command of `rutter` with its arguments and options.
---

In a checkout the command is `ops/rutter`. An installed package has it as `rutter`.

```sh
ops/rutter --help
```

Commands that use a database take it from [`DATABASE_URL`](/docs/reference/settings#database_url), or from the
data folder that `--data` names.
"""


@click.command("reference")
def command() -> None:
    """Write the page of the documentation that describes all commands, from their help."""
    PAGE.write_text(make_page(), encoding="utf-8")
    click.echo(f"The page is written to {PAGE}.")


def make_page() -> str:
    """Return the page in Markdown."""
    from ops.cli import SECTIONS, rutter

    context = click.Context(rutter, info_name="rutter")
    parts = [_HEAD]
    for section, commands in SECTIONS.items():
        parts.append(f"## {section}\n")
        for name in commands:
            found = rutter.get_command(context, name)
            if found is not None:
                parts += _describe_command(found, context, name, "###")
    return "\n".join(parts)


def _describe_command(found: click.Command, parent: click.Context, name: str, level: str) -> Iterator[str]:
    """Yield the parts of the section about a command, and those of its own commands."""
    context = click.Context(found, info_name=name, parent=parent)
    words = " ".join(found.collect_usage_pieces(context))
    yield f"{level} {context.command_path}\n"
    yield f"```text\n{context.command_path} {words}\n```\n"
    yield _format_help(found.help or "")
    records = [param.get_help_record(context) for param in found.params if isinstance(param, click.Option)]
    rows = [f"| `{_escape(record[0])}` | {_escape(record[1])} |" for record in records if record]
    if rows:
        yield "\n".join(("| option | meaning |", "|---|---|", *rows, ""))
    if isinstance(found, click.Group):
        for inner in found.list_commands(context):
            below = found.get_command(context, inner)
            if below is not None:
                yield from _describe_command(below, context, inner, "####")


def _escape(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


def _format_help(text: str) -> str:
    """Return the help of a command in Markdown; paragraphs that keep their lines become blocks."""
    parts = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            lines = paragraph.removeprefix("\b").strip("\n")
            parts.append(f"```text\n{lines}\n```\n")
        else:
            words = " ".join(paragraph.split())
            parts.append(textwrap.fill(words, WIDTH, break_long_words=False, break_on_hyphens=False) + "\n")
    return "\n".join(parts)
