"""The deadline of a request: set when it begins, asked wherever it waits for the database.

A live stream has none once its first bytes are out: its later queries are part of no request.
"""

from __future__ import annotations

import time

from flask import Flask, g, has_request_context, request

from service.base.rate_limits import TimeLimits

LONG_ENDPOINTS = frozenset(
    {
        "log.get_events",
        "log.get_history",
        "log.get_audit",
        "me.export_me",
        "ops.get_metrics",
        "ratings.export_ratings",
        "tournament log.get_tournament_audit",
        "tournament tables.export_tournament",
    }
)
"""The endpoints that may read very much."""
PROBE_ENDPOINTS = frozenset({"ops.readyz"})
PROBE_SECONDS = 2.0
"""Seconds in which these have to answer: a readiness probe does not wait long for a no."""


def install(app: Flask, wait: TimeLimits) -> None:
    """Set a deadline for every request to *app*."""

    @app.before_request
    def _set_deadline() -> None:
        g.long = request.endpoint in LONG_ENDPOINTS
        usual = min(wait.usual, PROBE_SECONDS) if request.endpoint in PROBE_ENDPOINTS else wait.usual
        g.deadline = time.monotonic() + (wait.long if g.long else usual)


def get_remaining_seconds() -> float | None:
    """Return the seconds that the request has left, perhaps none; None outside of a request."""
    if not has_request_context() or "deadline" not in g:
        return None
    return float(g.deadline - time.monotonic())


def get_time_class() -> tuple[float | None, bool]:
    """Return the seconds that the request has left (see above), and True if its endpoint may take long."""
    return get_remaining_seconds(), has_request_context() and bool(g.get("long"))
