"""The description of the API, generated from the code that answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any, cast

import flask_smorest
import msgspec
from apispec import APISpec
from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from events.clocks.absence_policy import SUBSTITUTE, Absence
from events.clocks.clock import Correspondence, Live
from events.proof.beacon import CHAINS
from events.rules.catalogue import find_title, title_ids, versions
from events.rules.fact import type_name
from events.rules.title import Title
from events.table.commands.leaving import TableSeat
from events.table.terms import MAX_DIRECTORS, MAX_REVEAL_MS, MIN_REVEAL_MS, Delay, Seating
from events.tournament.commands import ChangeSettings, Enter, NameDirector
from service.api import table_commands, tournaments
from service.base.visibility import VISIBILITIES
from service.http import problems, query_strings, request_bodies
from service.http.responses import cached_response, make_etag
from service.openapi import (
    json_schemas,
    problem_codes,
    response_structs,
    title_components,
    tournament_structs,
)
from service.openapi.answer_headers import add_answer_headers
from service.openapi.examples import add_examples
from service.openapi.member_descriptions import add_member_descriptions
from service.openapi.panel_structs import PANELS
from service.stores.texts import MAX_TEXT_LENGTH

Json = dict[str, Any]

VERSION = "1.0.0"
"""The version of the API by semver: the third number changes with wording, the second with additions.

The first changes with what breaks clients. `/docs/reference/versions` has the policy."""
DESCRIPTION = """\
Board games of which every action is recorded. Every game can be looked at after any of its events, through
one's own eyes; forked from there; and checked against tampering.

**Playing** takes five calls: `POST /v1/accounts` for a token, `POST /v1/games` (or `.../join`),
`GET /v1/games/{id}/decisions`, `POST /v1/games/{id}/commands`, and `GET /v1/games/{id}/stream` to follow.
Every entry of `legal` in the decisions can be posted as it stands.

**Errors** are `application/problem+json` with a stable `code`. 400 and 422 are answers to what is not as
described here; 409 is what only the rules or the state of the game can tell; 503 comes with `Retry-After`.

**Writing safely**: an `Idempotency-Key` makes a repetition harmless, `If-Match` makes a command conditional.

**Proof**: every answer to a request that changed a game carries a `receipt`, a note signed with the key of
`GET /v1/keys`. Keep them: a service that takes back what it acknowledged convicts itself.

