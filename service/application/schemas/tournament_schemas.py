"""Requests about tournaments: new ones, their settings, and their commands as clients send them."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import marshmallow as ma
from marshmallow import fields

from events.clocks.absence_policy import Absence
from events.rules.catalogue import find_title, title_ids
from events.rules.fact import Json
from events.tournament.command_rules import COMMANDS, RULES
from events.tournament.commands import ChangeSettings, Enter, NameDirector
from events.tournament.settings import Settings
from service.application.schemas.command_schemas import change_members, make_commands, make_invitation_field
from service.application.schemas.game_schemas import Clock, make_options_schema
from service.openapi.marshmallow_schemas import make_changed_schema, make_members, make_schema
from service.openapi.request_fields import (
    Enumeration,
    ObjectSchema,
    Part,
    Rule,
    TaggedUnion,
    UntaggedUnion,
    Uuid,
    make_object,
)
from service.openapi.request_structs import NewTournament

PREFIX = "tournament."
"""The prefix of the names of components about tournaments that are no answers."""
CLIENT_COMMANDS = {name: kind for name, kind in COMMANDS.items() if RULES[kind].by != ("house",)}
"""The commands that a client may give."""
BESIDE_SETTINGS = frozenset({"visibility", "club", "id", "directors"})
"""The members of a new tournament that are no settings which could be changed."""


def make_new_tournament() -> Part:
    """Return what `POST /v1/tournaments` takes."""
    return Part(_make_new_tournament_schema(title_ids()))


@cache
def _make_new_tournament_schema(titles: tuple[str, ...]) -> ObjectSchema:
    changed: dict[str, fields.Field[Any] | None] = {
        "title": Enumeration(titles, required=True),
        "options": UntaggedUnion(tuple(Part(make_options_schema(find_title(title))) for title in titles)),
        "clock": Clock(),
        "absence": Part(make_schema(Absence), allow_none=True),
    }
    return make_changed_schema(NewTournament, changed, PREFIX, component="NewTournament")


@cache
def _make_new_settings_schema(titles: tuple[str, ...]) -> ObjectSchema:
    """Return the schema of changes: null is what the settings know as null."""
    known, members = make_members(Settings), {}
    for name, field in _make_new_tournament_schema(titles).declared_fields.items():
        if name not in BESIDE_SETTINGS:
            members[name] = copy.copy(field)
            members[name].required = False
            members[name].allow_none = field.allow_none and known[name].allow_none
            members[name].metadata = {key: t for key, t in field.metadata.items() if key != "default"}
    told = (
        "Members of `NewTournament`, each with its whole new value. Members that you leave out stay"
        " unchanged."
    )
    return make_object(members, component="NewSettings", description=told, struct=NewTournament)


def _check_director(given: Json) -> None:
    if (given.get("director") is None) != ("account" in given):
        raise ma.ValidationError(
            {
                "account": [
                    "Send either the `account` of a new director, or the name of a present one as `director`."
                ]
            }
        )


_NAMED = Rule(
    {
        "if": {
            "required": ["director"],
            "properties": {
                "director": {"type": "string", "description": "A present director, which excludes `account`."}
            },
        },
        "then": {"not": {"required": ["account"]}},
        "else": {"required": ["account"]},
    },
    _check_director,
)


def make_tournament_commands() -> TaggedUnion:
    """Return the commands of tournaments."""
    return _make_tournament_commands(title_ids())


@cache
def _make_tournament_commands(titles: tuple[str, ...]) -> TaggedUnion:
    found = {}
    for name, kind in CLIENT_COMMANDS.items():
        changed = change_members(kind)
        rules: tuple[Rule, ...] = ()
        if kind is Enter:
            changed["invitation"] = make_invitation_field()
        if kind is ChangeSettings:
            changed["changes"] = Part(_make_new_settings_schema(titles), required=True)
        if kind is NameDirector:
            changed["account"], rules = (
                Uuid(metadata={"description": "The account that becomes a director."}),
                (_NAMED,),
            )
        required = [name for name, field in make_members(kind).items() if field.required]
        examples = ({"type": name},) if required == ["type"] else ()
        found[name] = make_changed_schema(kind, changed, PREFIX, rules=rules, examples=examples)
    return make_commands(found, "TournamentCommand", "A command of a tournament.")
