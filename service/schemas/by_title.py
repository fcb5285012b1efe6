"""What differs between titles, described title by title: views, events, and whatever holds them.

An answer that holds something of a title is a component for each title (``colonies.Game``), and under its own
name a choice between these that its ``title`` decides. Generated clients so know every member of every title.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import msgspec

from events.clocks.absence_policy import Absence
from events.clocks.clock import Correspondence, Live
from events.rules.fact import Fact, Json, type_name
from events.rules.title import Title
from events.table import lifecycle_facts
from events.table.terms import Delay, Seating
from events.table.tournament_link import Reference
from events.tournament.facts import Effect
from events.tournament.folding import FACTS
from events.tournament.settings import Settings
from service.schemas import json_schemas

REFERENCE = "#/components/schemas/"
PARTS = ("Options", "View", "Decision", "Legal", "Command", "Event", "Board")
"""What each title has of its own, as components refer to it."""
VARIED = {
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


def tagged(
    name: str, kinds: Iterable[type[Any]], member: str, description: str, prefix: str = ""
) -> dict[str, Json]:
    """The components of structs that their tag *member* tells apart, and the choice between them, *name*."""
    kinds = list(kinds)
    references, found = json_schemas.components(kinds, prefix, answers=True)
    mapping = {type_name(k): reference["$ref"] for k, reference in zip(kinds, references, strict=True)}
    choice = {"propertyName": member, "mapping": mapping}
    return {**found, name: {"description": description, "oneOf": references, "discriminator": choice}}


def of_tournaments(event: Json, titles: Iterable[Title[Any]]) -> dict[str, Json]:
    """The components of tournaments' logs: settings, effects, and *event* by the fact that it tells."""
    prefix = "tournament."
    [made], found = json_schemas.components([Settings], prefix)
    settings = found[made["$ref"].removeprefix(REFERENCE)]
    options = {"anyOf": [ref(f"{title.id}.Options") for title in titles]}
    settings["properties"] |= {"options": options, "position": {"anyOf": [ref("Position"), {"type": "null"}]}}
    found |= tagged(f"{prefix}Effect", get_args(Effect), "kind", "What a ruling changes.", prefix)
    names = {}
    for kind, fact in FACTS.items():
        data, parts = _event_data(fact, f"{prefix}facts.")
        for member in {"settings", "changes"} & set(data["properties"]):
            data["properties"][member] = ref(
                f"{prefix}Settings" if member == "settings" else f"{prefix}Changes"
            )
        names[kind] = f"{prefix}events.{kind}"
        found |= {**parts, names[kind]: _event(fact, data, "AnyTournamentEvent")}
    found["AnyTournamentEvent"] = _any_event(event)
    found["TournamentEvent"] = {
        "description": event["description"],
        "oneOf": [ref(name) for name in names.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {kind: REFERENCE + name for kind, name in names.items()},
        },
    }
    found[f"{prefix}Changes"] = {
        "description": "Members of the settings, each whole.",
        "type": "object",
        "properties": settings["properties"],
    }
    return found


def ref(name: str) -> Json:
    """A reference to the component *name*."""
    return {"$ref": REFERENCE + name}


def either(names: Iterable[str], description: str, member: str | None = None) -> Json:
    """One of the components *names*: which, says *member*, whose values are what stands before the dot."""
    names = list(names)
    made: Json = {"description": description, "oneOf" if member else "anyOf": [ref(name) for name in names]}
    if member:
        mapping = {name.partition(".")[0]: REFERENCE + name for name in names}
        made["discriminator"] = {"propertyName": member, "mapping": mapping}
    return made


def components(titles: Iterable[Title[Any]], common: Mapping[str, Json]) -> dict[str, Json]:
    """The components of *titles*, made of the *common* ones, and in place of these a choice between them."""
    titles = list(titles)
    found = {"AnyEvent": _any_event(common["Event"]), **_table_events()}
    for title in titles:
        found |= _parts(title)
        for name, member in VARIED.items():
            found[f"{title.id}.{name}"] = _varied(common[name], title, member)
        _name_kinds(found[f"{title.id}.Decision"], title)
    for name, member in {**VARIED, "Event": None}.items():
        description = common[name]["description"]
        found[name] = either([f"{title.id}.{name}" for title in titles], description, member)
    return found


