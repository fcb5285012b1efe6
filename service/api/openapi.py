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
from service.access import WIDTH
from service.api import at_table, tournaments
from service.schemas import by_title, json_schemas, shapes, tournament_shapes
from service.schemas.illustrations import illustrated
from service.schemas.panels import PANELS
from service.texts import LONGEST
from service.wire import bodies, codes, problems, queries
from service.wire.answers import digest, kept

Json = dict[str, Any]

VERSION = "1.0.0"
"""Of the API by semver: the third number is for words, the second for what is added, the first for what
breaks those who rely on what was. `/docs/versions` has the policy."""
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


_WRITTEN: dict[object, tuple[bytes, str]] = {}
"""The description and its tag, by what they depend on; processes that are forked later have them too."""
_WRITING = Lock()


class Api(flask_smorest.Api):
    """flask-smorest's Api with our errors, and components that are described when somebody asks for them.

    *bots* may sit, weakest first; *beacons*: whether a game may have one.
    """

    def __init__(self, app: Flask, bots: tuple[str, ...], *, beacons: bool) -> None:
        self.bots = bots
        self.beacons = beacons
        super().__init__(app)

    def handle_http_exception(self, error: HTTPException) -> Any:
        """See :func:`service.wire.problems.of_http`."""
        return problems.of_http(error)

    def written(self) -> tuple[bytes, str]:
        """The description and its tag.

        Written once, for that takes seconds of a processor, in which a process does little else.
        """
        settings = (self.bots, self.beacons, title_ids())
        with _WRITING:
            if settings not in _WRITTEN:
                _describe(self.spec, self.bots, beacons=self.beacons)
                text = msgspec.json.encode(illustrated(self.spec.to_dict()))
                _WRITTEN[settings] = text, digest(text)
            return _WRITTEN[settings]

    def _openapi_json(self) -> Response:
        return kept(*self.written())

    def _register_responses(self) -> None:
        """Nothing: each operation documents its own problems."""


def make_api(app: Flask, bots: tuple[str, ...], *, beacons: bool) -> Api:
    """The API of *app*, see :class:`Api`."""
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
    for field, form in queries.FORMS.items():
        api.ma_plugin.converter.add_attribute_function(_form(field, form))
    return api


def _form(kind: type, form: Json) -> Any:
    def attributes(_converter: Any, field: Any, **_settings: Any) -> Json:
        return form if isinstance(field, kind) else {}

    return attributes


def _describe(spec: APISpec, bots: tuple[str, ...], *, beacons: bool) -> None:
    scheme = {"type": "http", "scheme": "bearer", "description": "A token from `POST /v1/accounts`."}
    spec.components.security_scheme("token", scheme)
    titles = [find_title(title_id) for title_id in title_ids()]
    _, found = json_schemas.components((*shapes.ANSWERS, *tournament_shapes.ANSWERS), answers=True)
    found |= by_title.components(titles, found)
    found |= by_title.of_tournaments(found["TournamentEvent"], titles)
    found |= by_title.tagged("Panel", PANELS, "kind", "A part of a view, laid out for a page.")
    found |= json_schemas.components((*bodies.REQUESTS, Live, Correspondence, Absence, Delay, Seating))[1]
    found |= by_title.FIXED
    found["ProblemCode"] = {
        "description": "A stable word. `GET /v1/titles/{title}` has under `refusals` those of its rules.",
        "type": "string",
        "enum": list(codes.every()),
    }
    for title in titles:
        found |= _commands(title)
        found |= _new_game(title, SUBSTITUTE, beacons=beacons)
    found |= _table_commands(bots)
    found |= _tournament_commands()
    found |= _new_tournament(titles)
    found["Command"] = _command(titles)
    found["NewGame"] = {
        "description": "A game to be made; each title has its own options.",
        "oneOf": [_ref(f"{t.id}.NewGame") for t in titles],
        "discriminator": {
            "propertyName": "title",
            "mapping": {t.id: f"#/components/schemas/{t.id}.NewGame" for t in titles},
        },
    }
    found["PositionTold"]["examples"] = [_told_position(titles)]
    found["SeatWish"] = _seat_wish(bots)
    found["Fork"] = _fork()
    found["Reveal"] = _reveal()
    for name, schema in found.items():
        spec.components.schema(name, schema)


