"""The description is valid, complete and true."""

import json
import re
from importlib.resources import files

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import FlakyStrategyDefinition

from events.proof.canonical import MAX_INTEGER
from ops.server.wsgi import create_app
from service.base.settings import Settings
from tests.service.bodies import LONG_PATTERN
from tests.service.factories import GameRequest, You
from tests.service.openapi.test_described import checked, validator

EXAMPLES = 4
"""Of schemathesis, for each operation, with a token; forty, with and without, in `tests/campaigns`."""
NAME = "x-name"
"""Stands in place of a pattern of which it takes seconds to make texts."""


@pytest.fixture(scope="module")
def description():
    """The description needs neither database nor Redis."""
    app = create_app(Settings("", log_requests=False))
    return app.test_client().get("/openapi.json").get_json()


def test_it_is_valid_openapi_3_1(description):
    """By the schema of the specification; by a slow validator that knows more, in `tests/campaigns`."""
    assert description["openapi"].startswith("3.1")
    schema = files("openapi_spec_validator") / "resources/schemas/v3.1/schema.json"
    jsonschema_rs.Draft202012Validator(json.loads(schema.read_text())).validate(description)
    for path, methods in description["paths"].items():
        shared = named_in_path(methods)
        for method, operation in methods.items():
            if method != "parameters":
                named = shared | named_in_path(operation)
                assert named == set(re.findall(r"{(\w+)}", path)), (method, path)


def named_in_path(described):
    """The parameters of a path that are described there."""
    return {one["name"] for one in described.get("parameters", ()) if one["in"] == "path"}


def test_every_reference_leads_somewhere(description):
    def references(value):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if name == "$ref":
                yield inner
            elif isinstance(inner, dict | list):
                yield from references(inner)

    there = {
        f"#/components/{kind}/{name}" for kind, named in description["components"].items() for name in named
    }
    assert {one for one in references(description) if isinstance(one, str)} <= there


def test_every_schema_in_it_is_one(description):
    for schema in description["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema)
    for name in description["components"]["schemas"]:
        assert re.fullmatch(r"[A-Za-z0-9._-]+", name)


def operations(description):
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield method, path, operation


def test_every_operation_is_described(description):
    names = []
    for method, path, operation in operations(description):
        names.append(operation["operationId"])
        assert operation["summary"].endswith((".", "?")), (method, path)
        assert operation["tags"]
        problems = [r for status, r in operation["responses"].items() if status[0] in "45d"]
        assert any("application/problem+json" in r.get("content", {}) for r in problems), path
        for parameter in [
            *operation.get("parameters", ()),
            *description["paths"][path].get("parameters", ()),
        ]:
            assert parameter["description"], (path, parameter["name"])
    assert len(names) == len(set(names))


def test_every_parameter_of_every_query_is_in_it(description):
    """Each field of the schema that reads an operation's query string, and no other, under its own name."""
    app = create_app(Settings("", log_requests=False))
    told = {
        operation["operationId"]: {
            one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"
        }
        for _, _, operation in operations(description)
    }
    read = {}
    for view in app.view_functions.values():
        described = getattr(view, "_apidoc", {})
        schemas = [one["schema"] for one in described.get("arguments", {}).get("parameters", ())]
        if name := described.get("manual_doc", {}).get("operationId"):
            read[name] = {field.data_key or key for schema in schemas for key, field in schema.fields.items()}
    assert read == told
    assert sum(map(len, read.values())) > 80


def test_headers_do_not_replace_what_a_query_takes(description):
    """`at`, `seat`, `status`, `decisions`, `legal`, `after`, `version` stood in no description once."""
    for path, name, header in (
        ("/v1/games/{id}", "at", "If-None-Match"),
        ("/v1/games/{id}/stream", "after", "Last-Event-ID"),
    ):
        there = {(one["in"], one["name"]) for one in description["paths"][path]["get"]["parameters"]}
        assert {("query", name), ("header", header)} <= there


def test_every_address_of_the_application_is_in_it(description):
    app = create_app(Settings("", log_requests=False))
    rules = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule) for rule in app.url_map.iter_rules()}
    pages = {"/", "/docs", "/docs/{name}", "/favicon.ico", "/openapi.json", "/static/{filename}"}
    pages |= {"/new", "/join/{id}", "/g/{id}", "/t", "/t/{id}", "/u/{id}", "/ratings", "/titles/{id}"}
    pages |= {
        "/settings",
        "/edition/{word}/{name}",
        "/embed/g/{id}",
        "/g/{id}/picture.svg",
        "/titles/{id}/picture.png",
    }
    pages |= {"/t/{id}/code.svg", "/t/{id}/{round}/{table}/code.svg"}
    pages |= {"/manifest.webmanifest", "/offline", "/worker.js"}
    assert rules - pages == set(description["paths"])


NO_TOKEN = {"/v1/accounts", "/v1/accounts/{account}", "/v1/accounts/recover", "/v1/tokens/test"}
"""Those who ask there have no token yet, or have lost it, or are somebody else."""


