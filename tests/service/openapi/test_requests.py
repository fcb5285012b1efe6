"""What is described of a body is what is taken: of all bodies, made by chance, right ones and nearly so."""

from functools import cache
from types import SimpleNamespace

import jsonschema_rs
import marshmallow as ma
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.rules.bot_names import BOTS
from events.rules.catalogue import find_title, title_ids
from events.rules.steps import Rejected
from ops.server.wsgi import create_app
from service.application.schemas import command_schemas, game_schemas, tournament_schemas
from service.base.bot_catalogue import BotCatalogue, OfferedEngine
from service.base.settings import Settings
from service.http.request_data import convert_value
from service.openapi import request_structs
from service.openapi.json_schemas import make_request_components
from service.openapi.marshmallow_schemas import ContradictoryValues, load_request
from tests.service.bodies import FAR, Bodies, spoiled
from tests.service.factories import Bot, GameRequest, You
from tests.service.openapi.test_described import description, registry
from tests.service.organising import DUELS
from workers.bots import find_bot_version

STRUCTS = {struct.__name__: struct for struct in request_structs.REQUESTS}
LOADED = {
    "NewGame": lambda offered: game_schemas.make_new_game(offered, beacons=False),
    "Fork": lambda offered: game_schemas.make_fork(offered.all_names),
    "Reveal": lambda offered: game_schemas.REVEAL,
    "NewTournament": lambda offered: tournament_schemas.make_new_tournament(),
    "TournamentCommand": lambda offered: tournament_schemas.make_tournament_commands(),
    "table.Command": lambda offered: command_schemas.make_table_commands(offered.all_names),
}
"""What loads the bodies that are no Structs, for the bots that are offered."""
BODIES = sorted({*STRUCTS, *LOADED})
BEYOND = {"commitment_required": False, "not_ahead": True}
"""Refusals with codes of their own while a body is read, and whether that body is as described."""


