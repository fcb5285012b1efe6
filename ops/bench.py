"""`rutter bench`: measure this machine, each figure beside a yardstick of the same run."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from psycopg_pool import ConnectionPool

from events import bundle, chain
from events.catalogue import find_title
from events.fact import Fact, type_name
from events.fast_chance import FastChance
from events.game import Game
from events.games import Games, SeatPlan
from events.log import EventLog, Pool
from events.project import ours
from events.steps import Command
from events.title import Title
from events.tlog.notes import SigningKey
from events.verify import verify
from ops.bench_append import append, bare
from ops.bench_http import SEATS, measure
from ops.client import Api
from ops.crew import Crew
from ops.grant import bring_up_to_date
from ops.ports import free_port
from ops.servers import Servers
from ops.up import start_crew, wait_until_ready
from projections.runner import Runner

TITLE = "colonial_empires"
LONG_TITLE, LONG = "colonial", 5000
"""The game that is travelled in, and its number of events."""


class Row(msgspec.Struct, frozen=True):
    """One line of the table."""

    what: str
    figure: float
    unit: str
    yardstick: str
    against: float | None = None
    aim: str = ""

    def text(self) -> str:
        """The line, in columns."""
        ratio = "" if not self.against else f"{self.figure / self.against:8.2f}"
        against = "" if self.against is None else f"{self.against:12,.0f}"
        figure = f"{self.figure:>12,.1f} {self.unit:<11}"
        return f"{self.what:<46}{figure}{against:>12} {ratio:>8}  {self.yardstick:<34}{self.aim}"


@click.command("bench")
@click.option("--seconds", default=3.0, show_default=True, help="How long each rate is measured.")
def command(seconds: float) -> None:
    """Measure appending, folding, random play, HTTP commands, time travel and verification.

    Everything runs on servers of its own (fsync on) in a folder that is deleted afterwards.
    """
    click.echo(f"{'what':<46}{'figure':>12} {'':<11}{'yardstick':>12} {'ratio':>8}  {'':<34}aim")
    for row in _rows(seconds):
        click.echo(row.text())


def _rows(seconds: float) -> Iterator[Row]:
    yield from _pure(seconds)
    with _servers() as servers:  # of its own: what it appends belongs to no title
        bring_up_to_date(servers.addresses)
        yield from _appending(servers.owner_url, seconds)
    with _servers() as servers:
        bring_up_to_date(servers.addresses)
        yield from _travelling(servers.database_url)
        yield from _http(servers, seconds)


@contextmanager
def _servers() -> Iterator[Servers]:
    """Durable servers in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="rutter-bench-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)  # the servers may run as another user
        environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
        with Servers(Path(folder) / "data", environment=environment) as servers:
            yield servers


def _rate(action: Callable[[], int], seconds: float) -> float:
    """How many a second, where each call of *action* answers how many it did."""
    action()
    done, started = 0, time.perf_counter()
    while (took := time.perf_counter() - started) < seconds:
        done += action()
    return done / took


# --- without servers -------------------------------------------------------------------------------


def random_game(title: Title[Any], seats: int, seed: int) -> tuple[list[Fact], int, Any]:
    """(facts, commands, blank state) of one whole random game."""
    chance = FastChance(seed)
    options = title.Options()
    draft = title.open(seats, options, chance)
    state, facts, commands = draft.state, list(draft.facts), 0
    while title.outcome(state) is None:
        draft = title.decide(state, *random_command(title, state, chance), chance)
        state = draft.state
        facts += draft.facts
        commands += 1
    return facts, commands, title.blank(seats, options)


def random_command(title: Title[Any], state: Any, chance: FastChance) -> tuple[int | None, Command]:
    """(seat, command) of one decision that is awaited."""
    decision = chance.pick(title.awaited(state))
    seat = decision.seat
    given = None if seat is None else title.sample(state, seat, chance)
    return seat, given or title.default(state, decision)


def _pure(seconds: float) -> Iterator[Row]:
    title = find_title(TITLE)
    facts, _, blank = random_game(title, 4, 1)

    def replace() -> int:
        state = blank
        for number in range(1000):
            state = msgspec.structs.replace(state, turn=number)
        return 1000

    def fold() -> int:
        title.fold_all(blank, facts)
        return len(facts)

    seeds = iter(range(10**9))
    bare_fold = _rate(replace, seconds)
    yield Row(
        "events folded (Colonial Empires)",
        _rate(fold, seconds),
        "events/s",
        "replace of one field of the state",
        bare_fold,
        "> 200,000/s",
    )
    played = _rate(lambda: random_game(title, 4, next(seeds))[1], seconds)
    yield Row(
        "random play, one process",
        played,
        "commands/s",
        "replace of one field of the state",
        bare_fold,
        "> 20,000/s",
    )


# --- the log ---------------------------------------------------------------------------------------


