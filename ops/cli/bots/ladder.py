"""`rutter ladder`: measure the levels of bots against each other, for each title and number of seats."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from events.rules.bot_names import BOTS
from events.rules.catalogue import find_title, title_ids
from ops.base.progress import progress
from ops.cli.options import jobs_option
from ops.titles import ladder_file
from ops.titles.ladder_file import Tables, add_deal, continue_table, find_table
from workers.bots.trials.ladder import ANCHOR, FIRST, Deal, Pair, Tally, list_pairs, rungs

FILE = Path(__file__).parents[2] / "titles" / "ladder.json"
SAVED = 2.0
"""Seconds between two times that the file is written."""


class WordList(click.ParamType[Any]):
    """Words with commas between them."""

    name = "A,B"

    def __init__(self, known: Sequence[str]) -> None:
        self.known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the words. All of them are known."""
        names = tuple(name for name in value.split(",") if name)
        for name in names:
            if name not in self.known:
                self.fail(f"{name!r} is unknown. Choose from {', '.join(self.known)}.", param, ctx)
        return names


@click.command("ladder")
@click.option("--titles", type=WordList(title_ids()), help="The titles to play. Default: all.")
@click.option(
    "--seats",
    type=WordList([str(n) for n in range(2, 11)]),
    help="The numbers of seats, such as 2,4. Default: all that a title has.",
)
@click.option("--bots", type=WordList([*BOTS, FIRST]), help="Play only pairs of these levels.")
@click.option(
    "--deals",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="The deals of each pair. Each is played once from every seat.",
)
@jobs_option
@click.option("--queue", is_flag=True, help="Send the deals to `rutter ladder --work`, through REDIS_URL.")
@click.option("--work", is_flag=True, help="Play deals that `rutter ladder --queue` sends, until Ctrl-C.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=FILE,
    show_default="ops/titles/ladder.json",
    help="The file of the results. The command continues it.",
)
@click.option("--check", is_flag=True, help="Play nothing: list results of older bots or rules.")
@click.option("--table", is_flag=True, help="Play nothing: print the strengths as a table in Markdown.")
def command(
    titles: Sequence[str] | None,
    seats: Sequence[str] | None,
    bots: Sequence[str] | None,
    deals: int,
    jobs: int,
    queue: bool,
    work: bool,
    out: Path,
    check: bool,
    table: bool,
) -> None:
    """Let the levels of bots play each other, and measure how strong each is.

    Each level plays the two levels below it, every deal from every seat. The file holds the results and the
    strengths: Elo points above `random`, with intervals of 95 % confidence based on deals.

    The file does not depend on the number of processes, and the command continues it. It does not repeat
    games of the same bots under the same rules. It drops results of older bots.

    Exit status: 0, or 1 if --check finds results of older bots or rules.
    """
    if check:
        _check(out)
    elif table:
        click.echo(ladder_file.format_markdown(ladder_file.read(out)), nl=False)
    elif work:
        from ops.titles.ladder_queue import run_worker

        run_worker()
    else:
        sizes = None if seats is None else {int(size) for size in seats}
        stored = _select_tables(ladder_file.read(out), titles or title_ids(), sizes, bots)
        _play(stored, _list_deals(stored, titles or title_ids(), sizes, bots, deals), out, jobs, queue=queue)
        _print_strengths(stored)


def _check(path: Path) -> None:
    found = ladder_file.find_outdated(ladder_file.read(path))
    for line in found:
        click.echo(f"{line}: older bots or rules")
    if found:
        click.echo("Play them again with `rutter ladder --titles TITLE --seats SEATS`.")
        sys.exit(1)
    click.echo("All results are of the installed bots and rules.")


def _select_tables(
    stored: Tables, titles: Sequence[str], sizes: set[int] | None, bots: Sequence[str] | None
) -> Tables:
    """Return *stored* with the tables that were asked for, ready to be continued."""
    for title_id in titles:
        tables = stored.get(title_id, [])
        for seats in _table_sizes(title_id, sizes):
            rules = find_title(title_id).version
            table = continue_table(
                title_id, find_table(tables, seats, rules), rules, list_pairs(title_id, bots)
            )
            tables = ladder_file.replace_table(tables, table)
        if tables:
            stored[title_id] = tables
    return stored


def _table_sizes(title_id: str, sizes: set[int] | None) -> list[int]:
    return [seats for seats in find_title(title_id).seats if sizes is None or seats in sizes]


def _list_deals(
    stored: Tables, titles: Sequence[str], sizes: set[int] | None, bots: Sequence[str] | None, deals: int
) -> list[Deal]:
    """Return the deals that are not yet played: the first deals of all pairs before the later ones of any."""
    found = [
        Deal(title_id, seats, pair, number)
        for title_id in titles
        for seats in _table_sizes(title_id, sizes)
        for pair in list_pairs(title_id, bots)
        for number in range(_count_played(stored, title_id, seats, pair), deals)
    ]
    return sorted(found, key=lambda deal: deal.number)


def _count_played(stored: Tables, title_id: str, seats: int, pair: Pair) -> int:
    table = find_table(stored[title_id], seats, 0)
    return next(
        each.tally.deals for each in table.pairs if msgspec.structs.replace(each, tally=Tally()) == pair
    )


def _play(stored: Tables, deals: Sequence[Deal], out: Path, jobs: int, *, queue: bool) -> None:
    """Play *deals*, and write the file now and then, and at the end however that comes."""
    saved = time.monotonic()
    try:
        with progress("Playing deals", len(deals)) as step, _open_players(deals, jobs, queue=queue) as sums:
            for deal, tally in zip(deals, sums, strict=True):
                table = add_deal(find_table(stored[deal.title], deal.seats, 0), deal.pair, tally)
                stored[deal.title] = ladder_file.replace_table(stored[deal.title], table)
                step(1)
                if time.monotonic() - saved > SAVED:
                    ladder_file.write(out, stored)
                    saved = time.monotonic()
    finally:
        ladder_file.write(out, stored)


@contextmanager
def _open_players(deals: Sequence[Deal], jobs: int, *, queue: bool) -> Iterator[Iterator[Tally]]:
    """Yield the sums of each task, in order."""
    if queue:
        from ops.titles.ladder_queue import play_remotely

        yield play_remotely(deals)
    elif jobs == 1:
        yield map(Deal.play, deals)
    else:
        pool = ProcessPoolExecutor(jobs)
        try:
            yield pool.map(Deal.play, deals)
        finally:
            pool.shutdown(cancel_futures=True)


def _print_strengths(stored: Tables) -> None:
    for title_id, tables in stored.items():
        for table in tables:
            click.echo(f"{title_id}, {table.seats} seats")
            for rung in rungs(table):
                name = f"{rung.name}@{rung.version}"
                bounds = f" ({rung.low:+d} to {rung.high:+d})" if rung.name != ANCHOR else ""
                click.echo(f"  {name:10} {rung.elo:+5d} Elo{bounds}, {rung.games} games. {rung.sentence}")
