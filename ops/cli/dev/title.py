"""`rutter title new`: begin a title of your own."""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click

from events.base.installation import IMPORT_ROOT, PACKAGE_PREFIX, install_command, qualify_name
from events.base.settings import RUTTER_EXTRA_TITLES
from ops.titles.new_title import EXAMPLE, EXAMPLES, write_title


@click.group("title")
def command() -> None:
    """Make titles of your own."""


@command.command("new")
@click.argument("name")
@click.option(
    "--from",
    "source",
    default=EXAMPLE,
    show_default=True,
    metavar="TITLE",
    help=f"The title to copy: {' or '.join(EXAMPLES)}, or a title of your own.",
)
@click.option(
    "--into",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    show_default="the current folder",
    help="The folder in which to make the folder NAME.",
)
def new(name: str, source: str, folder: Path) -> None:
    """Write a new title, which you can play and then change.

    The title is complete: change it file by file. The folder NAME holds `pyproject.toml`, the package NAME
    with rules, bot and examples, and its tests.
    """
    import_module(qualify_name("tests.titles.golden"))  # says what is missing, before anything is written
    project = write_title(name, source, folder.resolve())
    shown = project.relative_to(Path.cwd()) if project.is_relative_to(Path.cwd()) else project
    click.echo(f"{shown} is the new title {name}. Change it file by file. To try it, run:")
    if find_spec("pytest") is None:
        click.echo(f"  {'pip install pytest' if PACKAGE_PREFIX else install_command('dev')}")
    click.echo(f"  {sys.executable} -m pytest {shown}")
    click.echo(f"  export PYTHONPATH={project} {RUTTER_EXTRA_TITLES.name}={name}")
    click.echo(f"  {'rutter up' if PACKAGE_PREFIX else IMPORT_ROOT / 'ops/up'}")