def test_writing_needs_a_token_and_reading_does_not(description):
    for method, path, operation in operations(description):
        security = operation.get("security", description["security"])
        if path in NO_TOKEN or not path.startswith("/v1"):
            assert security == []
        elif method != "get":
            assert security == [{"token": []}]


def test_every_command_of_every_title_is_in_it(description):
    from events.rules.catalogue import find_title, title_ids
    from events.rules.fact import type_name

    schemas = description["components"]["schemas"]
    for title_id in title_ids():
        mapping = schemas[f"{title_id}.Command"]["discriminator"]["mapping"]
        wanted = {type_name(kind) for kind in find_title(title_id).commands if not kind.house}
        assert set(mapping) == wanted
        for name, reference in mapping.items():
            schema = schemas[reference.rsplit("/", 1)[1]]
            assert schema["properties"]["type"]["enum"] == [name]
            assert "type" in schema["required"]
            assert "seat" in schema["properties"]
            assert schema["additionalProperties"] is False


@pytest.mark.integration
def test_answers_are_as_described(description, api):
    """Answers of a game in progress against the described schemas."""

    def fits(value, path, method="get", status="200"):
        schema = description["paths"][path][method]["responses"][status]["content"]["application/json"][
            "schema"
        ]
        checked(json.dumps(schema)).validate(value)

    ada = api.account()
    fits(ada.get("/v1/titles"), "/v1/titles")
    fits(ada.get("/v1/titles/colonial_empires"), "/v1/titles/{title}")
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    fits(game, "/v1/games", "post", "201")
    base = f"/v1/games/{game['id']}"
    for _ in range(12):
        now = ada.get(f"{base}/decisions")
        fits(now, "/v1/games/{id}/decisions")
        move = next(m for m in now["legal"])
        done = ada.post(f"{base}/commands", {**move["command"], "seat": move["seat"]})
        fits(done, "/v1/games/{id}/commands", "post")
    for what in ("", "/table", "/events", "/history"):
        fits(ada.get(f"{base}{what}"), "/v1/games/{id}" + what)
    ada.project()
    fits(ada.get("/v1/games"), "/v1/games")
    fits(ada.get("/v1/me"), "/v1/me")
    for path in ("/v1/games/x", "/v1/games?limit=x", f"{base}?seat=5", "/nothing"):
        validator("Problem").validate(ada.send("GET", path).get_json(force=True))


def test_each_choice_of_objects_or_null_has_a_name(description):
    """Generated clients then have a type for it; the clock of a new game is one for all titles."""
    schemas = description["components"]["schemas"]

    def walk(value, at):
        if isinstance(value, list):
            for part in value:
                yield from walk(part, at)
        elif isinstance(value, dict):
            forms = [one for one in value.get("anyOf", ()) if isinstance(one, dict)]
            others = [one for one in forms if one.get("type") != "null"]
            if len(others) < len(forms):
                inner = others[0].get("oneOf", ()) if len(others) == 1 else others
                if len(inner) > 1 and all("$ref" in one or one.get("type") == "object" for one in inner):
                    yield at
            for word, part in value.items():
                yield from walk(part, f"{at}/{word}")

    assert [at for name, schema in schemas.items() for at in walk(schema, name)] == []
    clock = schemas["colonies.NewGame"]["properties"]["clock"]["anyOf"][0]
    assert clock == schemas["NewTournament"]["properties"]["clock"]["anyOf"][0]
    assert clock["$ref"].endswith("/NewGameClock")
    assert len(schemas[clock["$ref"].rsplit("/", 1)[1]]["oneOf"]) == 3


def test_each_line_of_a_stream_has_a_name(description):
    """A component describes what a stream or a file of lines repeats, so that programs have a type for it."""
    found = {}
    for path, operations in description["paths"].items():
        for operation in operations.values():
            for answer in operation.get("responses", {}).values() if isinstance(operation, dict) else ():
                for kind, content in answer.get("content", {}).items():
                    if kind in ("application/x-ndjson", "text/event-stream"):
                        found[path] = content["schema"].get("contentSchema", content["schema"])
    assert len(found) > 10
    assert {path: schema for path, schema in found.items() if set(schema) != {"$ref"}} == {}


@pytest.mark.integration
def test_lines_are_as_described(description, api):
    """Those of bundles and of exports; without its game and cursor an exported event is one of its title."""
    ada = api.account()
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    for _ in range(3):
        move = ada.get(f"/v1/games/{game}/decisions")["legal"][0]
        ada.post(f"/v1/games/{game}/commands", {**move["command"], "seat": move["seat"]})
    ada.post(f"/v1/games/{game}/messages", {"text": "Peace?", "seat": 0}, status=201)
    ada.project()
    lines = {}
    for path in ("/v1/games/{id}/audit", "/v1/games/{id}/messages/audit", "/v1/export/events"):
        content = description["paths"][path]["get"]["responses"]["200"]["content"]["application/x-ndjson"]
        answer = ada.send("GET", path.replace("{id}", game))
        assert answer.status_code == 200, answer.text
        lines[path] = [json.loads(line) for line in answer.text.splitlines()]
        for line in lines[path]:
            checked(json.dumps(content["schema"])).validate(line)
    assert {line["kind"] for line in lines["/v1/games/{id}/audit"]} >= {"header", "event", "receipt"}
    assert [line for line in lines["/v1/games/{id}/messages/audit"] if "said" in line]
    for line in lines["/v1/export/events"]:
        validator("Event").validate({name: line[name] for name in line if name not in ("game", "cursor")})


