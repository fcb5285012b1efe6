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
from projections.base.lanes import LANES
from projections.health import failed_tasks, lag, process_registry
from projections.messages import thinking_times, webhook_calls
from projections.messages.thinking_times import THOUGHT, WAITED
from projections.read_models import game_counts, work_queue
from service.application.container import Services
from service.http.problems import DATABASE_AWAY

CONTENT_TYPE = CONTENT_TYPE_LATEST
QUEUES = ("ai", "bots", "think", "ponder", "house", "odds", "deliver")

MAX_COUNTED_EVENTS = 1000
"""The most events of one lane that are counted: the age of the oldest tells the rest."""

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
        yield GaugeMetricFamily("rutter_database_up", "Whether the database can be reached.", up)
        try:
            yield from self._collect_redis()
            up = 1
        except (RedisError, OSError):
            up = 0
        yield GaugeMetricFamily("rutter_redis_up", "Whether Redis can be reached.", up)

    def _collect_database(self) -> Iterator[Metric]:
        with self._services.pool.connection(timeout=2) as connection:
            standings = game_counts.read_totals(connection)
            newest = connection.execute("SELECT coalesce(max(position), 0) FROM es.log").fetchone()
            unseen = connection.execute(_UNSEEN, (MAX_COUNTED_EVENTS,)).fetchall()
            parked = connection.execute("SELECT projection, count(*) FROM es.parked GROUP BY 1").fetchall()
            late = lag.measure_lag(connection)
            last = connection.execute(_NEWEST_AT).fetchone()
        now = parse_timestamp(self._services.games.now())
        yield GaugeMetricFamily(
            "rutter_clock_behind_ms",
            "By how much this host's time is behind that of the newest event.",
            max(0, parse_timestamp(last[0]) - now) // 1000 if last else 0,
        )
        yield from _make_game_gauges(standings)
        yield GaugeMetricFamily(
            "rutter_log_position", "Newest position of the log.", newest[0] if newest else 0
        )
        fresh = self._services.games.log.sequencing_backlog()
        yield GaugeMetricFamily("rutter_log_unnumbered", "Appends without a position yet.", fresh.appends)
        yield GaugeMetricFamily(
            "rutter_log_unnumbered_seconds", "How long the oldest of them has waited.", fresh.seconds
        )
        yield from self._collect_tree()
        yield _make_gauge(
            "rutter_projection_lag",
            f"Events that a projection has not seen, at most {MAX_COUNTED_EVENTS:,} a lane, of {LANES}.",
            ["projection"],
            unseen,
        )
        yield _make_gauge(
            "rutter_projection_parked", "Games that could not be projected.", ["projection"], parked
        )
        yield _make_gauge(
            "rutter_projection_lag_seconds",
            "Age of the oldest event that it has not seen.",
            ["projection"],
            late.items(),
        )
        yield from self._collect_tasks()

    def _collect_tasks(self) -> Iterator[Metric]:
        pool = self._services.pool
        waits, thinking = work_queue.count(pool), work_queue.count_thinking(pool)
        house = sum(number for (for_house, _), number in waits.items() if for_house)
        yield GaugeMetricFamily("rutter_games_waiting_for_house", "Games.", house)
        queues = {"bot": {person: waits.get((False, person), 0) for person in (False, True)}}
        queues["house"] = {person: waits.get((True, person), 0) for person in (False, True)}
        queues["think"] = {person: thinking.get(person, 0) for person in (False, True)}
        yield _make_gauge(
            "rutter_tasks_waiting",
            "Games that wait for a bot or the house, and seats whose bots think; those under way included.",
            ["kind", "person"],
            [
                (kind, ("no", "yes")[person], number)
                for kind, counts in queues.items()
                for person, number in counts.items()
            ],
        )
        tasks, _ = failed_tasks.count(pool)
        yield GaugeMetricFamily("rutter_tasks_failed", "Tasks set aside: `rutter failed` lists them.", tasks)
        yield _make_gauge(
            "rutter_webhook_calls",
            "Calls to webhooks: those that wait, and those that were given up.",
            ["status"],
            webhook_calls.count_calls(pool).items(),
        )
        at_work = Counter(process_registry.list_duties(pool).values())
        yield _make_gauge(
            "rutter_processes_alive",
            "Dispatchers and workers that say that they are alive.",
            ["duty"],
            [(duty, at_work[duty]) for duty in (process_registry.DISPATCHER, *process_registry.WORKERS)],
        )

    def _collect_tree(self) -> Iterator[Metric]:
        with self._services.pool.connection(timeout=2) as connection:
            row = connection.execute(
                "SELECT t.size, s.size - t.position, t.set_back::int,"
                " (SELECT size FROM es.checkpoint ORDER BY size DESC LIMIT 1) FROM es.tree t, es.sequencer s"
            ).fetchone()
        size, behind, set_back, signed = row or (0, 0, 0, None)
        for name, text, value in (
            ("rutter_tree_size", "Leaves of the log of all games.", size),
            ("rutter_tree_behind", "Numbered events that it does not hold yet.", behind),
            ("rutter_tree_unsigned", "Leaves after the newest checkpoint.", size - (signed or 0)),
            ("rutter_database_set_back", "1: more was signed than the database holds; read only.", set_back),
        ):
            yield GaugeMetricFamily(name, text, value)

    def _collect_redis(self) -> Iterator[Metric]:
        redis = self._services.hints.redis
        if redis is None:
            raise RedisError
        lengths = [(name, redis.llen(f"rq:queue:{name}")) for name in QUEUES]
        yield _make_gauge("rutter_queue_length", "Jobs that wait.", ["queue"], lengths)
        times = thinking_times.read_times(redis)
        for kind, name, text in (
            (WAITED, "rutter_bot_waited_seconds", "From the event that asked a bot until it began to think."),
            (THOUGHT, "rutter_bot_thought_seconds", "For which a bot thought about a move."),
        ):
            histogram = HistogramMetricFamily(name, text, labels=["bot"])
            for (of, bot), (buckets, total) in times.items():
                if of == kind:
                    histogram.add_metric([bot], buckets, total)
            yield histogram


def _make_game_gauges(standings: game_counts.Counts) -> Iterator[Metric]:
    games: Counter[tuple[str, str]] = Counter()
    for standing, number in standings.items():
        games[standing.title, standing.status] += number
    stuck = sum(n for standing, n in standings.items() if standing.stuck and standing.status == "running")
    yield GaugeMetricFamily("rutter_tables_stuck", "Games that a fault of their rules stopped.", stuck)
    yield _make_gauge("rutter_games", "Games.", ["title", "status"], [(*of, n) for of, n in games.items()])


def _make_gauge(
    name: str, text: str, labels: list[str], rows: Iterable[tuple[object, ...]]
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=labels)
    for *values, number in rows:
        family.add_metric([str(value) for value in values], float(str(number)))
    return family
