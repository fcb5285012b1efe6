"""The keys of objects whose keys are data.

msgspec checks them, but leaves them out of its JSON Schemas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import inspect as types

from events.rules.fact import Json

INTEGER_KEY_PATTERN = "^-?(0|[1-9][0-9]{0,15})$"


def add_property_names(struct: type[Any], schemas: Mapping[str, Json]) -> None:
    """Add ``propertyNames`` in *schemas*: those of *struct* and of all that it uses, by class name."""
    for kind in find_structs(struct):
        schema = schemas.get(kind.cls.__name__)
        if schema is not None:
            for field in kind.fields:
                _add_names(field.type, schema["properties"][field.encode_name])


_INFO: dict[type[Any], types.StructType] = {}
"""The types of all structs that were met: msgspec would read each of them again each time."""
_STRUCTS: dict[type[Any], tuple[types.StructType, ...]] = {}
"""All structs that a struct uses, itself the first one."""


def read_together(structs: Iterable[type[Any]]) -> None:
    """Let msgspec read *structs* in one go: what many of them use is then read once."""
    for info in types.multi_type_info([struct for struct in structs if struct not in _INFO]):
        _keep_info(info)


def read_struct_info(struct: type[Any]) -> types.StructType:
    """Return what msgspec knows of a struct."""
    if struct not in _INFO:
        read_together([struct])
    return _INFO[struct]


def find_structs(struct: type[Any]) -> tuple[types.StructType, ...]:
    """Return *struct* and all structs that it uses, each once."""
    if struct not in _STRUCTS:
        _STRUCTS[struct] = tuple(_find_structs(read_struct_info(struct), set()))
    return _STRUCTS[struct]


def _keep_info(kind: types.Type) -> None:
    kind = _strip_metadata(kind)
    if not isinstance(kind, types.StructType):
        for inner in _get_inner_types(kind):
            _keep_info(inner)
    elif kind.cls not in _INFO:
        _INFO[kind.cls] = kind
        for field in kind.fields:
            _keep_info(field.type)


def _find_structs(kind: types.Type, seen: set[type]) -> Iterator[types.StructType]:
    kind = _strip_metadata(kind)
    if isinstance(kind, types.StructType):
        if kind.cls not in seen:
            seen.add(kind.cls)
            yield kind
            for field in kind.fields:
                yield from _find_structs(field.type, seen)
        return
    for inner in _get_inner_types(kind):
        yield from _find_structs(inner, seen)


def _get_inner_types(kind: types.Type) -> tuple[types.Type, ...]:
    if isinstance(kind, types.UnionType):
        return kind.types
    if isinstance(kind, types.DictType):
        return (kind.value_type,)
    if isinstance(kind, types.TupleType):
        return kind.item_types
    if isinstance(kind, types.CollectionType):
        return (kind.item_type,)
    return ()


def _strip_metadata(kind: types.Type) -> types.Type:
    while isinstance(kind, types.Metadata):
        kind = kind.type
    return kind


def _add_names(kind: types.Type, schema: Json) -> None:
    kind = _strip_metadata(kind)
    if isinstance(kind, types.UnionType):
        for one in kind.types:
            _add_names(one, schema)
    elif isinstance(kind, types.DictType):
        part = _find_alternative(schema, "object")
        keys = _make_key_schema(_strip_metadata(kind.key_type))
        if keys is not None:
            part["propertyNames"] = keys
        _add_names(kind.value_type, part.get("additionalProperties", {}))
    elif isinstance(kind, types.CollectionType):
        _add_names(kind.item_type, _find_alternative(schema, "array").get("items", {}))


def _find_alternative(schema: Json, name: str) -> Json:
    """Return the alternative of a schema that is an object (or array) of its own; else an empty one."""
    alternatives: list[Json] = [schema, *schema.get("anyOf", ())]
    for one in alternatives:
        if one.get("type") == name:
            return one
    return {}


def _make_key_schema(kind: types.Type) -> Json | None:
    if isinstance(kind, types.LiteralType):
        return {"enum": list(kind.values)}
    if isinstance(kind, types.IntType):
        return {"pattern": INTEGER_KEY_PATTERN}
    if isinstance(kind, types.StrType) and kind.max_length is not None:
        return {"maxLength": kind.max_length}
    return None