def _varied(common: Json, title: Title[Any], member: str | None) -> Json:
    """A *common* component as it is with this title."""
    text = msgspec.json.encode(common).decode()
    for part in PARTS:
        text = text.replace(f'"{REFERENCE}{part}"', f'"{REFERENCE}{title.id}.{part}"')
    made: Json = msgspec.json.decode(text)
    if member:
        made["properties"][member] = {"type": "string", "const": title.id}
    return made


def _name_kinds(decision: Json, title: Title[Any]) -> None:
    """Which decisions the title has, and by which commands they are answered."""
    decision["properties"]["kind"] = {"enum": sorted({step.kind for step in title.steps})}
    decision["properties"]["commands"]["items"] = {"enum": [type_name(kind) for kind in title.commands]}


def _parts(title: Title[Any]) -> dict[str, Json]:
    """View, board and events of one title."""
    [view], found = json_schemas.components([title.View], f"{title.id}.view.", answers=True)
    found[f"{title.id}.View"] = found.pop(view["$ref"].removeprefix(REFERENCE))
    found = without_casts(found)
    found[f"{title.id}.Board"] = {"description": f"What is printed on {title.name}.", **like(title.board)}
    names = {}
    for fact in title.facts:
        data, parts = _event_data(fact, f"{title.id}.facts.")
        found |= parts
        names[type_name(fact)] = f"{title.id}.events.{type_name(fact)}"
        found[names[type_name(fact)]] = _event(fact, data)
    for fact in lifecycle_facts.FACTS.values():
        names[type_name(fact)] = f"table.events.{type_name(fact)}"
    data, parts = _opened(title)
    found |= parts
    names["TableOpened"] = f"{title.id}.events.TableOpened"
    found[names["TableOpened"]] = _event(lifecycle_facts.TableOpened, data)
    found[f"{title.id}.Event"] = {
        "description": f"An event of a game of {title.name}.",
        "oneOf": [ref(name) for name in names.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {kind: REFERENCE + name for kind, name in names.items()},
        },
    }
    return found


_CAST = "cast"
"""What openapi-python-client's own code calls to read a member that may be null."""


def without_casts(schemas: Mapping[str, Json]) -> dict[str, Json]:
    """*schemas* in which nothing that has a member called `cast` has one that may be null.

    In what is generated the one would hide the other. So such a schema becomes a choice of two, of which one
    has the value and the other has null.
    """
    found = dict(schemas)
    for name, schema in schemas.items():
        members = schema.get("properties", {})
        nullable = [member for member, form in members.items() if {"type": "null"} in form.get("anyOf", ())]
        if _CAST in members and nullable:
            [member] = nullable
            given, null = f"{name}.with_{member}", f"{name}.without_{member}"
            [value] = [form for form in members[member]["anyOf"] if form != {"type": "null"}]
            found[given] = _with_member(schema, member, value)
            found[null] = _with_member(schema, member, {"type": "null"})
            found[name] = either([given, null], schema["description"])
    return found


def _with_member(schema: Json, member: str, form: Json) -> Json:
    """*schema* with a *member* that is always there and of this form."""
    required = [*(name for name in schema["required"] if name != member), member]
    return {**schema, "properties": {**schema["properties"], member: form}, "required": required}


def _table_events() -> dict[str, Json]:
    """The events of the table that are the same whatever is played at it."""
    found: dict[str, Json] = {}
    for fact in lifecycle_facts.FACTS.values():
        if fact is not lifecycle_facts.TableOpened:
            data, parts = _event_data(fact, "table.facts.")
            if fact is lifecycle_facts.PositionSet:
                data["properties"]["position"] = ref("Position")
            found |= parts
            found[f"table.events.{type_name(fact)}"] = _event(fact, data)
    return found


def _any_event(event: Json) -> Json:
    """What all events have."""
    own = {"type", "data"}
    return {
        **event,
        "properties": {name: part for name, part in event["properties"].items() if name not in own},
        "required": [name for name in event["required"] if name not in own],
    }


def _opened(title: Title[Any]) -> tuple[Json, dict[str, Json]]:
    """The data of the first event: its parts as the components have them that say the same elsewhere."""
    data, parts = _event_data(lifecycle_facts.TableOpened, "table.facts.")
    null = {"type": "null"}
    data["properties"] |= {
        "title": {"type": "string", "const": title.id},
        "options": ref(f"{title.id}.Options"),
        "origin": {"anyOf": [ref("Origin"), null]},
        "tournament": {"anyOf": [ref(Reference.__name__), null]},
        "clock": {"anyOf": [ref(Live.__name__), ref(Correspondence.__name__), null]},
        "absence": {"anyOf": [ref(Absence.__name__), null]},
        "delay": {"anyOf": [ref(Delay.__name__), null]},
        "seating": {"anyOf": [ref(Seating.__name__), null]},
    }
    return data, parts


