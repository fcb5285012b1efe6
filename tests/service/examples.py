"""The examples of the API description: what the tests of the service were really answered.

RUTTER_EXAMPLES=service/openapi/examples.json pytest -n 0 tests/service

adds to that file, and puts in place of each example one that shows more, or as much in fewer words. Each
stands under its method, path and status; of a list it shows the first two.

python -m tests.service.examples

records those of titles again, which need no database.
"""

from __future__ import annotations

import atexit
import json
import re
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from ops.server.wsgi import create_app
from service.base.settings import Settings
from tests.installation import ROOT
from tests.settings import RUTTER_EXAMPLES

MOST = 4000
"""Bytes that an example should not be longer than."""
FILE = RUTTER_EXAMPLES.read()
RECORDED = ROOT / "service" / "openapi" / "examples.json"
JSON = "application/json"
SECRET = re.compile(r"\b((?:rut|inv|whsec)_)([A-Za-z0-9+/=]{20,})")
"""Tokens, invitations, what a webhook signs with."""
SHOWN = 2
"""Of a list, or a table by names, that many are shown."""
TABLES = {"GET /v1/titles/{title} 200"}
"""What is answered with tables by names, whose members need not all be there."""
NOT_SERVED = '"example"'
"""The title of the tests, which no description knows."""
_found: dict[str, dict[str, Any]] = {}


def note(app: Flask, method: str, body: Any, answer: TestResponse) -> None:
    """Remember an answer as the example of its operation, if it is a good one."""
    if not FILE or answer.status_code >= 300 or answer.mimetype == "text/event-stream":
        return
    try:
        rule, _ = app.url_map.bind("").match(answer.request.path, method, return_rule=True)
    except HTTPException:
        return
    path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
    operation = f"{method} {path} {answer.status_code}"
    one: dict[str, Any] = {}
    if answer.mimetype == JSON and answer.data and not answer.content_encoding:
        one["answer"] = shortened(answer.get_json(force=True), operation in TABLES)
    if isinstance(body, dict):
        one["request"] = body
    if one and NOT_SERVED not in json.dumps(one):
        better(_found, operation, one)


def shortened(value: Any, tables: bool) -> Any:
    """*value* with the first few of each list; also of what stands in *tables* by names.

    There without `$ref` and `$defs`: readers of the description would look for them in the description.
    """
    if isinstance(value, list):
        return [shortened(part, tables) for part in value[:SHOWN]]
    if isinstance(value, dict):
        is_table = tables and all(isinstance(part, dict) for part in value.values())
        members = {
            name: shortened(part, tables)
            for name, part in value.items()
            if not (tables and name.startswith("$"))
        }
        return dict(list(members.items())[: SHOWN if is_table else None])
    return value


def better(known: dict[str, dict[str, Any]], operation: str, one: dict[str, Any]) -> None:
    """Take *one* in place of what is known of an operation, if it shows more, or as much in fewer words."""
    if operation not in known or _rank(one) < _rank(known[operation]):
        known[operation] = one


def _rank(one: dict[str, Any]) -> tuple[bool, bool, bool, bool, int]:
    """First what has an answer, and a request, is not too long, and has something in its lists."""
    length = len(json.dumps(one))
    return "answer" not in one, "request" not in one, length > MOST, _lacks(one.get("answer")), length


def _lacks(value: Any) -> bool:
    return value == [] or (isinstance(value, dict) and any(part == [] for part in value.values()))


def plain(text: str) -> str:
    """*text* without what looks like a secret that is good for something."""
    return SECRET.sub(lambda found: found[1] + ("EXAMPLE" + "0" * len(found[2]))[: len(found[2])], text)


def ask_now(operation: str, known: Any) -> Any:
    """What the server answers today to the operation of an example, which needs no database."""
    path = operation.split()[1].replace("{title}", str(known.get("id", known.get("title"))))
    answer = create_app(Settings("", log_requests=False)).test_client().get(path)
    return shortened(answer.get_json(force=True), operation in TABLES)


def renew_titles() -> None:
    """Record the examples of titles again."""
    known = json.loads(RECORDED.read_text(encoding="utf-8"))
    for operation in (
        "GET /v1/titles 200",
        "GET /v1/titles/{title} 200",
        "GET /v1/titles/{title}/display 200",
        "GET /v1/titles/{title}/lesson 200",
    ):
        known[operation]["answer"] = ask_now(operation, known[operation]["answer"])
    _save(RECORDED, known)


def _write() -> None:
    path = FILE or Path()
    known = json.loads(path.read_text()) if path.exists() else {}
    for operation, one in _found.items():
        better(known, operation, one)
    _save(path, known)


def _save(path: Path, known: dict[str, dict[str, Any]]) -> None:
    text = json.dumps(dict(sorted(known.items())), indent=1, ensure_ascii=False)
    path.write_text(plain(text) + "\n")


if FILE:
    atexit.register(_write)

if __name__ == "__main__":
    renew_titles()
