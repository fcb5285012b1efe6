"""Every address of one game that the description of the API names, and all that is answered there."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

GAME = "/v1/games/{id}"
VARYING = {"Date", "X-Request-ID"}
QUERIES = {"n": "1", "target": "1", "seed": "1"}
PLACES = {"n": "2"}
"""The parts of addresses that are no ids."""
BODIES: dict[str, list[dict[str, Any]]] = {
    "commands": [
        {"type": "pass"},
        {"type": "table_seat", "seat": 1},
        {"type": "table_leave"},
        {"type": "table_end", "cause": "other"},
    ],
    "join": [{}, {"seat": 1}, {"invitation": "inv_" + "0" * 49}],
    "reveal": [{"contribution": "00" * 32}, {"director_contribution": "00" * 32}],
    "visibility": [{"visibility": "private"}],
    "forks": [{}, {"at": 1}],
    "messages": [{"text": "Hello"}],
}
"""What is sent where an empty object would tell nothing."""


def requests(api: Any, more: tuple[str, ...] = ()) -> Iterator[tuple[str, str, Any]]:
    """Method, address with `{id}` in it, and body of every request; *more* queries for each GET."""
    paths = api.get("/openapi.json")["paths"]
    _check_known(paths, {one.partition("=")[0] for one in more})
    for path, methods in paths.items():
        if path == GAME or path.startswith(GAME + "/"):
            for method, operation in methods.items():
                if method != "parameters":
                    yield from _of(method.upper(), path, methods.get("parameters", []), operation, more)


def _check_known(paths: dict[str, Any], wanted: set[str]) -> None:
    """Fail for a query that no address of a game takes: it would be tried nowhere."""
    known = {
        one["name"]
        for path, methods in paths.items()
        if path.startswith(GAME)
        for one in methods.get("get", {}).get("parameters", ())
        if one["in"] == "query"
    }
    assert wanted <= known, f"no address takes {sorted(wanted - known)}"


def _of(
    method: str, path: str, shared: list[dict[str, Any]], operation: dict[str, Any], more: tuple[str, ...]
) -> Iterator[tuple[str, str, Any]]:
    parameters = [*shared, *operation.get("parameters", [])]
    for one in parameters:
        if one["in"] == "path" and one["name"] != "id":
            path = path.replace(f"{{{one['name']}}}", PLACES.get(one["name"], str(uuid.UUID(int=7))))
    queries = {one["name"]: one.get("required") for one in parameters if one["in"] == "query"}
    asked = [f"{name}={QUERIES[name]}" for name, required in queries.items() if required]
    if method == "GET":
        for query in ("", *(one for one in more if one.partition("=")[0] in queries)):
            text = "&".join(filter(None, (*asked, query)))
            yield method, f"{path}?{text}" if text else path, ...
    else:
        for body in BODIES.get(path.rpartition("/")[2], [{}]):
            yield method, path, body if method != "DELETE" else ...


def said(answer: Any) -> tuple[int, bytes, dict[str, str]]:
    """All that an answer tells; of a stream its first message."""
    headers = {name: value for name, value in answer.headers if name not in VARYING}
    if answer.content_type.startswith("text/event-stream"):
        parts = answer.iter_encoded()
        text = next(parts) + next(parts)
        answer.close()
        return answer.status_code, text, headers
    return answer.status_code, answer.data, headers


def walk(api: Any, game_id: str, more: tuple[str, ...] = ()) -> dict[tuple[str, str, str], Any]:
    """What *api* is answered at every address of a game."""
    return {
        (method, path, str(body)): said(api.send(method, path.replace("{id}", game_id), body))
        for method, path, body in requests(api, more)
    }
