"""Strict parsing of JSON from clients: everything that a careless parser lets through is refused.

RFC 8259 leaves duplicate keys, lone surrogates and huge numbers to the reader. A NUL cannot be stored in
Postgres. Deep nesting exhausts a parser. Integers beyond 2**53 - 1 are not the same number in every language.
After :func:`parse_json` none of that can reach any other code.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from events.proof.canonical import MAX_DEPTH, MAX_INTEGER


class MalformedJson(ValueError):
    """An error: the bytes are not JSON that we accept; the message says what is wrong."""


def parse_json(raw: bytes) -> Any:
    """Return the value of a JSON text in UTF-8. Raises :class:`MalformedJson`."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedJson(
            f"The body is not UTF-8: byte {error.start} is wrong. Send JSON in UTF-8."
        ) from None
    try:
        if text.startswith("\ufeff"):  # as json.loads
            raise json.JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)  # noqa: TRY301
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise MalformedJson(f"The body is not JSON: {error.msg} at {where}. Correct it there.") from None
    except RecursionError:
        raise MalformedJson(_TOO_DEEP) from None
    # Without a backslash no string can hold what UTF-8 and JSON do not let stand in it as it is, and nothing
    # nests deeper than it has brackets.
    if b"\\" in raw or raw.count(b"[") + raw.count(b"{") > MAX_DEPTH:
        _check_value(value)
    return value


_TOO_DEEP = f"The body is nested deeper than {MAX_DEPTH} levels. Send less nested values."


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise MalformedJson(f"The name {twice[:40]!a} occurs twice in one object. Send it once.")
    return made


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedJson(f"{name} is not valid JSON. Send a finite number, or null.")


def _read_number(text: str) -> float | int:
    """Return a number; 28.0 is the integer 28, as JSON and JSON Schema know numbers only."""
    value = float(text)
    if not math.isfinite(value):
        raise MalformedJson(f"The number {text[:40]} is too large. Send a smaller one.")
    return int(value) if value.is_integer() and abs(value) <= MAX_INTEGER else value


def _read_integer(text: str) -> int:
    # Length first: turning a million digits into a number takes long, and Python refuses it.
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
        raise MalformedJson(
            f"The integer {text[:40]} is too large or too small. Send one from -(2**53 - 1) to 2**53 - 1."
        )
    return int(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_make_object,
    parse_constant=_refuse_constant,
    parse_float=_read_number,
    parse_int=_read_integer,
)


def _check_value(value: Any) -> None:
    """Check the depth and the strings of a value, without recursion."""
    todo: list[tuple[Any, int]] = [(value, 1)]
    while todo:
        item, depth = todo.pop()
        if isinstance(item, str):
            _check_text(item)
        elif isinstance(item, dict | list):
            if depth > MAX_DEPTH:
                raise MalformedJson(_TOO_DEEP)
            if isinstance(item, dict):
                for key in item:
                    _check_text(key)
                todo += [(inner, depth + 1) for inner in item.values()]
            else:
                todo += [(inner, depth + 1) for inner in item]


def _check_text(text: str) -> None:
    if "\0" in text:
        raise MalformedJson("A string contains the character U+0000. Remove it.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise MalformedJson(
            "A string contains half of a surrogate pair. Remove it, or complete the pair."
        ) from None