**Examples** are what this service was sent and has answered; of a list they show the first two.
"""


_DOCUMENTS: dict[object, tuple[bytes, str]] = {}
"""The OpenAPI document and its tag, by its settings; processes that are forked later have them too."""
_DOCUMENTS_LOCK = Lock()


class Api(flask_smorest.Api):
    """flask-smorest's Api with our errors, and components that are described when somebody asks for them.

    *bots* may sit, weakest first; *beacons*: whether a game may have one.
    """

    def __init__(self, app: Flask, bots: tuple[str, ...], *, beacons: bool) -> None:
        self.bots = bots
        self.beacons = beacons
        super().__init__(app)

    def handle_http_exception(self, error: HTTPException) -> Any:
        """Answer an HTTP error, see :func:`service.http.problems.answer_http_error`."""
        return problems.answer_http_error(error)

    def get_document(self) -> tuple[bytes, str]:
        """Return the OpenAPI description and its tag.

        It is written once, as that takes seconds of a processor, in which a process does little else.
        """
        settings = (self.bots, self.beacons, title_ids())
        with _DOCUMENTS_LOCK:
            if settings not in _DOCUMENTS:
                _add_components(self.spec, self.bots, beacons=self.beacons)
                document = add_member_descriptions(add_examples(self.spec.to_dict()), title_ids())
                text = msgspec.json.encode(add_answer_headers(document))
                _DOCUMENTS[settings] = text, make_etag(text)
            return _DOCUMENTS[settings]

    def _openapi_json(self) -> Response:
        return cached_response(*self.get_document())

    def _register_responses(self) -> None:
        """Register nothing: each operation documents its own problems."""


def make_api(app: Flask, bots: tuple[str, ...], *, beacons: bool) -> Api:
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
    api = Api(app, bots, beacons=beacons)
    for field, form in query_strings.FIELD_SCHEMAS.items():
        api.ma_plugin.converter.add_attribute_function(_make_attribute_function(field, form))
    return api


def _make_attribute_function(kind: type, form: Json) -> Any:
    def get_attributes(_converter: Any, field: Any, **_settings: Any) -> Json:
        return form if isinstance(field, kind) else {}

    return get_attributes


def _add_components(spec: APISpec, bots: tuple[str, ...], *, beacons: bool) -> None:
    scheme = {"type": "http", "scheme": "bearer", "description": "A token from `POST /v1/accounts`."}
    spec.components.security_scheme("token", scheme)
    titles = [find_title(title_id) for title_id in title_ids()]
    _, found = json_schemas.make_components(
        (*response_structs.ANSWERS, *tournament_structs.ANSWERS), answers=True
    )
    found |= title_components.make_title_components(titles, found)
    found |= title_components.make_tournament_components(found["TournamentEvent"], titles)
    found |= title_components.make_tagged_union(
        "Panel", PANELS, "kind", "A part of a view, laid out for a page."
    )
    found |= json_schemas.make_components(
        (*request_bodies.REQUESTS, Live, Correspondence, Absence, Delay, Seating)
    )[1]
    found |= title_components.FIXED_COMPONENTS
    found["ProblemCode"] = {
        "description": "A stable word. `GET /v1/titles/{title}` has under `refusals` those of its rules.",
        "type": "string",
        "enum": list(problem_codes.get_all_codes()),
    }
    for title in titles:
        found |= _make_title_commands(title)
        found |= _make_new_game(title, SUBSTITUTE, beacons=beacons)
    found |= _make_table_commands(bots)
    found |= _make_tournament_commands()
    found |= _make_new_tournament(titles)
    found["Command"] = _make_command(titles)
    found["NewGame"] = {
        "description": "A game to be made; each title has its own options.",
        "oneOf": [_make_reference(f"{t.id}.NewGame") for t in titles],
        "discriminator": {
            "propertyName": "title",
            "mapping": {t.id: f"#/components/schemas/{t.id}.NewGame" for t in titles},
        },
    }
    found["PositionTold"]["examples"] = [_make_position_example(titles)]
    found["SeatWish"] = _make_seat_wish(bots)
    found["Fork"] = _make_fork()
    found["Reveal"] = _make_reveal()
    for name, schema in found.items():
        spec.components.schema(name, schema)


def _make_position_example(titles: Sequence[Title[Any]]) -> Json:
    """Return an example of `GET /v1/games/{id}/position`: the shortest that a title's set-up gives."""
    shown = ((json_schemas.make_position_schema(title)["examples"][0], title) for title in titles)
    position, title = min(shown, key=lambda one: len(msgspec.json.encode(one[0])))
    told = response_structs.PositionTold(
        game="01941f29-7c00-7000-8000-000000000001",
        seq=9,
        title=title.id,
        version=title.version,
        options=msgspec.to_builtins(title.Options(), str_keys=True),
        seats=title.seats[0],
        position=position,
    )
    return cast("Json", msgspec.to_builtins(told, str_keys=True))


