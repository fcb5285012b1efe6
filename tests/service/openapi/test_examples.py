"""What the description shows of bodies that are sent and answered is as its schemas say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from service.stores.tokens import is_well_formed
from tests.service.examples import JSON, RECORDED, SECRET, ask_now
from tests.service.openapi.test_described import checked, description
from tests.service.openapi.test_words import find_word_faults

METHODS = ("get", "post", "put", "patch", "delete")


def bodies() -> Iterator[tuple[str, dict[str, Any]]]:
    """All JSON that operations take, and with which they succeed."""
    for path, operations in description()["paths"].items():
        for method in METHODS:
            operation = operations.get(method, {})
            answers = operation.get("responses", {})
            named = {"what is sent": operation.get("requestBody", {})}
            named |= {status: answer for status, answer in answers.items() if status.startswith("2")}
            for name, body in named.items():
                if JSON in body.get("content", {}):
                    yield f"{method.upper()} {path}: {name}", body["content"][JSON]


def shown(content: dict[str, Any]) -> list[Any]:
    """The examples of a body."""
    several = [one["value"] for one in content.get("examples", {}).values()]
    return several or ([content["example"]] if "example" in content else [])


def test_whatever_is_sent_or_answered_has_an_example():
    """Every operation with a JSON body in its request or in an answer of success."""
    lacking = [name for name, content in bodies() if not shown(content)]
    assert not lacking, f"let a test ask for it, and collect as tests/service/examples.py says: {lacking}"


def test_examples_are_as_their_schemas_say():
    wrong = []
    for name, content in bodies():
        check = checked(json.dumps(content["schema"]))
        wrong += [
            f"{name}: {error.message[:500]}" for one in shown(content) for error in check.iter_errors(one)
        ]
    assert wrong == []


@pytest.mark.parametrize("operation", ["GET /v1/titles 200", "GET /v1/titles/{title} 200"])
def test_examples_of_titles_are_what_the_server_says_today(operation):
    """They need no database. Record them again with `python -m tests.service.examples`."""
    known = json.loads(RECORDED.read_text(encoding="utf-8"))[operation]["answer"]
    assert ask_now(operation, known) == known


def test_examples_are_written_in_plain_words():
    """Their sentences are those of the server."""
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    del recorded["GET /v1/titles/{title}/phrases 200"]  # players say these
    texts = set(find_strings(recorded))
    assert len(texts) > 300
    assert [fault for text in sorted(texts) if " " in text for fault in find_word_faults(text)] == []


def find_strings(value: Any) -> Iterator[str]:
    """All texts inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from find_strings(one)


def test_no_example_has_a_secret():
    """What looks like one has not the checksum that one has."""
    text = json.dumps(description()["paths"])
    assert [found[0] for found in SECRET.finditer(text) if is_well_formed(found[0], found[1])] == []
