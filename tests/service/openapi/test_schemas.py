"""The schemas that check requests and the schemas that describe them come from the same Structs and agree."""

from typing import Annotated, Literal

import jsonschema
import marshmallow as ma
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta, Struct

from events.proof.canonical import MAX_INTEGER
from events.rules.catalogue import find_title, title_ids
from events.rules.fact import type_name
from events.rules.kit.values import plain
from events.table import lifecycle_facts
from service.http.request_data import convert_value
from service.openapi import json_schemas
from service.openapi.marshmallow_schemas import (
    ContradictoryValues,
    make_changed_schema,
    make_schema,
)
from service.openapi.schema_descriptions import Describer
from tests.playing import three_or_so
from tests.titles.table import Table, play

COMMANDS = [
    (title_id, kind) for title_id in title_ids() for kind in find_title(title_id).commands if not kind.house
]


class Inner(Struct, frozen=True, forbid_unknown_fields=True):
    """Something inside."""

    count: Annotated[int, Meta(ge=1, le=5)]
    word: Annotated[str, Meta(max_length=3)] = "a"


class Sample(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="sample"):
    """One of every kind."""

    number: int
    flag: bool
    text: Annotated[str, Meta(min_length=1, max_length=4, pattern="^[a-z]+$")]
    choice: Literal["a", "b", 3]
    inner: Inner
    many: Annotated[tuple[Inner, ...], Meta(max_length=2)]
    pair: tuple[int, str]
    by_name: dict[str, Annotated[int, Meta(ge=0)]]
    by_number: dict[int, bool]
    renamed_: int = msgspec.field(name="from")
    maybe: int | None = None
    either: dict[str, int] | int | None = None


GOOD = {
    "type": "sample",
    "number": 1,
    "flag": True,
    "text": "abc",
    "choice": 3,
    "inner": {"count": 2},
    "many": [{"count": 1, "word": "x"}],
    "pair": [1, "a"],
    "by_name": {"a": 0},
    "by_number": {"-3": True},
    "from": 7,
}


def test_a_good_value_becomes_the_struct():
    made = convert_value(GOOD, Sample)
    assert made.inner == Inner(2)
    assert made.by_number == {-3: True}
    assert made.renamed_ == 7


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"number": True}, "number"),
        ({"number": "1"}, "number"),
        ({"number": 1.0}, "number"),
        ({"number": None}, "number"),
        ({"flag": 1}, "flag"),
        ({"flag": "true"}, "flag"),
        ({"text": ""}, "text"),
        ({"text": "abcde"}, "text"),
        ({"text": "AB"}, "text"),
        ({"text": 5}, "text"),
        ({"choice": "c"}, "choice"),
        ({"choice": True}, "choice"),
        ({"inner": []}, "inner"),
        ({"inner": {"count": 9}}, "inner"),
        ({"inner": {"count": 1, "more": 1}}, "inner"),
        ({"many": [{"count": 1}] * 3}, "many"),
        ({"many": "ab"}, "many"),
        ({"many": {"0": {"count": 1}}}, "many"),
        ({"pair": [1]}, "pair"),
        ({"pair": [1, 2]}, "pair"),
        ({"by_name": {"a": -1}}, "by_name"),
        ({"by_name": []}, "by_name"),
        ({"by_number": {"x": True}}, "by_number"),
        ({"maybe": "x"}, "maybe"),
        ({"either": "x"}, "either"),
        ({"type": "other"}, "type"),
        ({"surplus": 1}, "surplus"),
    ],
)
def test_a_bad_value_is_refused_in_its_place(change, place):
    with pytest.raises(ma.ValidationError) as caught:
        convert_value({**GOOD, **change}, Sample)
    assert list(caught.value.messages) == [place]


def test_what_is_missing_is_named():
    with pytest.raises(ma.ValidationError) as caught:
        convert_value({}, Sample)
    required = {
        "type",
        "number",
        "flag",
        "text",
        "choice",
        "inner",
        "many",
        "pair",
        "by_name",
        "by_number",
        "from",
    }
    assert set(caught.value.messages) == required