def _make_reference(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


SEAT = {
    "type": ["integer", "null"],
    "minimum": 0,
    "maximum": 99,
    "description": "Which of my seats acts; needed only where I hold several.",
}


def _make_title_commands(title: Title[Any]) -> dict[str, Json]:
    """Return the commands of one title, each a component, and all of them together."""
    kinds = [c for c in title.commands if not c.house]
    references, found = json_schemas.make_components(kinds, f"{title.id}.")
    names = [reference["$ref"] for reference in references]
    for name in names:
        schema = found[name.removeprefix("#/components/schemas/")]
        schema["properties"]["seat"] = SEAT
    found[f"{title.id}.Command"] = {
        "description": f"A command of {title.name}.",
        "oneOf": [{"$ref": name} for name in names],
        "discriminator": {
            "propertyName": "type",
            "mapping": {type_name(kind): name for kind, name in zip(kinds, names, strict=True)},
        },
    }
    return found


def _make_table_commands(bots: tuple[str, ...]) -> dict[str, Json]:
    """Return the commands of the table, each a component, and all together; *bots* may be seated."""
    references, found = json_schemas.make_components(table_commands.CLIENT_COMMANDS.values(), "table.")
    for reference in references:
        properties = found[reference["$ref"].removeprefix("#/components/schemas/")]["properties"]
        properties.pop("who", None)  # the service makes it
        properties.setdefault("seat", SEAT)
        for name, form in (_TABLE_COMMAND_MEMBERS | {"bot": _make_bot_schema(bots)}).items():
            if name in properties:
                properties[name] = form
    found[f"table.{TableSeat.__name__}"]["properties"]["invitation"] = {
        "anyOf": [{"type": "string", "pattern": request_bodies.INVITATION}, _NULL],
        "description": "What whoever invited me gave me: `inv_...`. It is no part of the log.",
    }
    found["table.Command"] = {
        "description": "A command of the table, whatever is played at it.",
        "oneOf": references,
        "discriminator": {
            "propertyName": "type",
            "mapping": {
                name: reference["$ref"]
                for name, reference in zip(table_commands.CLIENT_COMMANDS, references, strict=True)
            },
        },
    }
    return found


def _make_bot_schema(bots: tuple[str, ...]) -> Json:
    named = {"enum": list(bots)}
    return {"anyOf": [named, _NULL], "description": "Its name, where a director seats a bot."}


_TOURNAMENT_PREFIX = "tournament."
"""The prefix of the names of components about tournaments that are no answers."""


def _make_tournament_commands() -> dict[str, Json]:
    """Return the commands of tournaments, each a component, and all of them together."""
    references, found = json_schemas.make_components(tournaments.CLIENT_COMMANDS.values(), _TOURNAMENT_PREFIX)
    for (name, kind), reference in zip(tournaments.CLIENT_COMMANDS.items(), references, strict=True):
        schema = found[reference["$ref"].removeprefix("#/components/schemas/")]
        properties = schema["properties"]
        for member in ("text", "until"):
            if member in properties:
                properties[member] = _TIME if member == "until" else _TABLE_COMMAND_MEMBERS["text"]
        if kind is Enter:
            properties["invitation"] = {
                "anyOf": [{"type": "string", "pattern": "^[!-~]{1,200}$"}, _NULL],
                "description": "What whoever invited me gave me: `inv_...`.",
            }
        if kind is NameDirector:
            properties["account"] = {"type": "string", "format": "uuid", "description": "Who is to be one."}
        if kind is ChangeSettings:
            properties["changes"] = _make_reference("NewSettings")
        schema["examples"] = [{"type": name}] if schema.get("required") == ["type"] else []
        if not schema["examples"]:
            del schema["examples"]
    found["TournamentCommand"] = {
        "description": "A command of a tournament.",
        "oneOf": references,
        "discriminator": {
            "propertyName": "type",
            "mapping": {
                name: reference["$ref"]
                for name, reference in zip(tournaments.CLIENT_COMMANDS, references, strict=True)
            },
        },
    }
    return found


def _make_new_tournament(titles: Sequence[Title[Any]]) -> dict[str, Json]:
    """Return the components of requests that make or change a tournament."""
    _, found = json_schemas.make_components([request_bodies.NewTournament], _TOURNAMENT_PREFIX)
    made = found.pop(f"{_TOURNAMENT_PREFIX}NewTournament")
    made["properties"]["title"] = {"enum": [title.id for title in titles]}
    made["properties"]["clock"] = {
        "anyOf": [_NO_CLOCK, _make_reference("Live"), _make_reference("Correspondence"), _NULL]
    }
    made["properties"]["absence"] = {"anyOf": [_make_reference("Absence"), _NULL]}
    given = {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}}}
    made["properties"]["points"] = {**made["properties"]["points"], **given}
    made["properties"]["options"] = {"anyOf": [_make_reference(f"{title.id}.Options") for title in titles]}
    made["properties"]["position"] = {"anyOf": [_make_reference("Position"), _NULL]}
    changes = {
        "description": "Members of `NewTournament`, each whole.",
        "type": "object",
        "properties": made["properties"],
    }
    return {**found, "NewTournament": made, "NewSettings": changes}


def _make_command(titles: Iterable[Title[Any]]) -> Json:
    # Titles may have commands of the same type and shape, so a body may fit several: anyOf, not oneOf.
    return {
        "description": "A command of the game's title, or of the table.",
        "anyOf": [
            *(_make_reference(f"{title.id}.Command") for title in titles),
            _make_reference("table.Command"),
        ],
    }


