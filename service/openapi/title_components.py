"""The components that differ between titles: views, events, and whatever holds them.

An answer that holds something of a title is a component for each title (``colonies.Game``). Under its own
name it is a choice between these that its ``title`` decides. Generated clients so know every member of every
title.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import msgspec

from events.clocks.absence_policy import Absence
from events.clocks.clock import CorrespondenceClock, LiveClock
from events.rules.fact import Fact, Json, type_name
from events.rules.title import Title
from events.table import lifecycle_facts
from events.table.terms import Delay, Seating
from events.table.tournament_link import Reference
from events.tournament.facts import Effect
from events.tournament.folding import FACTS
from events.tournament.settings import Settings
from service.openapi import json_schemas
from service.openapi.marshmallow_schemas import make_schema

REFERENCE_PREFIX = "#/components/schemas/"
TITLE_PARTS = ("Options", "View", "Decision", "Legal", "Command", "Event", "Board")
"""The parts that each title has of its own, as components refer to them."""
TITLE_COMPONENTS = {
    "Legal": None,
    "Decision": None,
    "Game": "title",
    "DecisionsPage": "title",
    "Turn": "title",
    "EventsPage": "title",
    "Happened": "title",
    "PositionTold": "title",
    "ExportedGame": "title",
    "Title": "id",
}
"""The components that hold such parts, and which member names the title."""


def make_tagged_union(
    name: str, kinds: Iterable[type[msgspec.Struct]], member: str, description: str, prefix: str = ""
) -> dict[str, Json]:
    """Return the components of structs that their tag *member* tells apart.

    Among them is, as *name*, the choice between them.
    """
    kinds = list(kinds)
    references, found = json_schemas.make_components(kinds, prefix)
    mapping = {type_name(k): reference["$ref"] for k, reference in zip(kinds, references, strict=True)}
    choice = {"propertyName": member, "mapping": mapping}
    return {**found, name: {"description": description, "oneOf": references, "discriminator": choice}}


def make_tournament_components(event: Json, titles: Iterable[Title[Any]]) -> dict[str, Json]:
    """Return the components of tournaments' logs.

    They are the settings, the effects, and *event* by the fact that it tells.
    """
    prefix = "tournament."
    found = json_schemas.make_request_components([make_schema(Settings, prefix)])
    settings = found[f"{prefix}Settings"]
    options = {"anyOf": [make_reference(f"{title.id}.Options") for title in titles]}
    settings["properties"] |= {
        "options": options,
        "position": {"anyOf": [make_reference("Position"), {"type": "null"}]},
    }
    found |= make_tagged_union(
        f"{prefix}Effect", get_args(Effect), "kind", "A change that a ruling makes.", prefix
    )
    names = {}
    json_schemas.read_together(FACTS.values())
    for kind, fact in FACTS.items():
        data, parts = _make_event_data(fact, f"{prefix}facts.")
        for member in {"settings", "changes"} & set(data["properties"]):
            data["properties"][member] = make_reference(
                f"{prefix}Settings" if member == "settings" else f"{prefix}Changes"
            )
        names[kind] = f"{prefix}events.{kind}"
        found |= {**parts, names[kind]: _make_event(fact, data, "AnyTournamentEvent")}
    found["AnyTournamentEvent"] = _make_base_event(event)
    found["TournamentEvent"] = {
        "description": event["description"],
        "oneOf": [make_reference(name) for name in names.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {kind: REFERENCE_PREFIX + name for kind, name in names.items()},
        },
    }
    found[f"{prefix}Changes"] = {
        "description": "Settings, each with its whole new value.",
        "type": "object",
        "properties": settings["properties"],
    }
    return found


def make_reference(name: str) -> Json:
    """Return a reference to the component *name*."""
    return {"$ref": REFERENCE_PREFIX + name}


def make_choice(names: Iterable[str], description: str, member: str | None = None) -> Json:
    """Return the schema of a choice between the components *names*.

    The value of *member* tells which it is: it is the part of the name before the dot.
    """
    names = list(names)
    made: Json = {
        "description": description,
        "oneOf" if member else "anyOf": [make_reference(name) for name in names],
    }
    if member:
        mapping = {name.partition(".")[0]: REFERENCE_PREFIX + name for name in names}
        made["discriminator"] = {"propertyName": member, "mapping": mapping}
    return made


def make_title_components(titles: Iterable[Title[Any]], common: Mapping[str, Json]) -> dict[str, Json]:
    """Return the components of *titles*, made of the *common* ones; these become choices between them."""
    titles = list(titles)
    json_schemas.read_together(lifecycle_facts.FACTS.values())
    for title in titles:
        json_schemas.read_together((title.View, *title.facts, *title.commands))
    found = {"AnyEvent": _make_base_event(common["Event"]), **_make_table_events()}
    for title in titles:
        found |= _make_title_parts(title)
        for name, member in TITLE_COMPONENTS.items():
            found[f"{title.id}.{name}"] = _specialize_component(common[name], title, member)
        _set_decision_kinds(found[f"{title.id}.Decision"], title)
    for name, member in {**TITLE_COMPONENTS, "Event": None}.items():
        description = common[name]["description"]
        found[name] = make_choice([f"{title.id}.{name}" for title in titles], description, member)
    return found


def _specialize_component(common: Json, title: Title[Any], member: str | None) -> Json:
    """Return a *common* component as it is with this title."""
    text = msgspec.json.encode(common).decode()
    for part in TITLE_PARTS:
        text = text.replace(f'"{REFERENCE_PREFIX}{part}"', f'"{REFERENCE_PREFIX}{title.id}.{part}"')
    made: Json = msgspec.json.decode(text)
    if member:
        made["properties"][member] = {"type": "string", "const": title.id}
    return made


def _set_decision_kinds(decision: Json, title: Title[Any]) -> None:
    """Set the kinds of the title's decisions, and the types of the commands that answer them."""
    decision["properties"]["kind"] = {"enum": sorted({step.kind for step in title.steps})}
    decision["properties"]["commands"]["items"] = {"enum": [type_name(kind) for kind in title.commands]}


