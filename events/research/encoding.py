"""Commands as short sequences of integers, which stay the same for a version of a title.

Learning programs use them.

The *vocabulary* of a title's version is a list of words: signs, numbers, the types of its commands, the ids
of its data. A command is its type's word and then its fields in order; an integer is a word's place in the
list. The encoding needs no state; what may be said in one is :func:`events.research.simulation.choices`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, cast

import msgspec
from msgspec import inspect

from events.rules.catalogue import module_beside
from events.rules.fact import type_name
from events.rules.kit.ways import (
    BASE,
    BEGIN,
    CLOSE,
    END,
    FALSE,
    MINUS,
    NOTHING,
    OPEN,
    SIGNS,
    TRUE,
    Words,
    words,
)
from events.rules.steps import Command
from events.rules.title import Title

KIND = "!"
"""The prefix of the name of a type of command, so that no id is taken for it."""
Integers = tuple[int, ...]


class EncodingError(ValueError):
    """A sequence that says no command of the title, or a command for which it has no word."""


@cache
def vocabulary(title: Title[Any]) -> Words:
    """Return the words of a title's version; an action is a place in this list."""
    kinds = [KIND + type_name(kind) for kind in title.commands if not kind.house]
    numbers = [f"#{n}" for n in range(BASE)] + [f"+{n}" for n in range(BASE)]
    return (*SIGNS, *numbers, *kinds, *sorted(_collect_ids(title)))


@cache
def word_indices(title: Title[Any]) -> dict[str, int]:
    """Return the place of each word in the vocabulary."""
    return {word: place for place, word in enumerate(vocabulary(title))}


@cache
def data_ids(title: Title[Any]) -> Words:
    """Return the words of the vocabulary that are ids of the title's data, or of its enumerations."""
    return tuple(sorted(_collect_ids(title)))


def encode(title: Title[Any], command: Command) -> Integers:
    """*command* as places in the vocabulary. Raises :class:`EncodingError` where a text of it is no word."""
    known = word_indices(title)
    try:
        return tuple(known[word] for word in command_words(command))
    except KeyError as error:
        raise EncodingError(f"{error.args[0]!r} is no word of {title.id} version {title.version}") from None


def command_words(command: Command) -> Words:
    """Return the words of a command."""
    return (KIND + type_name(type(command)), *words(command))


def decode(title: Title[Any], integers: Sequence[int]) -> Command:
    """Return the command that *integers* say: inverts :func:`encode`. Raises :class:`EncodingError`.

    >>> from events.rules.catalogue import find_title
    >>> title = find_title("colonial_empires")
    >>> command = title.command_type("submit_build")(("china_tea",))
    >>> decode(title, encode(title, command)) == command
    True
    """
    known = vocabulary(title)
    if not all(0 <= place < len(known) for place in integers):
        raise EncodingError(f"places are 0 to {len(known) - 1}")
    return parse_words(title, [known[place] for place in integers])


def parse_words(title: Title[Any], given: Sequence[str]) -> Command:
    """Return the command of these words. Raises :class:`EncodingError`."""
    stream = iter(given)
    try:
        kind = title.command_type(next(stream).removeprefix(KIND))
        if kind is None:
            raise EncodingError(f"{given[0]!r} begins no command of {title.id}")
        read = _read_fields(_struct_info(kind), next(stream, ""), stream)
        command = msgspec.convert(read[0], kind, str_keys=True)
    except (StopIteration, msgspec.ValidationError, TypeError, ValueError) as error:
        raise EncodingError(f"{' '.join(given)!r} is no command: {str(error) or 'it breaks off'}") from None
    if read[1] or next(stream, None) is not None:
        raise EncodingError(f"{' '.join(given)!r} goes on after its command")
    return command


# --- reading --------------------------------------------------------------------------------------


ReadValue = tuple[Any, str]
"""A value, and the word after it: empty at the end."""


@cache
def _struct_info(kind: type) -> inspect.StructType:
    return cast("inspect.StructType", inspect.type_info(kind))


