"""flask-smorest with our manners: strict JSON, problems with stable codes, answers that are Responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import flask_smorest
import marshmallow as ma
from webargs.flaskparser import FlaskParser

from service.wire.problems import TYPE, invalid

V = TypeVar("V", bound=Callable[..., Any])

ERRORS = {
    400: "Not readable: no JSON, or a query or header that is none.",
    401: "No token, or one that is not known.",
    403: "Not yours to see or to do.",
    404: "There is no such thing.",
    409: "The rules, or the state of the game, do not allow it. Nothing has changed.",
    412: "The game has moved on since the event that If-Match names.",
    413: "Too large.",
    415: "Not `application/json`.",
    422: "Not of the described shape; `errors` says what is wrong, field by field.",
    429: "More than one client may ask for; `Retry-After` says when, `partition` which limit it was.",
    503: "Not just now; `Retry-After` says when.",
}


class Parser(FlaskParser):
    """Reads query strings; what is wrong with them is a 400."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {"query": None}  # noqa: RUF012 - the schema decides

    def handle_error(
        self, error: ma.ValidationError, req: Any, schema: ma.Schema, **_settings: Any
    ) -> NoReturn:
        """Raise the problem that the validation found."""
        messages: Any = error.messages
        raise invalid(messages.get("query", messages), status=400)


GAME_ID = {
    "in": "path",
    "name": "id",
    "required": True,
    "description": "The id of the game.",
    "schema": {"type": "string", "format": "uuid"},
}
ACCOUNT_ID = {
    "in": "path",
    "name": "account",
    "required": True,
    "description": "The id of the account.",
    "schema": {"type": "string", "format": "uuid"},
}
IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": "A word of yours, such as a UUID. The same request with the same key is carried out once.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
}
IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "description": "The seq of the newest event that the command is to follow, in quotes.",
    "schema": {"type": "string", "pattern": '^"[0-9]{1,16}"$'},
    "example": '"12"',
}


RUTTER_SIGNATURE = {
    "in": "header",
    "name": "Rutter-Signature",
    "description": "How a seat that was taken with a `key` signs a command: the seq n of an event not older"
    " than its own newest one, a space, and base64 of the Ed25519 signature over `bg/command/1`, a zero"
    " byte and the canonical JSON of {cmd, command, game, h, n, seat}. cmd is the Idempotency-Key, a UUID;"
    " command has all its members, without `seat`; h is the hash of event n; seat is `p0`, `p1`, ...",
    "schema": {"type": "string", "pattern": "^[1-9][0-9]{0,15} [A-Za-z0-9+/]{86}==$"},
}


class Blueprint(flask_smorest.Blueprint):
    """One group of resources."""

    ARGUMENTS_PARSER = Parser()

    def route(self, rule: str, *, parameters: Any = None, **options: Any) -> Callable[[V], V]:
        """Like Flask's, with the path parameter that all have described."""
        described = [*(parameters or ()), *([GAME_ID] if "<id>" in rule else ())]
        return super().route(rule, parameters=described or None, **options)

    def headers(self, *parameters: dict[str, Any]) -> Callable[[V], V]:
        """Document request headers."""
        return self.doc(parameters=list(parameters))

    def query(self, schema: type[ma.Schema]) -> Callable[[V], V]:
        """Take a query string: the view gets it as a dictionary."""
        return self.arguments(schema, location="query", error_status_code=400)

    def answers(self, status: int, schema: str, description: str, **headers: str) -> Callable[[V], V]:
        """Document a success: *schema* names a component, *headers* their meaning (``_`` for ``-``)."""
        shown = {
            name.replace("_", "-"): {"description": text, "schema": {"type": "string"}}
            for name, text in headers.items()
        }
        return self.response(status, schema, description=description, headers=shown or None)

    def problems(self, *statuses: int) -> Callable[[V], V]:
        """Document what may go wrong."""
        # Whatever belongs to the API is limited; what runs beside it documents no problems of its own.
        several = sorted({*statuses, 429}) if statuses else ()
        shown: dict[str, Any] = {str(status): problem_response(ERRORS[status]) for status in several}
        shown["default"] = problem_response("Anything else that goes wrong.")
        return self.doc(responses=shown)

    def body(
        self, schema: str, description: str, *, required: bool = True, examples: Any = None
    ) -> Callable[[V], V]:
        """Document a request body; the view reads it with :func:`service.wire.bodies.read_body`."""
        content: dict[str, Any] = {"schema": {"$ref": f"#/components/schemas/{schema}"}}
        if examples:
            content["examples"] = examples
        doc = {"required": required, "description": description, "content": {"application/json": content}}
        return self.doc(requestBody=doc)


def problem_response(description: str) -> dict[str, Any]:
    """A response that is a problem, for the API description."""
    return {
        "description": description,
        "content": {TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
