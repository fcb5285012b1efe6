"""The pages of the documentation about events: every type with its members, made from the facts."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from events.rules.catalogue import find_title
from events.rules.fact import Fact, Json, type_name
from events.table import lifecycle_facts
from events.tournament.folding import FACTS as TOURNAMENT_FACTS
from service.openapi import json_schemas, member_descriptions
from service.openapi.attribute_docs import to_markdown

_HEAD = "| {} | type | description |\n|---|---|---|"


def make_platform_events() -> str:
    """Return the events of tables and of tournaments in Markdown."""
    return "\n\n".join(
        (
            "## Events of every game",
            *_describe_facts(lifecycle_facts.FACTS.values(), of_title=False),
            "## Events of tournaments",
            *_describe_facts(TOURNAMENT_FACTS.values(), of_title=False),
        )
    )


def make_title_events(title_id: str) -> str:
    """Return the events of a title in Markdown."""
    title = find_title(title_id)
    return "\n\n".join(("## Events", *_describe_facts(title.facts, of_title=True)))


def _describe_facts(facts: Iterable[type[Fact]], *, of_title: bool) -> Iterator[str]:
    """Yield a section for each fact, and one for each object inside them."""
    parts: dict[str, Json] = {}
    for fact in sorted(facts, key=type_name):
        schema = json_schemas.make_event_data_schema(fact)
        parts |= schema.get("$defs", {})
        yield f"### {type_name(fact)}"
        yield to_markdown(inspect.getdoc(fact) or "")
        yield make_table(schema, secrets=_list_secrets(fact), of_title=of_title)
    yield from describe_objects(parts, of_title=of_title)


def describe_objects(parts: Mapping[str, Json], *, of_title: bool = False) -> Iterator[str]:
    """Yield a section for each object that others refer to, by its name."""
    for name, part in sorted(parts.items()):
        yield f"### Object {name}"
        if part.get("description"):
            yield to_markdown(part["description"])
        yield make_table(part, of_title=of_title)


def _list_secrets(fact: type[Fact]) -> Mapping[str, str]:
    """Return who may know each secret member; those inside an object count for that object."""
    names = {field.name: field.encode_name for field in msgspec.structs.fields(fact)}
    found = {}
    for path, audience in fact.secrets.items():
        who = " and ".join(f"`{names.get(name, name)}`" for name in audience)
        inner = path.partition(".")[2]
        of = f"`{inner}` is secret" if inner else "Secret"
        known = f"only {who} may know it" if who else "no seat may know it while the game runs"
        found[path.partition(".")[0]] = f"{of}: {known}."
    return found


def make_table(
    schema: Json, head: str = "member", *, secrets: Mapping[str, str] | None = None, of_title: bool = False
) -> str:
    """Return the members of an object as a table, whose first column is called *head*."""
    members = schema.get("properties", {})
    if not members:
        values = schema.get("enum")
        return f"One of: {_list_values(values)}." if values else "No members."
    rows = []
    for name, member in members.items():
        told = member.get("description", "")
        if told.startswith("Secret:"):
            told = ""  # said below, with code marks
        told = told or (member_descriptions.find_title_sentence(name, member) or "" if of_title else "")
        words = " ".join(part for part in (told, (secrets or {}).get(name, "")) if part)
        rows.append(f"| `{name}` | {describe_type(member)} | {words.replace('|', chr(92) + '|')} |")
    return "\n".join((_HEAD.format(head), *rows))


def _list_values(values: Sequence[Any]) -> str:
    return ", ".join(f"`{msgspec.json.encode(value).decode()}`" for value in values)


def describe_type(schema: Json) -> str:
    """Return the type of a member in a few words of Markdown."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#object-{name.lower()})"
    if "const" in schema:
        return _list_values([schema["const"]])
    if "enum" in schema:
        return _list_values(schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(describe_type(one) for one in schema["anyOf"]))
    kind = schema.get("type", "any value")
    if kind == "array":
        return _describe_array(schema)
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {describe_type(schema['additionalProperties'])} by key"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _describe_array(schema: Json) -> str:
    if "prefixItems" in schema:
        return f"list: {', '.join(describe_type(one) for one in schema['prefixItems'])}"
    items = schema.get("items")
    return f"list of {describe_type(items)}" if isinstance(items, dict) else "list"