def _make_title_parts(title: Title[Any]) -> dict[str, Json]:
    """Return the components for the view, board and events of one title."""
    [view], found = json_schemas.make_components([title.View], f"{title.id}.view.")
    found[f"{title.id}.View"] = found.pop(view["$ref"].removeprefix(REFERENCE_PREFIX))
    found = split_nullable_casts(found)
    found[f"{title.id}.Board"] = {
        "description": f"The printed parts of {title.name}.",
        **open_nulls(infer_schema(title.board)),
    }
    names = {}
    for fact in title.facts:
        data, parts = _make_event_data(fact, f"{title.id}.facts.")
        found |= parts
        names[type_name(fact)] = f"{title.id}.events.{type_name(fact)}"
        found[names[type_name(fact)]] = _make_event(fact, data)
    for fact in lifecycle_facts.FACTS.values():
        names[type_name(fact)] = f"table.events.{type_name(fact)}"
    data, parts = _make_opening_data(title)
    found |= parts
    names["TableOpened"] = f"{title.id}.events.TableOpened"
    found[names["TableOpened"]] = _make_event(lifecycle_facts.TableOpened, data)
    found[f"{title.id}.Event"] = {
        "description": f"An event of a game of {title.name}.",
        "oneOf": [make_reference(name) for name in names.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {kind: REFERENCE_PREFIX + name for kind, name in names.items()},
        },
    }
    return found


_CAST = "cast"
"""The function that openapi-python-client's own code calls to read a member that may be null."""


def split_nullable_casts(schemas: Mapping[str, Json]) -> dict[str, Json]:
    """Return *schemas* in which nothing that has a member called `cast` has one that may be null.

    In what is generated the one would hide the other. So such a schema becomes a choice of two: one has the
    value, and the other does not tell the member, which is null. Generators have no type for null alone.
    """
    found = dict(schemas)
    for name, schema in schemas.items():
        members = schema.get("properties", {})
        nullable = [member for member, form in members.items() if {"type": "null"} in form.get("anyOf", ())]
        if _CAST in members and nullable:
            [member] = nullable
            given, null = f"{name}.with_{member}", f"{name}.without_{member}"
            [value] = [form for form in members[member]["anyOf"] if form != {"type": "null"}]
            found[given] = _require_member(schema, member, value)
            found[null] = _leave_out_member(schema, member)
            found[name] = make_choice([given, null], schema["description"])
    return found