def operations():
    """Method, path and component of each operation that takes JSON."""
    for path, methods in description()["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}) if method != "parameters" else {}
            if "application/json" in content:
                reference = content["application/json"]["schema"]["$ref"]
                yield method.upper(), path, reference.removeprefix("#/components/schemas/")


@cache
def reader(component):
    """What loads the bodies of a component that is no Struct."""
    offered = create_app(Settings("", log_requests=False)).extensions["rutter"].bot_catalogue
    return LOADED[component](offered)


def is_taken(component, body):
    """Whether what reads the bodies of a component takes this one."""
    try:
        if component in STRUCTS:
            convert_value(body, STRUCTS[component])
        else:
            load_request(reader(component), body)
    except ma.ValidationError:
        return False
    except ContradictoryValues:
        return True
    except Rejected as refused:
        return BEYOND[refused.code]
    return True


@cache
def checker(component):
    """What checks a body against its component, formats of texts too."""
    schema = {"$ref": f"urn:description#/components/schemas/{component}"}
    return jsonschema_rs.Draft202012Validator(schema, registry=registry(), validate_formats=True)


def fits(component, body):
    """Whether a body is as described."""
    return checker(component).is_valid(body)


BY_CHANCE = settings(
    max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@cache
def strategies():
    """Of all components."""
    return Bodies(description()["components"]["schemas"])


def bodies(component, *, right=True):
    """Bodies of which half are nearly as described, the others too where they are to be *right*."""
    made = strategies().of(component)
    return st.booleans().flatmap(lambda whole: made if whole and right else spoiled(made))


def test_the_bodies_of_all_operations_are_tried():
    """Commands of titles have a test of their own; those of tables are read with them."""
    described = {component for _, _, component in operations()}
    assert {*BODIES} == described - {"Command"} | {"table.Command"}


@pytest.mark.parametrize("component", BODIES)
def test_a_body_is_taken_where_it_is_as_described(component):
    seen = set()

    @BY_CHANCE
    @given(body=bodies(component))
    def agree(body):
        seen.add(fits(component, body))
        assert is_taken(component, body) == fits(component, body), body

    agree()
    assert seen == {True, False}


@pytest.mark.parametrize("title_id", title_ids())
def test_a_command_of_a_title_is_taken_where_it_is_as_described(title_id):
    """As the view reads it: the acting seat, and then what the Struct of the command says."""
    kinds = description()["components"]["schemas"][f"{title_id}.Command"]["discriminator"]["mapping"]

    @BY_CHANCE
    @given(body=bodies(f"{title_id}.Command"))
    def agree(body):
        kind = find_title(title_id).command_type(body["type"]) if body.get("type") in kinds else None
        rest = {name: value for name, value in body.items() if name != "seat"}
        try:
            load_request(game_schemas.ACTING_SEAT, body.get("seat"))
            taken = kind is not None and convert_value(rest, kind) is not None
        except ma.ValidationError:
            taken = False
        except ContradictoryValues:
            taken = True
        assert taken == fits(f"{title_id}.Command", body), body

    agree()


@pytest.mark.parametrize("far", ["0132-01-03T07:16:08.2Z", *FAR])
def test_a_time_of_other_years_is_refused_once_all_else_is_right(far):
    """409 `not_ahead`, for its shape is right; what is wrong beside it comes first."""
    body = {"title": "colonies", "seats": [{"you": True}] * 3, "expires_at": far}
    with pytest.raises(Rejected, match="not_ahead: `expires_at`"):
        load_request(reader("NewGame"), body)
    with pytest.raises(ma.ValidationError, match="rated"):
        load_request(reader("NewGame"), {**body, "rated": 1})


@pytest.mark.parametrize(
    ("at", "loaded"),
    [
        ("2026-03-01t13:00:00+01:00", "2026-03-01T12:00:00.000000Z"),
        ("2016-12-31T23:59:60z", "2017-01-01T00:00:00.000000Z"),
    ],
)
def test_a_time_is_loaded_as_events_record_it(at, loaded):
    body = {"title": "colonies", "seats": [{"you": True}] * 3, "expires_at": at}
    assert load_request(reader("NewGame"), body)["expires_at"] == loaded


@pytest.mark.parametrize("body", [{}, {"version": 2}, {"version": 1}, {"version": 1, "position": {}},
                                  {"version": 1, "position": None}, {"position": None}])  # fmt: skip
def test_an_older_version_is_for_positions(body):
    """As described, where a title has several versions: the newest comes first."""
    [rule] = game_schemas.make_version_rules((2, 1))
    try:
        rule.check(body)
        taken = True
    except ma.ValidationError:
        taken = False
    assert jsonschema_rs.Draft202012Validator(rule.described).is_valid(body) == taken
    assert taken == (body.get("version") != 1 or body.get("position") is not None)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of the newest version of a title, and of one before."""

    long: bool = False


class OlderOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of a version before that."""

    short: bool = False


def test_options_of_older_versions_are_taken_too():
    """Those that differ are described beside the newest ones: for positions of their games."""
    there = [
        SimpleNamespace(id="chess", version=version, Options=options)
        for version, options in ((3, Options), (2, Options), (1, OlderOptions))
    ]
    field = game_schemas.make_options_field(there)
    assert load_request(field, {"long": True}) == {"long": True}
    assert load_request(field, {"short": True}) == {"short": True}
    assert set(make_request_components([field])) == {"chess.Options", "chess.v1.Options"}
    assert set(make_request_components([game_schemas.make_options_field(there[:2])])) == {"chess.Options"}


def test_names_of_bots_of_one_title_are_described_with_it():
    """Where an engine plays one title alone, the seats of that title are a component of its own."""
    offered = BotCatalogue(find_bot_version, (OfferedEngine("engine:x", ("colonies",), reproducible=True),))
    found = make_request_components([game_schemas.make_new_game(offered, beacons=True)])
    bots = {
        name: form["properties"]["bot"]["enum"]
        for name, schema in found.items()
        for form in schema.get("oneOf", ())
        if "bot" in form.get("properties", ())
    }
    assert bots["SeatWish"] == [*BOTS, "engine:x"]
    assert bots["colonial.SeatWish"] == list(BOTS)
    assert found["colonies.NewGame"]["properties"]["beacon"]["anyOf"][0]["required"] == ["chain", "after"]


RULES = {"unknown_command", "not_entered", "commitment_required", "not_ahead"}
"""Codes with which a body is refused that does not fit either."""


@pytest.mark.integration
@pytest.mark.slow
def test_no_operation_takes_a_body_that_is_not_as_described(api):
    """Each operation reads a body as the component that it names, before it does anything."""
    ada = api.account("Ada")
    made = {
        "id": ada.post("/v1/games", GameRequest(seats=[You(), Bot()]), status=201)["id"],
        "tournament": ada.post("/v1/tournaments", DUELS, status=201)["id"],
        "club": ada.post("/v1/clubs", {"name": "Lisbon Navigators"}, status=201)["id"],
        "account": ada.me["id"],
        "n": 2,
        "token": ada.get("/v1/me/tokens")["tokens"][0]["id"],
    }
    for method, path, component in operations():
        if "{webhook}" not in path:  # for an address on this machine there is none
            refuses_spoiled_bodies(ada, method, path.format_map(made), component)


def refuses_spoiled_bodies(ada, method, address, component):
    """Some bodies that are not as described; nothing else may be wrong."""

    @settings(BY_CHANCE, max_examples=4)
    @given(body=bodies(component, right=False))
    def refuse(body):
        if not fits(component, body):
            status, code = ada.refused(method, address, body)
            assert status == 422 or code in RULES, (address, body, code)

    refuse()
