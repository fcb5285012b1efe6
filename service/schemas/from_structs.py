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


class One(fields.Field[Any]):
    """One of some values, compared together with their types (``true`` is not 1)."""

    default_error_messages = {"choice": "Must be one of: {choices}."}  # noqa: RUF012 - marshmallow's form

    def __init__(self, choices: tuple[Any, ...], **settings: Any) -> None:
        super().__init__(**settings)
        self.choices = choices

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        if any(type(value) is type(choice) and value == choice for choice in self.choices):
            return value
        raise self.make_error("choice", choices=", ".join(str(choice) for choice in self.choices))


class Sequence(fields.List):
    """A list; marshmallow's own would take any iterable, a string among them."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **kwargs)


class Row(fields.Field[Any]):
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


class Either(fields.Field[Any]):
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


class Mapped(fields.Dict):
    """An object whose keys are data; only objects are taken."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **kwargs)


class KeyInteger(fields.Field[Any]):
    """An integer as the key of an object: there it stands as a string."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        if not isinstance(value, str) or not re.fullmatch(r"-?(0|[1-9][0-9]{0,15})", value):
            raise ma.ValidationError("The key is not an integer.")
        return value


Settings = dict[str, Any]


def _integer(kind: types.IntType, settings: Settings) -> fields.Field[Any]:
    return Integer(validate=_range(kind), **settings)


def _number(kind: types.FloatType, settings: Settings) -> fields.Field[Any]:
    return Number(validate=_range(kind), **settings)


def _range(kind: types.IntType | types.FloatType) -> list[Callable[[Any], Any]]:
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


def _length(low: int | None, high: int | None) -> list[Callable[[Any], Any]]:
    return [validate.Length(min=low, max=high)] if low or high is not None else []


def _text(kind: types.StrType, settings: Settings) -> fields.Field[Any]:
    checks = _length(kind.min_length, kind.max_length)
    if kind.pattern:
        # In Python `$` also matches before a last line feed; in JSON Schema it does not.
        compiled = re.compile(re.sub(r"(?<!\\)\$\Z", r"\\Z", kind.pattern))
        checks.append(lambda value: _matches(compiled, value))
    return Text(validate=checks, **settings)


def _matches(pattern: re.Pattern[str], value: str) -> None:
    if not pattern.search(value):
        raise ma.ValidationError(f"Does not match the pattern {pattern.pattern}.")


def _list(kind: types.CollectionType, settings: Settings) -> fields.Field[Any]:
    return Sequence(_field(kind.item_type), validate=_length(kind.min_length, kind.max_length), **settings)


def _row(kind: types.TupleType, settings: Settings) -> fields.Field[Any]:
    return Row(tuple(_field(item) for item in kind.item_types), **settings)


def _mapped(kind: types.DictType, settings: Settings) -> fields.Field[Any]:
    key = kind.key_type
    keys = KeyInteger() if isinstance(key, types.IntType) else _field(key)
    return Mapped(
        keys=keys,
        values=_field(kind.value_type),
        validate=_length(kind.min_length, kind.max_length),
        **settings,
    )


def _struct(kind: types.StructType, settings: Settings) -> fields.Field[Any]:
    return fields.Nested(lambda: schema_of(kind.cls), **settings)


def _union(kind: types.UnionType, settings: Settings) -> fields.Field[Any]:
    inner = tuple(t for t in kind.types if not isinstance(t, types.NoneType))
    if len(inner) < len(kind.types):
        settings = {**settings, "allow_none": True}
    if len(inner) == 1:
        return _field(inner[0], settings)
    return Either(tuple(_field(t) for t in inner), **settings)


_MAKERS: Mapping[type, Callable[[Any, Settings], fields.Field[Any]]] = {
    types.IntType: _integer,
    types.FloatType: _number,
    types.BoolType: lambda _kind, settings: Boolean(**settings),
    types.StrType: _text,
    types.LiteralType: lambda kind, settings: One(tuple(kind.values), **settings),
    types.EnumType: lambda kind, settings: One(tuple(member.value for member in kind.cls), **settings),
    types.ListType: _list,
    types.VarTupleType: _list,
    types.SetType: _list,
    types.FrozenSetType: _list,
    types.TupleType: _row,
    types.DictType: _mapped,
    types.StructType: _struct,
    types.UnionType: _union,
    types.AnyType: lambda _kind, settings: fields.Raw(**{**settings, "allow_none": True}),
    types.NoneType: lambda _kind, settings: One((), **{**settings, "allow_none": True}),
}


def _field(kind: types.Type, settings: Settings | None = None) -> fields.Field[Any]:
    settings = settings or {}
    if isinstance(kind, types.Metadata):
        return _field(kind.type, settings)
    return _MAKERS[type(kind)](kind, settings)


@cache
def schema_of(struct: type[msgspec.Struct]) -> ma.Schema:
    """The schema of a Struct: its fields by their names in JSON, nothing else allowed.

    The tag of a tagged Struct (``type`` of a command) is a field as well, and must be there.
    """
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)  # noqa: S101 - by its annotation
    made: dict[str, Any] = {f.encode_name: _field(f.type, {"required": f.required}) for f in info.fields}
    if info.tag_field is not None:
        made[info.tag_field] = One((info.tag,), required=True)
    return ma.Schema.from_dict(made, name=struct.__name__)(unknown=ma.RAISE)


@cache
def _exact(struct: type[msgspec.Struct]) -> tuple[str, object] | tuple[()] | None:
    """Of a Struct of which msgspec takes nothing that its schema refuses, the tag that must be there.

    None for any other: msgspec lets unknown fields pass where the Struct does, a line feed before the `$` of
    a pattern, and an object of one kind without its tag.
    """
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)  # noqa: S101 - by its annotation
    if not info.forbid_unknown_fields or not all(_is_exact(field.type) for field in info.fields):
        return None
    return () if info.tag_field is None else (info.tag_field, info.tag)


def _is_exact(kind: types.Type) -> bool:
    """The same of what stands in a field."""
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
            return _exact(kind.cls) == ()
        case _:
            return False


class Contradiction(ValueError):
    """Values that are right one by one and wrong together: what no schema can say."""


def read(value: Any, struct: type[T]) -> T:
    """The typed value of *value* (JSON builtins).

    Raises marshmallow.ValidationError, by field; :class:`Contradiction` for what a Struct checks beyond its
    types (in __post_init__).
    """
    # What is right is most often found so by msgspec alone, in a tenth of the time; the schema words errors.
    tag = _exact(struct)
    if tag is not None and isinstance(value, dict) and (not tag or value.get(tag[0]) == tag[1]):
        with contextlib.suppress(msgspec.ValidationError, ValueError, TypeError):
            return msgspec.convert(value, struct, str_keys=True)
    loaded = schema_of(struct).load(value)
    try:
        return msgspec.convert(loaded, struct, str_keys=True)
    except (msgspec.ValidationError, ValueError, TypeError) as error:
        raise Contradiction(str(error)) from None
