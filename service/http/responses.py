"""Answers: JSON that clients may keep, and what follows after every route.

Each answer gets the headers of security, and the permission for pages elsewhere to use the API. It gets a
line in the access log, and is compressed for clients that take gzip: descriptions shrink to a tenth.
"""

from __future__ import annotations

import hashlib
import time
import zlib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import urlencode

import msgspec
import structlog
from flask import Flask, Request, Response, g, request
from flask.globals import request_ctx
from prometheus_client import Counter, Histogram
from werkzeug.datastructures import Accept, Headers
from werkzeug.http import parse_accept_header

from events.base.bounded_cache import BoundedCache
from service.base.request_metrics import RequestMetrics

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

Item = TypeVar("Item")

NDJSON = "application/x-ndjson"
"""The content type of one JSON value a line."""

PRIVATE_HEADERS = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""The headers of an answer that depends on who asks.

Nobody else may be given it, and it is asked for again each time.
"""
IMMUTABLE_HEADERS = {**PRIVATE_HEADERS, "Cache-Control": "private, max-age=31536000, immutable"}
"""The headers of an answer that depends on who asks, names nobody, and never changes."""
SHORT_CACHE_HEADERS = {"Cache-Control": "public, max-age=60"}
"""The headers of an answer that is the same for everybody until the service is another version."""
PUBLIC_HEADERS = {"Cache-Control": "public, max-age=10"}
"""The headers of an answer that is the same for everybody, and may be some seconds old."""
NO_STORE_HEADERS = {"Cache-Control": "no-store"}
"""The headers of an answer that holds a secret: no cache keeps it."""


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a JSON answer."""
    answer = Response(msgspec.json.encode(value), status, content_type="application/json")
    for name, text in (headers or {}).items():
        answer.headers.add(name, text)
    return answer


def mark_replayed(answer: Response) -> Response:
    """Mark an answer as one that was given before."""
    answer.headers["Idempotency-Replayed"] = "true"
    return answer


def is_unmodified(etag: str) -> bool:
    """Return True if If-None-Match names this tag."""
    tags = request.if_none_match
    return bool(tags) and (tags.star_tag or tags.contains_weak(etag))


def with_etag(
    seq: int, value: Any, *, lasting: Any = None, headers: Mapping[str, str] = PRIVATE_HEADERS
) -> Response:
    """Return a JSON answer about event *seq*, tagged by event and bytes; 304 if the client has it.

    Under one seq names and rights may change. *lasting*: the value without what passes by itself, such as the
    time, if there is any; it is tagged in its place.
    """
    body = msgspec.json.encode(value)
    told = body if lasting is None else msgspec.json.encode(lasting)
    return make_tagged_response(seq, body, "application/json", told=told, headers=headers)


def make_tagged_response(
    seq: int,
    body: bytes,
    content_type: str,
    *,
    told: bytes | None = None,
    headers: Mapping[str, str] = PRIVATE_HEADERS,
) -> Response:
    """Return an answer about event *seq*, tagged by the event and the bytes *told*, by default its body.

    A client may send the tag as If-Match: its event counts there.
    """
    tag = f"{seq}-{make_etag(body if told is None else told)}"
    headers = {"ETag": f'"{tag}"', **headers}
    if is_unmodified(tag):
        return Response(status=304, headers=headers)
    return Response(body, headers=headers, content_type=content_type)


def make_versioned_response(version: int, value: Any) -> Response:
    """Return a JSON answer tagged by its version alone, so that changes of others do not matter."""
    headers = {"ETag": f'"{version}"', **PRIVATE_HEADERS}
    if is_unmodified(str(version)):
        return Response(status=304, headers=headers)
    return json_response(value, headers=headers)


def wants_lines() -> bool:
    """Return True if the client of this request asks for one JSON value a line."""
    return request.accept_mimetypes.best_match(["application/json", NDJSON], "application/json") == NDJSON


def lines_response(values: Iterable[Any]) -> Response:
    """Return an answer of one JSON value a line."""
    lines = msgspec.json.Encoder().encode_lines(values)
    return Response(lines, headers=PRIVATE_HEADERS, content_type=NDJSON)


def make_next_address(path: str, after: object) -> str:
    """Return the address of the next page at *path*: the query of this request, after another item."""
    given = {name: value for name, value in request.args.items() if name != "after"}
    return f"{path}?{urlencode({**given, 'after': after})}"


class NumberedItem(Protocol):
    """An item with the number of an event."""

    @property
    def seq(self) -> int: ...  # noqa: D102 - see the class


def find_next_address(path: str, items: Sequence[NumberedItem], seq: int) -> str | None:
    """Return the address of the page after *items* of a log; None where they reach its event *seq*."""
    return make_next_address(path, items[-1].seq) if items and items[-1].seq < seq else None


