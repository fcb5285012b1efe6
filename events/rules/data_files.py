"""Data files of titles: TOML checked against a schema when it is loaded."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import inspect

T = TypeVar("T")

SHOWN = msgspec.Meta(extra={"shown": True})
"""Marks a field of the data that is only shown, such as a picture: no rule reads it."""
Words = Annotated[str, SHOWN]
"""A name or a sentence in the data: it is shown, and no rule reads it."""


def load(package: str, name: str, kind: type[T]) -> T:
    """Read the TOML file *name* of *package* as a *kind* (a msgspec Struct).

    Raises msgspec.ValidationError naming the place where the file does not fit.
    """
    return msgspec.convert(read(package, name), kind)


def read(package: str, name: str) -> dict[str, Any]:
    """Read the TOML file *name* of *package*."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def fingerprint(*data: Any) -> str:
    """SHA-256 (hex) over the *data* that the rules of a title read: a game pins it.

    Fields that are only shown (:data:`Words`, :data:`SHOWN`) do not count, nor do those that have their
    default: names, sentences and pictures can be bettered without a new version of the title.
    """
    encoder = msgspec.json.Encoder(order="sorted")
    return hashlib.sha256(encoder.encode([_strip_shown(value) for value in data])).hexdigest()


def _strip_shown(value: Any) -> Any:
    """Return *value* in JSON's own types, without what is only shown."""
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__
        named = {} if tag.tag_field is None else {tag.tag_field: tag.tag}
        return named | {
            name: _strip_shown(getattr(value, name))
            for name, default in _fields_read(type(value)).items()
            if getattr(value, name) != default
        }
    if isinstance(value, Mapping):
        return {str(key): _strip_shown(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_strip_shown(inner) for inner in value]
    return value


@cache
def _fields_read(kind: type[msgspec.Struct]) -> Mapping[str, Any]:
    """Return the names of the fields of a struct that rules read, each with its default."""
    told = inspect.type_info(kind)
    assert isinstance(told, inspect.StructType)  # noqa: S101 - the type of a struct
    return {
        field.name: field.default
        for field in told.fields
        if not (isinstance(field.type, inspect.Metadata) and (field.type.extra or {}).get("shown"))
    }
