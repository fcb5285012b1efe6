"""Metrics for Prometheus.

Figures of the database and Redis are counted when they are scraped, so that any process gives the right ones.
Only requests and open streams are counted in the processes themselves.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from redis.exceptions import RedisError

from events.base.timestamps import parse_timestamp
from projections.health import failed_tasks, lag, process_registry
from projections.messages import thinking_times, webhook_calls
from projections.messages.thinking_times import THOUGHT, WAITED
from projections.read_models import game_counts, work_queue
from service.application.container import Services
from service.base.metric_descriptions import MAX_COUNTED_EVENTS, METRICS
from service.http.problems import DATABASE_AWAY

CONTENT_TYPE = CONTENT_TYPE_LATEST
QUEUES = ("ai", "bots", "think", "ponder", "house", "odds")

_UNSEEN = (
    "SELECT name, sum((SELECT count(*) FROM (SELECT FROM es.log l WHERE l.lane = p.lane"
    " AND l.position > p.position ORDER BY l.position LIMIT %s) unseen)) FROM es.projection p GROUP BY 1"
)
_NEWEST_AT = (
    "SELECT e.body::json->>'at' FROM (SELECT game_id, seq FROM es.log ORDER BY position DESC LIMIT 1) l"
    " JOIN es.event e ON (e.game_id, e.seq) = (l.game_id, l.seq)"
)


def scrape(services: Services) -> bytes:
    """Return all metrics in Prometheus' text form."""
    registry = CollectorRegistry()
    registry.register(_StateCollector(services))
    services.request_metrics.streams.set(services.stream_hub.count)
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
    return generate_latest(registry) + generate_latest(services.request_metrics.registry)


class _StateCollector:
    """The metrics that are counted when they are scraped."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        try:
            yield from self._collect_database()
            up = 1
        except DATABASE_AWAY:
            up = 0
        yield _make_number("rutter_database_up", up)
        try:
            yield from self._collect_redis()
            up = 1
        except (RedisError, OSError):
            up = 0
        yield _make_number("rutter_redis_up", up)

    def _collect_database(self) -> Iterator[Metric]:
        yield from self._collect_ages()
        with self._services.pool.connection(timeout=2) as connection:
            standings = game_counts.read_totals(connection)
            newest = connection.execute("SELECT coalesce(max(position), 0) FROM es.log").fetchone()
            unseen = connection.execute(_UNSEEN, (MAX_COUNTED_EVENTS,)).fetchall()
            parked = connection.execute("SELECT projection, count(*) FROM es.parked GROUP BY 1").fetchall()
        yield from _make_game_gauges(standings)
        yield _make_number("rutter_log_position", newest[0] if newest else 0)
        yield from self._collect_tree()
        yield _make_gauge("rutter_projection_lag", unseen)
        yield _make_gauge("rutter_projection_parked", parked)
        yield from self._collect_tasks()

    def _collect_ages(self) -> Iterator[Metric]:
        """Yield what all machines of a cluster have to answer; nothing while one of them is silent."""
        log = self._services.games.log
        if log.machines.silent:
            log.machines.look_soon()
            return
        with self._services.pool.connection(timeout=2) as connection, log.machines.limit(connection):
            late = lag.measure_lag(connection)
            last = connection.execute(_NEWEST_AT).fetchone()
        now = parse_timestamp(self._services.games.now())
        yield _make_number(
            "rutter_clock_behind_ms",
            max(0, parse_timestamp(last[0]) - now) // 1000 if last else 0,
        )
        yield _make_gauge("rutter_projection_lag_seconds", late.items())
        fresh = log.sequencing_backlog()
        yield _make_number("rutter_log_unnumbered", fresh.appends)
        yield _make_number("rutter_log_unnumbered_seconds", fresh.seconds)

    def _collect_tasks(self) -> Iterator[Metric]:
        pool = self._services.pool
        waits, thinking = work_queue.count(pool), work_queue.count_thinking(pool)
        house = sum(number for (for_house, _), number in waits.items() if for_house)
        yield _make_number("rutter_games_waiting_for_house", house)
        queues = {"bot": {person: waits.get((False, person), 0) for person in (False, True)}}
        queues["house"] = {person: waits.get((True, person), 0) for person in (False, True)}
        queues["think"] = {person: thinking.get(person, 0) for person in (False, True)}
        yield _make_gauge(
            "rutter_tasks_waiting",
            [
                (kind, ("no", "yes")[person], number)
                for kind, counts in queues.items()
                for person, number in counts.items()
            ],
        )
        tasks, _ = failed_tasks.count(pool)
        yield _make_number("rutter_tasks_failed", tasks)
        yield _make_gauge("rutter_webhook_calls", webhook_calls.count_calls(pool).items())
        at_work = Counter(process_registry.list_duties(pool).values())
        yield _make_gauge(
            "rutter_processes_alive",
            [(duty, at_work[duty]) for duty in (process_registry.DISPATCHER, *process_registry.WORKERS)],
        )

    def _collect_tree(self) -> Iterator[Metric]:
        with self._services.pool.connection(timeout=2) as connection:
            row = connection.execute(
                "SELECT t.size, s.size - t.position, t.set_back::int,"
                " (SELECT size FROM es.checkpoint ORDER BY size DESC LIMIT 1) FROM es.tree t, es.sequencer s"
            ).fetchone()
        size, behind, set_back, signed = row or (0, 0, 0, None)
        for name, value in (
            ("rutter_tree_size", size),
            ("rutter_tree_behind", behind),
            ("rutter_tree_unsigned", size - (signed or 0)),
            ("rutter_database_set_back", set_back),
        ):
            yield _make_number(name, value)

    def _collect_redis(self) -> Iterator[Metric]:
        redis = self._services.hints.redis
        if redis is None:
            raise RedisError
        lengths = [(name, redis.llen(f"rq:queue:{name}")) for name in QUEUES]
        yield _make_gauge("rutter_queue_length", lengths)
        times = thinking_times.read_times(redis)
        for kind, name in (
            (WAITED, "rutter_bot_waited_seconds"),
            (THOUGHT, "rutter_bot_thought_seconds"),
        ):
            histogram = HistogramMetricFamily(name, METRICS[name].text, labels=METRICS[name].labels)
            for (of, bot), (buckets, total) in times.items():
                if of == kind:
                    histogram.add_metric([bot], buckets, total)
            yield histogram


def _make_game_gauges(standings: game_counts.Counts) -> Iterator[Metric]:
    games: Counter[tuple[str, str]] = Counter()
    for standing, number in standings.items():
        games[standing.title, standing.status] += number
    stuck = sum(n for standing, n in standings.items() if standing.stuck and standing.status == "running")
    yield _make_number("rutter_tables_stuck", stuck)
    yield _make_gauge("rutter_games", [(*of, n) for of, n in games.items()])


def _make_number(name: str, number: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, METRICS[name].text, number)


def _make_gauge(name: str, rows: Iterable[tuple[object, ...]]) -> GaugeMetricFamily:
    """Return a gauge with labels; each row is the values of the labels, and the number."""
    family = GaugeMetricFamily(name, METRICS[name].text, labels=METRICS[name].labels)
    for *values, number in rows:
        family.add_metric([str(value) for value in values], float(str(number)))
    return family
