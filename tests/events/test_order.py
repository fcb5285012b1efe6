"""One dense order over all games, no matter who writes and who numbers, here and in a restored copy."""

import os
import random
import subprocess
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from psycopg_pool import ConnectionPool

from events.store.event_log import EventLog
from events.store.games import new_id
from ops.runtime.binaries import postgres_programs
from ops.runtime.identity import server_identity
from tests.batches import append
from tests.servers import start_test_servers

pytestmark = pytest.mark.integration


def ordered(pool):
    """The log in its order: [(game, seq)]. Checks that positions are dense and lanes as they must be."""
    with pool.connection() as connection:
        rows = connection.execute(
            "SELECT position, game_id::text, seq, lane FROM es.log ORDER BY position"
        ).fetchall()
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    assert all(lane == uuid.UUID(game_id).bytes[-1] & 63 for _, game_id, _, lane in rows)
    return [(game_id, seq) for _, game_id, seq, _ in rows]


def assert_everything_once_and_in_order(pool):
    found = ordered(pool)
    with pool.connection() as connection:
        events = connection.execute("SELECT game_id::text, seq FROM es.event").fetchall()
        assert connection.execute("SELECT count(*) FROM es.fresh").fetchone() == (0,)
    assert sorted(found) == sorted(events)
    newest = {}
    for game_id, seq in found:
        assert seq == newest.get(game_id, 0) + 1
        newest[game_id] = seq


@pytest.mark.parametrize("seed", range(3))
def test_many_writers_and_sequencers(pool, seed):
    """Whatever the interleaving, every event is numbered once, and in order within its game."""
    log = EventLog(pool)
    games = [new_id() for _ in range(12)]
    writing = threading.Event()
    writing.set()

    def write(number):
        chance = random.Random(f"{seed}/{number}")
        for _ in range(40):
            append(log, chance.choice(games), chance.randint(1, 4))

    def number(most):
        while writing.is_set():
            log.sequence(most)

    with ThreadPoolExecutor(11) as threads:
        sequencers = [threads.submit(number, most) for most in (1, 3, 1000)]
        for writer in [threads.submit(write, n) for n in range(8)]:
            writer.result()
        writing.clear()
        for sequencer in sequencers:
            sequencer.result()
    while log.sequence(5):
        pass
    assert_everything_once_and_in_order(pool)


def test_a_run_is_bounded_and_takes_whole_games_that_waited_longest(pool):
    """A flood of new games does not let an old one wait, and no game is split."""
    log = EventLog(pool)
    while log.sequence():
        pass
    before = len(ordered(pool))
    waiting, young = "ffffffff-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"
    append(log, waiting, 2)
    append(log, young)
    append(log, waiting, 3)
    assert log.sequencing_backlog().appends == 3
    assert log.sequence(1) == 5
    assert ordered(pool)[before:] == [(waiting, n) for n in range(1, 6)]
    assert log.sequence(1) == 1
    assert log.sequence(1) == 0
    assert log.sequencing_backlog().appends == 0


def test_an_open_transaction_elsewhere_holds_nothing_up(pool):
    """Somebody's forgotten session does not freeze the log."""
    log = EventLog(pool)
    with pool.connection() as idle, idle.transaction():
        idle.execute("CREATE TEMP TABLE forgotten (n int) ON COMMIT DROP")
        game_id = new_id()
        append(log, game_id)
        log.sequence()
        assert (game_id, 1) in ordered(pool)


def test_a_restored_dump_numbers_on(owner, pool, tmp_path_factory):
    """Loaded into a younger cluster, what was numbered keeps its place and the rest gets one."""
    log = EventLog(pool)
    game_id = new_id()
    append(log, game_id, 2)
    while log.sequence():
        pass
    append(log, game_id)
    programs = postgres_programs(server_identity())
    dumped = subprocess.run(
        [programs / "pg_dump", owner], check=True, capture_output=True, env={"PATH": os.defpath}
    )
    with start_test_servers(tmp_path_factory.mktemp("restored"), environment={}) as other:
        subprocess.run(
            [programs / "psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", other.owner_url],
            check=True,
            input=dumped.stdout,
            capture_output=True,
            env={"PATH": os.defpath},
        )
        with ConnectionPool(
            other.database_url, kwargs={"autocommit": True}, min_size=1, max_size=2, open=False
        ) as copy:
            restored = EventLog(copy)
            assert ordered(copy) == ordered(pool)
            append(restored, game_id, 2)
            while restored.sequence():
                pass
            assert_everything_once_and_in_order(copy)
            assert ordered(copy)[-3:] == [(game_id, 3), (game_id, 4), (game_id, 5)]
