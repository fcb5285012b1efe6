"""Names for choices of objects that can also be null, so that generated clients have a type for each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from service.openapi.title_components import make_reference

Json = dict[str, Any]
NULL = {"type": "null"}


def name_nullable_unions(schemas: Mapping[str, Json]) -> dict[str, Json]:
    """Return *schemas* in which each choice of several objects or null refers to a component.

    Equal choices share a component, such as `NewGameClock`, which is called after its owners and its member.
    """
    found: Json = msgspec.json.decode(msgspec.json.encode(schemas))
    same: defaultdict[bytes, list[tuple[str, str, Json]]] = defaultdict(list)
    for owner, schema in found.items():
        for member, form in _find_unions(schema, ""):
            key = msgspec.json.encode(_take_choice(form), order="sorted")
            same[key].append((owner, member, form))
    for places in same.values():
        name = _choose_name(places, found)
        choice = _take_choice(places[0][2])
        found[name] = {"description": f"One of the forms of `{places[0][1]}`.", **choice}
        for _, _, form in places:
            form["anyOf"] = [make_reference(name), NULL]
    return found


def _find_unions(schema: Any, member: str) -> Iterator[tuple[str, Json]]:
    """Yield each choice of several objects or null in a schema, with the member that it is the form of."""
    if isinstance(schema, list):
        for each in schema:
            yield from _find_unions(each, member)
    if not isinstance(schema, dict):
        return
    if member and _is_nullable_union(schema):
        yield member, schema
        return
    for word, part in schema.items():
        if word == "properties":
            for name, form in part.items():
                yield from _find_unions(form, name)
        elif word not in {"default", "example", "examples", "const", "enum"}:
            yield from _find_unions(part, member)


def _is_nullable_union(schema: Json) -> bool:
    forms = schema.get("anyOf", [])
    others = [form for form in forms if form != NULL]
    if len(others) == len(forms):
        return False
    alternatives = others[0].get("oneOf", []) if len(others) == 1 else others
    return len(alternatives) > 1 and all(
        set(one) == {"$ref"} or one.get("type") == "object" for one in alternatives
    )


def _take_choice(schema: Json) -> Json:
    """Return the choice without null."""
    others = [form for form in schema["anyOf"] if form != NULL]
    return others[0] if len(others) == 1 else {"anyOf": others}


def _choose_name(places: list[tuple[str, str, Json]], taken: Mapping[str, Json]) -> str:
    """Return the name of a choice: its owner and member; without the title if several owners share it."""
    owner, member, _ = places[0]
    word = member.title().replace("_", "")
    if len(places) == 1:
        return owner + word
    [(last, _)] = Counter(each.rpartition(".")[2] for each, _, _ in places).most_common(1)
    return f"{owner}{word}" if f"{last}{word}" in taken else f"{last}{word}"
