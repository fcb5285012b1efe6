"""The keys of objects whose keys are data: msgspec checks them, but leaves them out of its JSON Schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import inspect as types

from events.rules.fact import Json

INTEGER_KEY = "^-?(0|[1-9][0-9]{0,15})$"


def name_keys(struct: type[Any], schemas: Mapping[str, Json]) -> None:
    """Add ``propertyNames`` in *schemas*: those of *struct* and of all that it uses, by class name."""
    for kind in _structs(types.type_info(struct), set()):
        schema = schemas.get(kind.cls.__name__)
        if schema is not None:
            for field in kind.fields:
                _add(field.type, schema["properties"][field.encode_name])


def _structs(kind: types.Type, seen: set[type]) -> Iterator[types.StructType]:
    kind = _plain(kind)
    if isinstance(kind, types.StructType):
        if kind.cls not in seen:
            seen.add(kind.cls)
            yield kind
            for field in kind.fields:
                yield from _structs(field.type, seen)
        return
    for inner in _inside(kind):
        yield from _structs(inner, seen)


def _inside(kind: types.Type) -> tuple[types.Type, ...]:
    if isinstance(kind, types.UnionType):
        return kind.types
    if isinstance(kind, types.DictType):
        return (kind.value_type,)
    if isinstance(kind, types.TupleType):
        return kind.item_types
    if isinstance(kind, types.CollectionType):
        return (kind.item_type,)
    return ()


def _plain(kind: types.Type) -> types.Type:
    while isinstance(kind, types.Metadata):
        kind = kind.type
    return kind


def _add(kind: types.Type, schema: Json) -> None:
    kind = _plain(kind)
    if isinstance(kind, types.UnionType):
        for one in kind.types:
            _add(one, schema)
    elif isinstance(kind, types.DictType):
        part = _of_type(schema, "object")
        keys = _keys(_plain(kind.key_type))
        if keys is not None:
            part["propertyNames"] = keys
        _add(kind.value_type, part.get("additionalProperties", {}))
    elif isinstance(kind, types.CollectionType):
        _add(kind.item_type, _of_type(schema, "array").get("items", {}))


def _of_type(schema: Json, name: str) -> Json:
    """That alternative of a schema that is an object (or array) of its own."""
    for one in (schema, *schema.get("anyOf", ())):
        if one.get("type") == name:
            return one
    return {}


def _keys(kind: types.Type) -> Json | None:
    if isinstance(kind, types.LiteralType):
        return {"enum": list(kind.values)}
    if isinstance(kind, types.IntType):
        return {"pattern": INTEGER_KEY}
    if isinstance(kind, types.StrType) and kind.max_length is not None:
        return {"maxLength": kind.max_length}
    return None
