"""The description says of everything what it is: so clients of it can be generated, and need not guess."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from events.rules.catalogue import find_title, title_ids
from events.rules.fact import type_name
from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.table import lifecycle_facts
from ops.server.wsgi import create_app
from service.api.openapi_document import VERSION
from service.base.settings import Settings
from service.http.problems import Problem
from service.openapi import problem_codes
from service.openapi.attribute_docs import to_markdown
from service.openapi.title_components import infer_schema, merge_schemas
from service.presenters.rulebooks import load_rulebook
from tests.playing import three_or_so
from tests.service.factories import GameRequest
from tests.service.openapi.test_schemas import seats_of, shown_to
from tests.titles.table import Table, play

ROOT = Path(__file__).resolve().parents[3]


@cache
def description() -> dict[str, Any]:
    """The description needs neither database nor Redis."""
    app = create_app(Settings("", log_requests=False))
    found: dict[str, Any] = app.test_client().get("/openapi.json").get_json()
    return found


@cache
def registry() -> jsonschema_rs.Registry:
    """The description, under a name of its own."""
    return jsonschema_rs.Registry([("urn:description", description())], draft=jsonschema_rs.Draft202012)


def checker(schema: dict[str, Any]) -> jsonschema_rs.Draft202012Validator:
    """What checks a value against a schema whose references begin with ``urn:description``."""
    return jsonschema_rs.Draft202012Validator(schema, registry=registry())


@cache
def validator(component: str) -> jsonschema_rs.Draft202012Validator:
    """What checks a value against a component."""
    return checker({"$ref": f"urn:description#/components/schemas/{component}"})


WITHIN = ("items", "prefixItems", "anyOf", "oneOf", "allOf", "additionalProperties")
CONDITIONS = ("not", "if", "then", "else")


def parts(schema: Any, path: str, within: tuple[str, ...] = WITHIN) -> Any:
    """Every schema inside *schema*, and where it stands."""
    if isinstance(schema, list):
        for place, inner in enumerate(schema):
            yield from parts(inner, f"{path}/{place}", within)
    elif isinstance(schema, dict):
        yield path, schema
        for name, inner in schema.items():
            if name in ("properties", "patternProperties"):
                for member, one in inner.items():
                    yield from parts(one, f"{path}/{member}", within)
            elif name in within:
                yield from parts(inner, f"{path}/{name}", within)


def is_free(schema: dict[str, Any]) -> bool:
    """Whether a schema says nothing of what is inside."""
    says = {"$ref", "type", "enum", "const", "anyOf", "oneOf", "allOf", "not", "format", "contentSchema"}
    if schema.get("type") == "object":
        return not schema.get("properties") and schema.get("additionalProperties", True) in (True, {})
    return not says & set(schema)


def test_nothing_is_a_free_object_but_a_position():
    """And some members of a command, which differ by title: what a lesson's step or an answer ahead means."""
    found = [
        path
        for name, schema in description()["components"]["schemas"].items()
        for path, part in parts(schema, name)
        if is_free(part)
    ]
    assert sorted(found) == ["LessonStep/command", "Position", "StandingAnswer/answers/items"]


def test_open_objects_say_so():
    """Generators take an object of which nothing is said for one that is always empty."""
    silent = [
        path
        for name, schema in description()["components"]["schemas"].items()
        for path, part in parts(schema, name)
        if part.get("type") == "object" and not {"properties", "additionalProperties"} & set(part)
    ]
    assert silent == []


def test_null_stands_only_in_choices():
    """Generators have no type for what is null alone; and a tag decides between forms only in a `oneOf`."""
    alone, untold = [], []
    for name, schema in description()["components"]["schemas"].items():
        in_choices = {
            f"{path}/{place}"
            for path, choice in parts(schema, name)
            for word in ("anyOf", "oneOf")
            if len(choice.get(word, ())) > 1
            for place in (f"{word}/{number}" for number in range(len(choice[word])))
        }
        for path, part in parts(schema, name):
            if part.get("type") == "null" or part.get("enum") == [None] or part.get("const", 0) is None:
                alone += [path] * (path not in in_choices)
            if "discriminator" in part and "oneOf" not in part:
                untold.append(path)
    assert (alone, untold) == ([], [])


