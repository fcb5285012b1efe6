"""JSON Schemas of what is answered and sent, as the API description and the titles' pages show them.

Those of answers are made of their Structs, those of requests of the marshmallow schemas that check these. So
what is described and what is taken are one; property tests compare the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from marshmallow.fields import Field

from events.proof.canonical import MAX_INTEGER
from events.rules.fact import Fact, Json, type_name
from events.rules.fast_chance import FastChance
from events.rules.title import Title
from events.table import lifecycle_facts
from service.openapi import property_names, response_structs
from service.openapi.attribute_docs import add_member_docs
from service.openapi.marshmallow_schemas import make_schema
from service.openapi.property_names import add_property_names
from service.openapi.request_fields import ObjectSchema
from service.openapi.schema_descriptions import Describer


def make_components(structs: Iterable[type[Any]], prefix: str = "") -> tuple[list[Json], dict[str, Json]]:
    """Return references to the schemas of answers, and these and all they use by ``prefix + name``.

    Nothing is said of them but what their types say.
    """
    structs = list(structs)
    references, found = msgspec.json.schema_components(
        structs, ref_template="#/components/schemas/" + prefix + "{name}"
    )
    safe = {name: re.sub(r"[^A-Za-z0-9._-]", "_", name) for name in found}
    text = msgspec.json.encode([references, list(found.values())]).decode()
    for name, plain in safe.items():
        if name != plain:
            text = text.replace(f'/{prefix}{name}"', f'/{prefix}{plain}"')
    references, schemas = msgspec.json.decode(text)
    named = dict(zip(safe.values(), schemas, strict=True))
    for struct in structs:
        add_property_names(struct, named)
        add_member_docs(struct, named)
    return references, {prefix + name: strip_class_names(schema) for name, schema in named.items()}


def make_request_components(requests: Iterable[ObjectSchema | Field[Any]]) -> dict[str, Json]:
    """Return the components that describe *requests*, and all that these use, by name.

    It is also said what is refused whatever their types say, and what a member is that is left out. That is
    said in words, for generators take a member that has a `default` to be always there.
    """
    describer = Describer()
    for one in requests:
        if isinstance(one, ObjectSchema):
            describer.describe_schema(one)
        else:
            describer.describe_field(one)
    return {
        name: _rewrite(_add_transport_limits(strip_class_names(part)), _describe_defaults)
        for name, part in describer.components.items()
    }


_VALUES = frozenset({"enum", "const", "default", "examples"})
_CONDITIONS = frozenset({"not", "if", "then", "else"})
"""Keywords whose schemas only compare parts of a value that are described beside them."""


def strip_class_names(schema: Any) -> Any:
    """Return *schema* without class names, by which generators would call it, and with bare references."""
    if isinstance(schema, list):
        return [strip_class_names(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    left_out = {"type"} if "$ref" in schema else set()
    if isinstance(schema.get("title"), str):
        left_out.add("title")
    made = {k: v if k in _VALUES else strip_class_names(v) for k, v in schema.items() if k not in left_out}
    if "discriminator" in made and "anyOf" in made:  # its tag tells one kind: generators want it said
        made["oneOf"] = made.pop("anyOf")
    if made.get("items") is False:  # a row: what generators that know no rows take for a list
        forms = {msgspec.json.encode(item): item for item in made["prefixItems"]}
        made["items"] = next(iter(forms.values())) if len(forms) == 1 else {"anyOf": list(forms.values())}
        if len(forms) == 1:  # its length says the rest
            del made["prefixItems"]
    return made


_READ: dict[type[Any], bytes] = {}
"""The schemas of structs that were read together, as msgspec makes them."""
_REFERENCE = re.compile(rb'"#/\$defs/([^"]+)"')


def read_together(structs: Iterable[type[Any]]) -> None:
    """Prepare the standalone schemas of *structs* in one go, in which msgspec reads what they share once."""
    structs = [struct for struct in structs if struct not in _READ]
    property_names.read_together(structs)
    _, schemas = msgspec.json.schema_components(structs)
    texts = {name: msgspec.json.encode(schema) for name, schema in schemas.items()}
    for struct in structs:
        names: dict[str, None] = {}
        _follow_references(struct.__name__, texts, names)
        if all(name in texts and "." not in name for name in names):  # else two of them have one name
            parts = b",".join(b'"%s":%s' % (name.encode(), texts[name]) for name in names)
            _READ[struct] = b'{"$ref":"#/$defs/%s","$defs":{%s}}' % (struct.__name__.encode(), parts)


def _follow_references(name: str, texts: Mapping[str, bytes], found: dict[str, None]) -> None:
    """Add to *found* the part *name* and all that it refers to, in the order in which msgspec tells them."""
    found[name] = None
    for inner in _REFERENCE.findall(texts.get(name, b"")):
        if inner.decode() not in found:
            _follow_references(inner.decode(), texts, found)


def make_standalone_schema(struct: type[Any]) -> Json:
    """Return a self-contained JSON Schema (2020-12) of one struct that is answered."""
    whole = msgspec.json.decode(_READ[struct]) if struct in _READ else msgspec.json.schema(struct)
    defs = whole.pop("$defs", {})
    add_property_names(struct, defs)
    add_member_docs(struct, defs)
    return _make_self_contained(whole, defs)


def make_request_schema(struct: type[msgspec.Struct]) -> Json:
    """Return a self-contained JSON Schema (2020-12) of one struct that is sent."""
    describer = Describer("#/$defs/")
    whole = describer.describe_schema(make_schema(struct))
    return _make_self_contained(whole, describer.components)


def _make_self_contained(whole: Json, defs: dict[str, Json]) -> Json:
    if "$ref" in whole:
        name = whole["$ref"].removeprefix("#/$defs/")
        inner = defs[name] if _is_used(defs, name) else defs.pop(name)
        whole = {**inner}
    if defs:
        whole["$defs"] = defs
    limited: Json = _add_transport_limits(whole)
    return limited


def _is_used(defs: Mapping[str, Json], name: str) -> bool:
    return f'"#/$defs/{name}"'.encode() in msgspec.json.encode(defs)


def _rewrite(schema: Any, change: Callable[[Json], None]) -> Any:
    """Return a copy of *schema*, in which every part has been changed by *change*, the inner ones first."""
    if isinstance(schema, list):
        return [_rewrite(item, change) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {
        key: value if key in _VALUES | _CONDITIONS else _rewrite(value, change)
        for key, value in schema.items()
    }
    change(made)
    return made


def _describe_defaults(made: Json) -> None:
    """Tell in words what a member is that is left out; of null only where nothing else is told."""
    for name, member in made.get("properties", {}).items():
        if "default" in member:
            words = member.get("description", "")
            if member["default"] is not None or not words:
                words = f"{words} Default: `{msgspec.json.encode(member['default']).decode()}`.".strip()
            rest = {key: value for key, value in member.items() if key != "default"}
            made["properties"][name] = {**rest, "description": words}


def _add_transport_limits(schema: Any) -> Any:
    """Return *schema* with what :mod:`service.http.request_data` refuses anyway: huge integers and NUL."""
    return _rewrite(schema, _set_bounds)


def _set_bounds(made: Json) -> None:
    kind = made.get("type")
    if kind == "integer":
        if "minimum" not in made and "exclusiveMinimum" not in made:
            made["minimum"] = -MAX_INTEGER
        if "maximum" not in made and "exclusiveMaximum" not in made:
            made["maximum"] = MAX_INTEGER
    if kind == "string" and not {"pattern", "enum", "format", "const"} & set(made):
        made["pattern"] = response_structs.NO_NUL


@cache
def make_title_schemas(title: Title[Any]) -> Json:
    """Return the schemas of one title: its options, views, commands and events."""
    read_together((title.View, *lifecycle_facts.FACTS.values(), *title.facts))
    return {
        "options": make_options_schema(title),
        "view": make_standalone_schema(title.View),
        "commands": {type_name(c): make_request_schema(c) for c in title.commands if not c.house},
        "events": {
            type_name(f): make_event_data_schema(f) for f in (*lifecycle_facts.FACTS.values(), *title.facts)
        },
    }


def make_options_schema(title: Title[Any]) -> Json:
    """Return the schema of a title's options.

    The `description` of each tells its effect, `clause` the place of its rules.
    """
    schema = make_request_schema(title.Options)
    for name, note in title.option_notes.items():
        schema["properties"][name] |= {"description": note.effect, "clause": note.clause}
    return schema


def make_event_data_schema(fact: type[Fact]) -> Json:
    """Return the schema of an event's `data`: without the type, and secret fields need not be there."""
    schema = make_standalone_schema(fact)
    properties = dict(schema.get("properties", {}))
    properties.pop("type", None)
    required = [name for name in schema.get("required", []) if name != "type"]
    made: Json = {**schema, "properties": properties, "required": required}
    made.pop("additionalProperties", None)
    defs = made.pop("$defs", {})
    names = {field.name: field.encode_name for field in msgspec.structs.fields(fact)}
    for path, audience in fact.secrets.items():
        who = ", ".join(names.get(name, name) for name in audience) or "nobody"
        made = _mark_secret(made, path.split("."), f"Secret: known to {who} only.", defs)
    used = {name: schema for name, schema in defs.items() if _is_used({**defs, "": made}, name)}
    return {**made, "$defs": used} if used else made


