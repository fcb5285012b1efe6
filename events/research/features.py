"""A view as a fixed row of integers: what each place means follows from the title's `View` alone.

The row has the same length and meaning for every game of a title's version, whatever its table and options.
Numbers stand as they are; a text is its place among the ids of the vocabulary, counted from 1 (0: none, or
another text); an enumeration likewise among its members; a list of texts is how often each id occurs in it;
any other list has as many slots as it has at the beginning of a game at the largest table, and at least one a
seat. What does not fit is left out, and the length of each list stands before it, so that this shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any, cast

import msgspec
from msgspec import UNSET, inspect

from events.research.encoding import data_ids, strip_metadata
from events.rules.bounds import EACH, OF_TABLE
from events.rules.fast_chance import FastChance
from events.rules.title import Title

NUMBER_BOUNDS = (-(2**31), 2**31 - 1)
"""The bounds of a number that the view does not bound; larger ones are cut there."""
Bounds = tuple[int, int]


class Feature(msgspec.Struct, frozen=True):
    """One place of the row."""

    name: str
    """The place in the view: ``treasury[2]``, ``hand#india_tea`` (how often), ``offers#`` (how
    many)."""
    low: int
    """The least by the type alone. It is fixed for a version of the title, like `high`."""
    high: int
    least: int
    """The least that a game has: what the view declares, as in :mod:`events.rules.bounds`."""
    most: int


Write = Callable[[Any, list[int]], None]
"""Appends the places of a value, which is not None, to the row."""


class _Column(msgspec.Struct, frozen=True):
    """A part of the view: what its places are, and how they are filled."""

    places: tuple[Feature, ...]
    write: Write

    def append(self, value: Any, row: list[int]) -> None:
        """The places of a value; of none, as many zeros."""
        if value is None or value is UNSET:
            row.extend((0,) * len(self.places))
        else:
            self.write(value, row)


def layout(title: Title[Any]) -> tuple[Feature, ...]:
    """Return the meaning of each place of :func:`features`."""
    return _column(title).places


def features(title: Title[Any], view: Any) -> list[int]:
    """Return a view of the title (see `Title.view`) as integers: one a place of :func:`layout`."""
    row: list[int] = []
    _column(title).append(view, row)
    return row


@cache
def _column(title: Title[Any]) -> _Column:
    seats = max(title.seats)
    example = title.view(title.open(seats, title.Options(), FastChance(0)).state, 0)
    return _Layout(data_ids(title), seats).column_for(inspect.type_info(title.View), "", example)


class _Layout:
    """Makes the columns of a title from the types of its view and an example."""

    def __init__(self, known: Sequence[str], seats: int) -> None:
        self._known = {text: place for place, text in enumerate(known, 1)}
        self._seats = seats

    def column_for(self, given: inspect.Type, name: str, example: Any) -> _Column:
        """Return the column of a value of that type; *example* is one, or None."""
        info = strip_metadata(given)
        if isinstance(info, inspect.UnionType):
            return self._union(info, name, example)
        if isinstance(info, inspect.StructType):
            return self._struct(info, name, example)
        if isinstance(info, inspect.VarTupleType | inspect.ListType):
            return self._list(given, name, example)
        if isinstance(info, inspect.TupleType):
            return self._tuple(info, name, example)
        if isinstance(info, inspect.DictType):
            return self._map(info, name, example)
        if isinstance(info, inspect.LiteralType):
            return self._literal(info, name)
        if isinstance(info, inspect.StrType):
            return _scalar_column(
                _make_place(name, len(self._known)), lambda value: self._known.get(value, 0)
            )
        if isinstance(info, inspect.BoolType):
            return _scalar_column(_make_place(name, 1), int)
        if isinstance(info, inspect.IntType):
            return self._integer(given, name)
        raise TypeError(f"{name}: no features are known of {info}")

    def _integer(self, given: inspect.Type, name: str) -> _Column:
        info = cast("inspect.IntType", strip_metadata(given))
        low = NUMBER_BOUNDS[0] if info.ge is None else info.ge
        high = NUMBER_BOUNDS[1] if info.le is None else info.le
        least, most = self._read_bounds(given)
        place = Feature(name, min(low, 0), max(high, 0), min(least, 0), max(most, 0))
        return _scalar_column(place, lambda value: max(place.least, min(place.most, value)))

    def _read_bounds(self, given: inspect.Type) -> Bounds:
        """Return the bounds of a number: those of its type, and what the view declares besides."""
        declared, marks = _read_declaration(given)
        info = cast("inspect.IntType", strip_metadata(given))
        least = [NUMBER_BOUNDS[0], declared.get("minimum"), info.ge, None if info.gt is None else info.gt + 1]
        most = [NUMBER_BOUNDS[1], declared.get("maximum"), info.le, None if info.lt is None else info.lt - 1]
        if OF_TABLE in marks:
            most.append(self._seats - 1)
        return max(n for n in least if n is not None), min(n for n in most if n is not None)

    def _read_length(self, given: inspect.Type) -> int:
        """Return the most items of a list."""
        declared, marks = _read_declaration(given)
        info = cast("inspect.VarTupleType", strip_metadata(given))
        most = [NUMBER_BOUNDS[1], declared.get("maxItems"), info.max_length]
        if OF_TABLE in marks:
            most.append(self._seats)
        return min(n for n in most if n is not None)

    def _literal(self, info: inspect.LiteralType, name: str) -> _Column:
        members = {value: place for place, value in enumerate(info.values, 1)}
        return _scalar_column(_make_place(name, len(members)), lambda value: members.get(value, 0))

    def _union(self, info: inspect.UnionType, name: str, example: Any) -> _Column:
        """Return the column of a union: a place for its kind (0: absent), then the columns of each kind."""
        kinds = _union_kinds(info)
        columns = [
            self.column_for(one, _tag_name(name, one, kinds), _value_if_fits(one, example)) for one in kinds
        ]
        if len(columns) == 1 and isinstance(strip_metadata(kinds[0]), inspect.StrType | inspect.LiteralType):
            return columns[0]
        places = (_make_place(f"{name}?", len(kinds)), *(p for column in columns for p in column.places))

        def write(value: Any, row: list[int]) -> None:
            which = next((place for place, one in enumerate(kinds, 1) if _fits(one, value)), 0)
            row.append(which)
            for place, column in enumerate(columns, 1):
                column.append(value if place == which else None, row)

        return _Column(places, write)

    def _struct(self, info: inspect.StructType, name: str, example: Any) -> _Column:
        columns: list[tuple[str, _Column]] = []
        for field in info.fields:
            inner = _read_field(example, field.name)
            columns.append(
                (field.name, self.column_for(field.type, f"{name}.{field.name}".lstrip("."), inner))
            )

        def write(value: Any, row: list[int]) -> None:
            for key, column in columns:
                column.append(getattr(value, key), row)

        return _Column(tuple(p for _, column in columns for p in column.places), write)

    def _list(self, given: inspect.Type, name: str, example: Any) -> _Column:
        item, length = cast("inspect.VarTupleType", strip_metadata(given)).item_type, self._read_length(given)
        if isinstance(strip_metadata(item), inspect.StrType):
            declared, marks = _read_declaration(given)
            each = 1 if declared.get("uniqueItems") else marks.get(EACH, length)
            return self._bag(name, length, each)
        there = list(example or ())
        slots = max(len(there), self._seats)
        columns = [
            self.column_for(item, f"{name}[{slot}]", there[slot] if slot < len(there) else None)
            for slot in range(slots)
        ]
        return _list_column(name, length, columns, lambda value: value)

    def _tuple(self, info: inspect.TupleType, name: str, example: Any) -> _Column:
        there = list(example or (None,) * len(info.item_types))
        columns = [
            self.column_for(item, f"{name}[{slot}]", there[slot]) for slot, item in enumerate(info.item_types)
        ]

        def write(value: Any, row: list[int]) -> None:
            for column, inner in zip(columns, value, strict=True):
                column.append(inner, row)

        return _Column(tuple(p for column in columns for p in column.places), write)

    def _bag(self, name: str, length: int, each: int) -> _Column:
        """Return the column of a list of ids: its length, then the number of times that each id occurs."""
        places = [_make_count(f"{name}#", length)]
        places += [_make_count(f"{name}#{text}", each) for text in self._known]

        def write(value: Any, row: list[int]) -> None:
            start = len(row)
            row.append(len(value))
            row.extend((0,) * len(self._known))
            for text in value:
                place = self._known.get(text)
                if place is not None:
                    row[start + place] += 1

        return _Column(tuple(places), write)

    def _map(self, info: inspect.DictType, name: str, example: Any) -> _Column:
        """Return the values of the keys that there can be, or that the example has; else pairs in slots."""
        keys = self._keys(info.key_type, example)
        if keys:
            there = example or {}
            columns = {key: self.column_for(info.value_type, f"{name}.{key}", there.get(key)) for key in keys}

            def write(value: Any, row: list[int]) -> None:
                for key, column in columns.items():
                    column.append(value.get(key), row)

            return _Column(tuple(p for column in columns.values() for p in column.places), write)
        pairs = [self._pair(info, f"{name}[{slot}]") for slot in range(self._seats)]
        most = len(self._known) if info.max_length is None else info.max_length
        return _list_column(name, most, pairs, lambda value: sorted(value.items()))

    def _pair(self, info: inspect.DictType, name: str) -> _Column:
        key, held = (
            self.column_for(info.key_type, f"{name}.key", None),
            self.column_for(info.value_type, name, None),
        )

        def write(value: Any, row: list[int]) -> None:
            key.append(value[0], row)
            held.append(value[1], row)

        return _Column((*key.places, *held.places), write)

    def _keys(self, info: inspect.Type, example: Mapping[Any, Any] | None) -> tuple[Any, ...]:
        if isinstance(strip_metadata(info), inspect.LiteralType):
            return tuple(cast("inspect.LiteralType", strip_metadata(info)).values)
        if isinstance(strip_metadata(info), inspect.IntType):
            return tuple(range(self._seats))
        return tuple(example or ())


def _make_place(name: str, most: int) -> Feature:
    """Return a place that is 0 or more, and by its type no more than *most*."""
    return Feature(name, 0, most, 0, most)


def _make_count(name: str, most: int) -> Feature:
    """Return a place that counts, and that the view bounds."""
    return Feature(name, 0, NUMBER_BOUNDS[1], 0, most)


def _read_declaration(given: inspect.Type) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return what a type declares besides: in its JSON schema, and as marks of :mod:`events.rules.bounds`."""
    schema: dict[str, Any] = {}
    marks: dict[str, Any] = {}
    while isinstance(given, inspect.Metadata):
        schema = (given.extra_json_schema or {}) | schema
        marks = (given.extra or {}) | marks
        given = given.type
    return schema, marks