def _told_position(titles: Sequence[Title[Any]]) -> Json:
    """An answer of `GET /v1/games/{id}/position`: the shortest that a title's set-up gives."""
    shown = ((json_schemas.position(title)["examples"][0], title) for title in titles)
    position, title = min(shown, key=lambda one: len(msgspec.json.encode(one[0])))
    told = shapes.PositionTold(
        game="01941f29-7c00-7000-8000-000000000001",
        seq=9,
        title=title.id,
        version=title.version,
        options=msgspec.to_builtins(title.Options(), str_keys=True),
        seats=title.seats[0],
        position=position,
    )
    return cast("Json", msgspec.to_builtins(told, str_keys=True))


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


SEAT = {
    "type": ["integer", "null"],
    "minimum": 0,
    "maximum": 99,
    "description": "Which of my seats acts; needed only where I hold several.",
}


def _commands(title: Title[Any]) -> dict[str, Json]:
    """The commands of one title, each a component, and all of them together."""
    kinds = [c for c in title.commands if not c.house]
    references, found = json_schemas.components(kinds, f"{title.id}.")
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


def _table_commands(bots: tuple[str, ...]) -> dict[str, Json]:
    """The commands of the table, each a component, and all of them together; *bots* may be seated."""
    references, found = json_schemas.components(at_table.GIVEN.values(), "table.")
    for reference in references:
        properties = found[reference["$ref"].removeprefix("#/components/schemas/")]["properties"]
        properties.pop("who", None)  # the service makes it
        properties.setdefault("seat", SEAT)
        for name, form in (_AT_TABLE | {"bot": _seated(bots)}).items():
            if name in properties:
                properties[name] = form
    found[f"table.{TableSeat.__name__}"]["properties"]["invitation"] = {
        "anyOf": [{"type": "string", "pattern": bodies.INVITATION}, _NULL],
        "description": "What whoever invited me gave me: `inv_...`. It is no part of the log.",
    }
    found["table.Command"] = {
        "description": "A command of the table, whatever is played at it.",
        "oneOf": references,
        "discriminator": {
            "propertyName": "type",
            "mapping": {
                name: reference["$ref"] for name, reference in zip(at_table.GIVEN, references, strict=True)
            },
        },
    }
    return found


def _seated(bots: tuple[str, ...]) -> Json:
    named = {"enum": list(bots)}
    return {"anyOf": [named, _NULL], "description": "Its name, where a director seats a bot."}


_TOURNAMENT = "tournament."
"""Before the names of components about tournaments that are no answers."""


def _tournament_commands() -> dict[str, Json]:
    """The commands of tournaments, each a component, and all of them together."""
    references, found = json_schemas.components(tournaments.GIVEN.values(), _TOURNAMENT)
    for (name, kind), reference in zip(tournaments.GIVEN.items(), references, strict=True):
        schema = found[reference["$ref"].removeprefix("#/components/schemas/")]
        properties = schema["properties"]
        for member in ("text", "until"):
            if member in properties:
                properties[member] = _TIME if member == "until" else _AT_TABLE["text"]
        if kind is Enter:
            properties["invitation"] = {
                "anyOf": [{"type": "string", "pattern": "^[!-~]{1,200}$"}, _NULL],
                "description": "What whoever invited me gave me: `inv_...`.",
            }
        if kind is NameDirector:
            properties["account"] = {"type": "string", "format": "uuid", "description": "Who is to be one."}
        if kind is ChangeSettings:
            properties["changes"] = _ref("NewSettings")
        schema["examples"] = [{"type": name}] if schema.get("required") == ["type"] else []
        if not schema["examples"]:
            del schema["examples"]
    found["TournamentCommand"] = {
        "description": "A command of a tournament.",
        "oneOf": references,
        "discriminator": {
            "propertyName": "type",
            "mapping": {
                name: reference["$ref"] for name, reference in zip(tournaments.GIVEN, references, strict=True)
            },
        },
    }
    return found


def _new_tournament(titles: Sequence[Title[Any]]) -> dict[str, Json]:
    """What a tournament is made from."""
    _, found = json_schemas.components([bodies.NewTournament], _TOURNAMENT)
    made = found.pop(f"{_TOURNAMENT}NewTournament")
    made["properties"]["title"] = {"enum": [title.id for title in titles]}
    made["properties"]["clock"] = {"anyOf": [_NO_CLOCK, _ref("Live"), _ref("Correspondence"), _NULL]}
    made["properties"]["absence"] = {"anyOf": [_ref("Absence"), _NULL]}
    given = {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}}}
    made["properties"]["points"] = {**made["properties"]["points"], **given}
    made["properties"]["options"] = {"anyOf": [_ref(f"{title.id}.Options") for title in titles]}
    made["properties"]["position"] = {"anyOf": [_ref("Position"), _NULL]}
    changes = {
        "description": "Members of `NewTournament`, each whole.",
        "type": "object",
        "properties": made["properties"],
    }
    return {**found, "NewTournament": made, "NewSettings": changes}