def _mark_secret(schema: Json, path: Sequence[str], note: str, defs: Mapping[str, Json]) -> Json:
    """Return *schema* with the field at *path* not required, and a note on it.

    What it refers to on the way is copied: the same shape may stand elsewhere without a secret.
    """
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    if name:
        schema = defs[name]
    if "anyOf" in schema:
        return {**schema, "anyOf": [_mark_secret(one, path, note, defs) for one in schema["anyOf"]]}
    field, *inner = path
    part = schema.get("properties", {}).get(field)
    if part is None:
        return schema
    if inner:
        return _replace_property(schema, field, _mark_secret(part, inner, note, defs))
    required = [name for name in schema.get("required", ()) if name != field]
    return {**_replace_property(schema, field, {**part, "description": note}), "required": required}


def _replace_property(schema: Json, field: str, part: Json) -> Json:
    return {**schema, "properties": {**schema["properties"], field: part}}


@cache
def make_position_schema(title: Title[Any]) -> Json:
    """Return the schema of a title's positions: their fields, and one to start from."""
    seats = title.seats[0]
    example = title.position(title.open(seats, title.Options(), FastChance("example")).state)
    return {
        "type": "object",
        "description": f"A position of {title.name}. The title itself checks its parts; see the example.",
        "properties": {name: {} for name in example},
        "additionalProperties": False,
        "examples": [example],
    }
