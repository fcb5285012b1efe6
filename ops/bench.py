"""`rutter bench`: measure this machine, each figure beside a yardstick of the same run."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import click
import msgspec
import psycopg
from psycopg_pool import ConnectionPool

from events.base.installation import qualified_name
from events.rules.catalogue import find_title
from events.rules.fact import type_name
from events.rules.fast_chance import FastChance
from events.rules.steps import Command
from events.rules.title import Title
from events.store.event_log import EventLog, Pool
from events.store.games import Games, SeatPlan
from events.table.game import Game
from ops.bench_append import append_rows
from ops.bench_core import core_rows, random_command, random_game, record_rows
from ops.bench_cpu import Meter
from ops.bench_fill import EVENTS, catch_up, fill
from ops.bench_http import SEATS, http_rows
from ops.bench_live import bot_row, delivery_row
from ops.bench_peers import peer_rows
from ops.bench_rows import HEAD, Row, beside
from ops.client import Api
from ops.crew import Crew
from ops.grant import bring_up_to_date
from ops.ports import free_port
from ops.progress import progress
from ops.servers import Servers
from ops.up import start_crew, wait_until_ready

__all__ = ["Row", "command", "random_game"]
TITLE = "colonial_empires"
LONG_TITLE = "colonial"
"""The game that is travelled in."""


class Extent(msgspec.Struct, frozen=True):
    """How much is measured."""

    seconds: float = 3.0
    """Of each rate."""
    long: int = 5000
    """Events of the game that is travelled in."""
    listeners: int = 500
    heard: int = 20
    """Commands that they hear of."""
    answers: int = 9
    """First answers of bots."""


QUICK = Extent(0.3, 150, 20, 3, 1)


@click.command("bench")
@click.option("--seconds", default=3.0, show_default=True, help="How long each rate is measured.")
@click.option("--quick", is_flag=True, help="Next to nothing of everything: shows that it runs, no figures.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each row.")
@click.option(
    "--filled",
    type=click.IntRange(1),
    is_flag=False,
    flag_value=EVENTS,
    metavar="[EVENTS]",
    help=f"Measure the service in a database of so many events ({EVENTS:,} in 15,000 games, most of them"
    " running) too, and show what an empty one gives beside it.",
)
@click.option(
    "--peers", is_flag=True, help="Also measure catanatron, python-chess and OpenSpiel at random play."
)
def command(seconds: float, quick: bool, as_json: bool, filled: int | None, peers: bool) -> None:
    """Measure log, core and service, each figure beside a yardstick of the same run.

    Everything runs on servers of its own (fsync on) in a folder that is deleted afterwards. The names of the
    rows stay for ever. What the service is measured by counts all its processes, and all that a command leads
    to: positions, read models, the log of all games.
    """
    extent = QUICK if quick else Extent(seconds)
    if not as_json:
        click.echo(HEAD.rstrip())
    for row in _rows(extent, filled, peers=peers):
        click.echo(row.json() if as_json else row.text())


def _rows(extent: Extent, filled: int | None, *, peers: bool) -> Iterator[Row]:
    yield from core_rows(extent.seconds)
    if peers:
        yield from peer_rows(extent.seconds, lambda line: click.echo(line, err=True))
    if filled is None:
        yield from _of_service(extent, None)
    else:
        empty = list(_of_service(extent, None))
        yield from beside(_of_service(extent, filled), empty)


def _of_service(extent: Extent, filled: int | None) -> Iterator[Row]:
    """What needs servers, in an empty database or in one with about *filled* events."""
    with durable_servers() as servers:
        bring_up_to_date(servers.addresses)
        with games_of(servers.database_url) as games:
            if filled is not None:
                with progress("Filling", filled) as advance:
                    fill(games, servers.owner_url, filled, advance)
            yield from _travelling(games, extent.long)
            yield from record_rows(games, extent.seconds, extent.long)
            catch_up(games)
            yield _on_disk(servers.owner_url)
            yield from _appends("commit alone", servers, extent, lambda: catch_up(games))
        yield from _at_work(servers, extent)


@contextmanager
def durable_servers() -> Iterator[Servers]:
    """Durable servers in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="rutter-bench-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)  # the servers may run as another user
        environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
        with Servers(Path(folder) / "data", environment=environment) as servers:
            yield servers


