"""Examples of the API description: real answers that the tests have noted (tests/service/examples.py)."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

Json = dict[str, Any]
JSON = "application/json"


def add_examples(description: Json) -> Json:
    """Return *description* with an example of every answer, and of every body that has none."""
    for name, one in _load_examples().items():
        method, path, status = name.split(" ")
        operation = description["paths"].get(path, {}).get(method.lower())
        if operation is None:
            continue
        if "answer" in one:
            _add_example(operation["responses"].get(status, {}), one["answer"])
        if "request" in one:
            _add_example(operation.get("requestBody", {}), one["request"])
    return description


def _add_example(where: Json, example: Any) -> None:
    """Add an *example* where a body is described, and has none."""
    content = where.get("content", {}).get(JSON)
    if content is not None and "examples" not in content:
        content["example"] = example


def _load_examples() -> dict[str, Json]:
    found: dict[str, Json] = json.loads(
        files(__package__).joinpath("examples.json").read_text(encoding="utf-8")
    )
    return found