@pytest.mark.parametrize("value", [None, [], "x", 1, True])
def test_no_object_is_refused(value):
    with pytest.raises(ma.ValidationError):
        convert_value(value, Sample)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 120)
    | st.sampled_from(["", "a", "x" * 70, "natives", "blue"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "count", "1"]), inner),
    max_leaves=5,
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title_id", "kind"), COMMANDS, ids=lambda v: v if isinstance(v, str) else v.__name__
)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_description_and_check_agree(title_id, kind, data):
    """A body that fits the described JSON Schema is taken, any other is refused; for every command."""
    schema = json_schemas.make_request_schema(kind)
    names = [name for name in schema["properties"] if name != "type"]
    values = st.fixed_dictionaries({}, optional={name: _near(schema, name) for name in names})
    body = {**data.draw(values), "type": schema["properties"]["type"]["enum"][0]}
    fits = jsonschema.Draft202012Validator(schema).is_valid(body)
    assert (not make_schema(kind).validate(body)) == fits, body
    assert _is_taken(body, kind) == fits, body
    assert not _is_taken({**body, "type": "another"}, kind)
    assert not _is_taken({name: body[name] for name in body if name != "type"}, kind)


def _is_taken(body, kind):
    """Whether it is read, or only contradicts itself, of which no schema can tell."""
    try:
        convert_value(body, kind)
    except ma.ValidationError:
        return False
    except ContradictoryValues:
        pass
    return True


class Loose(Struct, frozen=True):
    """What msgspec takes for one, whatever else stands there."""

    inner: Inner


class Patterned(Struct, frozen=True, forbid_unknown_fields=True):
    """What msgspec takes with a line feed at its end."""

    text: Annotated[str, Meta(pattern="^[a-z]+$")]


@pytest.mark.parametrize(
    ("body", "kind"),
    [({"inner": {"count": 1}, "more": 1}, Loose), ({"text": "abc\n"}, Patterned)],
    ids=["a field that is unknown", "a line feed at the end"],
)
def test_what_msgspec_alone_would_take_is_refused(body, kind):
    msgspec.convert(body, kind)
    assert not _is_taken(body, kind)


def _near(schema, name):
    """Values for a field: arbitrary ones, and some that look like what is wanted."""
    part = schema["properties"][name]
    wanted = [s for s in (part, *part.get("anyOf", ())) if "type" in s or "enum" in s]
    near = []
    for one in wanted:
        if "enum" in one:
            near.append(st.sampled_from(one["enum"]))
        elif one.get("type") == "integer":
            near.append(st.integers(one["minimum"] - 1, one["maximum"] + 1))
        elif one.get("type") == "object":
            keys = st.sampled_from([*one.get("propertyNames", {}).get("enum", ()), "a", "1"])
            near.append(st.dictionaries(keys, st.integers(0, 3), max_size=3))
        elif one.get("type") == "boolean":
            near.append(st.booleans())
        elif one.get("type") == "array":
            near.append(st.lists(st.sampled_from(["a", 1, "blue"]), max_size=3))
    return st.one_of(JSON, *near)


@pytest.mark.parametrize(
    ("title_id", "kind"), COMMANDS, ids=lambda v: v if isinstance(v, str) else v.__name__
)
def test_no_command_has_a_field_of_its_own_called_seat(title_id, kind):
    """`seat` in a body says who acts."""
    assert "seat" not in json_schemas.make_request_schema(kind)["properties"]


@pytest.mark.parametrize("title_id", title_ids())
def test_every_schema_of_a_title_is_one(title_id):
    schemas = json_schemas.make_title_schemas(find_title(title_id))
    for schema in (
        schemas["options"],
        schemas["view"],
        *schemas["commands"].values(),
        *schemas["events"].values(),
    ):
        jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("title_id", title_ids())
