"""Small helpers for immutable values that reducers share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """A copy of *values* with *value* at *index*."""
    return (*values[:index], value, *values[index + 1 :])


def remove_each(values: tuple[T, ...], gone: Iterable[T]) -> tuple[T, ...]:
    """A copy of *values* less one occurrence (the first) of each of *gone*; ValueError if one is missing."""
    left = list(values)
    for value in gone:
        left.remove(value)
    return tuple(left)


def remove_present(values: tuple[T, ...], gone: Iterable[T]) -> tuple[T, ...]:
    """A copy of *values* less one occurrence of each of *gone*, as far as they are there."""
    left = list(values)
    for value in gone:
        if value in left:
            left.remove(value)
    return tuple(left)


def list_clockwise(seats: int, start: int) -> tuple[int, ...]:
    """All seats in order, beginning with *start*."""
    return (*range(start, seats), *range(start))


def plain(value: object) -> dict[str, Any]:
    """*value* (a mapping or Struct) in JSON's own types: dicts with text keys, lists, texts, integers."""
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return read