def _require_member(schema: Json, member: str, form: Json) -> Json:
    """Return *schema* with a *member* that is always there and of this form."""
    required = [*(name for name in schema["required"] if name != member), member]
    return {**schema, "properties": {**schema["properties"], member: form}, "required": required}


def _leave_out_member(schema: Json, member: str) -> Json:
    """Return *schema* without the *member*, which objects of this form have as null beside what is told."""
    return {
        **{word: part for word, part in schema.items() if word != "additionalProperties"},
        "description": f"{schema['description']} Here `{member}` is null.",
        "properties": {name: form for name, form in schema["properties"].items() if name != member},
        "required": [name for name in schema["required"] if name != member],
    }


def _make_table_events() -> dict[str, Json]:
    """Return the events of the table that are the same whatever is played at it."""
    found: dict[str, Json] = {}
    for fact in lifecycle_facts.FACTS.values():
        if fact is not lifecycle_facts.TableOpened:
            data, parts = _make_event_data(fact, "table.facts.")
            if fact is lifecycle_facts.PositionSet:
                data["properties"]["position"] = make_reference("Position")
            found |= parts
            found[f"table.events.{type_name(fact)}"] = _make_event(fact, data)
    return found


def _make_base_event(event: Json) -> Json:
    """Return the schema of what all events have: *event* without `type` and `data`."""
    own = {"type", "data"}
    return {
        **event,
        "properties": {name: part for name, part in event["properties"].items() if name not in own},
        "required": [name for name in event["required"] if name not in own],
    }


def _make_opening_data(title: Title[Any]) -> tuple[Json, dict[str, Json]]:
    """Return the data of the first event, and the components that it uses.

    Parts that say the same elsewhere refer to the components there.
    """
    data, parts = _make_event_data(lifecycle_facts.TableOpened, "table.facts.")
    null = {"type": "null"}
    data["properties"] |= {
        "title": {"type": "string", "const": title.id},
        "options": make_reference(f"{title.id}.Options"),
        "origin": {"anyOf": [make_reference("Origin"), null]},
        "tournament": {"anyOf": [make_reference(Reference.__name__), null]},
        "clock": {
            "anyOf": [make_reference(LiveClock.__name__), make_reference(CorrespondenceClock.__name__), null]
        },
        "absence": {"anyOf": [make_reference(Absence.__name__), null]},
        "delay": {"anyOf": [make_reference(Delay.__name__), null]},
        "seating": {"anyOf": [make_reference(Seating.__name__), null]},
    }
    return data, parts


def _make_event(fact: type[Fact], data: Json, common: str = "AnyEvent") -> Json:
    """Return an event that tells *fact*."""
    own = {
        "type": "object",
        "properties": {"type": {"type": "string", "const": type_name(fact)}, "data": data},
        "required": ["type", "data"],
    }
    return {"description": data["description"], "allOf": [make_reference(common), own]}


def _make_event_data(fact: type[Fact], prefix: str) -> tuple[Json, dict[str, Json]]:
    """Return the data of events of *fact*, and the components that it uses by ``prefix + name``."""
    data = json_schemas.make_event_data_schema(fact)
    text = msgspec.json.encode(data).decode().replace('"#/$defs/', f'"{REFERENCE_PREFIX}{prefix}')
    data = msgspec.json.decode(text)
    parts = {
        prefix + name: json_schemas.strip_class_names(part) for name, part in data.pop("$defs", {}).items()
    }
    if not data["properties"]:
        data["additionalProperties"] = False
    return json_schemas.strip_class_names(data), parts


_SCALARS = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


MAX_LISTED_MEMBERS = 12
"""An object with more members of one form is a table by names."""


def infer_schema(value: Any) -> Json:
    """Return the schema of what has the form of *value*: data that never changes is its own description."""
    if isinstance(value, dict):
        forms = {key: infer_schema(inner) for key, inner in value.items()}
        one = merge_schemas(forms.values())
        if len(forms) > MAX_LISTED_MEMBERS:
            return {"type": "object", "additionalProperties": one}
        return {"type": "object", "properties": forms, "required": list(forms), "additionalProperties": False}
    if isinstance(value, list | tuple):
        return {"type": "array", "items": merge_schemas(infer_schema(inner) for inner in value)}
    return {"type": _SCALARS[type(value)]}


