"""marshmallow schemas made from msgspec Structs: one source of truth for shapes, and errors by field.

A command type, a title's options, a request of the API: each is one Struct. This module turns it into the
schema that checks what strangers send; afterwards ``msgspec.convert`` gives the typed value.
Nothing is converted on the way: ``"1"`` and ``true`` are no integers.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

import marshmallow as ma
import msgspec
from marshmallow import fields, validate
from msgspec import inspect as types

T = TypeVar("T", bound=msgspec.Struct)


class Integer(fields.Integer):
    """An integer as JSON writes it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid", input=value)
        return value


class Number(fields.Float):
    """A number as JSON writes it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        if type(value) not in (int, float):
            raise self.make_error("invalid", input=value)
        return value


class Boolean(fields.Boolean):
    """``true`` or ``false``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


class Text(fields.String):
    """A string."""


class OneOf(fields.Field[Any]):
    """One of some values, compared together with their types (``true`` is not 1)."""

    default_error_messages = {"choice": "Must be one of: {choices}."}  # noqa: RUF012 - marshmallow's form

    def __init__(self, choices: tuple[Any, ...], **settings: Any) -> None:
        super().__init__(**settings)
        self.choices = choices

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        if any(type(value) is type(choice) and value == choice for choice in self.choices):
            return value
        raise self.make_error("choice", choices=", ".join(str(choice) for choice in self.choices))


class Sequence(fields.List[Any]):
    """A list; marshmallow's own would take any iterable, a string among them."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **kwargs)


class FixedTuple(fields.Field[Any]):
    """A list with a field of its own for each place."""

    default_error_messages = {"length": "Must be a list of {length} items."}  # noqa: RUF012

    def __init__(self, items: tuple[fields.Field[Any], ...], **settings: Any) -> None:
        super().__init__(**settings)
        self.items = items

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list) or len(value) != len(self.items):
            raise self.make_error("length", length=len(self.items))
        errors: dict[int, Any] = {}
        made = []
        for place, (field, item) in enumerate(zip(self.items, value, strict=True)):
            try:
                made.append(field.deserialize(item))
            except ma.ValidationError as error:
                errors[place] = error.messages
        if errors:
            raise ma.ValidationError(errors)
        return made


class OneOfKinds(fields.Field[Any]):
    """A value of one of several kinds; the errors are those of the kind that came nearest."""

    def __init__(self, kinds: tuple[fields.Field[Any], ...], **settings: Any) -> None:
        super().__init__(**settings)
        self.kinds = kinds

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        complaints = []
        for kind in self.kinds:
            try:
                return kind.deserialize(value)
            except ma.ValidationError as error:
                complaints.append(error.messages)
        # A dictionary of complaints speaks of the inside of the value: its outer kind did fit.
        raise ma.ValidationError(max(complaints, key=lambda c: isinstance(c, dict)))


class StrictMapping(fields.Dict):
    """An object whose keys are data; only objects are taken."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **kwargs)  # type: ignore[no-untyped-call]


