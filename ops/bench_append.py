"""How fast the log takes events while the service follows it, against bare inserts of the same bytes."""

from __future__ import annotations

import itertools
import multiprocessing
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool

from events import chain
from events.catalogue import find_title
from events.fact import Fact
from events.games import Games, SeatPlan, new_id, utc_now
from events.log import EventLog, Pool
from events.proof import Secrets
from events.record import Cause, Record, seal
from events.titles.colonial_empires.facts.trade import TradeOffered, TradeWithdrawn
from events.titles.colonial_empires.state import Side
from ops.bench_cpu import Meter
from ops.bench_http import SEATS
from ops.bench_rows import Row

PROCESSES = 2
CONNECTIONS = (1, 8, 32)
_ID, _PART = 1, Side(fortunes=1)


def append_rows(
    database_url: str, owner_url: str, position: dict[str, Any], seconds: float, meter: Meter
) -> Iterator[Row]:
    """Commits of one event, with the sequencer, the read models and the tree at work on them."""
    for connections in CONNECTIONS:
        before = _bare(owner_url, connections, seconds)
        meter.settle()
        ours = _together(_log_writer, (database_url, position), connections, seconds)
        meter.settle()
        after = _bare(owner_url, connections, seconds)
        yield Row(
            f"commit, 1 event, {connections} connection{'s' if connections > 1 else ''}",
            ours,
            "commits/s",
            "bare INSERT of the same rows",
            (before + after) / 2,
            ">= 0.85" if connections == 8 else "",
        )


def _bare(owner_url: str, connections: int, seconds: float) -> float:
    """Commits of the same rows a second, into a table with the same key and nothing else."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS bare")
        connection.execute(
            "CREATE TABLE bare (game_id uuid, seq bigint, body text, hash bytea, PRIMARY KEY (game_id, seq))"
        )
        try:
            return _together(_bare_writer, (owner_url,), connections, seconds)
        finally:
            connection.execute("DROP TABLE bare")


def _facts() -> Iterator[Fact]:
    """One event each, without end: an offer, and that it is taken back; the position stays as it is."""
    return itertools.cycle((TradeOffered(_ID, 0, 1, _PART, _PART), TradeWithdrawn(_ID, 0, 1)))


def _sealed(fact: Fact, game_id: str, seq: int, head: bytes, secrets: Secrets) -> list[Record]:
    cause = Cause(utc_now(), 0, str(uuid.uuid4()))  # of now: the house gives up what has long lain idle
    return seal([fact], cause, game_id=game_id, version=1, seq=seq, head=head, secrets=secrets)


def _bare_writer(database_url: str, _pool: Pool) -> Callable[[], None]:
    """The rows of an append: one for the event, one for its hidden part if it has one, one for the outbox."""
    connection = psycopg.connect(database_url, autocommit=True)
    game_id, seq, kinds = new_id(), itertools.count(1), []
    secrets = Secrets(bytes(32), bytes(32), bytes(32), bytes(32))
    for fact in itertools.islice(_facts(), 2):
        (record,) = _sealed(fact, game_id, 1, chain.genesis(game_id), secrets)
        hidden = [(part.body.decode(), part.salt) for part in record.parts.values()]
        kinds.append([(record.body.decode(), record.hash), *hidden, ("", b"")])
    batches = itertools.cycle(kinds)

    def write() -> None:
        rows = next(batches)
        values = [value for row in rows for value in (game_id, next(seq), *row)]
        places = ",".join(["(%s,%s,%s,%s)"] * len(rows))
        connection.execute(f"INSERT INTO bare (game_id, seq, body, hash) VALUES {places}", values)  # noqa: S608

    return write


def _log_writer(_database_url: str, pool: Pool, position: dict[str, Any]) -> Callable[[], None]:
    """Appends to a game of its own."""
    games, title = Games(EventLog(pool)), find_title("colonial_empires")
    game = games.create(title, title.Options(), [SeatPlan()] * SEATS, position=position)
    secrets, facts = games.log.keys(game.id), _facts()
    head, seq = game.head, game.seq

    def write() -> None:
        nonlocal head, seq
        records = _sealed(next(facts), game.id, seq, head, secrets)
        games.log.append(game.id, records)
        head, seq = records[-1].hash, records[-1].seq

    return write


def _together(
    prepare: Callable[..., Callable[[], None]],
    arguments: tuple[object, ...],
    connections: int,
    seconds: float,
) -> float:
    """Commits a second of *connections* writers, in two processes where there are several."""
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
    got = [counts.get(timeout=seconds + 120) for _ in children]
    for child in children:
        child.join()
    return float(sum(got))


def _process(
    prepare: Callable[..., Callable[[], None]],
    arguments: tuple[object, ...],
    threads: int,
    seconds: float,
    barrier: threading.Barrier,
    counts: multiprocessing.Queue[float],
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
    done: list[int] = []

    def work(write: Callable[[], None]) -> None:
        commits = 0
        while time.perf_counter() - started < seconds:
            write()
            commits += 1
        done.append(commits)

    running = [threading.Thread(target=work, args=(write,)) for write in writers]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    took = time.perf_counter() - started
    counts.put(sum(done) / took)
