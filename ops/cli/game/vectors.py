"""`rutter vectors PATH...`: run worked examples."""

import sys
from pathlib import Path
from typing import Any

import click
import yaml

from events.rules import vectors
from events.rules.catalogue import TitleUnusable


@click.command("vectors")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def command(paths: tuple[Path, ...]) -> None:
    """Run the worked examples in PATHS (YAML files, or folders of them).

    One line for each that fails; exit status 0 only if all hold, 3 if none fails but some need a title or a
    module that is not at hand. The format: tests/vectors/README.md.
    """
    held = failed = unchecked = 0
    for path in paths:
        try:
            found = vectors.load(path)
        except (vectors.VectorFailed, yaml.YAMLError) as error:
            click.echo(f"FAILED {path}: {' '.join(str(error).split())}")
            failed += 1
            continue
        for number, vector in enumerate(found, 1):
            name = _name(vector, number)
            try:
                vectors.run(vector)
                held += 1
            except vectors.VectorFailed as reason:
                click.echo(f"FAILED {path} {name}: {' '.join(str(reason).split())}")
                failed += 1
            except (TitleUnusable, ImportError) as missing:
                click.echo(f"CANNOT CHECK {path} {name}: {missing}")
                unchecked += 1
    click.echo(f"{held} passed, {failed} failed" + f", {unchecked} not checked" * bool(unchecked))
    if unchecked and not failed:
        sys.exit(3)
    sys.exit(1 if failed or not held else 0)


def _name(vector: Any, number: int) -> str:
    return str(vector["id"]) if isinstance(vector, dict) and "id" in vector else f"vector {number}"