def _appending(database_url: str, seconds: float) -> Iterator[Row]:
    for connections in (1, 8, 32):
        before = bare(database_url, connections, seconds).commits
        one = append(database_url, connections, seconds)
        between = bare(database_url, connections, seconds).commits
        three = append(database_url, connections, seconds, 3)
        after = bare(database_url, connections, seconds).commits
        name = f"{connections} connection{'s' if connections > 1 else ''}"
        yield Row(
            f"appended commits, 1 event each, {name}",
            one.commits,
            "commits/s",
            "bare INSERT+COMMIT",
            (before + between) / 2,
            "",
        )
        yield Row(
            f"appended events, 3 a command, {name}",
            three.events,
            "events/s",
            "bare INSERT+COMMIT",
            (between + after) / 2,
            "> 0.8 of bare",
        )


@contextmanager
def _games(database_url: str) -> Iterator[Games]:
    pool: Pool = ConnectionPool(database_url, min_size=1, max_size=4, kwargs={"autocommit": True}, open=False)
    with pool:
        yield Games(EventLog(pool))


def _travelling(database_url: str) -> Iterator[Row]:
    with _games(database_url) as games:
        long, early, late = _long_game(games)
        games.log.sequence()
        projector = Runner(games.log)
        while projector.step():  # as the dispatcher does: it leaves the snapshots behind
            pass
        yield Row("a command at event 50", early * 1000, "ms", "")
        yield Row(f"a command at event {long.seq:,}", late * 1000, "ms", "", aim="the same as at event 50")
        for name, process in (("in a fresh process", Games(games.log)), ("again", games)):
            worst = max(_seconds(lambda s=seq, g=process: _show(g, long.id, s)) for seq in _spread(long.seq))  # type: ignore[misc]
            yield Row(
                f"any event of {long.seq:,} shown, worst, {name}", worst * 1000, "ms", "", aim="< 20 ms"
            )
        finished = _finished_game(games)
        key = SigningKey(games.origin, bytes(32))
        lines = list(bundle.lines(games.load(finished), games.records(finished), None, key, 0))
        bodies = [record.body for record in games.records(finished)]

        def hashes() -> int:
            head = b""
            for body in bodies:
                head = chain.link(head, body)
            return len(bodies)

        def checks() -> int:
            return verify(lines).events

        yield Row(
            "verified (every command decided again)",
            _rate(checks, 2),
            "events/s",
            "hashing the same events",
            _rate(hashes, 1),
        )


def _spread(last: int) -> range:
    return range(last - 1, 10, -97)


def _seconds(action: Callable[[], Any]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def _show(games: Games, game_id: str, seq: int) -> None:
    game = games.load(game_id, seq)
    if game.state is not None:
        msgspec.json.encode(game.title.shown(game.state, 0))


def _long_game(games: Games) -> tuple[Game, float, float]:
    """A game of LONG events, and the median seconds of a command near event 50 and near its end.

    Random play with many gifts: they may be given at any time and make games as long as one likes.
    """
    title, chance = find_title(LONG_TITLE), FastChance(7)
    took: list[tuple[int, float]] = []
    game = games.create(title, title.Options(), [SeatPlan()] * title.seats[-1])
    while game.status == "running" and game.seq < LONG:
        seat, given = _now_and_then_freely(title, game.state, chance)
        started = time.perf_counter()
        game = games.command(game.id, seat, given).game
        took.append((game.seq, time.perf_counter() - started))
    early = sorted(t for s, t in took if s < 150)
    late = sorted(t for s, t in took if s > game.seq - 150)
    return game, early[len(early) // 2], late[len(late) // 2]


def _now_and_then_freely(title: Title[Any], state: Any, chance: FastChance) -> tuple[int | None, Command]:
    free = [d for d in title.decisions(state) if d.free]
    if free and chance.below(16):
        decision = chance.pick(free)
        if decision.seat is not None:
            listed = [c for c in title.legal(state, decision.seat) if type_name(type(c)) in decision.commands]
            if listed:
                return decision.seat, chance.pick(listed)
    return random_command(title, state, chance)


def _finished_game(games: Games) -> str:
    title, chance = find_title(TITLE), FastChance(9)
    game = games.create(title, title.Options(), [SeatPlan()] * 4)
    while game.status == "running":
        game = games.command(game.id, *random_command(title, game.state, chance)).game
    return game.id


# --- HTTP ------------------------------------------------------------------------------------------


def _http(servers: Servers, seconds: float) -> Iterator[Row]:
    address = f"http://127.0.0.1:{free_port()}"
    crew = Crew(servers.folder)
    start_crew(crew, servers, "127.0.0.1", address, ours("ops.bench_app:create_app()"))
    try:
        wait_until_ready(address, servers, crew, threading.Event())
        token = Api(address).post("/v1/accounts", {"name": "Bench"})["token"]
        echo, commands = measure(address, token, _trading_position(), seconds)
    finally:
        crew.stop()
    yield Row(
        "commands over HTTP, 16 connections", commands.rate, "commands/s", "trivial validated POST", echo.rate
    )
    yield Row("  p50", commands.p50, "ms", "trivial validated POST", echo.p50)
    yield Row("  p99", commands.p99, "ms", "trivial validated POST", echo.p99)


def _trading_position() -> dict[str, Any]:
    """Ten players in a Trade Phase, reached by default actions."""
    title = find_title(TITLE)
    chance = FastChance(2)
    state = title.open(SEATS, title.Options(), chance).state
    while state.step != "trading":
        decision = title.awaited(state)[0]
        state = title.decide(state, decision.seat, title.default(state, decision), chance).state
    return title.position(state)
