"""Answers that are a success: JSON, with the headers by which clients may keep them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Response

from service.wire.preconditions import not_modified

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""What depends on who asks: nobody else may be given it, and it is asked for again each time."""


def json_answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(msgspec.json.encode(value), status, headers, content_type="application/json")


def tagged(seq: int, build: Callable[[], Any], *, settled: bool = True) -> Response:
    """The answer that *build* makes, with its ETag; 304 without building where the client has it.

    Not *settled* is what may change under the same seq (a past view that also tells the newest event).
    """
    headers = {"ETag": f'"{seq}"', **PRIVATE}
    if settled and not_modified(str(seq)):
        return Response(status=304, headers=headers)
    return json_answer(build(), headers=headers)
