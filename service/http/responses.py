"""Answers that are a success: JSON, with the headers by which clients may keep them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode

import msgspec
from flask import Response, request

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
    return Response(msgspec.json.encode(value), status, headers, content_type="application/json")


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