@pytest.mark.integration
def test_events_are_as_their_title_describes_them(api):
    ada = api.account()
    game = ada.post("/v1/games", GameRequest(seats=[You(), You()]), status=201)
    told = ada.get("/v1/titles/colonial_empires")["events"]
    schemas = {kind: jsonschema_rs.Draft202012Validator(schema) for kind, schema in told.items()}
    for _ in range(60):
        now = ada.get(f"/v1/games/{game['id']}/decisions")
        move = now["legal"][-1]
        ada.post(f"/v1/games/{game['id']}/commands", {**move["command"], "seat": move["seat"]})
    for look in ("seat=0", "seat=spectator"):
        for event in ada.get(f"/v1/games/{game['id']}/events?limit=1000&{look}")["events"]:
            schemas[event["type"]].validate(event["data"])


@pytest.fixture(scope="module")
def tested(app, api):
    """The application as schemathesis tests it, and where it gets accounts."""
    return app, api


@pytest.mark.integration
@pytest.mark.slow
def test_schemathesis_finds_nothing(tested):
    """With a token."""
    finds_nothing(*tested, signed_in=True, examples=EXAMPLES)


def finds_nothing(app, api, *, signed_in, examples, names=False):
    """Make so many requests to each operation, such as are described and such as are not.

    Without *names*, a name is any text of its length.
    What is refused is in `tests/service/accounts/test_names.py`.
    """
    import schemathesis

    # The bytes that we take are text, as the description says in words: generators of clients know no
    # other way.
    schemathesis.openapi.media_type("application/octet-stream", st.text().map(str.encode))
    told = app.test_client().get("/openapi.json").get_json()
    schema = schemathesis.openapi.from_dict(told if names else _shorten(told))
    schema.app = app
    failures = []
    for result in schema.get_all_operations():
        operation = result.ok()
        # Some operations end the token that they are called with, or its account.
        headers = {"Accept-Encoding": "identity"}  # what calls an application directly unpacks nothing
        if signed_in:
            headers["Authorization"] = f"Bearer {api.account('Schemathesis').token}"
        if not operation.path.endswith("/stream"):  # a stream has no end
            asked = told["paths"][operation.path][operation.method.lower()]
            named = _has_name([asked.get("parameters"), asked.get("requestBody")], told, set())
            failures += _failures(operation, headers, examples, named=named and not names)
    assert not failures, "\n\n".join(failures)


def _shorten(part):
    """Return a part of the description with a mark in place of each long pattern."""
    if isinstance(part, list):
        return [_shorten(each) for each in part]
    if not isinstance(part, dict):
        return part
    short = {key: _shorten(value) for key, value in part.items()}
    if _is_name(part):
        short[NAME] = bool(short.pop("pattern"))
    return short


def _is_name(part):
    return isinstance(part.get("pattern"), str) and len(part["pattern"]) > LONG_PATTERN


def _has_name(part, told, seen):
    """Return True if a name is asked for in this part of what is *told*, or in what it refers to."""
    if isinstance(part, list):
        return any(_has_name(each, told, seen) for each in part)
    if not isinstance(part, dict):
        return False
    if (place := part.get("$ref")) and place not in seen:
        seen.add(place)
        inner = told
        for key in place.split("/")[1:]:
            inner = inner[key]
        if _has_name(inner, told, seen):
            return True
    return _is_name(part) or any(_has_name(each, told, seen) for each in part.values())


def _is_unreadable(body):
    """Whether a position has U+0000 or a great number, as no body may: what it holds, only its title says."""
    position = body.get("position") if isinstance(body, dict) else None
    return "\\u0000" in json.dumps(position, default=str) or any(map(_is_great, _leaves(position)))


def _is_great(value):
    return isinstance(value, int) and abs(value) > MAX_INTEGER


def _leaves(value):
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)
    else:
        yield value


def _failures(operation, headers, examples, *, named):
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=GenerationMode.NEGATIVE) | operation.as_strategy())
    def check(case):
        # Whether an address is public no schema can say, nor whether settings can be together.
        beyond = ("/v1/me/webhooks", "/v1/tournaments")
        unsure = named or operation.path in beyond or _is_unreadable(case.body)
        skipped = [positive_data_acceptance] if unsure else []
        case.call_and_validate(headers=headers, excluded_checks=skipped)

    try:
        try:
            check()
        except FlakyStrategyDefinition:  # the tool made something else of the same choices: nothing was found
            check()
    except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 - schemathesis groups its findings
        return [f"{operation.label}: {error!r} {getattr(error, 'exceptions', '')}"]
    return []
