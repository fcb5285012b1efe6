"""The description of the API, generated from the code that answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any, cast

import flask_smorest
import msgspec
from apispec import APISpec
from flask import Flask, Response
from marshmallow.fields import Field
from werkzeug.exceptions import HTTPException

from events.rules.catalogue import find_title, title_ids
from events.rules.title import Title
from service.application.schemas import command_schemas, game_schemas, tournament_schemas
from service.base.bot_catalogue import BotCatalogue
from service.base.kept_text import KeptText
from service.http import problems, query_strings
from service.http.responses import make_cached_response, make_etag
from service.openapi import (
    bundle_structs,
    json_schemas,
    problem_codes,
    request_structs,
    response_structs,
    title_components,
    tournament_structs,
)
from service.openapi.answer_headers import add_answer_headers
from service.openapi.examples import add_examples
from service.openapi.marshmallow_schemas import make_schema
from service.openapi.member_descriptions import add_member_descriptions
from service.openapi.panel_structs import PANELS
from service.openapi.request_fields import ObjectSchema
from service.openapi.union_names import name_nullable_unions

Json = dict[str, Any]

VERSION = "1.0.0"
"""The version of the API by semver: the third number changes with wording, the second with additions.

The first changes with what breaks clients. `/docs/reference/versions` has the policy."""
DESCRIPTION = """\
A server for historical board games that records every action. You can look at a game after any of its events,
fork it from there, and check that nothing was changed.

**Playing** takes five calls: `POST /v1/accounts` for a token, `POST /v1/games` (or `.../join`),
`GET /v1/games/{id}/decisions`, `POST /v1/games/{id}/commands`, and `GET /v1/games/{id}/stream` to follow.
You can post each entry of `legal` in the decisions unchanged.

**Errors** are `application/problem+json` with a stable `code`. 400 and 422 mean that the request does not
match this description. 409 means that the rules, or the state of the game, do not allow it. 429 and 503 come
with `Retry-After`.

**Writing safely**: with an `Idempotency-Key` you can repeat a request without doing it twice. With `If-Match`
a command is accepted only if the event that you name is still the newest.

**Proof**: every answer to a request that changed a game carries a `receipt`, a note signed with a key of
`GET /v1/keys`. Keep your receipts: they prove it if the server takes back what it acknowledged.