def _make_new_game(title: Title[Any], opponent: str, *, beacons: bool) -> dict[str, Json]:
    [made], found = json_schemas.make_components([title.Options], f"{title.id}.")
    found[f"{title.id}.Options"] = found.pop(made["$ref"].removeprefix(title_components.REFERENCE_PREFIX))
    seats = {
        "type": "array",
        "items": _make_reference("SeatWish"),
        "minItems": title.seats[0],
        "maxItems": title.seats[-1],
    }
    found[f"{title.id}.NewGame"] = {
        "description": f"A game of {title.name}.",
        "type": "object",
        "additionalProperties": False,
        "required": ["title", "seats"],
        "properties": {
            "title": {"const": title.id},
            "version": {
                "anyOf": [{"enum": [one.version for one in versions(title.id)]}, _NULL],
                "description": "Of the `position`, which it is read by; other games begin under the newest.",
            },
            "options": _make_reference(f"{title.id}.Options"),
            "seats": seats,
            "seed": {
                "anyOf": [{"type": "string", "pattern": "^([0-9a-f]{2}){1,64}$"}, {"type": "null"}],
                "description": "Hex digits that the randomness follows from: a repeatable analysis game.",
            },
            "position": {
                "anyOf": [_make_reference("Position"), {"type": "null"}],
                "description": "Where play begins: makes it an analysis game.",
            },
            **_make_opening_members(title, beacons=beacons),
        },
        "not": {"required": ["seed", "repeat"], "properties": {"seed": _TEXT, "repeat": _TEXT}},
        # Where everybody has to contribute, I have to with my own seats.
        "if": {"required": ["contributions"], "properties": {"contributions": {"const": "required"}}},
        "then": {"properties": {"seats": {"items": {"oneOf": [_BOT_OR_OPEN, _COMMITTED]}}}},
        "examples": [
            {"title": title.id, "seats": [{"you": True}] + [{"bot": opponent}] * (title.seats[0] - 1)}
        ],
    }
    return found


_BOT_OR_OPEN: Json = {"not": {"required": ["you"]}}
_COMMITTED: Json = {
    "required": ["you", "commitment"],
    "properties": {"commitment": {"type": "string"}},
}
_HEX32: Json = {"type": "string", "pattern": f"^{response_structs.HEX32}$"}
_WHO: Json = {"type": "string", "pattern": response_structs.WHO}
_NULL: Json = {"type": "null"}
_TEXT: Json = {"type": "string"}


_TIME: Json = {"type": "string", "format": "date-time"}
_NO_CLOCK: Json = {
    "type": "object",
    "additionalProperties": False,
    "required": ["kind"],
    "properties": {"kind": {"const": "none"}},
}
_TABLE_COMMAND_MEMBERS: dict[str, Json] = {
    "key": {"anyOf": [_HEX32, _NULL], "description": "The public key (Ed25519) that is to sign my commands."},
    "seats": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 99},
        "minItems": 2,
        "maxItems": 2,
    },
    "text": {
        "anyOf": [{"type": "string", "minLength": 1, "maxLength": MAX_TEXT_LENGTH}, _NULL],
        "description": "A sentence beside the command. It is no part of the log and can be erased.",
    },
    "until": {
        "anyOf": [_TIME, _NULL],
        "description": "Until when; the command is recorded, and signed, with it in UTC and microseconds.",
    },
}
"""Members of commands of the table as clients send them."""