def _read_fields(info: inspect.StructType, word: str, stream: Iterator[str]) -> ReadValue:
    """Return a struct's fields, one after the other."""
    values: dict[str, Any] = {}
    if info.tag_field is not None:
        values[info.tag_field] = info.tag
    for field in info.fields:
        if not word:
            raise StopIteration
        values[field.encode_name], word = _read_value(field.type, word, stream)
    return values, word


def _read_value(info: inspect.Type, word: str, stream: Iterator[str]) -> ReadValue:
    parts = _union_members(info)
    if word == NOTHING and any(isinstance(part, inspect.NoneType) for part in parts):
        return None, next(stream, "")
    for part in parts:
        if isinstance(part, inspect.StructType):
            return _read_fields(part, word, stream)
    if word in _TRUTH:
        return _TRUTH[word], next(stream, "")
    if word == MINUS:
        value, after = _read_value(info, next(stream), stream)
        return -value, after
    if word[:1] in {"#", "+"}:
        return _read_number(word, stream), next(stream, "")
    if word == OPEN:
        return _read_list(_find_member(info, inspect.VarTupleType).item_type, stream)
    if word == BEGIN:
        return _read_map(_find_member(info, inspect.DictType), stream)
    return word, next(stream, "")


_TRUTH = {TRUE: True, FALSE: False}


def _read_number(word: str, stream: Iterator[str]) -> int:
    value = int(word[1:])
    while word[0] == "+":
        word = next(stream)
        value = value * BASE + int(word[1:])
    return value


def _read_list(item: inspect.Type, stream: Iterator[str]) -> ReadValue:
    values, word = [], next(stream)
    while word != CLOSE:
        value, word = _read_value(item, word, stream)
        values.append(value)
    return values, next(stream, "")


def _read_map(info: Any, stream: Iterator[str]) -> ReadValue:
    values, word = {}, next(stream)
    while word != END:
        key = word
        values[key], word = _read_value(info.value_type, next(stream), stream)
    return values, next(stream, "")


def strip_metadata(info: inspect.Type) -> inspect.Type:
    """Return a type without what its schema says of it besides."""
    return strip_metadata(info.type) if isinstance(info, inspect.Metadata) else info


def _union_members(given: inspect.Type) -> tuple[inspect.Type, ...]:
    info = strip_metadata(given)
    return tuple(map(strip_metadata, info.types)) if isinstance(info, inspect.UnionType) else (info,)


def _find_member(info: inspect.Type, kind: type[inspect.Type]) -> Any:
    for part in _union_members(info):
        if isinstance(part, kind):
            return part
    raise EncodingError("a bracket where none can stand")


# --- ids ------------------------------------------------------------------------------------------


def _collect_ids(title: Title[Any]) -> frozenset[str]:
    """The texts that commands are made of: enumerations, and what the title names, or else its board."""
    ways = module_beside(title, "ways")
    named: Iterable[str] = _board_texts(title.board) if ways is None else ways.NAMES
    enumerated = (text for kind in title.commands for text in _enumeration_texts(_struct_info(kind)))
    return frozenset(named) | frozenset(enumerated)


def _enumeration_texts(given: inspect.Type) -> Iterator[str]:
    info = strip_metadata(given)
    if isinstance(info, inspect.LiteralType):
        yield from (value for value in info.values if isinstance(value, str))
    for inner in _inner_types(info):
        yield from _enumeration_texts(inner)


def _inner_types(info: inspect.Type) -> Iterator[inspect.Type]:
    """Yield the types of which a type is made."""
    if isinstance(info, inspect.StructType):
        yield from (field.type for field in info.fields)
    elif isinstance(info, inspect.UnionType):
        yield from info.types
    elif isinstance(info, inspect.VarTupleType):
        yield info.item_type
    elif isinstance(info, inspect.DictType):
        yield from (info.key_type, info.value_type)


def _board_texts(board: object) -> Iterator[str]:
    if isinstance(board, str):
        if board and board.isascii() and board == board.lower() and " " not in board:
            yield board
    elif isinstance(board, dict):
        for key, value in board.items():
            yield from _board_texts(key)
            yield from _board_texts(value)
    elif isinstance(board, list | tuple):
        for value in board:
            yield from _board_texts(value)
