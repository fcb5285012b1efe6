"""The answer while workers simulate."""

from __future__ import annotations

from flask import Response

from service.http.responses import PRIVATE_HEADERS, json_response
from service.openapi import response_structs


def make_pending_response() -> Response:
    """Return the answer to what is being simulated: ask again in a second."""
    headers = {"Retry-After": "1", **PRIVATE_HEADERS}
    return json_response(response_structs.OddsPending("pending"), 202, headers)