def _make_opening_members(title: Title[Any], *, beacons: bool) -> dict[str, Json]:
    """Return the members of a new game that say how it comes to begin."""
    beacon = {
        "type": "object",
        "additionalProperties": False,
        "required": ["chain", "after"],
        "properties": {
            "chain": {"enum": list(CHAINS)},
            "after": {"type": "integer", "minimum": 30, "maximum": 3600},
        },
    }
    expires = (
        "Until when open seats must be taken. Left out: in two weeks; in half a year, if it is not public."
    )
    described: dict[str, tuple[Json, str]] = {
        "id": (
            {"type": "string", "pattern": request_bodies.UUID7},
            "The id of the game, a new UUIDv7: what I commit to depends on it.",
        ),
        "repeat": (
            {"type": "string", "pattern": request_bodies.REPEAT},
            "What the creation of a seeded game answered: makes the same game again.",
        ),
        "contributions": (
            {"enum": ["open", "required"]},
            "`open`: what is not revealed counts as empty; `required`: without it the game cannot begin.",
        ),
        "director": (_HEX32, "The commitment of a director who contributes to the randomness."),
        "beacon": (
            beacon,
            "A round of drand that contributes, so many seconds after the reveals are closed."
            + ("" if beacons else " None is to be had here."),
        ),
        "invited": (
            {
                "type": "array",
                "items": {"anyOf": [_WHO, _NULL]},
                "minItems": title.seats[0],
                "maxItems": title.seats[-1],
            },
            "By seat the `who` of the only account that may take it, or null.",
        ),
        "reveal_by_ms": (
            {"type": "integer", "minimum": MIN_REVEAL_MS, "maximum": MAX_REVEAL_MS},
            "How long one may reveal after the last seat is taken. Left out: a day, live games a minute.",
        ),
        "clock": (
            {"oneOf": [_NO_CLOCK, _make_reference("Live"), _make_reference("Correspondence")]},
            "How time is counted. Left out: it is not.",
        ),
        "absence": (
            _make_reference("Absence"),
            "What happens when a seat's time is up. What is left out depends on the clock.",
        ),
        "seating": (_make_reference("Seating"), "Who may take an open seat. Left out: anybody."),
        "visibility": (
            {"enum": list(reversed(VISIBILITIES))},
            "Who may see it: everybody, whoever knows the id, or only those who have to do with it.",
        ),
        "directors": (
            {
                "type": "array",
                "items": {"type": "string", "format": "uuid"},
                "minItems": 1,
                "maxItems": MAX_DIRECTORS,
            },
            "The accounts that direct the table, d1, d2, ... in its log; left out: whoever makes it.",
        ),
        "delay": (
            _make_reference("Delay"),
            "How much later those see it who neither play nor direct it; left out: at once.",
        ),
        "club": (
            {"type": "string", "format": "uuid"},
            "The club of mine whose game it is: private to it, and directed by its managers.",
        ),
        "rated": (
            {"type": "boolean"},
            "Whether the result counts for ratings, as it does if left out unless the game is private.",
        ),
        "expires_at": (_TIME, expires),
    }
    if not beacons:  # nor null alone: generators leave out a member that can be nothing else
        del described["beacon"]
    return {
        name: {"anyOf": [schema, _NULL], "description": text} for name, (schema, text) in described.items()
    }


def _make_reveal() -> Json:
    def make_form(one: str, other: str) -> Json:
        return {
            "type": "object",
            "required": [one],
            "additionalProperties": False,
            "properties": {one: _HEX32, other: _NULL, "seat": SEAT},
        }

    return {
        "description": "Opening one's contribution to the randomness: a seat's, or the director's.",
        "oneOf": [make_form("contribution", "director"), make_form("director", "contribution")],
    }


def _make_seat_wish(bots: tuple[str, ...]) -> Json:
    def make_form(name: str, value: Json) -> Json:
        return {
            "type": "object",
            "required": [name],
            "additionalProperties": False,
            "properties": {name: value},
        }

    return {
        "description": "Who is to sit there: I, a bot, whoever joins, whoever has an invitation, or one"
        " account when it joins.",
        "oneOf": [
            {
                **make_form("you", {"const": True}),
                "properties": {
                    "you": {"const": True},
                    "commitment": {
                        "anyOf": [_HEX32, _NULL],
                        "description": "To a contribution to the randomness; needs the `id` of the game.",
                    },
                    "key": {
                        "anyOf": [_HEX32, _NULL],
                        "description": "The public key (Ed25519) that is to sign the seat's commands.",
                    },
                },
            },
            make_form("bot", {"enum": list(bots)}),
            make_form("open", {"const": True}),
            make_form("invited", {"const": True}),
            make_form("account", {"type": "string", "format": "uuid"}),
        ],
    }


def _make_fork() -> Json:
    most = max(find_title(title_id).seats[-1] for title_id in title_ids())
    _, found = json_schemas.make_components([request_bodies.Fork])
    schema = found["Fork"]
    schema["properties"]["seats"] = {
        "anyOf": [
            {"type": "array", "items": _make_reference("SeatWish"), "minItems": 1, "maxItems": most},
            {"type": "null"},
        ]
    }
    return schema