def _scalar_column(place: Feature, number: Callable[[Any], int]) -> _Column:
    return _Column((place,), lambda value, row: row.append(number(value)))


def _list_column(
    name: str, length: int, columns: Sequence[_Column], listed: Callable[[Any], Sequence[Any]]
) -> _Column:
    """Return the column of a list: its length, then its slots."""
    places = (_make_count(f"{name}#", length), *(p for column in columns for p in column.places))

    def write(value: Any, row: list[int]) -> None:
        there = listed(value)
        row.append(len(there))
        for column, inner in zip_longest(columns, there[: len(columns)]):
            column.append(inner, row)

    return _Column(places, write)


def _read_field(value: Any, name: str) -> Any:
    """Return a field; None where there is no value, or the field is absent for this viewer."""
    found = None if value is None else getattr(value, name)
    return None if found is UNSET else found


def _union_kinds(info: inspect.UnionType) -> list[inspect.Type]:
    """Return the kinds that a union can be, besides nothing; several enumerations are one."""
    found = [
        one
        for one in info.types
        if not isinstance(strip_metadata(one), inspect.NoneType) and not _is_unset(strip_metadata(one))
    ]
    listed = [one for one in found if isinstance(one, inspect.LiteralType)]
    if len(listed) < 2:
        return found
    whole = inspect.LiteralType(tuple(value for one in listed for value in one.values))
    return [*(one for one in found if not isinstance(one, inspect.LiteralType)), whole]