def _event(fact: type[Fact], data: Json, common: str = "AnyEvent") -> Json:
    """An event that tells *fact*."""
    own = {
        "type": "object",
        "properties": {"type": {"type": "string", "const": type_name(fact)}, "data": data},
        "required": ["type", "data"],
    }
    return {"description": data["description"], "allOf": [ref(common), own]}


def _event_data(fact: type[Fact], prefix: str) -> tuple[Json, dict[str, Json]]:
    """The data of events of *fact*, and the components that it uses by ``prefix + name``."""
    data = json_schemas.event_data(fact)
    text = msgspec.json.encode(data).decode().replace('"#/$defs/', f'"{REFERENCE}{prefix}')
    data = msgspec.json.decode(text)
    parts = {prefix + name: json_schemas.bare(part) for name, part in data.pop("$defs", {}).items()}
    if not data["properties"]:
        data["additionalProperties"] = False
    return json_schemas.bare(data), parts


_SCALARS = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


MOST_NAMES = 12
"""An object with more members of one form is a table by names."""


def like(value: Any) -> Json:
    """The schema of what has the form of *value*: data that never changes is its own description."""
    if isinstance(value, dict):
        forms = {key: like(inner) for key, inner in value.items()}
        one = merged(forms.values())
        if len(forms) > MOST_NAMES or not forms:
            return {"type": "object", "additionalProperties": one}
        return {"type": "object", "properties": forms, "required": list(forms), "additionalProperties": False}
    if isinstance(value, list | tuple):
        return {"type": "array", "items": merged(like(inner) for inner in value)}
    return {"type": _SCALARS[type(value)]}


def merged(forms: Iterable[Json]) -> Json:
    """The schema that all *forms* of one place satisfy."""
    found: dict[str, Json] = {}
    for form in forms:
        for one in form.get("anyOf", [form]):
            known = found.get(one["type"])
            found[one["type"]] = one if known is None else _merged(known, one)
    if "number" in found:
        found.pop("integer", None)
    several = list(found.values())
    if not several:
        return {"type": "null"}
    return several[0] if len(several) == 1 else {"anyOf": several}


def _merged(one: Json, other: Json) -> Json:
    if one["type"] == "array":
        return {**one, "items": merged([one["items"], other["items"]])}
    if one["type"] != "object":
        return one
    if "properties" not in one or "properties" not in other:
        forms = (*_members(one), *_members(other))
        return {"type": "object", "additionalProperties": merged(forms)}
    names = {**one["properties"], **other["properties"]}
    properties = {
        name: merged([part["properties"][name] for part in (one, other) if name in part["properties"]])
        for name in names
    }
    required = [name for name in one["required"] if name in other["required"]]
    return {**one, "properties": properties, "required": required}


def _members(form: Json) -> Iterable[Json]:
    return form["properties"].values() if "properties" in form else (form["additionalProperties"],)


FIXED: dict[str, Json] = {
    "Position": {
        "type": "object",
        "description": "A position; see `GET /v1/titles/{title}`. Its names are of a-z, 0-9 and _, its"
        " numbers whole.",
        "additionalProperties": True,
    },
    "RecordedCommand": {
        "type": "object",
        "description": "A command as it was given, without `seat`: one of `Command`, or one of the house's.",
        "required": ["type"],
        "properties": {"type": {"type": "string"}},
        "additionalProperties": True,
    },
    "FieldErrors": {
        "type": "object",
        "description": "What is wrong, by field; of what is inside a field by its own fields and places.",
        "additionalProperties": {
            "anyOf": [{"type": "array", "items": {"type": "string"}}, ref("FieldErrors")],
        },
    },
    "JsonSchema": {
        "type": "object",
        "description": "A JSON Schema (2020-12).",
        "properties": {
            "title": {"type": "string"},
            "type": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
            "description": {"type": "string"},
            "properties": {"type": "object", "additionalProperties": ref("JsonSchema")},
            "required": {"type": "array", "items": {"type": "string"}},
            "anyOf": {"type": "array", "items": ref("JsonSchema")},
            "$ref": {"type": "string"},
            "$defs": {"type": "object", "additionalProperties": ref("JsonSchema")},
        },
        "additionalProperties": True,
    },
}
"""Components that no struct says."""