def _command(titles: Iterable[Title[Any]]) -> Json:
    # Titles may have commands of the same type and shape, so a body may fit several: anyOf, not oneOf.
    return {
        "description": "A command of the game's title, or of the table.",
        "anyOf": [*(_ref(f"{title.id}.Command") for title in titles), _ref("table.Command")],
    }


def _new_game(title: Title[Any], opponent: str, *, beacons: bool) -> dict[str, Json]:
    [made], found = json_schemas.components([title.Options], f"{title.id}.")
    found[f"{title.id}.Options"] = found.pop(made["$ref"].removeprefix(by_title.REFERENCE))
    seats = {
        "type": "array",
        "items": _ref("SeatWish"),
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
            "options": _ref(f"{title.id}.Options"),
            "seats": seats,
            "seed": {
                "anyOf": [{"type": "string", "pattern": "^([0-9a-f]{2}){1,64}$"}, {"type": "null"}],
                "description": "Hex digits that the randomness follows from: a repeatable analysis game.",
            },
            "position": {
                "anyOf": [_ref("Position"), {"type": "null"}],
                "description": "Where play begins: makes it an analysis game.",
            },
            **_opening(title, beacons=beacons),
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
_HEX32: Json = {"type": "string", "pattern": f"^{shapes.HEX32}$"}
_WHO: Json = {"type": "string", "pattern": shapes.WHO}
_NULL: Json = {"type": "null"}
_TEXT: Json = {"type": "string"}


_TIME: Json = {"type": "string", "format": "date-time"}
_NO_CLOCK: Json = {
    "type": "object",
    "additionalProperties": False,
    "required": ["kind"],
    "properties": {"kind": {"const": "none"}},
}
_AT_TABLE: dict[str, Json] = {
    "key": {"anyOf": [_HEX32, _NULL], "description": "The public key (Ed25519) that is to sign my commands."},
    "seats": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 99},
        "minItems": 2,
        "maxItems": 2,
    },
    "text": {
        "anyOf": [{"type": "string", "minLength": 1, "maxLength": LONGEST}, _NULL],
        "description": "A sentence beside the command. It is no part of the log and can be erased.",
    },
    "until": {
        "anyOf": [_TIME, _NULL],
        "description": "Until when; the command is recorded, and signed, with it in UTC and microseconds.",
    },
}
"""Members of commands of the table as clients send them."""


def _opening(title: Title[Any], *, beacons: bool) -> dict[str, Json]:
    """The members of a new game that say how it comes to begin."""
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
            {"type": "string", "pattern": bodies.UUID7},
            "The id of the game, a new UUIDv7: what I commit to depends on it.",
        ),
        "repeat": (
            {"type": "string", "pattern": bodies.REPEAT},
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
            {"oneOf": [_NO_CLOCK, _ref("Live"), _ref("Correspondence")]},
            "How time is counted. Left out: it is not.",
        ),
        "absence": (
            _ref("Absence"),
            "What happens when a seat's time is up. What is left out depends on the clock.",
        ),
        "seating": (_ref("Seating"), "Who may take an open seat. Left out: anybody."),
        "visibility": (
            {"enum": list(reversed(WIDTH))},
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
            _ref("Delay"),
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


def _reveal() -> Json:
    def form(one: str, other: str) -> Json:
        return {
            "type": "object",
            "required": [one],
            "additionalProperties": False,
            "properties": {one: _HEX32, other: _NULL, "seat": SEAT},
        }

    return {
        "description": "Opening one's contribution to the randomness: a seat's, or the director's.",
        "oneOf": [form("contribution", "director"), form("director", "contribution")],
    }


def _seat_wish(bots: tuple[str, ...]) -> Json:
    def form(name: str, value: Json) -> Json:
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
                **form("you", {"const": True}),
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
            form("bot", {"enum": list(bots)}),
            form("open", {"const": True}),
            form("invited", {"const": True}),
            form("account", {"type": "string", "format": "uuid"}),
        ],
    }


def _fork() -> Json:
    most = max(find_title(title_id).seats[-1] for title_id in title_ids())
    _, found = json_schemas.components([bodies.Fork])
    schema = found["Fork"]
    schema["properties"]["seats"] = {
        "anyOf": [
            {"type": "array", "items": _ref("SeatWish"), "minItems": 1, "maxItems": most},
            {"type": "null"},
        ]
    }
    return schema
