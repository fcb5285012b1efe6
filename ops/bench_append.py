"""How fast the log takes events, against bare single-row inserts into the same database."""

from __future__ import annotations

import multiprocessing
import threading
import time
import uuid
from collections.abc import Callable

import msgspec
import psycopg
from psycopg_pool import ConnectionPool

from events import chain
from events.fact import Fact
from events.games import new_id
from events.log import EventLog, Pool
from events.proof import Secrets
from events.record import Cause, seal

PROCESSES = 2
SECRETS = Secrets(bytes(32), bytes(32), bytes(32), bytes(32))
BODY = "x" * 300
"""About as long as the body of an event."""


class Measured(Fact, frozen=True):
    """An event of ordinary size."""

    seat: int
    card: str
    amount: int
    treasury: tuple[int, ...]


class Rate(msgspec.Struct, frozen=True):
    """Commits and events a second."""

    commits: float
    events: float


def bare(database_url: str, connections: int, seconds: float) -> Rate:
    """Single-row INSERT and COMMIT into a table with nothing but a serial key."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS bare")
        connection.execute("CREATE TABLE bare (id bigserial PRIMARY KEY, body text NOT NULL)")
    return _together(_bare_writer, (database_url,), connections, seconds)


def append(database_url: str, connections: int, seconds: float, events: int = 1) -> Rate:
    """Batches of *events* sealed, chained and appended to the log, each connection to a game of its own."""
    return _together(_log_writer, (database_url, events), connections, seconds)


def _bare_writer(database_url: str, _pool: Pool) -> Callable[[], int]:
    connection = psycopg.connect(database_url, autocommit=True)

    def write() -> int:
        connection.execute("INSERT INTO bare (body) VALUES (%s)", (BODY,))
        return 1

    return write


def _log_writer(_database_url: str, pool: Pool, events: int) -> Callable[[], int]:
    log, game_id = EventLog(pool), new_id()
    head, seq = chain.genesis(game_id), 0
    facts: list[Fact] = [Measured(1, "north_africa_antiquities", 10, (12, 7, 30, 4)) for _ in range(events)]

    def write() -> int:
        nonlocal head, seq
        cause = Cause("2026-01-01T00:00:00.000000Z", 1, str(uuid.uuid4()))
        records = seal(facts, cause, game_id=game_id, version=1, seq=seq, head=head, secrets=SECRETS)
        log.append(game_id, records)
        head, seq = records[-1].hash, records[-1].seq
        return events

    return write


def _together(
    prepare: Callable[..., Callable[[], int]], arguments: tuple[object, ...], connections: int, seconds: float
) -> Rate:
    """Let *connections* writers write for *seconds*, in two processes where there are several."""
    processes = min(PROCESSES, connections)
    context = multiprocessing.get_context("spawn")
    counts = context.Queue()
    share = [connections // processes + (n < connections % processes) for n in range(processes)]
    barrier = context.Barrier(processes)
    children = [
        context.Process(target=_process, args=(prepare, arguments, count, seconds, barrier, counts))
        for count in share
    ]
    for child in children:
        child.start()
    got = [counts.get(timeout=seconds + 60) for _ in children]
    for child in children:
        child.join()
    return Rate(sum(g[0] for g in got), sum(g[1] for g in got))


def _process(
    prepare: Callable[..., Callable[[], int]],
    arguments: tuple[object, ...],
    threads: int,
    seconds: float,
    barrier: threading.Barrier,
    counts: multiprocessing.Queue[tuple[float, float]],
) -> None:
    database_url, *more = arguments
    pool: Pool = ConnectionPool(
        str(database_url), min_size=threads, max_size=threads, kwargs={"autocommit": True}, open=True
    )
    writers = [prepare(database_url, pool, *more) for _ in range(threads)]
    for write in writers:
        write()
    barrier.wait()
    started = time.perf_counter()
    done: list[tuple[int, int]] = []

    def work(write: Callable[[], int]) -> None:
        commits = events = 0
        while time.perf_counter() - started < seconds:
            events += write()
            commits += 1
        done.append((commits, events))

    running = [threading.Thread(target=work, args=(write,)) for write in writers]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    took = time.perf_counter() - started
    counts.put((sum(d[0] for d in done) / took, sum(d[1] for d in done) / took))