def members(schema: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every member of a schema and of the schemas inside it, also in conditions, and where it stands."""
    for place, part in parts(schema, path, (*WITHIN, *CONDITIONS)):
        for name, member in part.get("properties", {}).items():
            yield f"{place}/{name}", member


def test_every_member_has_a_sentence():
    """From a description, from the docstring of its attribute, or from ``title_members.toml``."""
    silent = [
        path
        for name, schema in description()["components"]["schemas"].items()
        for path, member in members(schema, name)
        if not member.get("description") and not name.startswith("example.")
    ]
    assert silent == []


def test_one_and_many_of_a_name_are_of_one_kind():
    """No member `x` beside `xs` whose items are something else: readers would take one for the other."""
    kinds = ("type", "format", "pattern", "$ref")

    def strip(schema: Any) -> list[Any]:
        return [{kind: one[kind] for kind in kinds if kind in one} for one in schema.get("anyOf", [schema])]

    mixed = [
        f"{name}: {member}"
        for name, schema in description()["components"]["schemas"].items()
        if name.partition(".")[0] not in title_ids()
        for _, part in parts(schema, name)
        for member, one in part.get("properties", {}).items()
        if (items := part["properties"].get(f"{member}s", {}).get("items"))
        and not any(kind in strip(items) for kind in strip(one))
    ]
    assert mixed == []


def test_members_of_the_platform_say_more_than_their_name():
    """Three words at least, but for constants. Parts of titles are named by their rulebooks."""
    terse = [
        f"{path}: {text}"
        for name, schema in description()["components"]["schemas"].items()
        if name.partition(".")[0] not in title_ids()
        for path, member in members(schema, name)
        if len((text := member.get("description", "").partition(" Default: ")[0]).split()) < 3
        and not text.startswith("Always `")
    ]
    assert terse == []


def test_every_member_of_a_problem_is_described():
    """What stands in `more` where problems and errors of stores are made; the page of errors has all."""
    given: set[str] = set()
    for path in sorted((ROOT / "service").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "more=" not in text and "more[" not in text:
            continue
        tree = ast.parse(text)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            tables = [one.value for one in call.keywords if one.arg == "more"]
            given |= {key.value for one in tables if isinstance(one, ast.Dict) for key in one.keys}
    given |= {"clause", "until"}  # of what the rules refuse
    assert {"seq", "scope", "games", "partition", "id", "missing"} <= given
    members = set(description()["components"]["schemas"]["Problem"]["properties"])
    assert given <= members
    page = (ROOT / "service/docs/pages/reference/errors.md").read_text(encoding="utf-8")
    table = page.partition("| member | meaning |")[2].partition("\n\n")[0]
    told = {
        name
        for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert told == members


def test_docstrings_of_attributes_are_descriptions():
    """Of requests and of answers, those of base classes included; what is described keeps its words."""
    schemas = description()["components"]["schemas"]
    entry = schemas["tournament.Entry"]["properties"]
    assert entry["approval"]["description"].startswith("True if a director admits each entrant.")
    assert (
        schemas["TokenMade"]["properties"]["id"]["description"]
        == "The id of the token, by which you revoke it."
    )
    assert schemas["Account"]["properties"]["name"]["description"].startswith("The display name, in NFKC.")
    reference = schemas["Reference"]["properties"]
    assert reference["attempt"]["description"].startswith("0 for the first game of the table")
    assert to_markdown("See :func:`a.b.c` and ``d``.\n\nMore.") == "See `c` and `d`."


def test_every_sentence_about_titles_is_used():
    told = {
        (path.rpartition("/")[2], member["description"].partition(" Default: ")[0])
        for name, schema in description()["components"]["schemas"].items()
        if name.partition(".")[0] in title_ids()
        for path, member in members(schema, name)
        if "description" in member
    }
    text = (ROOT / "service/openapi/title_members.toml").read_text()
    for name, sentence in tomllib.loads(text)["any"].items():
        for one in [sentence] if isinstance(sentence, str) else sentence.values():
            assert (name, one) in told, name


def test_answers_name_their_headers():
    document = description()
    assert set(document["components"]["headers"]) == {
        "X-Request-ID", "RateLimit", "RateLimit-Policy", "Retry-After",
    }  # fmt: skip
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for status, answer in operation["responses"].items() if method != "parameters" else ():
                headers = set(answer["headers"])
                assert "X-Request-ID" in headers
                assert ("RateLimit" in headers) == path.startswith("/v1/")
                assert status not in ("429", "503") or "Retry-After" in headers, (path, status)


@pytest.mark.parametrize(("status", "code"), [(429, "too_many_requests"), (503, "unavailable")])
def test_what_may_be_sent_again_says_when(status, code):
    app = create_app(Settings("", log_requests=False))
    with app.test_request_context():
        assert int(Problem(status, code, "Wait.").response().headers["Retry-After"]) > 0
        told = Problem(status, code, "Wait.", headers={"Retry-After": "60"}).response()
        assert told.headers.getlist("Retry-After") == ["60"]


def test_generators_can_name_everything():
    """No component has a title; none holds a list of its own name, for which they would use one variable."""
    for name, schema in description()["components"]["schemas"].items():
        assert "title" not in schema, name
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace(".", "_").lower()
        lists = {member for member, one in schema.get("properties", {}).items() if one.get("type") == "array"}
        assert snake not in lists, f"call {name} otherwise, such as {name}Page: it has a list {snake}"


def test_every_title_has_its_own_of_everything():
    schemas = description()["components"]["schemas"]
    for title_id in title_ids():
        for part in ("View", "Event", "Legal", "Command", "Options", "Game", "EventsPage", "DecisionsPage"):
            assert f"{title_id}.{part}" in schemas
        events = schemas[f"{title_id}.Event"]["discriminator"]
        assert events["propertyName"] == "type"
        facts = {type_name(fact) for fact in (*find_title(title_id).facts, *lifecycle_facts.FACTS.values())}
        assert set(events["mapping"]) == facts
    for name in ("Game", "EventsPage", "DecisionsPage", "Happened", "Turn"):
        assert schemas[name]["discriminator"]["propertyName"] == "title"
    assert schemas["Legal"]["anyOf"]
    command = schemas["colonies.Legal"]["properties"]["command"]
    assert command["$ref"] == "#/components/schemas/colonies.Command"


def test_what_may_be_sent_with_a_request_stands_there():
    paths = description()["paths"]

    def headers(path, method):
        return {one["name"] for one in paths[path][method].get("parameters", ()) if one["in"] == "header"}

    assert {"If-Match", "Idempotency-Key", "Rutter-Signature"} <= headers("/v1/games/{id}/commands", "post")
    for path in ("/v1/games/{id}", "/v1/games/{id}/decisions", "/v1/games", "/v1/titles/{title}"):
        assert "If-None-Match" in headers(path, "get")
        assert "304" in paths[path]["get"]["responses"]
    stream = paths["/v1/games/{id}/stream"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    assert stream["schema"]["type"] == "string"
    assert stream["schema"]["contentSchema"] == {"$ref": "#/components/schemas/StreamMessage"}


def test_what_does_not_fit_is_refused():
    """A member that lacks, one of another type, a text of another form, one word too many."""
    fine = {
        "type": "/docs/reference/errors#not_found",
        "title": "Not Found",
        "status": 404,
        "detail": "No.",
        "code": "x",
    }
    fine["code"] = min(problem_codes.get_statuses())
    assert validator("Problem").is_valid(fine)
    for wrong in ({"code": "nonsense"}, {"status": "404"}, {"detail": None}):
        assert not validator("Problem").is_valid({**fine, **wrong})
    assert not validator("Problem").is_valid({name: fine[name] for name in fine if name != "code"})
    request = {"title": "colonies", "seats": [{"you": True}] * 3}
    assert validator("NewGame").is_valid({**request, "seed": "00" * 16})
    for wrong in ({"seed": "xyz"}, {"repeat": "a"}, {"nonsense": 1}):
        assert not validator("NewGame").is_valid({**request, **wrong})


def test_its_version_is_one():
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    assert description()["info"]["version"] == VERSION


def test_a_schema_like_data_fits_it():
    value = {"a": [1, 2], "b": {"x": None}, "c": [{"p": 1}, {"p": "q", "r": 0.5}, {}], "d": []}
    jsonschema_rs.Draft202012Validator(infer_schema(value)).validate(value)
    assert merge_schemas([{"type": "integer"}, {"type": "number"}]) == {"type": "number"}
    for title_id in title_ids():
        board = json.loads(msgspec.json.encode(find_title(title_id).board))
        validator(f"{title_id}.Board").validate(board)


# --- what games really show -----------------------------------------------------------------------------


def shows_what_is_described(title_id: str, seed: int, moments: int) -> None:
    """One random game: all events as anybody sees them, and at some *moments* views and refusals."""
    title = find_title(title_id)
    game = play(Table(title_id, three_or_so(title_id)), seed=seed, keep=True)
    view, known = validator(f"{title_id}.View"), set(problem_codes.get_title_codes(title_id))
    for number, fact in enumerate(game.facts):
        heard = {seat for audience in fact.secrets.values() for seat in seats_of(fact, audience)}
        for viewer in {None, number % game.table.seats, *heard}:
            data_of(title_id, type_name(type(fact))).validate(shown_to(fact, viewer))
    for moment in game.some_moments(moments):
        for seat in (None, *range(game.table.seats)):
            view.validate(title.view_json(moment.state, seat))
        assert {d.kind for d in title.decisions(moment.state)} <= {step.kind for step in title.steps}
        assert refusals(title, moment.state, FastChance("refused")) <= known


@cache
def data_of(title_id: str, kind: str) -> jsonschema_rs.Draft202012Validator:
    """What checks the data of an event."""
    schema = description()["components"]["schemas"][f"{title_id}.events.{kind}"]
    return checked(json.dumps(schema["allOf"][1]["properties"]["data"]))


@cache
def checked(schema: str) -> jsonschema_rs.Draft202012Validator:
    """What checks a value against a schema whose references are those of the description."""
    return checker(json.loads(schema.replace('"#/', '"urn:description#/')))


def refusals(title: Any, state: Any, chance: Any) -> set[str]:
    """The codes with which the rules refuse what was legal for another seat."""
    found = set()
    for seat in range(state.seats):
        command = title.sample(state, seat, chance)
        for other in range(state.seats) if command is not None else ():
            try:
                title.decide(state, other, command, FastChance("refused"))
            except Rejected as refused:
                found.add(refused.code)
    return found


@pytest.mark.parametrize("title_id", [t for t in title_ids() if t != "example"])
def test_what_a_random_game_shows_is_described(title_id):
    """Eight moments of one game, and all its events."""
    shows_what_is_described(title_id, seed=1, moments=8)


DEAR = ("colonial", "colonial_revised")
"""Titles with long games and large views: three games of them each time, and twenty in the campaigns."""


@pytest.mark.parametrize(
    ("title_id", "seeds"),
    [
        *(
            pytest.param(t, range(20), marks=pytest.mark.slow)
            for t in title_ids()
            if t not in (*DEAR, "example")
        ),
        *(pytest.param(t, range(3), marks=pytest.mark.slow) for t in DEAR),
        *(pytest.param(t, range(3, 20), marks=pytest.mark.campaign) for t in DEAR),
    ],
)
def test_what_twenty_random_games_show_is_described(title_id, seeds):
    """Every state of them, for every seat and a spectator."""
    for seed in seeds:
        shows_what_is_described(title_id, seed, moments=2000)


@pytest.mark.integration
@pytest.mark.parametrize("title_id", [t for t in title_ids() if t != "example"])
def test_what_the_service_answers_is_described(api, title_id):
    """Games, tables, decisions, events with all their members, refusals: of a game with people and bots."""
    ada = api.account("Ada")
    game = ada.post(
        "/v1/games", GameRequest(title=title_id, hotseat=find_title(title_id).seats[0]), status=201
    )
    path = f"/v1/games/{game['id']}"
    validator("Game").validate(game)
    for _ in range(12):
        now = ada.get(f"{path}/decisions")
        validator("DecisionsPage").validate(now)
        move = now["legal"][0]
        done = ada.post(f"{path}/commands", {**move["command"], "seat": move["seat"]})
        validator("Happened").validate(done)
        again = ada.send("POST", f"{path}/commands", {**move["command"], "seat": 1 - min(move["seat"], 1)})
        if again.status_code >= 400:
            validator("Problem").validate(again.get_json(force=True))
    for seat in ("0", "spectator"):
        validator("Game").validate(ada.get(f"{path}?seat={seat}"))
        validator("Game").validate(ada.get(f"{path}?seat={seat}&at=3"))
        validator("Table").validate(ada.get(f"{path}/table?seat={seat}"))
        validator("EventsPage").validate(ada.get(f"{path}/events?seat={seat}&limit=1000"))
    validator("Title").validate(ada.get(f"/v1/titles/{title_id}"))
    ada.project()
    validator("GamesPage").validate(ada.get("/v1/games"))
    validator("Export").validate(ada.get("/v1/me/export"))
    validator("PositionTold").validate(ada.get(f"{path}/imagined?seed=3&seat=0"))


# --- codes -------------------------------------------------------------------------------------------


CODED = {"Rejected": 0, "StoreError": 0, "Problem": 1}
"""What is made with a code, and the place of the code among its arguments."""


def raised(folder: str) -> set[str]:
    """The codes that stand in calls of Rejected, StoreError and Problem in the modules of *folder*."""
    found = set()
    for path in sorted((ROOT / folder).rglob("*.py")):
        if "kept" in path.parts or (folder == "events" and path.match("*/titles/*/**/*")):
            continue
        text = path.read_text(encoding="utf-8")
        if not any(name in text for name in CODED):  # to read a whole tree is dear
            continue
        tree = ast.parse(text)
        named = {
            one.targets[0].id: one.value.value
            for one in ast.walk(tree)
            if isinstance(one, ast.Assign)
            and isinstance(one.value, ast.Constant)
            and isinstance(one.targets[0], ast.Name)
        }
        for call in (one for one in ast.walk(tree) if isinstance(one, ast.Call)):
            found |= {code for code in coded(call, named) if isinstance(code, str)}
        for kind in (one for one in ast.walk(tree) if isinstance(one, ast.ClassDef)):
            if [getattr(base, "id", "") for base in kind.bases] == ["StoreError"]:
                found |= {one.args[0].value for one in ast.walk(kind) if is_made(one)}
    return found


def is_made(node: ast.AST) -> bool:
    """Return True for a call of ``super().__init__`` with a code."""
    return (
        isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "__init__"
        and isinstance(node.args[0], ast.Constant)
    )


def coded(call: ast.Call, named: dict[str, Any]) -> Any:
    """The codes that a call may give, if it makes a refusal."""
    place = CODED.get(getattr(call.func, "id", ""), 9)
    if place < len(call.args):
        code = call.args[place]
        for one in (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,):
            yield one.value if isinstance(one, ast.Constant) else named.get(getattr(one, "id", ""))


def test_every_code_of_the_service_is_listed():
    lacking = (raised("service") | raised("events")) - set(problem_codes.get_statuses())
    lacking -= {code for told in problem_codes.get_refusals().values() for code in told}
    assert not lacking, f"write them into service/openapi/codes.toml with their statuses: {sorted(lacking)}"


def test_codes_of_the_server_do_not_blame_the_account():
    """What comes with 5xx alone is the state of the server; of one account it would be 4xx."""
    statuses = problem_codes.get_statuses()
    blaming = [
        code
        for code, problem in problem_codes.get_problems().items()
        if min(statuses[code]) >= 500
        and re.search(r"\byou(r account)? (has|have|exceed)\b", problem.meaning, re.IGNORECASE)
    ]
    assert blaming == []


def test_every_listed_code_is_raised_somewhere():
    """Its word stands in a source, in quotes; HTTP's own follow from their statuses."""
    folders = ("service", "events", "projections")
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    statuses = {status for several in problem_codes.get_statuses().values() for status in several}
    from_status = {HTTPStatus(status).phrase.lower().replace(" ", "_") for status in statuses}
    unused = [
        code
        for code in problem_codes.get_all_codes()
        if f'"{code}"' not in sources and code not in from_status and not code.endswith("_limit_exceeded")
    ]
    assert unused == []


@pytest.mark.parametrize("title_id", [t for t in title_ids() if t != "example"])
def test_clauses_of_refusals_stand_in_the_rules(title_id):
    book = load_rulebook(find_title(title_id))
    assert book is not None
    for code, refusal in problem_codes.get_refusals()[title_id].items():
        assert refusal.clause is None or refusal.clause in book.ids, code


NAMES, SEVERAL = "names something that does not exist", "several clauses lead to it"
WITHOUT_CLAUSE = {
    "colonial": {
        "character_used_twice": SEVERAL, "invalid_casualty": SEVERAL, "not_enough_treasury": SEVERAL,
        "wrong_number_of_casualties": SEVERAL, "unknown_player": NAMES, "unknown_space": NAMES,
        "unknown_territory": NAMES,
    },
    "colonial_empires": {"unknown_card": NAMES, "wrong_discard_count": SEVERAL},
    "colonial_revised": {
        "space_not_in_territory": SEVERAL, "territory_unexplored": SEVERAL, "unknown_player": NAMES,
        "unknown_space": NAMES,
    },
    "colonialism": {
        "not_your_ship": SEVERAL, "unknown_faction": NAMES, "unknown_region": NAMES,
        "unknown_sea_zone": NAMES, "unknown_ship": NAMES,
    },
    "colonies": {
        "choice_total_wrong": SEVERAL, "duplicate_route": "is a matter of form, not of rules",
        "insufficient_pirates": SEVERAL, "military_limit_exceeded": SEVERAL, "not_own_route": SEVERAL,
    },
}  # fmt: skip
"""By title the codes that no single clause refuses, and why. The list may only become shorter."""


@pytest.mark.parametrize("title_id", [t for t in title_ids() if t != "example"])
def test_refusals_name_their_clause(title_id):
    told = problem_codes.get_refusals()[title_id]
    assert {code for code, one in told.items() if one.clause is None} == set(WITHOUT_CLAUSE[title_id])


@pytest.mark.parametrize("title_id", [t for t in title_ids() if t != "example"])
def test_every_code_of_a_title_is_listed(title_id):
    lacking = raised(f"events/titles/{title_id}") - set(problem_codes.get_title_codes(title_id))
    assert not lacking, f"write them into service/openapi/refusals.toml under {title_id}: {sorted(lacking)}"


@pytest.mark.integration
def test_a_code_comes_with_a_status_that_is_listed(api):
    ada = api.account("Ada")
    for method, path, body in (
        ("GET", "/v1/games/x", ...),
        ("GET", "/v1/titles/chess", ...),
        ("GET", "/v1/games?limit=x", ...),
        ("POST", "/v1/games", {"title": "colonial"}),
        ("POST", "/v1/games", b"{"),
        ("GET", "/nothing", ...),
        ("PUT", "/v1/games", ...),
    ):
        status, code = ada.refused(method, path, body)
        assert status in problem_codes.get_statuses()[code]
    assert ada.get("/v1/titles/colonies")["refusals"] == list(problem_codes.get_title_codes("colonies"))
