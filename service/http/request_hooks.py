"""Hooks around every route: checks of the request before it, headers of the answer after it.

A request gets an id, a time of beginning and a deadline. Its answer gets the headers of security, and the
permission for pages elsewhere to use the API. It gets a line in the access log, and is compressed where that
is worth it.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Container
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import structlog
from flask import Flask, Request, Response, g, request
from flask.globals import request_ctx
from prometheus_client import Counter, Histogram
from werkzeug.datastructures import Headers
from werkzeug.exceptions import NotFound

from events.store.connection import REQUEST_TIME, RequestTime
from service.base.rate_limits import TimeLimits
from service.base.request_metrics import RequestMetrics
from service.http import compression
from service.http.problems import Problem, invalid_parameters

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

ALLOWED_HEADERS = (
    "Accept, Authorization, Cache-Control, Content-Type, Idempotency-Key, If-Match, If-None-Match,"
    " Last-Event-ID, Rutter-Client, Rutter-Signature, X-Request-ID"
)
"""The request headers that pages elsewhere may send.

`Rutter-Client` is for a program's name and version: browsers let none of their pages write User-Agent.
"""
EXPOSED_HEADERS = (
    "ETag, Location, Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID,"
    " WWW-Authenticate, Allow, Content-Disposition, Deprecation, Sunset, Link, Rutter-Effective-Within-Ms"
)
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_SECURITY_HEADERS = (
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
)
_SECURITY_NAMES = frozenset(name.lower() for name, _ in _SECURITY_HEADERS)
_OPEN_HEADERS = (("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", EXPOSED_HEADERS))
"""Tokens are sent by hand and never by the browser on its own, so any origin may ask."""
QUIET_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
"""Endpoints that are called all day long; they are logged only when they fail."""
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
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~%!$&'()*+,;=-]+)(:[0-9]{0,5})?")


_REDIRECTING = frozenset({"location", "content-location"})


class Answer(Response):
    """An answer that is not gone over once more when it is sent, where nothing is to be found out then."""

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        """Return the headers as they are sent: those of the answer, if nothing is missing in them."""
        if self.status_code == 200:
            present = {name.lower() for name, _ in self.headers}
            if "content-length" in present and present.isdisjoint(_REDIRECTING):
                return self.headers
        return super().get_wsgi_headers(environ)


def install(app: Flask, wait: TimeLimits, metrics: RequestMetrics, *, log_requests: bool) -> None:
    """Begin and end every request to *app* here; one function each, as each costs every request."""
    app.response_class = Answer
    # Flask looks at each function that it calls, ten of them a request, to learn if it is a coroutine.
    app.ensure_sync = lru_cache(1000)(app.ensure_sync)  # type: ignore[method-assign]
    count = _make_counter(metrics)
    logger = structlog.get_logger("rutter.request").bind()  # once: else every line has a logger made for it

    @app.before_request
    def _begin_request() -> Response | None:
        asked = request_ctx.request  # the request itself: each look through the proxy costs as much as a call
        if asked.method == "OPTIONS" and (preflight := _answer_preflight(app)) is not None:
            return preflight
        g.began = time.perf_counter()
        g.request_id = _read_request_id(asked.headers.get("X-Request-ID"))
        _refuse_without_host(asked)
        _refuse_odd_paths(asked)
        _refuse_parameters_twice(asked)
        _set_deadline(asked.endpoint, wait)
        return None

    @app.after_request
    def _finish_request(answer: Response) -> Response:
        asked = request_ctx.request
        seconds = time.perf_counter() - g.get("began", time.perf_counter())
        route = _get_route(asked)
        requests, durations = count(_get_method_label(asked), route, answer.status_code)
        requests.inc()
        durations.observe(seconds)
        request_id = g.get("request_id", "")
        if log_requests and (asked.path not in QUIET_PATHS or answer.status_code >= 400):
            _write_line(logger, asked, answer, request_id, seconds)
        _add_headers(asked, answer, request_id)
        if (answer.content_length or compression.MIN_BYTES) >= compression.MIN_BYTES:
            compression.compress(answer)
        return answer

    @app.teardown_request
    def _forget_deadline(_error: BaseException | None) -> None:
        REQUEST_TIME.set(None)


# --- before the route ---------------------------------------------------------------------------------


def _answer_preflight(app: Flask) -> Response | None:
    """Return the answer to a browser that asks what a page elsewhere may send; None for another request."""
    if "Access-Control-Request-Method" not in request.headers or not _is_open_to_other_origins(request.path):
        return None
    methods = _list_methods(app)
    if not methods:
        return None  # nothing is at this address: a 404 says so
    answer = Response(status=204)
    answer.headers["Access-Control-Allow-Methods"] = ", ".join(methods)
    answer.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
    answer.headers["Access-Control-Max-Age"] = "86400"
    return answer


def _list_methods(app: Flask) -> list[str]:
    """Return the methods that this address takes."""
    adapter = app.create_url_adapter(request)
    taken = set(adapter.allowed_methods()) if adapter else set()
    return [method for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE") if method in taken]


def _read_request_id(given: str | None) -> str:
    """Return the request id that a proxy gave, if it looks like one; else a new one."""
    return given if given and re.fullmatch(r"[A-Za-z0-9._-]{1,64}", given) else uuid.uuid4().hex


def _refuse_without_host(asked: Request) -> None:
    """Refuse a request without a usable Host: HTTP/1.1 requires one (RFC 9112, 3.2)."""
    host = asked.environ.get("HTTP_HOST")
    old = asked.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"
    if not (host is None and old) and not _HOST.fullmatch(host or ""):
        raise Problem(
            400,
            "malformed_request",
            "The Host header is missing or wrong. Send the name of this server in it.",
        )


def _refuse_odd_paths(asked: Request) -> None:
    """Refuse a NUL in an address: it reaches neither the file system nor the database."""
    if "\0" in asked.path or "\ufffd" in asked.path:
        raise NotFound


def _refuse_parameters_twice(asked: Request) -> None:
    if not asked.query_string:
        return
    for name, values in asked.args.lists():
        if len(values) > 1:
            raise invalid_parameters({name: ["Send this parameter only once."]}, status=400)


def _set_deadline(endpoint: str | None, wait: TimeLimits) -> None:
    """Set the deadline of the request that begins now."""
    long = endpoint in LONG_ENDPOINTS
    usual = min(wait.usual, PROBE_SECONDS) if endpoint in PROBE_ENDPOINTS else wait.usual
    REQUEST_TIME.set(RequestTime(time.monotonic() + (wait.long if long else usual), long))


# --- after the route ----------------------------------------------------------------------------------


def _write_line(
    logger: structlog.typing.FilteringBoundLogger,
    asked: Request,
    answer: Response,
    request_id: str,
    seconds: float,
) -> None:
    """Write the line of the access log."""
    logger.info(
        "request",
        request_id=request_id or None,
        method=asked.method,
        route=_get_route(asked),
        status=answer.status_code,
        milliseconds=round(seconds * 1000, 1),
        game=(asked.view_args or {}).get("id"),
        seq=(answer.headers.get("ETag") or "").strip('"') or None,
    )


def _get_route(asked: Request) -> str:
    return asked.url_rule.rule if asked.url_rule else "(none)"


def _make_counter(metrics: RequestMetrics) -> Callable[[str, str, int], tuple[Counter, Histogram]]:
    """Return a function that finds the metrics of a method, a route and a status: each is found once."""

    @cache
    def find_metrics(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
        return metrics.requests.labels(method, route, str(status)), metrics.seconds.labels(route)

    return find_metrics


def _get_method_label(asked: Request) -> str:
    """Return the method as a label; `other` for unknown ones, as each label is kept for ever."""
    return asked.method if asked.method in _METHODS else "other"


def _add_headers(asked: Request, answer: Response, request_id: str) -> None:
    """Add the headers of every answer, but for those that it has.

    To add one costs a quarter of looking for it first, so all that stand there are looked at once.
    """
    headers = answer.headers
    if asked.method == "OPTIONS" and not answer.data:
        headers.pop("Content-Type", None)  # of nothing
    present = {name.lower() for name, _ in headers}
    headers.add("X-Request-ID", request_id)
    added = headers._list  # noqa: SLF001 - `add` checks each time that these are headers
    added += _SECURITY_HEADERS if present.isdisjoint(_SECURITY_NAMES) else _list_absent(present)
    if asked.path.startswith(("/static/", "/docs")) and "cache-control" not in present:
        headers.add("Cache-Control", "no-cache")  # a new version of the page must not meet an old half
    if _is_open_to_other_origins(asked.path):
        added += _OPEN_HEADERS


def _list_absent(present: Container[str]) -> list[tuple[str, str]]:
    """Return the headers of security without those that are present."""
    return [header for header in _SECURITY_HEADERS if header[0].lower() not in present]


def _is_open_to_other_origins(path: str) -> bool:
    return path.startswith(("/v1", "/log/")) or path == "/openapi.json"
