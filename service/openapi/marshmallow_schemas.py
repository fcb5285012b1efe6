"""marshmallow schemas made from msgspec Structs: one source of truth for shapes, and errors by field.

A command type, a title's options, a request of the API: each is one Struct. This module turns it into the
schema that checks what strangers send, and of which :mod:`schema_descriptions` makes its JSON Schema. What is
right is most often read by msgspec alone; else the schema words the errors, or loads what msgspec then turns
into the typed value.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

import marshmallow as ma
import msgspec
from marshmallow import fields, validate
from msgspec import inspect as types

from events.rules.steps import Rejected
from service.base.plain_text import find_text_fault, is_explained
from service.openapi.property_names import read_struct_info
from service.openapi.request_fields import (
    Boolean,
    Enumeration,
    FarMoment,
    FixedTuple,
    Integer,
    IntegerKey,
    Moment,
    Null,
    Number,
    ObjectSchema,
    Part,
    Pattern,
    Sequence,
    StrictMapping,
    TaggedUnion,
    Text,
    UntaggedUnion,
    Uuid,
    make_object,
)

T = TypeVar("T", bound=msgspec.Struct)

FieldSettings = dict[str, Any]
Members = dict[str, fields.Field[Any]]

_FORMATS: Mapping[str, type[fields.Field[Any]]] = {"date-time": Moment, "uuid": Uuid}
"""The fields of texts that a Struct declares to have a format."""


class _Maker:
    """Makes the fields of Structs; those that they use are components whose names begin with *prefix*."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def make(self, kind: types.Type, settings: FieldSettings) -> fields.Field[Any]:
        """Return the field of a type."""
        while isinstance(kind, types.Metadata):
            told = kind.extra_json_schema or {}
            settings = {**settings, "metadata": {**told, **settings.get("metadata", {})}}
            kind = kind.type
        return self._MAKERS[type(kind)](self, kind, settings)

    def _make_text(self, kind: types.StrType, settings: FieldSettings) -> fields.Field[Any]:
        form = _FORMATS.get(settings.get("metadata", {}).get("format", ""))
        if form is not None:
            return form(**settings)
        checks = _make_length_checks(kind.min_length, kind.max_length)
        if kind.pattern:
            checks.append(Pattern(kind.pattern, find_text_fault if is_explained(kind.pattern) else None))
        return Text(validate=checks, **settings)

    def _make_list(self, kind: types.CollectionType, settings: FieldSettings) -> fields.Field[Any]:
        checks = _make_length_checks(kind.min_length, kind.max_length)
        return Sequence(self.make(kind.item_type, {}), validate=checks, **settings)

    def _make_tuple(self, kind: types.TupleType, settings: FieldSettings) -> fields.Field[Any]:
        return FixedTuple(tuple(self.make(item, {}) for item in kind.item_types), **settings)

    def _make_mapping(self, kind: types.DictType, settings: FieldSettings) -> fields.Field[Any]:
        return StrictMapping(
            keys=IntegerKey() if isinstance(kind.key_type, types.IntType) else self.make(kind.key_type, {}),
            values=self.make(kind.value_type, {}),
            validate=_make_length_checks(kind.min_length, kind.max_length),
            **settings,
        )

    def _make_part(self, kind: types.StructType, settings: FieldSettings) -> fields.Field[Any]:
        return Part(lambda: make_schema(kind.cls, self.prefix), **settings)

    def _make_union(self, kind: types.UnionType, settings: FieldSettings) -> fields.Field[Any]:
        inner = tuple(t for t in kind.types if not isinstance(t, types.NoneType))
        if len(inner) < len(kind.types):
            settings = {**settings, "allow_none": True}
        if len(inner) == 1:
            return self.make(inner[0], settings)
        structs = [t for t in inner if isinstance(t, types.StructType)]
        if len(structs) == len(inner):  # msgspec takes no other ones than with a common tag
            forms = {str(t.tag): make_schema(t.cls, self.prefix) for t in structs}
            return TaggedUnion(str(structs[0].tag_field), forms, **settings)
        return UntaggedUnion(tuple(self.make(t, {}) for t in inner), **settings)

    _MAKERS: Mapping[type, Callable[[_Maker, Any, FieldSettings], fields.Field[Any]]] = {
        types.IntType: lambda _, kind, settings: Integer(validate=_make_range_checks(kind), **settings),
        types.FloatType: lambda _, kind, settings: Number(validate=_make_range_checks(kind), **settings),
        types.BoolType: lambda _, _kind, settings: Boolean(**settings),
        types.StrType: _make_text,
        types.LiteralType: lambda _, kind, settings: Enumeration(tuple(kind.values), **settings),
        types.EnumType: lambda _, kind, settings: Enumeration(
            tuple(sorted(member.value for member in kind.cls)), **settings
        ),
        types.ListType: _make_list,
        types.VarTupleType: _make_list,
        types.SetType: _make_list,
        types.FrozenSetType: _make_list,
        types.TupleType: _make_tuple,
        types.DictType: _make_mapping,
        types.StructType: _make_part,
        types.UnionType: _make_union,
        types.AnyType: lambda _, _kind, settings: fields.Raw(**{**settings, "allow_none": True}),
        types.NoneType: lambda _, _kind, _settings: Null(),
    }


