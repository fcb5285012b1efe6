"""`rutter engines`: list and check engines of others."""

from __future__ import annotations

from pathlib import Path

import click

from events.base.settings import RUTTER_ENGINES
from events.rules.bot_names import UnknownBot
from ops.base.errors import OpsError
from ops.base.progress import progress
from workers.bot_types import MissingMove
from workers.bots.engines.moves import find_differences, record_moves
from workers.engines import require_files
from workers.engines.engine_list import Engine, list_engines
from workers.engines.engine_process import is_network_refused

NETWORK = (
    "This system cannot cut a program off from the network, because user namespaces are off. So an engine "
    "could ask others for its moves. Run the thinking workers on a machine without a network."
)


@click.command("engines")
@click.argument("names", nargs=-1)
@click.option("--check", is_flag=True, help="Also let reproducible engines repeat their recorded moves.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Record moves of one engine to this file.",
)
@click.option(
    "--moves",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    help="The number of moves to record.",
)
def command(names: tuple[str, ...], check: bool, record: Path | None, moves: int) -> None:
    """Show the engines that the file RUTTER_ENGINES lists: all, or those you name.

    For each engine, the command shows its version, titles and budget. It checks that its files are those in
    the list, and says if the engine is reproducible.

    A reproducible engine gives the same move for the same seed, so auditors can recompute its moves. Its
    entry needs `reproducible = true` and a file of recorded `moves`. Rated games and tournaments take no
    others.

    Exit status: 0 if all engines are as listed, 1 if not, 2 for wrong usage.
    """
    found = _select_engines(names)
    if record is not None:
        if len(found) != 1:
            raise click.UsageError("--record needs exactly one engine. Name it as NAME or NAME@VERSION.")
        _record(found[0], record, moves)
        return
    faults = [fault for engine in found if (fault := _print_engine(engine, check=check))]
    if not is_network_refused():
        click.echo(NETWORK, err=True)
    if faults:
        raise OpsError("Not all engines are as listed. The lines above say what differs.")


def _select_engines(names: tuple[str, ...]) -> list[Engine]:
    """Return the engines of those names; of NAME without a version the newest. Raises click's error."""
    there = list_engines()
    if not there:
        raise OpsError(f"No engine is listed. Set {RUTTER_ENGINES.name} to a file that lists some.")
    if not names:
        return list(there)
    known = {engine.entry.name: engine for engine in reversed(there)}
    known |= {f"{engine.entry.name}@{engine.entry.version}": engine for engine in there}
    for name in names:
        if name not in known:
            raise click.UsageError(f"No engine {name} is listed. Choose from {', '.join(sorted(known))}.")
    return [known[name] for name in names]


def _print_engine(engine: Engine, *, check: bool) -> bool:
    """Print a line about an engine. Return True if something is not as listed."""
    entry, said = engine.entry, []
    try:
        require_files(engine)
    except UnknownBot as unknown:
        said.append(f"{unknown}.")
    if entry.reproducible and not engine.reproducible:
        said.append(
            "It counts as not reproducible: no recorded moves match its files. Record them with --record."
        )
    if check and engine.reproducible and not said:
        said += _compare(engine)
    word = "reproducible" if engine.reproducible else "not reproducible"
    click.echo(
        f"{engine.full}: {', '.join(entry.titles)}; {entry.simulations} simulations,"
        f" {entry.cpu_seconds} s, {entry.memory_mb} MiB; {word}"
    )
    for sentence in said:
        click.echo(f"  {sentence}")
    return bool(said)


def _compare(engine: Engine) -> list[str]:
    assert engine.moves is not None  # noqa: S101 - it is reproducible
    try:
        with progress(f"Moves of {engine.full}", sum(1 for _ in engine.moves.open("rb")) - 1) as step:
            said = []
            for difference in find_differences(engine, engine.moves):
                step(1)
                said += [] if difference is None else [difference]
    except (OSError, ValueError, LookupError, UnknownBot) as error:
        return [f"Its recorded moves cannot be repeated: {error}"]
    return said


def _record(engine: Engine, file: Path, moves: int) -> None:
    try:
        with progress(f"Moves of {engine.full}", moves) as step:
            written = []
            for number, line in enumerate(record_moves(engine, moves)):
                written.append(line)
                step(min(number, 1))
    except (MissingMove, UnknownBot) as failure:
        raise OpsError(f"The engine {engine.full} gives no moves: {failure}.") from failure
    file.write_bytes(b"".join(written))
    click.echo(
        f"{file} holds {moves} moves of {engine.full}. Name the file as `moves` in the engine's entry."
    )