**Examples** are real requests and answers. Lists are cut after the first two items.
"""


_DOCUMENTS: dict[object, tuple[bytes, str]] = {}
"""The OpenAPI document and its tag, by its settings; processes that are forked later have them too."""
_DOCUMENTS_LOCK = Lock()


class Api(flask_smorest.Api):  # type: ignore[misc]  # flask-smorest is untyped
    """flask-smorest's Api with our errors, and components that are described on demand.

    These bots are *offered*; *beacons*: whether a game may have one.
    """

    def __init__(self, app: Flask, offered: BotCatalogue, *, beacons: bool) -> None:
        self.offered = offered
        self.beacons = beacons
        super().__init__(app)

    def handle_http_exception(self, error: HTTPException) -> Any:
        """Answer an HTTP error, see :func:`service.http.problems.answer_http_error`."""
        return problems.answer_http_error(error)

    def get_document(self, kept: KeptText | None = None) -> tuple[bytes, str]:
        """Return the OpenAPI description and its tag.

        It is written once, as that takes a second of a processor, in which a process does little else. *kept*
        has it from an earlier process of the same program.
        """
        settings = (self.offered, self.beacons, title_ids())
        with _DOCUMENTS_LOCK:
            if settings not in _DOCUMENTS:
                text = kept.read() if kept else None
                if text is None:
                    text = self._write_document()
                    if kept:
                        kept.write(text)
                _DOCUMENTS[settings] = text, make_etag(text)
            return _DOCUMENTS[settings]

    def describe_settings(self) -> str:
        """Return what the description depends on beside the program, as a line of text."""
        return repr((self.offered.engines, self.beacons, title_ids()))

    def _write_document(self) -> bytes:
        _add_components(self.spec, self.offered, beacons=self.beacons)
        document = add_member_descriptions(add_examples(self.spec.to_dict()), title_ids())
        return msgspec.json.encode(add_answer_headers(document))

    def _openapi_json(self) -> Response:
        return make_cached_response(*self.get_document())

    def _register_responses(self) -> None:
        """Register nothing: each operation documents its own problems."""


def make_api(app: Flask, offered: BotCatalogue, *, beacons: bool) -> Api:
    """Make the API of *app*, see :class:`Api`."""
    app.config.update(
        API_TITLE="Rutter",
        API_VERSION=VERSION,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {
                "description": DESCRIPTION,
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            },
            "servers": [{"url": "/"}],
            "security": [{"token": []}],
        },
    )
    api = Api(app, offered, beacons=beacons)
    for field, form in query_strings.FIELD_SCHEMAS.items():
        api.ma_plugin.converter.add_attribute_function(_make_attribute_function(field, form))
    return api


def _make_attribute_function(kind: type, form: Json) -> Any:
    def get_attributes(_converter: Any, field: Any, **_settings: Any) -> Json:
        return form if isinstance(field, kind) else {}

    return get_attributes


def _add_components(spec: APISpec, offered: BotCatalogue, *, beacons: bool) -> None:
    scheme = {"type": "http", "scheme": "bearer", "description": "A token from `POST /v1/accounts`."}
    spec.components.security_scheme("token", scheme)
    titles = [find_title(title_id) for title_id in title_ids()]
    _, found = json_schemas.make_components((*response_structs.ANSWERS, *tournament_structs.ANSWERS))
    found |= title_components.make_title_components(titles, found)
    found |= title_components.make_tournament_components(found["TournamentEvent"], titles)
    found |= title_components.make_tagged_union(
        "Panel", PANELS, "kind", "A part of a view, arranged for a page."
    )
    for name, (description, lines) in bundle_structs.LINES.items():
        found |= title_components.make_tagged_union(name, lines, "kind", description)
    found |= json_schemas.make_request_components(_list_requests(offered, beacons=beacons))
    found |= title_components.FIXED_COMPONENTS
    found["ProblemCode"] = {
        "description": "A stable word. `refusals` of `GET /v1/titles/{title}` lists the codes of the title's"
        " rules.",
        "type": "string",
        "enum": list(problem_codes.get_all_codes()),
    }
    found["PositionTold"]["examples"] = [_make_position_example(titles)]
    for name, schema in name_nullable_unions(found).items():
        spec.components.schema(name, schema)


def _list_requests(offered: BotCatalogue, *, beacons: bool) -> Iterable[ObjectSchema | Field[Any]]:
    """Return all that is taken as a body: what checks it is described."""
    yield from map(make_schema, request_structs.REQUESTS)
    yield game_schemas.make_new_game(offered, beacons=beacons)
    yield game_schemas.make_fork(offered.all_names)
    yield game_schemas.REVEAL
    yield command_schemas.make_game_commands(offered.all_names)
    yield tournament_schemas.make_new_tournament()
    yield tournament_schemas.make_tournament_commands()


def _make_position_example(titles: Sequence[Title[Any]]) -> Json:
    """Return an example of `GET /v1/games/{id}/position`: the shortest that a title's set-up gives."""
    shown = ((json_schemas.make_position_schema(title)["examples"][0], title) for title in titles)
    position, title = min(shown, key=lambda one: len(msgspec.json.encode(one[0])))
    example = response_structs.PositionTold(
        game="01941f29-7c00-7000-8000-000000000001",
        seq=9,
        title=title.id,
        version=title.version,
        options=msgspec.to_builtins(title.Options(), str_keys=True),
        seats=title.seats[0],
        position=position,
    )
    return cast("Json", msgspec.to_builtins(example, str_keys=True))
