"""Sentences about members of the API that neither a description nor a docstring explains.

Members of requests and of titles that are put together here and there get theirs in one pass over the
finished description.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from tomllib import loads
from typing import Any

import msgspec

from events.rules.fact import Json

DEFAULT = "Default: "
"""The beginning of the description of a member of which only its default is told."""
NULL_DEFAULT = f"{DEFAULT}`null`."
_INNER = ("items", "prefixItems", "anyOf", "oneOf", "allOf", "additionalProperties")
_PLATFORM: Mapping[str, str] = {
    "ChangeVisibility.visibility": "The new visibility.",
    "ConfirmDeletion.confirm": "Your handle, or your name if you have no handle.",
    "Fork.seats": "The holder of each seat. Default: you hold all seats.",
    "JsonSchema.$defs": "Schemas that other schemas refer to, by name.",
    "JsonSchema.$ref": "The schema that applies here.",
    "JsonSchema.anyOf": "Schemas of which one applies.",
    "JsonSchema.description": "A description of the value.",
    "JsonSchema.properties": "The schema of each member.",
    "JsonSchema.required": "The members that are always there.",
    "JsonSchema.type": "The type or types of the value.",
    "JsonSchema.title": "A name for the schema.",
    "NewToken.label": "A label for you, such as `my phone`.",
    "NewToken.scopes": "The scopes of the token.",
    "NewTournament.absence": "The consequences when the time of a seat is up.",
    "NewTournament.clock": "The clock of the games. Default: none.",
    "NewTournament.options": "The options of the title.",
    "NewTournament.stages": "The stages, in order.",
    "NewTournament.table": "The size of a table.",
    "NewTournament.title": "The id of the title.",
    "OneNote.text": "The text of the note.",
    "RecordedCommand.type": "The type of the command.",
    "Recover.account": "The id of the account.",
    "Recover.code": "One of its recovery codes.",
    "Reveal.contribution": "The contribution of your seat (hex).",
    "Reveal.director_contribution": "The contribution that `director_commitment` stands for (hex).",
    "SeatWish.account": "The id of the only account that can take the seat.",
    "SeatWish.bot": "The bot that takes the seat.",
    "SeatWish.invited": "True for a seat that needs an invitation.",
    "SeatWish.open": "True for a seat that anyone can take.",
    "SeatWish.you": "True if you take the seat.",
    "TakeVacation.until": "The end of the vacation.",
    "TestTokens.tokens": "The tokens to check.",
    "WriteNotes.notes": "All notes; they replace those that are there.",
    "table.events.PositionSet.data.position": "The position from which play begins.",
    "tournament.NamedDirector.account": "The id of the account.",
    "tournament.Settings.options": "The options of the title.",
    "tournament.Settings.position": "The position from which every table starts, or null.",
    "tournament.events.SettingsChanged.data.changes": "The settings that change, each with its whole new"
    " value.",
    "tournament.events.TournamentOpened.data.settings": "All settings of the tournament.",
}
"""Sentences by component and member."""
_SAME = {"NewSettings": "NewTournament", "tournament.Changes": "tournament.Settings"}
"""Components that have the members of others."""


@cache
def _load_title_members() -> Mapping[str, str | Mapping[str, str]]:
    text = files(__package__).joinpath("title_members.toml").read_text(encoding="utf-8")
    found: Mapping[str, str | Mapping[str, str]] = loads(text)["any"]
    return found


def add_member_descriptions(document: Json, title_ids: Iterable[str]) -> Json:
    """Return *document*, in which members without a description get one, where there is one."""
    document = msgspec.json.decode(msgspec.json.encode(document))  # parts of it stand in several places
    titles = tuple(f"{title_id}." for title_id in title_ids)
    for component, schema in document["components"]["schemas"].items():
        find = _find_title_sentence if component.startswith(titles) else _find_platform_sentence
        _describe(schema, _SAME.get(component, component), find)
    return document


def _describe(schema: Any, place: str, find: Callable[[str, str, Json], str | None]) -> None:
    for name, member in _list_members(schema):
        told = member.get("description", "")
        if not told or told.startswith(DEFAULT):
            words = _describe_constant(member) or find(place, name, member)
            if words:
                member["description"] = words if told in ("", NULL_DEFAULT) else f"{words} {told}"
        _describe(member, f"{place}.{name}", find)
    for inner in _list_inner(schema):
        _describe(inner, place, find)


def _list_members(schema: Any) -> Iterator[tuple[str, Json]]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()


def _list_inner(schema: Any) -> Iterator[Any]:
    if isinstance(schema, list):
        yield from schema
    elif isinstance(schema, dict):
        yield from (schema[key] for key in _INNER if key in schema)


def _describe_constant(member: Json) -> str | None:
    """Return the sentence about a member that always has the same word."""
    values = [member["const"]] if "const" in member else member.get("enum", ())
    return f"Always `{values[0]}`." if len(values) == 1 and isinstance(values[0], str) else None


def _find_platform_sentence(place: str, name: str, _member: Json) -> str | None:
    return _PLATFORM.get(f"{place}.{name}")


def _find_title_sentence(_place: str, name: str, member: Json) -> str | None:
    return find_title_sentence(name, member)


def find_title_sentence(name: str, member: Json) -> str | None:
    """Return the sentence about a member of something of a title; None where there is none."""
    found = _load_title_members().get(name)
    return found if found is None or isinstance(found, str) else found.get(_name_type(member))


def _name_type(member: Json) -> str:
    """Return the type of a member as `title_members.toml` names it, null left out."""
    forms = [form for form in member.get("anyOf", [member]) if form.get("type") != "null"]
    form = forms[0] if forms else member
    if "enum" in form or "const" in form:
        return "word"
    if "$ref" in form:
        return "object"
    kinds = form.get("type", "")
    return next(kind for kind in kinds if kind != "null") if isinstance(kinds, list) else str(kinds)