class IntegerKey(fields.Field[Any]):
    """An integer as the key of an object: there it stands as a string."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        if not isinstance(value, str) or not re.fullmatch(r"-?(0|[1-9][0-9]{0,15})", value):
            raise ma.ValidationError("The key is not an integer.")
        return value


FieldSettings = dict[str, Any]


def _make_integer(kind: types.IntType, settings: FieldSettings) -> fields.Field[Any]:
    return Integer(validate=_make_range_checks(kind), **settings)


def _make_number(kind: types.FloatType, settings: FieldSettings) -> fields.Field[Any]:
    return Number(validate=_make_range_checks(kind), **settings)


def _make_range_checks(kind: types.IntType | types.FloatType) -> list[Callable[[Any], Any]]:
    checks: list[Callable[[Any], Any]] = []
    low, high = (kind.ge, kind.gt), (kind.le, kind.lt)
    if any(bound is not None for bound in (*low, *high)):
        checks.append(
            validate.Range(
                min=kind.gt if kind.ge is None else kind.ge,
                max=kind.lt if kind.le is None else kind.le,
                min_inclusive=kind.ge is not None,
                max_inclusive=kind.le is not None,
            )
        )
    return checks


def _make_length_checks(low: int | None, high: int | None) -> list[Callable[[Any], Any]]:
    return [validate.Length(min=low, max=high)] if low or high is not None else []


def _make_text(kind: types.StrType, settings: FieldSettings) -> fields.Field[Any]:
    checks = _make_length_checks(kind.min_length, kind.max_length)
    if kind.pattern:
        # In Python `$` also matches before a last line feed; in JSON Schema it does not.
        compiled = re.compile(re.sub(r"(?<!\\)\$\Z", r"\\Z", kind.pattern))
        checks.append(lambda value: _check_pattern(compiled, value))
    return Text(validate=checks, **settings)


def _check_pattern(pattern: re.Pattern[str], value: str) -> None:
    if not pattern.search(value):
        raise ma.ValidationError(f"Does not match the pattern {pattern.pattern}.")


def _make_list(kind: types.CollectionType, settings: FieldSettings) -> fields.Field[Any]:
    return Sequence(
        _make_field(kind.item_type),
        validate=_make_length_checks(kind.min_length, kind.max_length),
        **settings,
    )


def _make_tuple(kind: types.TupleType, settings: FieldSettings) -> fields.Field[Any]:
    return FixedTuple(tuple(_make_field(item) for item in kind.item_types), **settings)


def _make_mapping(kind: types.DictType, settings: FieldSettings) -> fields.Field[Any]:
    key = kind.key_type
    keys = IntegerKey() if isinstance(key, types.IntType) else _make_field(key)
    return StrictMapping(
        keys=keys,
        values=_make_field(kind.value_type),
        validate=_make_length_checks(kind.min_length, kind.max_length),
        **settings,
    )


def _make_nested(kind: types.StructType, settings: FieldSettings) -> fields.Field[Any]:
    return fields.Nested(lambda: make_schema(kind.cls), **settings)


def _make_union(kind: types.UnionType, settings: FieldSettings) -> fields.Field[Any]:
    inner = tuple(t for t in kind.types if not isinstance(t, types.NoneType))
    if len(inner) < len(kind.types):
        settings = {**settings, "allow_none": True}
    if len(inner) == 1:
        return _make_field(inner[0], settings)
    return OneOfKinds(tuple(_make_field(t) for t in inner), **settings)


_MAKERS: Mapping[type, Callable[[Any, FieldSettings], fields.Field[Any]]] = {
    types.IntType: _make_integer,
    types.FloatType: _make_number,
    types.BoolType: lambda _kind, settings: Boolean(**settings),
    types.StrType: _make_text,
    types.LiteralType: lambda kind, settings: OneOf(tuple(kind.values), **settings),
    types.EnumType: lambda kind, settings: OneOf(tuple(member.value for member in kind.cls), **settings),
    types.ListType: _make_list,
    types.VarTupleType: _make_list,
    types.SetType: _make_list,
    types.FrozenSetType: _make_list,
    types.TupleType: _make_tuple,
    types.DictType: _make_mapping,
    types.StructType: _make_nested,
    types.UnionType: _make_union,
    types.AnyType: lambda _kind, settings: fields.Raw(**{**settings, "allow_none": True}),
    types.NoneType: lambda _kind, settings: OneOf((), **{**settings, "allow_none": True}),
}


def _make_field(kind: types.Type, settings: FieldSettings | None = None) -> fields.Field[Any]:
    settings = settings or {}
    if isinstance(kind, types.Metadata):
        return _make_field(kind.type, settings)
    return _MAKERS[type(kind)](kind, settings)


@cache
def make_schema(struct: type[msgspec.Struct]) -> ma.Schema:
    """Return the schema of a Struct: its fields by their names in JSON, nothing else allowed.

    The tag of a tagged Struct (``type`` of a command) is a field as well, and must be there.
    """
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)  # noqa: S101 - by its annotation
    made: dict[str, Any] = {f.encode_name: _make_field(f.type, {"required": f.required}) for f in info.fields}
    if info.tag_field is not None:
        made[info.tag_field] = OneOf((info.tag,), required=True)
    return ma.Schema.from_dict(made, name=struct.__name__)(unknown=ma.RAISE)


@cache
def _find_exact_tag(struct: type[msgspec.Struct]) -> tuple[str, object] | tuple[()] | None:
    """Return the tag that a Struct must have, if msgspec takes nothing of it that its schema refuses.

    An empty tuple where it has no tag; None for any other Struct. For msgspec lets unknown fields pass where
    the Struct does, a line feed before the `$` of a pattern, and an object without its tag.
    """
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)  # noqa: S101 - by its annotation
    if not info.forbid_unknown_fields or not all(_is_exact(field.type) for field in info.fields):
        return None
    return () if info.tag_field is None else (info.tag_field, info.tag)


def _is_exact(kind: types.Type) -> bool:
    """Return True if msgspec takes nothing that the schema refuses, for the type of a field."""
    match kind:
        case types.Metadata():
            return _is_exact(kind.type)
        case types.StrType():
            return kind.pattern is None
        case types.IntType() | types.BoolType() | types.LiteralType() | types.NoneType():
            return True
        case types.ListType() | types.VarTupleType():
            return _is_exact(kind.item_type)
        case types.TupleType():
            return all(map(_is_exact, kind.item_types))
        case types.DictType():
            return isinstance(kind.key_type, types.LiteralType) and _is_exact(kind.value_type)
        case types.UnionType():
            return all(map(_is_exact, kind.types))
        case types.StructType():
            return _find_exact_tag(kind.cls) == ()
        case _:
            return False


class ContradictoryValues(ValueError):
    """Values that are right one by one and wrong together: what no schema can say."""


def convert_value(value: Any, struct: type[T]) -> T:
    """Return the typed value of *value* (JSON builtins).

    Raises marshmallow.ValidationError, by field; :class:`ContradictoryValues` for what a Struct checks beyond
    its types (in __post_init__).
    """
    # What is right is most often found so by msgspec alone, in a tenth of the time; the schema words errors.
    tag = _find_exact_tag(struct)
    if tag is not None and isinstance(value, dict) and (not tag or value.get(tag[0]) == tag[1]):
        with contextlib.suppress(msgspec.ValidationError, ValueError, TypeError):
            return msgspec.convert(value, struct, str_keys=True)
    loaded = make_schema(struct).load(value)
    try:
        return msgspec.convert(loaded, struct, str_keys=True)
    except (msgspec.ValidationError, ValueError, TypeError) as error:
        raise ContradictoryValues(str(error)) from None
