"""The bodies that clients send, read strictly: as JSON, and as what :mod:`request_structs` declares."""

from __future__ import annotations

from typing import Any, TypeVar

import marshmallow as ma
from flask import request
from gunicorn.http.errors import ParseException
from marshmallow.fields import Field
from msgspec import Struct
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from events.rules.steps import Rejected
from service.base import strict_json
from service.base.display_names import find_name_fault, normalize_name
from service.http.problems import Problem, invalid_parameters
from service.openapi import marshmallow_schemas

S = TypeVar("S", bound=Struct)


def _read_raw_body() -> bytes:
    """Return the whole body.

    Raises a problem for half of one, or for more of it than is allowed.
    """
    try:
        raw = request.get_data(cache=False)
        most, length = request.max_content_length, request.content_length
        # A body without a length is read up to the limit and no further: whether it ends there is asked here.
        if length is None and most and len(raw) >= most and request.environ["wsgi.input"].read(1):
            raise RequestEntityTooLarge
    except ParseException:  # the server reads a chunked body only now
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
    kind = request.mimetype
    encoding = request.headers.get("Content-Encoding", "identity").lower()
    if kind != "application/json" or encoding != "identity":
        raise UnsupportedMediaType
    try:
        value = strict_json.parse_json(raw)
    except strict_json.MalformedJson as error:
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
        return marshmallow_schemas.convert_value(value, struct)
    except marshmallow_schemas.ContradictoryValues as error:
        raise Rejected("invalid_terms", str(error)) from None
    except ma.ValidationError as error:
        raise invalid_parameters(error.messages) from None


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
    except marshmallow_schemas.ContradictoryValues as error:
        raise Rejected("invalid_terms", f"{place}: {error}" if place else str(error)) from None
