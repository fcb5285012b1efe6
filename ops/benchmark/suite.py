"""All measurements of a machine, each figure beside a yardstick of the same run."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec
import psycopg

from events.base.installation import qualify_name
from events.base.settings import DATABASE_URL, REDIS_URL
from events.rules.catalogue import find_title
from events.rules.fact import type_name
from events.rules.fast_chance import FastChance
from events.rules.steps import Command
from events.rules.title import Title
from events.store.connection import make_pool
from events.store.event_log import EventLog
from events.store.games import Games, SeatPlan
from events.table.game import Game
from ops.base.progress import progress
from ops.benchmark.core import choose_random_command, measure_core, measure_records
from ops.benchmark.cpu_meter import CpuMeter
from ops.benchmark.database_filler import catch_up, fill_database
from ops.benchmark.decisions import POSITIONS, measure_decisions
from ops.benchmark.environments import measure_environments
from ops.benchmark.http_commands import HTTP_ROWS, SEATS, measure_http
from ops.benchmark.live_delivery import DELIVERY, FIRST_ANSWER, measure_bot_answer, measure_delivery
from ops.benchmark.log_append import APPEND, COMMIT, CONNECTIONS, measure_appends, name_row
from ops.benchmark.peers import measure_peers
from ops.benchmark.rows import Row, complete_rows, pair_with_empty
from ops.benchmark.simulations import THOUGHTS, measure_simulations
from ops.benchmark.start_stop import START_STOP, measure_start_stop
from ops.clients.api import ApiClient
from ops.database.privileges import migrate_and_grant
from ops.runtime.launcher import start_processes, wait_until_ready
from ops.runtime.ports import free_port
from ops.runtime.servers import Servers
from ops.runtime.supervisor import Supervisor

TITLE = "colonial_empires"
LONG_TITLE = "colonial"
"""The game that is travelled in."""
IDLE = "idle service, CPU a second"
SERVICE_ROWS = (
    IDLE, *HTTP_ROWS, DELIVERY, FIRST_ANSWER, *(name_row(COMMIT, number) for number in CONNECTIONS),
)  # fmt: skip
"""The rows of a service at work."""
_LOG_SIZE = (
    "WITH heaps AS (SELECT unnest(ARRAY[oid, reltoastrelid]) AS oid"
    " FROM pg_class WHERE oid = 'es.event'::regclass) SELECT (SELECT sum(pg_relation_size(oid)) FROM heaps)"
    " + (SELECT sum(pg_relation_size(indexrelid)) FROM pg_index JOIN heaps ON indrelid = heaps.oid)"
)


class Extent(msgspec.Struct, frozen=True):
    """The extent of the measurements."""

    seconds: float = 3.0
    """Seconds for each rate."""
    long: int = 5000
    """Events of the game that is travelled in."""
    listeners: int = 500
    heard: int = 20
    """Commands that they hear of."""
    answers: int = 27
    """First answers of bots."""
    positions: int = POSITIONS
    """Positions of each title in which a seat is told what it may do."""
    thoughts: int = THOUGHTS
    """Moves of each title about which a bot thinks."""
    rounds: tuple[float, int] = (2.0, 3)
    """Seconds and number of rounds in which a row of the log and its yardstick take turns.

    A machine whose speed changes meanwhile then changes both. With more rounds the rows after them took more
    processor time; the reason was not found.
    """
    requests: tuple[float, int] = (2.0, 5)
    """The same of the rows about commands over HTTP."""


QUICK = Extent(0.3, 150, 20, 3, 1, 5, 1, rounds=(0.3, 1), requests=(0.3, 1))


def measure_all(extent: Extent, filled: int | None, *, peers: bool) -> Iterator[Row]:
    """Measure core, log and service; with *filled* the service in a database of so many events too."""
    yield from measure_core(extent.seconds)
    yield from measure_decisions(extent.positions)
    yield from measure_simulations(extent.thoughts)
    yield from measure_environments(extent.seconds)
    if peers:
        yield from measure_peers(extent.seconds, lambda line: click.echo(line, err=True))
    yield from complete_rows((START_STOP,), lambda: [measure_start_stop()])
    if filled is None:
        yield from _measure_service(extent, None)
    else:
        empty = list(_measure_service(extent, None))
        yield from pair_with_empty(_measure_service(extent, filled), empty)


def _measure_service(extent: Extent, filled: int | None) -> Iterator[Row]:
    """Measure the rows that need servers, in an empty database or in one with about *filled* events."""
    with durable_servers() as servers:
        migrate_and_grant(servers.addresses)
        empty = _read_log_size(servers.owner_url)
        with open_games(servers.database_url) as games:
            if filled is not None:
                with progress("Filling", filled) as advance:
                    fill_database(games, servers.owner_url, filled, advance)
            yield from _measure_past_views(games, extent.long)
            yield from measure_records(games, extent.seconds, extent.long)
            catch_up(games)
            yield _measure_event_size(servers.owner_url, empty)
            yield from _measure_appends(APPEND, servers, extent, lambda: catch_up(games))
        _settle_database(servers)
        yield from complete_rows(SERVICE_ROWS, lambda: _measure_running_service(servers, extent))


def _settle_database(servers: Servers) -> None:
    """Let Postgres clean up and write to its files now; else it does so while the service idles."""
    _clean_up(servers)
    servers.stop()
    servers.start()


def _clean_up(servers: Servers) -> None:
    """Let Postgres clean up now; else it does so at some time in the rows that follow."""
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        connection.execute("VACUUM (ANALYZE)")


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
    with make_pool(database_url, 4) as pool:
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
    if free and chance.draw_below(16):
        decision = chance.pick(free)
        if decision.seat is not None:
            listed = [c for c in title.legal(state, decision.seat) if type_name(type(c)) in decision.commands]
            if listed:
                return decision.seat, chance.pick(listed)
    return choose_random_command(title, state, chance)


def _measure_event_size(owner_url: str, empty: int) -> Row:
    """Measure the bytes by which one event of real games lets the log grow from *empty*, indexes included."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("VACUUM es.event")
        row = connection.execute("SELECT count(*) FROM es.event").fetchone()
    grown = _read_log_size(owner_url) - empty
    return Row("event on disk", grown / row[0] if row else 0.0, "B", goal="<= 400")


