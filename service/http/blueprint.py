"""flask-smorest with strict JSON, problems with stable codes, and answers that are Responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import flask_smorest
import marshmallow as ma

from service.http.problems import PROBLEM_CONTENT_TYPE
from service.http.request_data import QueryParser

V = TypeVar("V", bound=Callable[..., Any])

ERRORS = {
    400: "The request cannot be read: the body is not JSON, or the query or a header is wrong.",
    401: "The token is missing, unknown or revoked.",
    403: "You may not see or do this.",
    404: "Not found, or not visible to you.",
    409: "The rules, or the state of the game, do not allow it. Nothing has changed.",
    412: "The state has changed since the version that `If-Match` names.",
    413: "The body is too large.",
    415: "The body is not `application/json`.",
    422: "The body does not match its description; `errors` lists the faults by field.",
    428: "The command needs the header `If-Match`.",
    429: "You exceed a rate limit. Wait `Retry-After` seconds; `partition` names the limit.",
    503: "The server cannot answer at the moment. Send the request again after `Retry-After` seconds.",
}


_AN_ID = {"type": "string", "format": "uuid"}


def path_parameter(name: str, description: str, schema: Mapping[str, Any] = _AN_ID) -> dict[str, Any]:
    """Return the API description of a part of an address; an id, if nothing else is said."""
    return {"in": "path", "name": name, "required": True, "description": description, "schema": dict(schema)}


GAME_ID = path_parameter("id", "The id of the game.")
ACCOUNT_ID = path_parameter("account", "The id of the account.")
TOURNAMENT_ID = path_parameter("tournament", "The id of the tournament.")
IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": "A key of your choice, such as a UUID. If you repeat the request with the same key, it is"
    " not carried out again.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
}
IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "description": "The number of the newest event that you know, in quotes. If there is a newer one, the"
    " command is refused.",
    "schema": {"type": "string", "pattern": '^"[0-9]{1,16}"$'},
    "example": '"12"',
}
IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "description": "The ETag of an answer that you have. If it has not changed, you get 304 without a body.",
    "schema": {"type": "string"},
}
LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "The last id that you received; the stream continues after it.",
    "schema": {"type": "string", "pattern": "^[0-9]{1,16}$"},
}
EVENT_STREAM_TYPE = "text/event-stream"

IF_MATCH_NOTES = {
    "in": "header",
    "name": "If-Match",
    "description": "The version of the notes that you read, in quotes, as its ETag says.",
    "schema": {"type": "string", "pattern": '^"[0-9]{1,16}"$'},
    "example": '"3"',
}


RUTTER_SIGNATURE = {
    "in": "header",
    "name": "Rutter-Signature",
    "description": "The signature of a command, for seats that were taken with a `key`: the number n of an"
    " event, a space, and a signature in base64. Event n is not older than the newest event of the seat"
    " itself. The Ed25519 signature is over `bg/command/1`, a zero byte and the canonical JSON of"
    " {cmd, command, game, h, n, seat}. cmd is the Idempotency-Key, a UUID; command has all its members,"
    " without `seat`; h is the hash of event n; seat is `p0`, `p1`, ...",
    "schema": {"type": "string", "pattern": "^[1-9][0-9]{0,15} [A-Za-z0-9+/]{86}==$"},
}


_HEADERS = "request_headers"
"""The key under which flask-smorest keeps the headers of an operation."""


def _add_headers(operation: dict[str, Any], described: Mapping[str, Any], **_settings: Any) -> dict[str, Any]:
    """Put the described headers behind the parameters of the query string."""
    headers = described.get(_HEADERS)
    if headers:
        operation["parameters"] = [*operation.get("parameters", ()), *headers]
    return operation


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # flask-smorest is untyped
    """One group of resources."""

    ARGUMENTS_PARSER = QueryParser()

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._prepare_doc_cbks.append(_add_headers)

    @staticmethod
    def doc(**described: Any) -> Callable[[V], V]:
        """Describe an operation; its parameters are described by `route`, `headers` and `query` alone.

        :raises TypeError: for `parameters`, which would replace those of the query string.
        """
        if "parameters" in described:
            raise TypeError("describe headers with headers() and queries with query()")

        def describe(view: V) -> V:
            documented: Any = flask_smorest.Blueprint.doc(**described)(view)
            # The view itself is described, without a function around it that each request would go through.
            view._apidoc = documented._apidoc  # type: ignore[attr-defined]  # noqa: SLF001 - where it is kept
            return view

        return describe

    def route(self, rule: str, *, parameters: Any = None, **options: Any) -> Callable[[V], V]:
        """Add a route as Flask does, with the path parameter that all have described."""
        described = [*(parameters or ()), *([GAME_ID] if "<id>" in rule else ())]
        routed: Callable[[V], V] = super().route(rule, parameters=described or None, **options)
        return routed

    def headers(self, *parameters: dict[str, Any]) -> Callable[[V], V]:
        """Describe request headers, beside the parameters of the query string."""

        def describe(view: V) -> V:
            documented: Any = self.doc()(view)
            documented._apidoc.setdefault(_HEADERS, []).extend(parameters)  # noqa: SLF001 - where it keeps them
            return cast("V", documented)

        return describe

    def query(self, schema: type[ma.Schema]) -> Callable[[V], V]:
        """Take a query string: the view gets it as a dictionary."""
        # One schema for all requests: making one costs more than reading with it.
        taken: Callable[[V], V] = self.arguments(schema(), location="query", error_status_code=400)
        return taken

    def answers(self, status: int, schema: str, description: str, **headers: str) -> Callable[[V], V]:
        """Document a success: *schema* names a component, *headers* their meaning (``_`` for ``-``)."""
        shown = {
            name.replace("_", "-"): {"description": text, "schema": {"type": "string"}}
            for name, text in headers.items()
        }
        documented: Callable[[V], V] = self.response(
            status, schema, description=description, headers=shown or None
        )
        return documented

    def streams(self, message: str) -> Callable[[V], V]:
        """Document a stream of server-sent events: *message* is the component that describes one."""
        schema = {
            "type": "string",
            "contentMediaType": EVENT_STREAM_TYPE,
            "contentSchema": {"$ref": f"#/components/schemas/{message}"},
        }
        documented: Callable[[V], V] = self.response(
            200, schema, content_type=EVENT_STREAM_TYPE, description="Server-sent events."
        )
        return documented

    def conditional(self, view: V) -> V:
        """Document that an answer is not sent again to a client that has it: If-None-Match, 304."""
        response = {"304": {"description": "Not changed since the ETag in `If-None-Match`."}}
        return self.headers(IF_NONE_MATCH)(self.doc(responses=response)(view))

    def problems(self, *statuses: int) -> Callable[[V], V]:
        """Document what may go wrong."""
        # Whatever belongs to the API is limited; what runs beside it documents no problems of its own.
        several = sorted({*statuses, 429}) if statuses else ()
        shown: dict[str, Any] = {str(status): problem_response(ERRORS[status]) for status in several}
        shown["default"] = problem_response("Any other error.")
        return self.doc(responses=shown)

    def body(
        self, schema: str, description: str, *, required: bool = True, examples: Any = None
    ) -> Callable[[V], V]:
        """Document a request body; the view reads it with :func:`service.http.request_data.read_body`."""
        content: dict[str, Any] = {"schema": {"$ref": f"#/components/schemas/{schema}"}}
        if examples:
            content["examples"] = examples
        doc = {"required": required, "description": description, "content": {"application/json": content}}
        return self.doc(requestBody=doc)

    def no_body(self, view: V) -> V:
        """Document that nothing is to be sent."""
        nothing: dict[str, Any] = {"nothing": {"value": {}}}
        described = self.body("Start", "Empty, or an empty object.", required=False, examples=nothing)
        return described(view)


def problem_response(description: str) -> dict[str, Any]:
    """Return a response that is a problem, for the API description."""
    return {
        "description": description,
        "content": {PROBLEM_CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
