"""Commands as short sequences of integers, the same ones for a version of a title: for learning machines.

The *vocabulary* of a title's version is a list of words: signs, numbers, the types of its commands, the ids
of its data. A command is its type's word and then its fields in order; an integer is a word's place in the
list. The encoding needs no state; what may be said in one is :func:`events.research.choices`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, cast

import msgspec
from msgspec import inspect

from events.catalogue import beside
from events.fact import type_name
from events.kit.ways import BASE, BEGIN, CLOSE, END, FALSE, MINUS, NOTHING, OPEN, SIGNS, TRUE, Words, words
from events.steps import Command
from events.title import Title

KIND = "!"
"""Before the name of a type of command, so that no id is taken for it."""
Integers = tuple[int, ...]


class NotSaid(ValueError):
    """A sequence that says no command of the title, or a command for which it has no word."""


@cache
def vocabulary(title: Title[Any]) -> Words:
    """The words of a title's version; an action is a place in this list."""
    kinds = [KIND + type_name(kind) for kind in title.commands if not kind.house]
    numbers = [f"#{n}" for n in range(BASE)] + [f"+{n}" for n in range(BASE)]
    return (*SIGNS, *numbers, *kinds, *sorted(_ids(title)))


@cache
def places(title: Title[Any]) -> dict[str, int]:
    """The place of each word in the vocabulary."""
    return {word: place for place, word in enumerate(vocabulary(title))}


@cache
def ids(title: Title[Any]) -> Words:
    """The words of the vocabulary that are ids of the title's data, and the words of its enumerations."""
    return tuple(sorted(_ids(title)))


def encode(title: Title[Any], command: Command) -> Integers:
    """*command* as places in the vocabulary. Raises :class:`NotSaid` where a text of it is no word."""
    known = places(title)
    try:
        return tuple(known[word] for word in said(command))
    except KeyError as error:
        raise NotSaid(f"{error.args[0]!r} is no word of {title.id} version {title.version}") from None


def said(command: Command) -> Words:
    """The words of a command."""
    return (KIND + type_name(type(command)), *words(command))


def decode(title: Title[Any], integers: Sequence[int]) -> Command:
    """The command that *integers* say: the inverse of :func:`encode`. Raises :class:`NotSaid`."""
    known = vocabulary(title)
    if not all(0 <= place < len(known) for place in integers):
        raise NotSaid(f"places are 0 to {len(known) - 1}")
    return from_words(title, [known[place] for place in integers])


def from_words(title: Title[Any], given: Sequence[str]) -> Command:
    """The command of these words. Raises :class:`NotSaid`."""
    stream = iter(given)
    try:
        kind = title.command_type(next(stream).removeprefix(KIND))
        if kind is None:
            raise NotSaid(f"{given[0]!r} begins no command of {title.id}")
        read = _fields(_info(kind), next(stream, ""), stream)
        command = msgspec.convert(read[0], kind, str_keys=True)
    except (StopIteration, msgspec.ValidationError, TypeError, ValueError) as error:
        raise NotSaid(f"{' '.join(given)!r} is no command: {str(error) or 'it breaks off'}") from None
    if read[1] or next(stream, None) is not None:
        raise NotSaid(f"{' '.join(given)!r} goes on after its command")
    return command


# --- reading --------------------------------------------------------------------------------------


Read = tuple[Any, str]
"""A value, and the word after it: empty at the end."""


@cache
def _info(kind: type) -> inspect.StructType:
    return cast("inspect.StructType", inspect.type_info(kind))


def _fields(info: inspect.StructType, word: str, stream: Iterator[str]) -> Read:
    """A struct's fields, one after the other."""
    values: dict[str, Any] = {}
    if info.tag_field is not None:
        values[info.tag_field] = info.tag
    for field in info.fields:
        if not word:
            raise StopIteration
        values[field.encode_name], word = _value(field.type, word, stream)
    return values, word


def _value(info: inspect.Type, word: str, stream: Iterator[str]) -> Read:
    parts = _parts(info)
    if word == NOTHING and any(isinstance(part, inspect.NoneType) for part in parts):
        return None, next(stream, "")
    for part in parts:
        if isinstance(part, inspect.StructType):
            return _fields(part, word, stream)
    if word in _TRUTH:
        return _TRUTH[word], next(stream, "")
    if word == MINUS:
        value, after = _value(info, next(stream), stream)
        return -value, after
    if word[:1] in {"#", "+"}:
        return _number(word, stream), next(stream, "")
    if word == OPEN:
        return _list(_part(info, inspect.VarTupleType).item_type, stream)
    if word == BEGIN:
        return _map(_part(info, inspect.DictType), stream)
    return word, next(stream, "")


_TRUTH = {TRUE: True, FALSE: False}


def _number(word: str, stream: Iterator[str]) -> int:
    value = int(word[1:])
    while word[0] == "+":
        word = next(stream)
        value = value * BASE + int(word[1:])
    return value


def _list(item: inspect.Type, stream: Iterator[str]) -> Read:
    values, word = [], next(stream)
    while word != CLOSE:
        value, word = _value(item, word, stream)
        values.append(value)
    return values, next(stream, "")


def _map(info: Any, stream: Iterator[str]) -> Read:
    values, word = {}, next(stream)
    while word != END:
        key = word
        values[key], word = _value(info.value_type, next(stream), stream)
    return values, next(stream, "")


def bare(info: inspect.Type) -> inspect.Type:
    """A type without what its schema says of it besides."""
    return bare(info.type) if isinstance(info, inspect.Metadata) else info


def _parts(given: inspect.Type) -> tuple[inspect.Type, ...]:
    info = bare(given)
    return info.types if isinstance(info, inspect.UnionType) else (info,)


def _part(info: inspect.Type, kind: type[inspect.Type]) -> Any:
    for part in _parts(info):
        if isinstance(part, kind):
            return part
    raise NotSaid("a bracket where none can stand")


# --- ids ------------------------------------------------------------------------------------------


def _ids(title: Title[Any]) -> frozenset[str]:
    """The texts that commands are made of: enumerations, and what the title names, or else its board."""
    ways = beside(title, "ways")
    named: Iterable[str] = _texts(title.board) if ways is None else ways.NAMES
    enumerated = (text for kind in title.commands for text in _enumerated(_info(kind)))
    return frozenset(named) | frozenset(enumerated)


def _enumerated(given: inspect.Type) -> Iterator[str]:
    info = bare(given)
    if isinstance(info, inspect.LiteralType):
        yield from (value for value in info.values if isinstance(value, str))
    for inner in _inner(info):
        yield from _enumerated(inner)


def _inner(info: inspect.Type) -> Iterator[inspect.Type]:
    """The types of which a type is made."""
    if isinstance(info, inspect.StructType):
        yield from (field.type for field in info.fields)
    elif isinstance(info, inspect.UnionType):
        yield from info.types
    elif isinstance(info, inspect.VarTupleType):
        yield info.item_type
    elif isinstance(info, inspect.DictType):
        yield from (info.key_type, info.value_type)


def _texts(board: object) -> Iterator[str]:
    if isinstance(board, str):
        if board and board.isascii() and board == board.lower() and " " not in board:
            yield board
    elif isinstance(board, dict):
        for key, value in board.items():
            yield from _texts(key)
            yield from _texts(value)
    elif isinstance(board, list | tuple):
        for value in board:
            yield from _texts(value)