def merge_schemas(forms: Iterable[Json]) -> Json:
    """Return the schema that all *forms* of one place satisfy."""
    found: dict[str, Json] = {}
    for form in forms:
        for one in form.get("anyOf", [form]):
            known = found.get(one["type"])
            found[one["type"]] = one if known is None else _merge_pair(known, one)
    if "number" in found:
        found.pop("integer", None)
    several = list(found.values())
    if not several:
        return {"type": "null"}
    return several[0] if len(several) == 1 else {"anyOf": several}


def open_nulls(schema: Json) -> Json:
    """Return *schema*; a member that is null in all data may be a plain value, since null has no type.

    In a choice null stays.
    """
    return {name: _open_part(part) for name, part in schema.items()}


def _open_part(part: Any) -> Any:
    match part:
        case {"type": "null"}:
            return {"anyOf": _PLAIN}
        case {"anyOf": forms}:
            return {"anyOf": [form if form == {"type": "null"} else open_nulls(form) for form in forms]}
        case dict():
            return open_nulls(part)
    return part


def _merge_pair(one: Json, other: Json) -> Json:
    if one["type"] == "array":
        return {**one, "items": merge_schemas([one["items"], other["items"]])}
    if one["type"] != "object":
        return one
    if "properties" not in one or "properties" not in other:
        forms = (*_get_member_schemas(one), *_get_member_schemas(other))
        return {"type": "object", "additionalProperties": merge_schemas(forms)}
    names = {**one["properties"], **other["properties"]}
    properties = {
        name: merge_schemas([part["properties"][name] for part in (one, other) if name in part["properties"]])
        for name in names
    }
    required = [name for name in one["required"] if name in other["required"]]
    return {**one, "properties": properties, "required": required}


def _get_member_schemas(form: Json) -> Iterable[Json]:
    return form["properties"].values() if "properties" in form else (form["additionalProperties"],)


_PLAIN: list[Json] = [{"type": name} for name in ("string", "integer", "boolean", "null")]
_ONE: list[Json] = [*_PLAIN, make_reference("Members")]
FIXED_COMPONENTS: dict[str, Json] = {
    "Members": {
        "type": "object",
        "description": "Members that depend on the type of the event. Numbers are integers.",
        "additionalProperties": {
            "anyOf": [
                *_ONE,
                {
                    "type": "array",
                    "items": {"anyOf": [*_ONE, {"type": "array", "items": {"anyOf": _ONE}}]},
                },
            ]
        },
    },
    "TournamentAuditLine": {
        "description": "A line of the tournament's own bundle, or of the bundle of a game that follows it.",
        "anyOf": [make_reference("TournamentBundleLine"), make_reference("GameBundleLine")],
    },
    "Position": {
        "type": "object",
        "description": "A position; see `GET /v1/titles/{title}`. Names consist of a-z, 0-9 and _; numbers "
        "are integers.",
        "additionalProperties": True,
    },
    "RecordedCommand": {
        "type": "object",
        "description": "The recorded command, without `seat`: a `Command`, or a command of the server.",
        "required": ["type"],
        "properties": {"type": {"type": "string"}},
        "additionalProperties": True,
    },
    "FieldErrors": {
        "type": "object",
        "description": "The faults by field. Faults inside a field are listed by its own fields and places.",
        "additionalProperties": {
            "anyOf": [{"type": "array", "items": {"type": "string"}}, make_reference("FieldErrors")],
        },
    },
    "JsonSchema": {
        "type": "object",
        "description": "A JSON Schema (2020-12).",
        "properties": {
            "title": {"type": "string"},
            "type": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
            "description": {"type": "string"},
            "properties": {"type": "object", "additionalProperties": make_reference("JsonSchema")},
            "required": {"type": "array", "items": {"type": "string"}},
            "anyOf": {"type": "array", "items": make_reference("JsonSchema")},
            "$ref": {"type": "string"},
            "$defs": {"type": "object", "additionalProperties": make_reference("JsonSchema")},
        },
        "additionalProperties": True,
    },
}
"""Components that no struct says."""