def cut_page(found: list[Item], limit: int) -> tuple[list[Item], bool]:
    """Return the first *limit* of the items that were found, and True if there are more."""
    return found[:limit], len(found) > limit


def make_etag(body: bytes) -> str:
    """Return the tag of what is told apart by its bytes alone."""
    return hashlib.sha256(body).hexdigest()[:24]


def make_cached_response(body: bytes, tag: str, headers: Mapping[str, str] = SHORT_CACHE_HEADERS) -> Response:
    """Return a JSON answer of these bytes under this tag; 304 where the client has it."""
    headers = {"ETag": f'"{tag}"', **headers}
    if is_unmodified(tag):
        return Response(status=304, headers=headers)
    return Response(body, headers=headers, content_type="application/json")


def etag_by_content(value: Any) -> Response:
    """Return a JSON answer tagged by its bytes.

    It depends on who asks and on more than the seq of a game.
    """
    body = msgspec.json.encode(value)
    return make_cached_response(body, make_etag(body), PRIVATE_HEADERS)


# --- after the route ----------------------------------------------------------------------------------

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
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
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


def install(app: Flask, metrics: RequestMetrics, *, log_requests: bool) -> None:
    """End every request to *app* here, in one function, as each costs every request."""
    app.response_class = Answer
    count = _make_counter(metrics)
    logger = structlog.get_logger("rutter.request").bind()  # once: else every line has a logger made for it

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
        length = answer.content_length or 0
        if not 0 < length < MIN_BYTES:
            compress(answer, length)
        return answer


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


def answer_preflight(app: Flask) -> Response | None:
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


# --- compression --------------------------------------------------------------------------------------

MIN_BYTES = 1024
"""Bytes from which on it is worth it."""
LEVEL, KEPT_LEVEL = 5, 9
"""Levels for an answer to one request, and for one that is kept for all."""
_GZIP_FORMAT = 16
"""Added to the bits of a window it asks zlib for gzip's format."""
_KINDS = ("text/", "application/json", "application/problem+json", "application/x-ndjson", "image/svg+xml")
_CACHE: BoundedCache[bytes] = BoundedCache(100)
"""The compressed answers that are the same for everybody, by address and tag."""


def compress(answer: Response, length: int) -> None:
    """Compress an answer for a client that takes it so, unless it is a stream: that is told as it comes.

    *length*: its bytes, 0 where it has yet to be found out.
    """
    if not answer.headers.get("Content-Type", "").startswith(_KINDS):
        return
    if not _is_compressible(answer, length):
        return
    vary = answer.headers.get("Vary")
    if not vary:
        answer.headers.add("Vary", "Accept-Encoding")
    elif "Accept-Encoding" not in vary:
        answer.headers["Vary"] = f"{vary}, Accept-Encoding"
    accepted = request.headers.get("Accept-Encoding", "")
    if _takes_gzip(accepted) and "Content-Encoding" not in answer.headers:
        answer.direct_passthrough = False  # a file: its bytes are wanted here
        # The tag stays: it is the seq that If-Match takes, whatever the bytes were packed in.
        answer.set_data(_get_compressed(answer))
        answer.headers["Content-Encoding"] = "gzip"


@lru_cache(100)
def _takes_gzip(accepted: str) -> bool:
    """Return True if a client with this Accept-Encoding takes gzip. There are few different ones."""
    return bool(parse_accept_header(accepted, Accept).quality("gzip"))


def _is_compressible(answer: Response, length: int) -> bool:
    """Return True if the answer has all its bytes, and enough of them."""
    if answer.status_code == 206:
        return False
    if length:
        return length >= MIN_BYTES and (answer.direct_passthrough or not answer.is_streamed)
    return not answer.is_streamed and len(answer.get_data()) >= MIN_BYTES


def _get_compressed(answer: Response) -> bytes:
    tag, public = answer.headers.get("ETag"), "private" not in answer.headers.get("Cache-Control", "")
    key = (request.full_path, tag)
    kept = bool(tag) and public
    packed = _CACHE.get(key) if kept else None
    if packed is None:
        packed = pack_gzip(answer.get_data(), KEPT_LEVEL if kept else LEVEL)
        if kept:
            _CACHE.put(key, packed)
    return packed


def pack_gzip(data: bytes, level: int) -> bytes:
    """Return *data* in the format of gzip, with tables as large as it can use.

    To clear tables for 32 KiB takes several times as long as to compress a short answer.
    """
    bits = min(15, max(9, len(data).bit_length()))
    packer = zlib.compressobj(level, zlib.DEFLATED, _GZIP_FORMAT + bits, min(8, bits - 6))
    return packer.compress(data) + packer.flush()
