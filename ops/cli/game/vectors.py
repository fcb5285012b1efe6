"""`rutter vectors PATH...`: run worked examples."""

import sys
from pathlib import Path
from typing import Any

import click
import yaml

from events.rules import vectors
from events.rules.catalogue import UnusableTitle


@click.command("vectors")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def command(paths: tuple[Path, ...]) -> None:
    """Run the worked examples in PATHS: YAML files, or folders of them.

    The command prints a line for each example that fails. tests/vectors/README.md describes the format.

    \b
    Exit status:
      0  all examples pass
      1  an example fails, or there is none
      3  no example fails, but some need a title or a module that is not
         installed
    """  # noqa: D301 - \b is how click keeps lines
    held = failed = unchecked = 0
    for path in paths:
        try:
            found = vectors.load(path)
        except (vectors.VectorFailure, yaml.YAMLError) as error:
            click.echo(f"FAILED {path}: {' '.join(str(error).split())}")
            failed += 1
            continue
        for number, vector in enumerate(found, 1):
            name = _name_vector(vector, number)
            try:
                vectors.run(vector)
                held += 1
            except vectors.VectorFailure as reason:
                click.echo(f"FAILED {path} {name}: {' '.join(str(reason).split())}")
                failed += 1
            except (UnusableTitle, ImportError) as missing:
                click.echo(f"CANNOT CHECK {path} {name}: {missing}")
                unchecked += 1
    click.echo(f"{held} passed, {failed} failed" + f", {unchecked} not checked" * bool(unchecked))
    if unchecked and not failed:
        sys.exit(3)
    sys.exit(1 if failed or not held else 0)


def _name_vector(vector: Any, number: int) -> str:
    return str(vector["id"]) if isinstance(vector, dict) and "id" in vector else f"vector {number}"
