"""The requests that clients send, read strictly: checks before every route, query strings, bodies.

Before its route a request gets an id, a time of beginning and a deadline.

A careless parser of JSON lets much through. RFC 8259 leaves duplicate keys, lone surrogates and huge numbers
to the reader. A NUL cannot be stored in Postgres. Deep nesting exhausts a parser. Integers beyond 2**53 - 1
are not the same number in every language. After :func:`parse_json` none of that can reach any other code. The
value is then read as what :mod:`request_structs` declares.
"""

from __future__ import annotations

import contextlib
import json
import math
import random
import re
import time
from functools import cache, lru_cache
from typing import Any, NoReturn, TypeVar

import marshmallow as ma
import msgspec
from flask import Flask, Request, Response, g, request
from flask.globals import request_ctx
from gunicorn.http.errors import ParseException
from marshmallow.fields import Field
from msgspec import Struct
from msgspec import inspect as types
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import NotFound, RequestEntityTooLarge, UnsupportedMediaType

from events.proof.canonical import MAX_DEPTH, MAX_INTEGER
from events.rules.steps import Rejected
from events.store.connection import REQUEST_TIME, RequestTime
from service.base.display_names import find_name_fault, normalize_name
from service.base.rate_limits import TimeLimits
from service.http.problems import Problem, invalid_parameters
from service.http.responses import answer_preflight
from service.openapi import marshmallow_schemas
from service.openapi.marshmallow_schemas import ContradictoryValues
from service.openapi.request_fields import Part

S = TypeVar("S", bound=Struct)

LONG_ENDPOINTS = frozenset(
    {
        "log.get_events",
        "log.get_history",
        "log.get_audit",
        "me.export_me",
        "ops.get_metrics",
        "ratings.export_ratings",
        "tournament log.get_tournament_audit",
        "tournament tables.export_tournament",
    }
)
"""The endpoints that may read very much."""
PROBE_ENDPOINTS = frozenset({"ops.readyz"})
PROBE_SECONDS = 2.0
"""Seconds in which these have to answer: a readiness probe does not wait long for a no."""
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~%!$&'()*+,;=-]+)(:[0-9]{0,5})?")


# --- before the route --------------------------------------------------------------------------------------


def install(app: Flask, wait: TimeLimits) -> None:
    """Begin every request to *app* here, in one function, as each costs every request."""
    # Flask looks at each function that it calls, ten of them a request, to learn if it is a coroutine.
    app.ensure_sync = lru_cache(1000)(app.ensure_sync)  # type: ignore[method-assign]

    @app.before_request
    def _begin_request() -> Response | None:
        asked = request_ctx.request  # the request itself: each look through the proxy costs as much as a call
        if asked.method == "OPTIONS" and (preflight := answer_preflight(app)) is not None:
            return preflight
        g.began = time.perf_counter()
        g.request_id = _read_request_id(asked.headers.get("X-Request-ID"))
        _refuse_without_host(asked)
        _refuse_odd_paths(asked)
        _refuse_parameters_twice(asked)
        _set_deadline(asked.endpoint, wait)
        return None

    @app.teardown_request
    def _forget_deadline(_error: BaseException | None) -> None:
        REQUEST_TIME.set(None)


def _read_request_id(given: str | None) -> str:
    """Return the request id that a proxy gave, if it looks like one; else a new one."""
    if given and re.fullmatch(r"[A-Za-z0-9._-]{1,64}", given):
        return given
    # No secret: the system's random bytes would let other threads run first.
    return f"{random.getrandbits(128):032x}"


def _refuse_without_host(asked: Request) -> None:
    """Refuse a request without a usable Host: HTTP/1.1 requires one (RFC 9112, 3.2)."""
    host = asked.environ.get("HTTP_HOST")
    old = asked.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"
    if not (host is None and old) and not _HOST.fullmatch(host or ""):
        raise Problem(
            400,
            "malformed_request",
            "The Host header is missing or wrong. Send the name of this server in it.",
        )


def _refuse_odd_paths(asked: Request) -> None:
    """Refuse a NUL in an address: it reaches neither the file system nor the database."""
    if "\0" in asked.path or "\ufffd" in asked.path:
        raise NotFound


