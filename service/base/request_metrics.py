"""Metrics of one process for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from service.base.metric_descriptions import METRICS


class RequestMetrics:
    """The request metrics of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(*_describe("rutter_requests"), registry=self.registry)
        self.seconds = Histogram(
            *_describe("rutter_request_seconds"),
            registry=self.registry,
            buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
        )
        self.streams = Gauge(
            *_describe("rutter_streams"), registry=self.registry, multiprocess_mode="livesum"
        )


def _describe(name: str) -> tuple[str, str, tuple[str, ...]]:
    return name, METRICS[name].text, METRICS[name].labels
