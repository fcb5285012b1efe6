"""Reading positions: shapes and ranges checked, with a message that names the part that is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from events.rules.title import InvalidPosition

T = TypeVar("T")


def read(given: Any, kind: type[T]) -> T:
    """*given* (JSON) as a *kind*. Raises :class:`InvalidPosition` that names the place."""
    try:
        return msgspec.convert(given, kind, str_keys=True)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise InvalidPosition(str(error)) from None


def need(holds: bool, part: str, problem: str) -> None:
    """Raise :class:`InvalidPosition` ``part: problem`` unless it *holds*."""
    if not holds:
        raise InvalidPosition(f"{part}: {problem}")


def to_mapping(keys: Sequence[str], values: Sequence[T]) -> dict[str, T]:
    """Values that stand in the order of *keys* (Territories, colours) as a mapping that people can read."""
    return dict(zip(keys, values, strict=True))


def from_mapping(keys: Sequence[str], given: Mapping[str, T], part: str) -> tuple[T, ...]:
    """The inverse of :func:`to_mapping`: each key once. Raises :class:`InvalidPosition` naming *part*."""
    lacking, surplus = [k for k in keys if k not in given], [k for k in given if k not in keys]
    need(not lacking, part, f"{', '.join(lacking)} is missing")
    need(not surplus, part, f"there is no {', '.join(surplus)}")
    return tuple(given[key] for key in keys)