def _refuse_parameters_twice(asked: Request) -> None:
    if not asked.query_string:
        return
    for name, values in asked.args.lists():
        if len(values) > 1:
            raise invalid_parameters({name: ["Send this parameter only once."]}, status=400)


def _set_deadline(endpoint: str | None, wait: TimeLimits) -> None:
    """Set the deadline of the request that begins now."""
    long = endpoint in LONG_ENDPOINTS
    usual = min(wait.usual, PROBE_SECONDS) if endpoint in PROBE_ENDPOINTS else wait.usual
    REQUEST_TIME.set(RequestTime(time.monotonic() + (wait.long if long else usual), long))


# --- query strings and bodies ------------------------------------------------------------------------------


class QueryParser(FlaskParser):
    """Reads query strings; what is wrong with them is a 400."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {"query": None}  # noqa: RUF012 - the schema decides

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._defaults: dict[ma.Schema, dict[str, Any]] = {}

    def parse(
        self, argmap: Any, req: Any = None, *, location: str | None = None, **settings: Any
    ) -> dict[str, Any]:
        """Return the values of a query string; without one the schema's defaults, which never change."""
        if location != "query" or request.query_string:
            return dict(super().parse(argmap, req, location=location, **settings))
        found = self._defaults.get(argmap)
        if found is None:  # a schema that demands something raises here, each time
            found = self._defaults[argmap] = super().parse(argmap, req, location=location, **settings)
        return dict(found)

    def handle_error(
        self, error: ma.ValidationError, req: Any, schema: ma.Schema, **_settings: Any
    ) -> NoReturn:
        """Raise the problem that the validation found."""
        messages: Any = error.messages
        raise invalid_parameters(messages.get("query", messages), status=400)


def _read_raw_body() -> bytes:
    """Return the whole body.

    Raises a problem for half of one, or for more of it than is allowed.
    """
    asked = request_ctx.request
    length, most, given = asked.content_length, asked.max_content_length, asked.environ["wsgi.input"]
    if most and length is not None and length > most:
        raise RequestEntityTooLarge
    try:
        if length is None:  # the server reads a chunked body only now, up to the limit and no further
            raw = asked.get_data(cache=False)
            if most and len(raw) >= most and given.read(1):
                raise RequestEntityTooLarge
        else:
            raw = given.read(length)
    except ParseException:
        raise Problem(400, "malformed_request", _NOT_WHOLE) from None
    if length is not None and len(raw) != length:
        raise Problem(400, "malformed_request", _NOT_WHOLE)
    return raw


_NOT_WHOLE = "The body is not as long as its headers say. Send it again."


def read_json_body(*, required: bool = True) -> dict[str, Any]:
    """Return the JSON object of this request; an empty one where no body was sent and none is *required*.

    Raises problems: 415 for another type, 413 for too much, 400 for what is no JSON, 422 for no object.
    """
    raw = _read_raw_body()
    if not raw and not required:
        return {}
    asked = request_ctx.request  # the request itself: each look through the proxy costs as much as a call
    if asked.environ.get("CONTENT_TYPE") != "application/json" and asked.mimetype != "application/json":
        raise UnsupportedMediaType
    if asked.environ.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise UnsupportedMediaType
    try:
        value = parse_json(raw)
    except MalformedJson as error:
        raise Problem(400, "malformed_json", str(error)) from None
    if not isinstance(value, dict):
        raise invalid_parameters({"_schema": ["Send a JSON object."]})
    return value


def read_body(struct: type[S], *, required: bool = True) -> S:
    """Return the body of this request as *struct*. Raises problems, see :func:`read_json_body`."""
    return read_struct(read_json_body(required=required), struct)


def read_body_with_name(struct: type[S]) -> S:
    """Return the body of this request as *struct*, with its `name` in normal form.

    Raises problems as read_body.
    """
    body = read_json_body()
    name = body.get("name")
    if isinstance(name, str):
        body["name"] = normalize_name(name)
        wrong = find_name_fault(body["name"])
        if wrong:
            raise invalid_parameters({"name": [wrong]})
    return read_struct(body, struct)


