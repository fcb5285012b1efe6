"""The metrics for Prometheus: their kinds, labels and meaning."""

from __future__ import annotations

from typing import Literal

import msgspec

MAX_COUNTED_EVENTS = 1000
"""The most events of one lane that are counted: the age of the oldest tells the rest."""


class MetricDescription(msgspec.Struct, frozen=True):
    """A metric: its kind, what it counts, and the labels that tell its values apart."""

    kind: Literal["gauge", "counter", "histogram"]
    text: str
    labels: tuple[str, ...] = ()


METRICS: dict[str, MetricDescription] = {
    "rutter_requests": MetricDescription(
        "counter", "Requests answered; exported as `rutter_requests_total`.", ("method", "route", "status")
    ),
    "rutter_request_seconds": MetricDescription("histogram", "Seconds to answer a request.", ("route",)),
    "rutter_streams": MetricDescription("gauge", "Live streams that are open."),
    "rutter_database_up": MetricDescription("gauge", "1 if the server reaches its database, else 0."),
    "rutter_redis_up": MetricDescription("gauge", "1 if the server reaches Redis, else 0."),
    "rutter_clock_behind_ms": MetricDescription(
        "gauge", "Milliseconds by which the clock of this host is behind the newest event."
    ),
    "rutter_tables_stuck": MetricDescription("gauge", "Running games that a bug in their rules has stopped."),
    "rutter_games": MetricDescription("gauge", "Games, by title and status.", ("title", "status")),
    "rutter_log_position": MetricDescription("gauge", "The newest position in the log of all events."),
    "rutter_log_unnumbered": MetricDescription("gauge", "Committed commands without a position yet."),
    "rutter_log_unnumbered_seconds": MetricDescription(
        "gauge", "Seconds for which the oldest of these commands has waited."
    ),
    "rutter_tree_size": MetricDescription("gauge", "Leaves of the transparency log."),
    "rutter_tree_behind": MetricDescription(
        "gauge", "Numbered events that the transparency log does not hold yet."
    ),
    "rutter_tree_unsigned": MetricDescription("gauge", "Leaves after the newest signed checkpoint."),
    "rutter_database_set_back": MetricDescription(
        "gauge", "1 if the server has signed more than the database holds; the server is then read-only."
    ),
    "rutter_projection_lag": MetricDescription(
        "gauge",
        f"Events that a projection has not seen, counted up to {MAX_COUNTED_EVENTS:,} in each lane.",
        ("projection",),
    ),
    "rutter_projection_parked": MetricDescription(
        "gauge", "Games that a projection failed on and has set aside.", ("projection",)
    ),
    "rutter_projection_lag_seconds": MetricDescription(
        "gauge", "Age in seconds of the oldest event that a projection has not seen.", ("projection",)
    ),
    "rutter_games_waiting_for_house": MetricDescription(
        "gauge", "Games that wait for the server to resolve something."
    ),
    "rutter_tasks_waiting": MetricDescription(
        "gauge",
        "Games that wait for a bot or the server, and seats whose bots think, tasks under way included;"
        " `person` tells whether people wait.",
        ("kind", "person"),
    ),
    "rutter_tasks_failed": MetricDescription(
        "gauge", "Tasks that failed repeatedly and were set aside; `rutter failed` lists them."
    ),
    "rutter_webhook_calls": MetricDescription(
        "gauge", "Calls to webhooks that wait, and calls that were given up.", ("status",)
    ),
    "rutter_processes_alive": MetricDescription(
        "gauge", "Dispatchers and workers that report that they are alive.", ("duty",)
    ),
    "rutter_queue_length": MetricDescription("gauge", "Jobs that wait in a queue of Redis.", ("queue",)),
    "rutter_bot_waited_seconds": MetricDescription(
        "histogram", "Seconds from the event that asked a bot until it began to think.", ("bot",)
    ),
    "rutter_bot_thought_seconds": MetricDescription(
        "histogram", "Seconds for which a bot thought about a move.", ("bot",)
    ),
}
"""All metrics by name."""
