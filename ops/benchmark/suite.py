"""`rutter bench`: measure this machine, each figure beside a yardstick of the same run."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec
import psycopg
from psycopg_pool import ConnectionPool

from events.base.installation import qualified_name
from events.base.settings import DATABASE_URL, REDIS_URL
from events.rules.catalogue import find_title
from events.rules.fact import type_name
from events.rules.fast_chance import FastChance
from events.rules.steps import Command
from events.rules.title import Title
from events.store.event_log import EventLog, Pool
from events.store.games import Games, SeatPlan
from events.table.game import Game
from ops.base.progress import progress
from ops.benchmark.core import choose_random_command, measure_core, measure_records, play_random_game
from ops.benchmark.cpu_meter import CpuMeter
from ops.benchmark.database_filler import EVENTS, catch_up, fill_database
from ops.benchmark.http_commands import SEATS, measure_http
from ops.benchmark.live_delivery import measure_bot_answer, measure_delivery
from ops.benchmark.log_append import measure_appends
from ops.benchmark.peers import measure_peers
from ops.benchmark.rows import HEAD, Row, pair_with_empty
from ops.clients.api import ApiClient
from ops.database.privileges import migrate_and_grant
from ops.runtime.launcher import start_processes, wait_until_ready
from ops.runtime.ports import free_port
from ops.runtime.servers import Servers
from ops.runtime.supervisor import Supervisor

__all__ = ["Row", "command", "play_random_game"]
TITLE = "colonial_empires"
LONG_TITLE = "colonial"
"""The game that is travelled in."""


class Extent(msgspec.Struct, frozen=True):
    """The extent of the measurements."""

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
    for row in _measure_all(extent, filled, peers=peers):
        click.echo(row.json() if as_json else row.text())


def _measure_all(extent: Extent, filled: int | None, *, peers: bool) -> Iterator[Row]:
    yield from measure_core(extent.seconds)
    if peers:
        yield from measure_peers(extent.seconds, lambda line: click.echo(line, err=True))
    if filled is None:
        yield from _measure_service(extent, None)
    else:
        empty = list(_measure_service(extent, None))
        yield from pair_with_empty(_measure_service(extent, filled), empty)


def _measure_service(extent: Extent, filled: int | None) -> Iterator[Row]:
    """Measure the rows that need servers, in an empty database or in one with about *filled* events."""
    with durable_servers() as servers:
        migrate_and_grant(servers.addresses)
        with open_games(servers.database_url) as games:
            if filled is not None:
                with progress("Filling", filled) as advance:
                    fill_database(games, servers.owner_url, filled, advance)
            yield from _measure_past_views(games, extent.long)
            yield from measure_records(games, extent.seconds, extent.long)
            catch_up(games)
            yield _measure_event_size(servers.owner_url)
            yield from _measure_appends("commit alone", servers, extent, lambda: catch_up(games))
        yield from _measure_running_service(servers, extent)


@contextmanager
def durable_servers() -> Iterator[Servers]:
    """Start durable servers in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="rutter-bench-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)  # the servers may run as another user
        environment = {k: v for k, v in os.environ.items() if k not in (DATABASE_URL.name, REDIS_URL.name)}
        with Servers(Path(folder) / "data", environment=environment) as servers:
            yield servers


@contextmanager
def open_games(database_url: str) -> Iterator[Games]:
    """Open games on the database, over a pool of their own."""
    pool: Pool = ConnectionPool(database_url, min_size=1, max_size=4, kwargs={"autocommit": True}, open=False)
    with pool:
        yield Games(EventLog(pool))


# --- without the service ---------------------------------------------------------------------------------


def _measure_past_views(games: Games, length: int) -> Iterator[Row]:
    """Yield the slowest of many looks at a long game's past, in a process that has not seen it."""
    long = _play_long_game(games, length)
    catch_up(games)
    fresh = Games(games.log)
    looks = range(long.seq - 1, 10, -97)
    worst = max(_time_call(partial(_render_view, fresh, long.id, seq)) for seq in looks)
    yield Row("any event of 5,000", worst * 1000, "ms", goal="< 20")


def _time_call(action: Callable[[], Any]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def _render_view(games: Games, game_id: str, seq: int) -> None:
    game = games.load(game_id, seq)
    if game.state is not None:
        msgspec.json.encode(game.title.view_json(game.state, 0))


def _play_long_game(games: Games, length: int) -> Game:
    """Return a game of so many events, by random play with many gifts: they may be given at any time."""
    title, chance = find_title(LONG_TITLE), FastChance(7)
    game = games.create(title, title.Options(), [SeatPlan()] * title.seats[-1])
    while game.status == "running" and game.seq < length:
        seat, given = _choose_command(title, game.state, chance)
        game = games.command(game.id, seat, given).game
    return game


def _choose_command(title: Title[Any], state: Any, chance: FastChance) -> tuple[int | None, Command]:
    free = [d for d in title.decisions(state) if d.free]
    if free and chance.below(16):
        decision = chance.pick(free)
        if decision.seat is not None:
            listed = [c for c in title.legal(state, decision.seat) if type_name(type(c)) in decision.commands]
            if listed:
                return decision.seat, chance.pick(listed)
    return choose_random_command(title, state, chance)


def _measure_event_size(owner_url: str) -> Row:
    """Measure the bytes that one event of real games takes in the log, its indexes included."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("VACUUM es.event")
        row = connection.execute(
            "SELECT pg_total_relation_size('es.event')::float8 / count(*) FROM es.event"
        ).fetchone()
    return Row("event on disk", row[0] if row else 0.0, "B", goal="<= 400")


def _measure_appends(
    name: str, servers: Servers, extent: Extent, settle: Callable[[], None]
) -> Iterator[Row]:
    return measure_appends(
        name, servers.database_url, servers.owner_url, _make_trading_position(), extent.seconds, settle
    )


# --- the service at work ---------------------------------------------------------------------------------


def _measure_running_service(servers: Servers, extent: Extent) -> Iterator[Row]:
    address = f"http://127.0.0.1:{free_port()}"
    crew = Supervisor(servers.folder)
    with redirect_stdout(sys.stderr):  # what it says is no row
        start_processes(
            crew, servers, "127.0.0.1", address, qualified_name("ops.benchmark.echo_app:create_app()")
        )
    try:
        wait_until_ready(address, servers, crew, threading.Event())
        meter = CpuMeter(lambda: _find_processes(servers, crew), servers.owner_url, extent.seconds)
        token = ApiClient(address).post("/v1/accounts", {"name": "Bench"})["token"]
        position = _make_trading_position()
        yield from measure_http(address, token, position, extent.seconds, meter)
        yield measure_delivery(address, token, position, extent.listeners, extent.heard, meter)
        yield measure_bot_answer(address, token, extent.answers)
        yield from _measure_appends("commit", servers, extent, meter.settle)
    finally:
        crew.stop()


def _find_processes(servers: Servers, crew: Supervisor) -> list[int]:
    """Return the ids of all processes of the service that have started the others."""
    found = [servers.pid(name) for name in ("postgres", "redis")]
    return [pid for pid in [*found, *crew.pids()] if pid is not None]


def _make_trading_position() -> dict[str, Any]:
    """Return a position of ten players in a Trade Phase, reached by default actions."""
    title = find_title(TITLE)
    chance = FastChance(2)
    state = title.open(SEATS, title.Options(), chance).state
    while state.step != "trading":
        decision = title.awaited(state)[0]
        state = title.decide(state, decision.seat, title.default(state, decision), chance).state
    return title.position(state)
