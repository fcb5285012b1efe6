"""The access log: one structured line for each request."""

from __future__ import annotations

import re
import time
import uuid

import structlog
from flask import Flask, Response, g, request

from events.base import logging_setup
from service.application.container import Services

log = structlog.get_logger("rutter.request")
QUIET_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
"""Endpoints that are called all day long; they are logged only when they fail."""
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def configure() -> None:
    """Configure log lines as JSON, unless the process has chosen otherwise."""
    if not structlog.is_configured():
        logging_setup.configure_logging()


def install(app: Flask, services: Services) -> None:
    """Log every request of *app* with its time and its outcome."""
    logger = log.bind()  # once: else every line has a logger made for it

    @app.before_request
    def _start_request() -> None:
        g.began = time.perf_counter()
        g.request_id = _read_request_id(request.headers.get("X-Request-ID"))

    @app.after_request
    def _finish_request(answer: Response) -> Response:
        seconds = time.perf_counter() - g.get("began", time.perf_counter())
        route = request.url_rule.rule if request.url_rule else "(none)"
        answer.headers["X-Request-ID"] = g.get("request_id", "")
        services.request_metrics.requests.labels(_get_method_label(), route, str(answer.status_code)).inc()
        services.request_metrics.seconds.labels(route).observe(seconds)
        if services.settings.log_requests and (request.path not in QUIET_PATHS or answer.status_code >= 400):
            _write_line(logger, answer, route, seconds)
        return answer


def _write_line(
    logger: structlog.typing.FilteringBoundLogger, answer: Response, route: str, seconds: float
) -> None:
    logger.info(
        "request",
        request_id=g.get("request_id"),
        method=request.method,
        route=route,
        status=answer.status_code,
        milliseconds=round(seconds * 1000, 1),
        game=(request.view_args or {}).get("id"),
        seq=(answer.headers.get("ETag") or "").strip('"') or None,
    )


def _get_method_label() -> str:
    """Return the method as a label; `other` for unknown ones, as each label is kept for ever."""
    return request.method if request.method in _METHODS else "other"


def _read_request_id(given: str | None) -> str:
    """Return the request id that a proxy gave, if it looks like one; else a new one."""
    return given if given and re.fullmatch(r"[A-Za-z0-9._-]{1,64}", given) else uuid.uuid4().hex
