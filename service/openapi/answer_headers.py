"""The headers that answers carry, whatever the operation, in the description of the API."""

from __future__ import annotations

from events.rules.fact import Json

_HEADERS: dict[str, Json] = {
    "X-Request-ID": {
        "description": "The id of the request, as in the log of the server. Quote it in reports.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
    },
    "RateLimit": {
        "description": "For each limit of this request: what is left, and the seconds until it is full.",
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": "For each limit of this request: its amount, and its time window in seconds.",
        "schema": {"type": "string"},
    },
    "Retry-After": {
        "description": "The seconds to wait before you send the request again.",
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
    },
}
_RETRIED = ("429", "503")
"""The statuses with which `Retry-After` always comes."""
_LIMITED = "/v1/"
"""The beginning of the addresses that are limited."""


def add_answer_headers(document: Json) -> Json:
    """Return *document*, in which every answer names the headers that it has."""
    document["components"]["headers"] = _HEADERS
    for path, operations in document["paths"].items():
        for operation in operations.values():
            responses = operation.get("responses", {}) if isinstance(operation, dict) else {}
            for status, answer in responses.items():
                names = _list_headers(path, status)
                found = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
                answer["headers"] = {**found, **answer.get("headers", {})}
    return document


def _list_headers(path: str, status: str) -> list[str]:
    """Return the headers of every answer of this *status* from an address."""
    limited = ["RateLimit", "RateLimit-Policy"] if path.startswith(_LIMITED) else []
    return ["X-Request-ID", *limited, *(["Retry-After"] if status in _RETRIED else [])]
