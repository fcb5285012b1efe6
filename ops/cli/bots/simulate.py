"""`rutter simulate TITLE`: many whole games between bots, without a server, as lines of JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any, BinaryIO

import click
import msgspec

from events.rules.catalogue import find_title, title_ids
from events.rules.fact import Fact, type_name
from events.rules.fast_chance import FastChance
from events.rules.steps import Command, Rejected
from events.table.record import pseudonym
from ops.base.progress import progress
from ops.cli.bots.table_options import read_table
from workers.bot_types import Bot
from workers.bots import find_bot

ENCODER = msgspec.json.Encoder()


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
    "--out", type=click.File("wb"), default="-", help="Write the lines to this file instead of printing them."
)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="The number of processes.")
def command(
    title_id: str,
    games: int,
    seats: int | None,
    bots: tuple[str, ...],
    seed: str,
    options: str,
    out: BinaryIO,
    jobs: int,
) -> None:
    """Play whole games of TITLE between bots, and write each event as a line of JSON.

    A line has the members `game` (SEED/NUMBER), `seq`, `type`, `by`, `seat` and `data`. The first event of a
    command also has `command`. Events in an export of finished games have the same form, so the same programs
    read both. A game begins with TableOpened, which describes it, and ends with TableClosed, which has the
    result.

    All secrets are open. The output does not depend on the number of processes. Nothing is recorded or
    proved, so the bots take most of the time.

    Exit status: 0 when done, 2 for wrong usage.
    """
    wanted, names, given = read_table(title_id, seats, bots, options)
    by_seat = tuple(names[seat % len(names)] for seat in range(wanted))
    table = SimulatedTable(title_id, wanted, by_seat, seed, given)
    with ExitStack() as stack:
        step = stack.enter_context(progress("Playing", games))
        played = _play_all(stack, partial(play, table), games, jobs)
        for lines in played:
            out.write(lines)
            step(1)


def _play_all(stack: ExitStack, one: Callable[[int], bytes], games: int, jobs: int) -> Iterator[bytes]:
    """Yield the games in order, no more of them ahead than there are processes to play them."""
    if jobs == 1:
        return map(one, range(games))
    pool = ProcessPoolExecutor(jobs)
    stack.callback(pool.shutdown, cancel_futures=True)
    return _prefetch(pool, one, games, 4 * jobs)


def _prefetch(
    pool: ProcessPoolExecutor, one: Callable[[int], bytes], games: int, most: int
) -> Iterator[bytes]:
    waiting = [pool.submit(one, number) for number in range(min(games, most))]
    for number in range(games):
        yield waiting.pop(0).result()
        if number + most < games:
            waiting.append(pool.submit(one, number + most))


def play(table: SimulatedTable, number: int) -> bytes:
    """Play one game and return it as its lines."""
    title = find_title(table.title)
    players = [find_bot(table.title, name) for name in table.bots]
    name = f"{table.seed}/{number}"
    chance = FastChance(f"{table.title}/{name}")
    options = msgspec.convert(table.options, title.Options)
    lines = _Lines(name)
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
    return bytes(lines.text)


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
        self._name, self._seq, self.text = name, 0, bytearray()

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
        self._seq += 1
        line = {"game": self._name, "seq": self._seq, "type": kind, "by": pseudonym(seat), "seat": seat}
        self.text += ENCODER.encode({**line, "data": data, **more}) + b"\n"