def _make_range_checks(kind: types.IntType | types.FloatType) -> list[Callable[[Any], Any]]:
    low, high = (kind.ge, kind.gt), (kind.le, kind.lt)
    if all(bound is None for bound in (*low, *high)):
        return []
    return [
        validate.Range(
            min=kind.gt if kind.ge is None else kind.ge,
            max=kind.lt if kind.le is None else kind.le,
            min_inclusive=kind.ge is not None,
            max_inclusive=kind.le is not None,
        )
    ]


class _Length(validate.Length):
    """A check of the length of a text or list, whose errors say what to send."""

    message_min = "Must have a length of at least {min}."
    message_max = "Must have a length of at most {max}."
    message_all = "Must have a length of {min} to {max}."


def _make_length_checks(low: int | None, high: int | None) -> list[Callable[[Any], Any]]:
    return [_Length(min=low, max=high)] if low or high is not None else []


def make_members(struct: type[msgspec.Struct], prefix: str = "") -> Members:
    """Make the fields of a Struct, by their names in JSON.

    The tag of a tagged Struct (``type`` of a command) is a field as well, and must be there.
    """
    info, maker = read_struct_info(struct), _Maker(prefix)
    made: Members = {}
    if info.tag_field is not None:
        made[info.tag_field] = Enumeration((info.tag,), required=True)
    for field in info.fields:
        settings: FieldSettings = {"required": field.required}
        if (default := _find_default(field)) is not msgspec.NODEFAULT:
            settings["metadata"] = {"default": msgspec.to_builtins(default, str_keys=True)}
        made[field.encode_name] = maker.make(field.type, settings)
    return made


def _find_default(field: types.Field) -> Any:
    if field.default_factory in (list, dict):
        return field.default_factory()
    return field.default


def read_description(struct: type[msgspec.Struct]) -> str:
    """Return what a Struct says of itself."""
    return textwrap.dedent(struct.__doc__ or "").strip("\r\n")


@cache
def make_schema(struct: type[msgspec.Struct], prefix: str = "") -> ObjectSchema:
    """Return the schema of a Struct, a component whose name begins with *prefix*."""
    return make_changed_schema(struct, {}, prefix)


def make_changed_schema(
    struct: type[msgspec.Struct],
    changed: Mapping[str, fields.Field[Any] | None],
    prefix: str = "",
    *,
    component: str | None = None,
    **settings: Any,
) -> ObjectSchema:
    """Make the schema of a Struct with *changed* members: others, more, or (None) without them.

    Its *component* is called as the Struct, if nothing else is said.
    """
    members = {**make_members(struct, prefix), **changed}
    return make_object(
        {name: field for name, field in members.items() if field is not None},
        component=component or f"{prefix}{struct.__name__}",
        struct=struct,
        **{"description": read_description(struct), **settings},
    )


class ContradictoryValues(ValueError):
    """Values that are right one by one and wrong together: what no schema can say."""


_PLACE = re.compile(r"(?P<reason>.*) - at `\$\.?(?P<place>[^`]*)`", re.DOTALL)


def build_struct(loaded: Any, struct: type[T]) -> T:
    """Return the typed value of what a schema has *loaded*. Raises :class:`ContradictoryValues`."""
    try:
        return msgspec.convert(loaded, struct, str_keys=True)
    except (msgspec.ValidationError, ValueError, TypeError) as error:
        found = _PLACE.fullmatch(str(error))
        told = f"{found['place']}: {found['reason']}" if found and found["place"] else str(error)
        raise ContradictoryValues(f"{told}. Change one of these values.") from None


def load_request(field: fields.Field[Any], value: Any) -> Any:
    """Return *value* as a field loads it.

    Raises marshmallow.ValidationError, by field, and Rejected for times of other years than 2000 to 2999.
    """
    try:
        loaded = field.deserialize(value)
    except ma.ValidationError as error:
        if isinstance(error.messages, dict):
            raise
        raise ma.ValidationError({"_schema": error.messages}) from None
    _refuse_far_moments(loaded, "")
    return loaded


def _refuse_far_moments(value: Any, place: str) -> None:
    """Raise Rejected for the first far time in *value*, which stands at *place*."""
    if isinstance(value, FarMoment):
        told = f"`{place[1:]}` is too far in the past or the future."
        raise Rejected("not_ahead", f"{told} Send a time from the years 2000 to 2999.")
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        _refuse_far_moments(part, f"{place}.{key}")
