"""`rutter simulate TITLE`: many whole games between bots, without a server, as JSON or Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any, BinaryIO

import click
import msgspec

from events.research.row_structs import SimulatedEvent, SimulatedGame
from events.rules.catalogue import find_title, title_ids
from events.rules.fact import Fact, Json, type_name
from events.rules.fast_chance import FastChance
from events.rules.steps import Command, Rejected
from events.table.record import pseudonym
from ops.base.progress import progress
from ops.base.table_files import Format, Kind, open_writer
from ops.cli.bots.table_options import read_table
from ops.cli.options import jobs_option
from workers.bot_types import Bot
from workers.bots import find_bot

Lines = list[dict[str, Any]]
"""The lines of a game."""
_KINDS: dict[Any, Kind] = {
    str: "text", int: "integer", int | None: "integer", list[int]: "integers", list[str]: "texts",
}  # fmt: skip


def _list_columns(row: type[msgspec.Struct]) -> dict[str, Kind]:
    """Return the type of each column of a kind of row."""
    return {field.encode_name: _KINDS.get(field.type, "json") for field in msgspec.structs.fields(row)}


EVENT_COLUMNS, GAME_COLUMNS = _list_columns(SimulatedEvent), _list_columns(SimulatedGame)


class SimulatedTable(msgspec.Struct, frozen=True):
    """A table to be played: the same table gives the same games."""

    title: str
    seats: int
    bots: tuple[str, ...]
    """By seat."""
    seed: str
    options: dict[str, Any]


@click.command("simulate")
@click.argument("title_id", metavar="TITLE", type=click.Choice(title_ids()))
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="The number of games.")
@click.option("--seats", type=int, help="The seats of each game. Default: as few as the title allows.")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    default=("steady",),
    show_default=True,
    help="A bot. If you name several, they take the seats in turn. steady@1 is an old version.",
)
@click.option("--seed", default="simulate", show_default=True, help="The same seed gives the same games.")
@click.option("--options", default="{}", help="Options of the title, as JSON.")
@click.option(
    "--out",
    type=click.File("wb"),
    default="-",
    help="Write the events to this file instead of printing them.",
)
@click.option(
    "--summary",
    type=click.File("wb", lazy=False),
    help="Also write a row for each game to this file: title, seats, bots, winners, places.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["ndjson", "parquet"]),
    default="ndjson",
    show_default=True,
    help="The format of both files. Parquet needs pyarrow.",
)
@jobs_option
def command(
    title_id: str,
    games: int,
    seats: int | None,
    bots: tuple[str, ...],
    seed: str,
    options: str,
    out: BinaryIO,
    summary: BinaryIO | None,
    form: Format,
    jobs: int,
) -> None:
    """Play whole games of TITLE between bots, and write each event as a line of JSON or a row of Parquet.

    A line has the members `game` (TITLE/SEED/NUMBER), `seq`, `type`, `by`, `seat` and `data`. The first event
    of a command also has `command`. In Parquet, `data` and `command` are JSON as text. Events in an export of
    finished games have the same form, so the same programs read both. A game begins with TableOpened, which
    describes it, and ends with TableClosed, which has the result.

    All secrets are open. The output does not depend on the number of processes. Nothing is recorded or
    proved, so the bots take most of the time.

    Exit status: 0 when done, 2 for wrong usage.
    """
    wanted, names, given = read_table(title_id, seats, bots, options)
    by_seat = tuple(names[seat % len(names)] for seat in range(wanted))
    table = SimulatedTable(title_id, wanted, by_seat, seed, given)
    if form == "parquet" and out.isatty():
        raise click.UsageError("Parquet is not printed. Name a file with --out.")
    with ExitStack() as stack:
        step = stack.enter_context(progress("Playing", games))
        events = stack.enter_context(open_writer(out, form, EVENT_COLUMNS))
        ends = stack.enter_context(open_writer(summary, form, GAME_COLUMNS)) if summary is not None else None
        for lines in _play_all(stack, partial(play, table), games, jobs):
            events.add(lines)
            if ends is not None:
                ends.add([_sum_up(lines)])
            step(1)


def _play_all(stack: ExitStack, one: Callable[[int], Lines], games: int, jobs: int) -> Iterator[Lines]:
    """Yield the games in order, no more of them ahead than there are processes to play them."""
    if jobs == 1:
        return map(one, range(games))
    pool = ProcessPoolExecutor(jobs)
    stack.callback(pool.shutdown, cancel_futures=True)
    return _prefetch(pool, one, games, 4 * jobs)


def _prefetch(
    pool: ProcessPoolExecutor, one: Callable[[int], Lines], games: int, most: int
) -> Iterator[Lines]:
    waiting = [pool.submit(one, number) for number in range(min(games, most))]
    for number in range(games):
        yield waiting.pop(0).result()
        if number + most < games:
            waiting.append(pool.submit(one, number + most))


def _sum_up(lines: Lines) -> Json:
    """Return a game as one row, from its first and its last line."""
    opened, closed = lines[0]["data"], lines[-1]["data"]
    found = {"game": lines[0]["game"], "version": opened["version"], "events": len(lines)}
    found |= {name: opened[name] for name in ("title", "seats", "options", "seed")}
    found |= {name: list(closed[name]) for name in ("winners", "places", "scores")}
    row = {**found, "bots": list(opened["bots"]), "reason": closed["reason"]}
    return {name: row[name] for name in GAME_COLUMNS}


def play(table: SimulatedTable, number: int) -> Lines:
    """Play one game and return its lines."""
    title = find_title(table.title)
    players = [find_bot(table.title, name) for name in table.bots]
    name = f"{table.seed}/{number}"
    chance = FastChance(f"{table.title}/{name}")
    options = msgspec.convert(table.options, title.Options)
    lines = _Lines(f"{table.title}/{name}")
    lines.add(None, "TableOpened", {"version": title.version, **msgspec.structs.asdict(table)})
    draft = title.open(table.seats, options, chance)
    lines.facts(None, draft.facts, None)
    state = draft.state
    while waiting := title.awaited(state):
        seat = waiting[0].seat
        given = title.default(state, waiting[0])
        if seat is not None:
            given = _move(title, players[seat], state, seat, chance) or given
        draft = title.decide(state, seat, given, chance)
        lines.facts(seat, draft.facts, given)
        state = draft.state
    lines.add(None, "TableClosed", msgspec.to_builtins(title.outcome(state)))
    return lines.lines


def _move(title: Any, bot: Bot, state: Any, seat: int, chance: FastChance) -> Command | None:
    """Return a bot's command, thought about what its seat may know; None if the rules refuse it."""
    thinking = FastChance(chance.draw_below(1 << 53))
    given = bot.choose(title, title.imagine(state, seat, thinking), seat, thinking, bot.budget)
    try:
        title.decide(state, seat, given, FastChance(0))
    except Rejected:
        return None
    return given


class _Lines:
    """The lines of a game."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.lines: Lines = []

    def facts(self, seat: int | None, facts: list[Fact], given: Command | None) -> None:
        """Add the facts that a command led to."""
        more = {} if given is None else {"command": msgspec.to_builtins(given, str_keys=True)}
        for fact in facts:
            data = msgspec.to_builtins(fact, str_keys=True)
            del data["type"]
            self.add(seat, type_name(type(fact)), data, **more)
            more = {}

    def add(self, seat: int | None, kind: str, data: Any, **more: Any) -> None:
        """Add one event."""
        seq = len(self.lines) + 1
        line = {"game": self._name, "seq": seq, "type": kind, "by": pseudonym(seat), "seat": seat}
        self.lines.append({**line, "data": data, **more})
