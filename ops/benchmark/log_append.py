"""The rate at which the log takes events while the service follows it, against bare inserts.

The inserts are of the same bytes.
"""

from __future__ import annotations

import itertools
import multiprocessing
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from statistics import mean
from typing import Any, NamedTuple

import psycopg

from events.proof import canonical
from events.proof.randomness import Secrets
from events.rules.catalogue import find_title
from events.rules.fact import Fact
from events.store.connection import TimeoutPool
from events.store.event_log import EventLog, Pool
from events.store.games import Games, SeatPlan, new_id, utc_now
from events.table.record import BatchCause, Record, seal_facts
from events.titles.colonial_empires.facts.trade import TradeOffered, TradeWithdrawn
from events.titles.colonial_empires.state import Side
from ops.benchmark.http_commands import SEATS
from ops.benchmark.rows import Row

PROCESSES = 2
CONNECTIONS = (1, 8, 32)
APPEND, COMMIT = "append", "commit"
"""Nobody follows the log, or a service does: its sequencer, read models and tree."""
GOALS = {APPEND: ">= 0.85", COMMIT: ">= 0.70"}
AHEAD, MORE = 10_000, 100
"""Events that are sealed ahead for each second of all writers, and how many more by one who has none left."""
_ID, _PART = 1, Side(fortunes=1)


def measure_appends(
    name: str,
    database_url: str,
    owner_url: str,
    position: dict[str, Any],
    seconds: float,
    rounds: int,
    settle: Callable[[], None],
) -> Iterator[Row]:
    """Measure commits of one event, in so many rounds of *seconds*, with bare inserts between.

    *name*: :data:`APPEND` or :data:`COMMIT`, which says who follows the log meanwhile. After *settle* nothing
    is owed to what was committed.
    """
    for connections in CONNECTIONS:
        bare, ours = [_measure_bare_inserts(owner_url, connections, seconds)], []
        for _ in range(rounds):
            settle()
            log = (database_url, position)
            ours.append(_run_writers(_make_log_writer, log, connections, seconds))
            settle()
            bare.append(_measure_bare_inserts(owner_url, connections, seconds))
        yield Row(
            name_row(name, connections),
            mean(ours),
            "commits/s",
            "bare INSERT of the same rows",
            mean(bare),
            GOALS[name],
        )


def name_row(name: str, connections: int) -> str:
    """Return the name of the row of so many connections."""
    return f"{name}, 1 event, {connections} connection{'s' if connections > 1 else ''}"


def _measure_bare_inserts(owner_url: str, connections: int, seconds: float) -> float:
    """Measure commits of the same rows a second, into a table with the same key and nothing else."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS bare")
        connection.execute(
            "CREATE TABLE bare (game_id uuid, seq bigint, body text, hash bytea, PRIMARY KEY (game_id, seq))"
        )
        try:
            return _run_writers(_make_bare_writer, (owner_url,), connections, seconds)
        finally:
            connection.execute("DROP TABLE bare")


class _SealedRecords:
    """Records of one game that follow on each other, an event each, sealed before the clock runs.

    The hash is the same work wherever a record is kept, so neither side is asked for it while it is timed.
    """

    def __init__(self, game_id: str, seq: int, head: bytes, secrets: Secrets) -> None:
        self._game_id, self._seq, self._head, self._secrets = game_id, seq, head, secrets
        # An offer, and that it is taken back, without end: the position stays as it is.
        self._facts: Iterator[Fact] = itertools.cycle(
            (TradeOffered(_ID, 0, 1, _PART, _PART), TradeWithdrawn(_ID, 0, 1))
        )
        self._ahead: deque[list[Record]] = deque()

    def prepare(self, count: int) -> None:
        """Have so many ready."""
        for _ in range(count):
            cause = BatchCause(
                utc_now(), 0, str(uuid.uuid4())
            )  # of now: the server gives up what has long lain idle
            records = seal_facts(
                [next(self._facts)],
                cause,
                game_id=self._game_id,
                version=1,
                seq=self._seq,
                head=self._head,
                secrets=self._secrets,
            )
            self._seq, self._head = records[-1].seq, records[-1].hash
            self._ahead.append(records)

    def take_next(self) -> list[Record]:
        """Return the next event."""
        if not self._ahead:
            self.prepare(MORE)
        return self._ahead.popleft()


class _Writer(NamedTuple):
    """One connection's part of the work."""

    write: Callable[[], None]
    records: _SealedRecords


def _make_bare_writer(database_url: str, _pool: Pool) -> _Writer:
    """Return a writer of an append's rows.

    They are one for the event, one for its hidden part if it has one, and one for the outbox.
    """
    connection = psycopg.connect(database_url, autocommit=True)
    game_id, seq = new_id(), itertools.count(1)
    records = _SealedRecords(
        game_id, 0, canonical.genesis(game_id), Secrets(bytes(32), bytes(32), bytes(32), bytes(32))
    )

    def write() -> None:
        (record,) = records.take_next()
        hidden = [(part.body.decode(), part.salt) for part in record.parts.values()]
        rows = [(record.body.decode(), record.hash), *hidden, ("", b"")]
        values = [value for row in rows for value in (game_id, next(seq), *row)]
        places = ",".join(["(%s,%s,%s,%s)"] * len(rows))
        connection.execute(f"INSERT INTO bare (game_id, seq, body, hash) VALUES {places}", values)  # noqa: S608

    return _Writer(write, records)


def _make_log_writer(_database_url: str, pool: Pool, position: dict[str, Any]) -> _Writer:
    """Return a writer that appends to a game of its own."""
    games, title = Games(EventLog(pool)), find_title("colonial_empires")
    game = games.create(title, title.Options(), [SeatPlan()] * SEATS, position=position)
    records = _SealedRecords(game.id, game.seq, game.head, games.log.keys(game.id))

    def write() -> None:
        games.log.append(game.id, records.take_next())

    return _Writer(write, records)


def _run_writers(
    prepare: Callable[..., _Writer],
    arguments: tuple[object, ...],
    connections: int,
    seconds: float,
) -> float:
    """Return the commits a second of *connections* writers, in two processes where there are several."""
    processes = min(PROCESSES, connections)
    context = multiprocessing.get_context("spawn")
    counts = context.Queue()
    share = [connections // processes + (n < connections % processes) for n in range(processes)]
    barrier = context.Barrier(processes)
    children = [
        context.Process(
            target=_run_process, args=(prepare, arguments, (count, connections), seconds, barrier, counts)
        )
        for count in share
    ]
    for child in children:
        child.start()
    got = [counts.get(timeout=seconds + 120) for _ in children]
    for child in children:
        child.join()
    return float(sum(got))


def _run_process(
    prepare: Callable[..., _Writer],
    arguments: tuple[object, ...],
    share: tuple[int, int],
    seconds: float,
    barrier: threading.Barrier,
    counts: multiprocessing.Queue[float],
) -> None:
    database_url, *more = arguments
    threads, connections = share
    pool = TimeoutPool(str(database_url), "bench", max_size=threads)  # as the service has one
    pool.open()
    writers = [prepare(database_url, pool, *more) for _ in range(threads)]
    for writer in writers:
        writer.records.prepare(int(seconds * AHEAD / connections))
        writer.write()
    barrier.wait()
    started = time.perf_counter()
    done: list[int] = []

    def work(writer: _Writer) -> None:
        commits = 0
        while time.perf_counter() - started < seconds:
            writer.write()
            commits += 1
        done.append(commits)

    running = [threading.Thread(target=work, args=(writer,)) for writer in writers]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    took = time.perf_counter() - started
    counts.put(sum(done) / took)