def read_struct(value: Any, struct: type[S]) -> S:
    """Return *value* as *struct*.

    Raises a 422 problem with the errors by field, :class:`Rejected` where values contradict one another.
    """
    try:
        return convert_value(value, struct)
    except ContradictoryValues as error:
        raise Rejected("invalid_terms", str(error)) from None
    except ma.ValidationError as error:
        raise invalid_parameters(error.messages) from None


def convert_value(value: Any, struct: type[S]) -> S:
    """Return the typed value of *value* (JSON builtins).

    Raises marshmallow.ValidationError, by field; :class:`ContradictoryValues` for what a Struct checks beyond
    its types (in __post_init__).
    """
    # What is right is most often found so by msgspec alone, in a tenth of the time; the schema words errors.
    tag = find_exact_tag(struct)
    if tag is not None and isinstance(value, dict) and (not tag or value.get(tag[0]) == tag[1]):
        with contextlib.suppress(msgspec.ValidationError, ValueError, TypeError):
            made = msgspec.convert(value, struct, str_keys=True)
            if not _has_line_feed_at_end(value):
                return made
    loaded = marshmallow_schemas.load_request(Part(marshmallow_schemas.make_schema(struct)), value)
    return marshmallow_schemas.build_struct(loaded, struct)


@cache
def find_exact_tag(struct: type[Struct]) -> tuple[str, object] | tuple[()] | None:
    """Return the tag that a Struct must have, if msgspec takes nothing of it that its schema refuses.

    An empty tuple where it has no tag; None for any other Struct. For msgspec lets unknown fields pass where
    the Struct does, a line feed before the `$` of a pattern, and an object without its tag; and it knows no
    formats. Line feeds are looked for one by one.
    """
    info = types.type_info(struct)
    if not isinstance(info, types.StructType) or not _has_exact_fields(info):
        return None
    return () if info.tag_field is None else (info.tag_field, info.tag)


def _has_exact_fields(info: types.StructType) -> bool:
    return info.forbid_unknown_fields and all(_is_exact(field.type) for field in info.fields)


def _is_exact(kind: types.Type) -> bool:
    """Return True if msgspec takes nothing that the schema refuses, for the type of a field."""
    match kind:
        case types.Metadata():
            return "format" not in (kind.extra_json_schema or {}) and _is_exact(kind.type)
        case types.StrType() | types.IntType() | types.BoolType() | types.LiteralType() | types.NoneType():
            return True
        case types.ListType() | types.VarTupleType():
            return _is_exact(kind.item_type)
        case types.TupleType():
            return all(map(_is_exact, kind.item_types))
        case types.DictType():
            return isinstance(kind.key_type, types.LiteralType) and _is_exact(kind.value_type)
        case types.UnionType():
            return all(map(_is_exact, kind.types))
        case types.StructType():
            return kind.tag_field is None and _has_exact_fields(kind)
        case _:
            return False


def _has_line_feed_at_end(value: Any) -> bool:
    """Return True if a text in *value* ends with a line feed (or a quotation mark follows one)."""
    return b'\\n"' in msgspec.json.encode(value)


def load_request(value: Any, field: Field[Any]) -> Any:
    """Return *value* as the *field* that declares a request loads it: JSON, with times in one form.

    Raises a 422 problem with the errors by field, and what the rules of its objects raise.
    """
    try:
        return marshmallow_schemas.load_request(field, value)
    except ma.ValidationError as error:
        raise invalid_parameters(error.messages) from None


def load_member(body: dict[str, Any], name: str, field: Field[Any]) -> Any:
    """Return one member of a body as its *field* loads it, None where there is none. Raises a 422 problem."""
    try:
        return None if body.get(name) is None else field.deserialize(body[name], name, body)
    except ma.ValidationError as error:
        raise invalid_parameters({name: error.messages}) from None


def build_struct(loaded: Any, struct: type[S], place: str | None = None) -> S:
    """Return the typed value of what :func:`load_request` has loaded, of what stands at *place* of it.

    Raises :class:`Rejected` where values contradict one another.
    """
    try:
        return marshmallow_schemas.build_struct(loaded, struct)
    except ContradictoryValues as error:
        raise Rejected("invalid_terms", f"{place}: {error}" if place else str(error)) from None


# --- JSON --------------------------------------------------------------------------------------------------


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