def test_structs_that_are_read_together_are_described_as_if_alone(title_id, monkeypatch):
    title = find_title(title_id)
    structs = (title.View, *lifecycle_facts.FACTS.values(), *title.facts)
    monkeypatch.setattr(json_schemas, "_READ", {})
    json_schemas.read_together(structs)
    assert len(json_schemas._READ) == len(structs)
    for struct in structs[::5]:
        assert json_schemas._READ[struct] == msgspec.json.encode(msgspec.json.schema(struct))


def test_structs_of_one_name_are_described_each_by_itself(monkeypatch):
    """In one reading msgspec would call them by their modules."""
    one, other = (msgspec.defstruct("Thing", [(name, int)], module=name) for name in ("one", "other"))
    holder = msgspec.defstruct("Holder", [("thing", other)])
    monkeypatch.setattr(json_schemas, "_READ", {})
    json_schemas.read_together([one, other, holder, Weight])
    assert list(json_schemas._READ) == [Weight]
    for thing in (one, other):
        assert list(json_schemas.make_standalone_schema(thing)["properties"]) == list(thing.__struct_fields__)
    assert list(json_schemas.make_standalone_schema(holder)["$defs"]) == ["Thing"]


class Weight(Struct):
    grams: int


@pytest.mark.parametrize("title_id", title_ids())
def test_every_view_fits_the_schema_of_views(title_id):
    """What any viewer is shown, at any moment of a game, is what the title's description says."""
    title = find_title(title_id)
    validator = jsonschema.Draft202012Validator(json_schemas.make_title_schemas(title)["view"])
    game = play(Table(title_id, three_or_so(title_id)), seed=3, keep=True)
    for moment in game.some_moments(12):
        for seat in (None, *range(game.table.seats)):
            validator.validate(title.view_json(moment.state, seat))


@pytest.mark.parametrize("title_id", title_ids())
def test_secret_fields_need_not_be_in_an_event(title_id):
    title = find_title(title_id)
    for fact in title.facts:
        required = json_schemas.make_event_data_schema(fact)["required"]
        assert not {path for path in fact.secrets if "." not in path} & set(required)


@pytest.mark.parametrize("title_id", title_ids())
def test_every_event_fits_its_schema_for_everybody(title_id):
    """What any viewer is shown of any event, own and foreign secrets, is what the description says."""
    title = find_title(title_id)
    schemas = json_schemas.make_title_schemas(title)["events"]
    validators = {name: jsonschema.Draft202012Validator(schema) for name, schema in schemas.items()}
    for seed in range(2):
        game = play(Table(title_id, three_or_so(title_id)), seed=seed)
        for number, fact in enumerate(game.facts):
            check = validators[type_name(type(fact))].validate
            heard = {seat for audience in fact.secrets.values() for seat in seats_of(fact, audience)}
            for viewer in {None, number % game.table.seats, *heard}:
                check(shown_to(fact, viewer))


def seats_of(fact, audience):
    """The seats that these fields of *fact* name."""
    named = [getattr(fact, name) for name in audience]
    return {seat for one in named for seat in (one if isinstance(one, tuple) else (one,))}


def shown_to(fact, viewer):
    """The data of *fact* as one viewer receives it."""
    data = plain(fact)
    del data["type"]
    for path, audience in fact.secrets.items():
        if viewer is None or viewer not in seats_of(fact, audience):
            *parents, last = path.split(".")
            inner = data
            for key in parents:
                inner = inner[key]
            del inner[last]
    return data


def test_huge_integers_and_nul_are_described_as_refused():
    schema = json_schemas.make_request_schema(Sample)["properties"]
    assert schema["number"]["maximum"] == MAX_INTEGER
    assert schema["maybe"]["anyOf"][0]["minimum"] == -MAX_INTEGER


def test_two_components_of_one_name_are_found_out():
    describer = Describer()
    describer.describe_schema(make_schema(Inner))
    describer.describe_schema(make_schema(Inner))
    with pytest.raises(ValueError, match="two components are called Inner"):
        describer.describe_schema(make_changed_schema(Inner, {"word": None}))
