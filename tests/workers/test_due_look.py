"""Tasks that rest until something is due: one look wakes each of them, and no other."""

from __future__ import annotations

from datetime import timedelta

import pytest
from redis import Redis

from events.base.timestamps import read_time
from events.store.games import utc_now
from ops.database.distribution import Distribution
from tests.cluster_sql import list_asking_all, record_statements
from workers.dispatcher import Dispatcher
from workers.due_look import DueLook
from workers.periodic_tasks import PeriodicTask

pytestmark = pytest.mark.integration

GAME = "00000000-0000-4000-8000-00000000d0e0"
OVERDUE = (
    "INSERT INTO lobby"
    " (game_id, title, version, status, seats, waiting_for, house, analysis, seq, created_at, due)"
    f" VALUES ('{GAME}', 'x', 1, 'running', '[]', '{{}}', false, false, 1, %(past)s, %(past)s)"
)
OUTAGE = "INSERT INTO outage (since, until) VALUES (%(past)s, %(now)s)"
VACATION = (
    "WITH one AS (INSERT INTO account (id, name) VALUES (gen_random_uuid(), 'Away') RETURNING id)"
    " INSERT INTO vacation (account_id, begins, ends) SELECT id, %(past)s, %(future)s FROM one"
)
TOURNAMENT = (
    "INSERT INTO tournament (tournament, title, status, seq, formats, entrants, most, stage, round,"
    " created_at, opened, claims, over, delayed, playing, dues)"
    f" VALUES ('{GAME}', 'x', 'open', 1, '{{}}', 0, 1, 0, 0, %(past)s, '{GAME}', '{{}}', false, false,"
    " '{}', '{}')"
)
FAILED = (
    "INSERT INTO es.failed (game_id, kind, seq, error, attempts, program)"
    f" VALUES ('{GAME}', 'bot', 1, 'x', 1, 'y')"
)
ROWS = {
    "timers": [OVERDUE, OUTAGE],
    "vacations": [VACATION],
    "stewards": [TOURNAMENT],
    "release": [FAILED],
}
"""By task the rows that each give it something to do."""


@pytest.fixture
def rows(pool):
    """A connection to tables with nothing in them that is due; what a test puts there goes with it."""
    with pool.connection() as connection, connection.transaction(force_rollback=True):
        connection.execute("DELETE FROM es.failed")
        connection.execute("DELETE FROM vacation")
        connection.execute("UPDATE tournament SET over = true WHERE NOT over")
        connection.execute("UPDATE outage SET settled = true WHERE NOT settled")
        connection.execute("UPDATE lobby SET due = NULL WHERE due IS NOT NULL")
        yield connection


class OneConnection:
    """A pool whose only connection is within a transaction of the test."""

    def __init__(self, connection):
        self._connection = connection

    def connection(self):
        return self

    def __enter__(self):
        return self._connection

    def __exit__(self, *_):
        return None


@pytest.fixture
def due_tasks(games, servers):
    """The due tasks of a dispatcher."""
    with Redis.from_url(servers.redis_url) as redis:
        yield Dispatcher(games.log, redis).make_due_tasks()


def look_for(connection, monkeypatch, due_tasks):
    """Look once as a dispatcher does; the names of the tasks that it woke."""
    woken = []
    monkeypatch.setattr(PeriodicTask, "wake", lambda task: woken.append(task.name))
    made = DueLook(OneConnection(connection), utc_now, due_tasks)
    assert made() == len(woken)
    return woken


def test_nothing_is_woken_while_nothing_is_due(rows, monkeypatch, due_tasks):
    """A service at rest asks one question."""
    with record_statements() as asked:
        assert look_for(rows, monkeypatch, due_tasks) == []
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, rows in ROWS.items() for number in range(len(rows))]
)
def test_a_task_is_woken_by_what_is_due(rows, monkeypatch, due_tasks, name, number):
    """Its row alone wakes it, and nothing else."""
    now = read_time(utc_now())
    times = {"past": now - timedelta(hours=1), "now": now, "future": now + timedelta(hours=1)}
    rows.execute(ROWS[name][number], times)
    assert look_for(rows, monkeypatch, due_tasks) == [name]


def test_every_due_task_is_tried_here(due_tasks):
    """A task that is added gets its rows here."""
    assert {task.task.name: len(task.queries) for task in due_tasks} == {
        name: len(rows) for name, rows in ROWS.items()
    }


def test_the_look_asks_no_machine_of_a_cluster(rows, monkeypatch, due_tasks):
    """A machine that is away keeps no game of the others waiting."""
    with record_statements() as asked:
        look_for(rows, monkeypatch, due_tasks)
    assert list_asking_all(asked, Distribution.load()) == []