@contextmanager
def games_of(database_url: str) -> Iterator[Games]:
    """Games on the database, over a pool of their own."""
    pool: Pool = ConnectionPool(database_url, min_size=1, max_size=4, kwargs={"autocommit": True}, open=False)
    with pool:
        yield Games(EventLog(pool))


# --- without the service ---------------------------------------------------------------------------------


def _travelling(games: Games, length: int) -> Iterator[Row]:
    """The slowest of many looks at a long game's past, in a process that has not seen it."""
    long = _long_game(games, length)
    catch_up(games)
    fresh = Games(games.log)
    worst = max(_seconds(lambda s=seq: _show(fresh, long.id, s)) for seq in range(long.seq - 1, 10, -97))  # type: ignore[misc]
    yield Row("any event of 5,000", worst * 1000, "ms", goal="< 20")


def _seconds(action: Callable[[], Any]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def _show(games: Games, game_id: str, seq: int) -> None:
    game = games.load(game_id, seq)
    if game.state is not None:
        msgspec.json.encode(game.title.view_json(game.state, 0))


def _long_game(games: Games, length: int) -> Game:
    """A game of so many events, by random play with many gifts: they may be given at any time."""
    title, chance = find_title(LONG_TITLE), FastChance(7)
    game = games.create(title, title.Options(), [SeatPlan()] * title.seats[-1])
    while game.status == "running" and game.seq < length:
        seat, given = _now_and_then_freely(title, game.state, chance)
        game = games.command(game.id, seat, given).game
    return game


def _now_and_then_freely(title: Title[Any], state: Any, chance: FastChance) -> tuple[int | None, Command]:
    free = [d for d in title.decisions(state) if d.free]
    if free and chance.below(16):
        decision = chance.pick(free)
        if decision.seat is not None:
            listed = [c for c in title.legal(state, decision.seat) if type_name(type(c)) in decision.commands]
            if listed:
                return decision.seat, chance.pick(listed)
    return random_command(title, state, chance)


def _on_disk(owner_url: str) -> Row:
    """What one event of real games takes in the log, its indexes included."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("VACUUM es.event")
        row = connection.execute(
            "SELECT pg_total_relation_size('es.event')::float8 / count(*) FROM es.event"
        ).fetchone()
    return Row("event on disk", row[0] if row else 0.0, "B", goal="<= 400")


def _appends(name: str, servers: Servers, extent: Extent, settle: Callable[[], None]) -> Iterator[Row]:
    return append_rows(
        name, servers.database_url, servers.owner_url, _trading_position(), extent.seconds, settle
    )


# --- the service at work ---------------------------------------------------------------------------------


def _at_work(servers: Servers, extent: Extent) -> Iterator[Row]:
    address = f"http://127.0.0.1:{free_port()}"
    crew = Crew(servers.folder)
    with redirect_stdout(sys.stderr):  # what it says is no row
        start_crew(crew, servers, "127.0.0.1", address, qualified_name("ops.bench_app:create_app()"))
    try:
        wait_until_ready(address, servers, crew, threading.Event())
        meter = Meter(lambda: _processes(servers, crew), servers.owner_url, extent.seconds)
        token = Api(address).post("/v1/accounts", {"name": "Bench"})["token"]
        position = _trading_position()
        yield from http_rows(address, token, position, extent.seconds, meter)
        yield delivery_row(address, token, position, extent.listeners, extent.heard, meter)
        yield bot_row(address, token, extent.answers)
        yield from _appends("commit", servers, extent, meter.settle)
    finally:
        crew.stop()


def _processes(servers: Servers, crew: Crew) -> list[int]:
    """The ids of all processes of the service that have started the others."""
    found = [servers.pid(name) for name in ("postgres", "redis")]
    return [pid for pid in [*found, *crew.pids()] if pid is not None]


def _trading_position() -> dict[str, Any]:
    """Ten players in a Trade Phase, reached by default actions."""
    title = find_title(TITLE)
    chance = FastChance(2)
    state = title.open(SEATS, title.Options(), chance).state
    while state.step != "trading":
        decision = title.awaited(state)[0]
        state = title.decide(state, decision.seat, title.default(state, decision), chance).state
    return title.position(state)
