"""The drawn things that a command names, so that a player can give it by pointing at them.

A title says by a table which field names what, ``{"territory": "area:{}", "to": "seat:{}"}``:

* ``field`` or ``command.field`` -> one or more patterns, separated by blanks, in which ``{}`` is the value:
  each of them, where it is drawn, is as good as the others; ``{me}`` is the seat that gives the command;
* ``command`` -> a pattern for the command itself: the card whose play it is;
* the pattern of an object may name its fields, ``route:{owner}.{source}``;
* a pattern after ``>`` belongs to a list whose order matters; an empty one names nothing.

A field without a pattern names whatever is drawn with its value as key. What is not drawn is never named.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Json = dict[str, Any]
Names = Mapping[str, str]
Drawn = Mapping[str, tuple[str, ...]]


def list_drawn_refs(panels: Iterable[Json]) -> Iterator[str]:
    """Every ref of *panels*, in the order in which they are drawn."""
    for value in panels:
        yield from _refs_in(value)


def _refs_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if value.get("ref"):
            yield value["ref"]
        for inner in value.values():
            yield from _refs_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _refs_in(inner)


def group_by_key(refs: Iterable[str]) -> Drawn:
    """*refs* by what stands behind their kind; and each by itself."""
    found: dict[str, dict[str, None]] = {}
    for ref in refs:
        found.setdefault(ref, {})[ref] = None
        found.setdefault(ref.partition(":")[2], {})[ref] = None
    return {key: tuple(each) for key, each in found.items()}


def refs_of(
    command: Json, label: str, drawn: Drawn, names: Names, seat: int | None = None
) -> tuple[list[list[str]], bool]:
    """Return the things that *command* names, and True if their order counts.

    Each thing is a list of all ways to point at it.
    A command that names nothing else is named by a card that is called like its *label*.
    """
    kind, ordered, found = command["type"], False, []
    command = {**command, "me": seat}
    own = names.get(kind)
    if own:
        found.append(_find_drawn(own, kind, command, drawn))
    for field, value in command.items():
        if field in ("type", "me"):
            continue
        pattern = names.get(f"{kind}.{field}", names.get(field))
        ordered = ordered or (pattern or "").startswith(">")
        found += _walk(field, value, pattern, command, drawn, (kind, names))
    sets = [each for at, each in enumerate(found) if each and each not in found[:at]]
    if not sets and label in drawn:
        sets = [list(drawn[label])]
    return sets, ordered


def _walk(
    field: str, value: Any, pattern: str | None, command: Json, drawn: Drawn, about: tuple[str, Names]
) -> Iterator[list[str]]:
    text = pattern or ""
    if isinstance(value, dict) and "{" in text and "{}" not in text:
        yield _find_drawn(text, None, {**command, **value}, drawn)
    elif isinstance(value, dict):
        kind, names = about
        for inner, each in value.items():
            ref_kind = names.get(f"{kind}.{field}.{inner}", names.get(f"{field}.{inner}", names.get(inner)))
            yield from _walk(
                inner, each, ref_kind if ref_kind is not None else pattern, command, drawn, about
            )
            if ref_kind is None and not isinstance(
                each, dict | list | tuple
            ):  # so many of what the key names
                yield (
                    list(drawn.get(inner, ()))
                    if pattern is None
                    else _find_drawn(pattern, inner, command, drawn)
                )
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _walk(field, each, pattern, command, drawn, about)
    elif pattern is not None:
        if value is not None and value is not False:
            yield _find_drawn(pattern.removeprefix(">"), value, command, drawn)
    elif isinstance(value, str):
        yield list(drawn.get(value, ()))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield [*drawn.get(f"{field}:{value}", ()), *drawn.get(f"card:{value}", ())]


def _find_drawn(patterns: str, value: Any, command: Json, drawn: Drawn) -> list[str]:
    """Return those of the refs that *patterns* stand for that are drawn."""
    fill = string.Formatter().vformat
    refs = [fill(pattern, (value,), command) for pattern in patterns.split()]
    return [ref for ref in refs if ref in drawn]