def _read_log_size(owner_url: str) -> int:
    """Return the bytes of the table of events, its long values and its indexes.

    The maps of free space and of visibility are left out. They have a least size, and
    grow by about a byte a page.
    """
    with psycopg.connect(owner_url, autocommit=True) as connection:
        row = connection.execute(_LOG_SIZE).fetchone()
    return int(row[0]) if row else 0


def _measure_appends(
    name: str, servers: Servers, extent: Extent, settle: Callable[[], None]
) -> Iterator[Row]:
    return measure_appends(
        name, servers.database_url, servers.owner_url, _make_trading_position(), *extent.rounds, settle
    )


# --- the service at work ---------------------------------------------------------------------------------


def _measure_running_service(servers: Servers, extent: Extent) -> Iterator[Row]:
    address = f"http://127.0.0.1:{free_port()}"
    supervisor = Supervisor(servers.folder)
    echo = qualify_name("ops.benchmark.echo_app:create_app()")
    try:
        start_processes(supervisor, servers, "127.0.0.1", address, echo)
        wait_until_ready(address, servers, supervisor, threading.Event())
        meter = CpuMeter(lambda: _find_processes(servers, supervisor), servers.owner_url, extent.seconds)
        token = ApiClient(address).post("/v1/accounts", {"name": "Bench"})["token"]
        position = _make_trading_position()
        yield Row(IDLE, meter.idle * 1000, "ms/s", goal="<= 10")
        yield from complete_rows(
            HTTP_ROWS,
            lambda: measure_http(
                address, token, position, *extent.requests, meter, partial(_clean_up, servers)
            ),
        )
        yield from complete_rows(
            (DELIVERY,),
            lambda: [measure_delivery(address, token, position, extent.listeners, extent.heard, meter)],
        )
        yield from complete_rows(
            (FIRST_ANSWER,), lambda: [measure_bot_answer(address, token, extent.answers)]
        )
        yield from _measure_appends(COMMIT, servers, extent, meter.settle)
    finally:
        supervisor.stop()


def _find_processes(servers: Servers, supervisor: Supervisor) -> list[int]:
    """Return the ids of all processes of the service that have started the others."""
    found = [servers.pid(name) for name in ("postgres", "redis")]
    return [pid for pid in [*found, *supervisor.pids()] if pid is not None]


def _make_trading_position() -> dict[str, Any]:
    """Return a position of ten players in a Trade Phase, reached by default actions."""
    title = find_title(TITLE)
    chance = FastChance(2)
    state = title.open(SEATS, title.Options(), chance).state
    while state.step != "trading":
        decision = title.awaited(state)[0]
        state = title.decide(state, decision.seat, title.default(state, decision), chance).state
    return title.position(state)