def _is_unset(info: inspect.Type) -> bool:
    return isinstance(info, inspect.CustomType) and info.cls is msgspec.UnsetType


def _tag_name(name: str, given: inspect.Type, kinds: Sequence[inspect.Type]) -> str:
    if len(kinds) == 1:
        return name
    info = strip_metadata(given)
    if isinstance(info, inspect.StructType):
        return f"{name}<{info.tag or info.cls.__name__}>"
    return f"{name}<{type(info).__name__.removesuffix('Type').lower()}>"


def _value_if_fits(given: inspect.Type, value: Any) -> Any:
    return value if value is not None and _fits(given, value) else None


_PLAIN: Mapping[type[inspect.Type], tuple[type, ...]] = {
    inspect.VarTupleType: (tuple, list),
    inspect.TupleType: (tuple, list),
    inspect.ListType: (tuple, list),
    inspect.DictType: (dict,),
    inspect.LiteralType: (str, int),
    inspect.StrType: (str,),
    inspect.BoolType: (bool,),
    inspect.IntType: (int,),
}


def _fits(given: inspect.Type, value: Any) -> bool:
    """Return True if a value is of that part of a union."""
    info = strip_metadata(given)
    if isinstance(info, inspect.StructType):
        return isinstance(value, cast("type", info.cls))
    return isinstance(value, _PLAIN[type(info)])
