"""Metrics of one process for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram


class RequestMetrics:
    """The request metrics of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "rutter_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "rutter_request_seconds", "Time to answer.", ["route"], registry=self.registry,
            buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
        )  # fmt: skip
        self.streams = Gauge(
            "rutter_streams", "Live streams.", registry=self.registry, multiprocess_mode="livesum"
        )
