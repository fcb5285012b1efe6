"""`rutter capacity`: compute the machines that a load needs, from measured figures."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from events.rules.catalogue import title_ids
from ops.base.errors import OpsError
from ops.base.progress import progress
from ops.benchmark.capacity_figures import SEEDS, Figure
from ops.benchmark.capacity_figures import measure as measure_capacity

RECORDED = Path(__file__).parents[2] / "benchmark" / "capacity.json"
"""The file of the figures that were measured last."""
LENGTH = 800
"""Events of a game, where games are counted."""
BENCH = (
    "HTTP command, CPU of all processes",
    "bot's first answer",
    "verify",
    *(f"commit, 1 event, {number}" for number in ("1 connection", "8 connections", "32 connections")),
)
"""The rows of `rutter bench` that are stored beside the figures of `--measure`."""
RATES = "commit, "
"""The prefix of rows whose ratio says more than the figure, which differs between disks."""


class _Bench(msgspec.Struct):
    """A line of `rutter bench --json`."""

    row: str
    figure: float
    unit: str
    ratio: float | None = None


@click.command("capacity")
@click.option(
    "--commands",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    help="The commands a second at the peak.",
)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=1_000_000,
    show_default=True,
    help="The number of stored games.",
)
@click.option("--measure", is_flag=True, help="First measure commands and events on this machine.")
@click.option(
    "--bench",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The output of `rutter bench --json`. Its rows replace the recorded ones.",
)
@click.option("--json", "as_json", is_flag=True, help="Print each figure as a line of JSON.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=RECORDED,
    metavar="FILE",
    help="The file of the figures. New figures replace old ones of the same row.",
)
def command(commands: int, games: int, measure: bool, bench: Path | None, as_json: bool, out: Path) -> None:
    """Compute the processors and disks that a load needs, and print them as tables in Markdown.

    By default, the command uses figures that were recorded with the program. With --measure, it first
    measures this machine, in a minute: sizes and processor time of random games of all titles. It starts its
    own servers for that, in a folder that it deletes afterwards.

    Figures of the whole server come from --bench: the output of `rutter bench --json` on a quiet machine.
    Each row shows the day of its figure.

    Exit status: 0 when done, 1 when a file is not valid, 2 for wrong usage.
    """
    figures = {one.row: one for one in _read(out)} if out.exists() else {}
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    if measure:
        with progress("Playing", len(title_ids()) * len(SEEDS)) as advance:
            figures |= {one.row: one for one in measure_capacity(today, advance)}
    if bench is not None:
        figures |= {one.row: one for one in _read_bench_figures(bench, today)}
    if measure or bench is not None:
        _write(out, figures)
    if not figures:
        raise OpsError(f"There is no file {out}. Make it with --measure or --bench FILE.")
    if as_json:
        sys.stdout.writelines(f"{msgspec.json.encode(one).decode()}\n" for one in figures.values())
    else:
        sys.stdout.writelines(
            f"{line}\n" for line in [*_format_table(figures), "", *_sum_up(figures, commands, games)]
        )


def _read(path: Path) -> list[Figure]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Figure])
    except msgspec.MsgspecError as error:
        raise OpsError(f"{path} holds no figures ({error}). Name another file with --out.") from None


def _write(path: Path, figures: dict[str, Figure]) -> None:
    aside = path.with_name(f"{path.name}.new")
    lines = ",\n".join(f" {msgspec.json.encode(one).decode()}" for one in figures.values())
    try:
        aside.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        aside.replace(path)
    except OSError as problem:
        raise OpsError(
            f"{path} cannot be written: {problem.strerror}. Name another file with --out."
        ) from None


def _read_bench_figures(path: Path, on: str) -> Iterator[Figure]:
    try:
        rows = [msgspec.json.decode(line, type=_Bench) for line in path.read_bytes().splitlines() if line]
    except msgspec.MsgspecError as error:
        raise OpsError(
            f"{path} is not the output of `rutter bench --json` ({error}). Run that, and name its file."
        ) from None
    for one in rows:
        if one.row in BENCH:
            yield Figure(one.row, one.figure, one.unit, "`rutter bench`", on, one.ratio)


def _format_table(figures: dict[str, Figure]) -> Iterator[str]:
    yield "| what | figure | how it was measured | when |"
    yield "|---|---|---|---|"
    for one in figures.values():
        cell = [] if one.figure is None else [f"{one.figure:,.6g} {one.unit}".rstrip()]
        if one.row.startswith(RATES):
            cell = [f"{one.ratio:.2g} of bare INSERTs"] if one.ratio else cell
        yield f"| {one.row} | {''.join(cell)} | {one.how} | {one.on} |"


def _sum_up(figures: dict[str, Figure], commands: int, games: int) -> Iterator[str]:
    """Yield the needs of so many commands a second, and games, from the figures that are there."""

    def figure(row: str) -> float | None:
        found = figures.get(row)
        return None if found is None else found.figure

    a_command, hot, cold = (
        figure(row) for row in ("events a command", "event, all tables", "event, in its bundle")
    )
    whole, projecting = figure("HTTP command, CPU of all processes"), figure("projecting an event")
    yield f"| {commands:,} commands a second at the peak, {games:,} games of {LENGTH} events | |"
    yield "|---|---|"
    if whole is not None:
        yield f"| processor, all processes | {_round(commands * whole / 1000)} cores |"
    if a_command is None:
        return
    events = commands * a_command
    yield f"| events | {_round(events)} a second |"
    if projecting is not None:
        yield f"| cores for read models, of these | {_round(events * projecting / 1000)} |"
    if hot is not None:
        second, day = _format_bytes(events * hot), _format_bytes(events * hot * 86_400)
        yield f"| disk, all tables | {second} a second, {day} a day |"
        yield f"| the games, in the database | {_format_bytes(games * LENGTH * hot)} |"
    if cold is not None:
        yield f"| the games, in their bundles | {_format_bytes(games * LENGTH * cold)} |"


def _round(value: float) -> str:
    return f"{float(f'{value:.2g}'):,.10g}"


def _format_bytes(value: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if value < 1000:
            return f"{_round(value)} {unit}"
        value /= 1000
    return f"{_round(value)} PB"
