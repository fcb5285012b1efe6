"""Commands as clients send them: those of titles and of the table, and members that stand beside them.

A command is what its Struct says. Members that clients send in another form than the log has them are
declared here, once for all commands that have them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from marshmallow import fields, validate

from events.rules.catalogue import find_title, title_ids
from events.rules.fact import type_name
from events.rules.steps import Command
from events.rules.title import Title
from events.table.commands import command_rules
from events.table.commands.leaving import TableSeat
from service.application.schemas.game_schemas import ACTING_SEAT, make_hex_field
from service.base.plain_text import TEXT_PATTERN, find_text_fault
from service.openapi.marshmallow_schemas import make_changed_schema, make_members
from service.openapi.request_fields import (
    Enumeration,
    Integer,
    Moment,
    ObjectSchema,
    Pattern,
    Sequence,
    TaggedUnion,
    Text,
    UntaggedUnion,
)
from service.openapi.request_structs import INVITATION
from service.stores.texts import MAX_TEXT_LENGTH

CLIENT_COMMANDS = {name: kind for name, kind in command_rules.COMMANDS.items() if not kind.house}
"""The commands of the table that a client may give."""


def make_invitation_field(description: str = "The invitation that you received: `inv_...`.") -> Text:
    """Make the field of an invitation that is sent beside a command."""
    return Text(
        validate=[Pattern(INVITATION)],
        allow_none=True,
        error_messages={"invalid": "Send the invitation that you received: inv_..."},
        metadata={"description": description},
    )


def _make_text(**settings: Any) -> fields.Field[Any]:
    told = "A sentence about the command. It is not part of the log and can be erased."
    wrong = f"Send 1 to {MAX_TEXT_LENGTH} characters."
    return Text(
        validate=[
            validate.Length(1, MAX_TEXT_LENGTH, error=wrong),
            Pattern(TEXT_PATTERN, find_text_fault),
        ],
        metadata={"description": told},
        **settings,
    )


def _make_until(**settings: Any) -> fields.Field[Any]:
    told = "The end time. The command is recorded, and signed, with it in UTC and microseconds."
    return Moment(metadata={"description": told}, **settings)


CHANGED_MEMBERS: Mapping[str, Callable[..., fields.Field[Any]]] = {"text": _make_text, "until": _make_until}
"""Members that clients send in another form than the log has them."""


def change_members(
    kind: type[Command], makers: Mapping[str, Callable[..., fields.Field[Any]]] = CHANGED_MEMBERS
) -> dict[str, fields.Field[Any] | None]:
    """Return those members of a command that clients send in another form."""
    return {
        name: makers[name](required=field.required, allow_none=field.allow_none)
        for name, field in make_members(kind).items()
        if name in makers
    }


def make_commands(commands: Mapping[str, ObjectSchema], component: str, description: str) -> TaggedUnion:
    """Make the choice between *commands*, by their types."""
    return TaggedUnion("type", commands, component=component, description=description)


@cache
def make_table_commands(bots: tuple[str, ...]) -> TaggedUnion:
    """Return the commands of the table, where these *bots* may be seated."""
    two = Sequence(Integer(validate=validate.Range(0, 99)), required=True, validate=validate.Length(2, 2))
    makers: Mapping[str, Callable[..., fields.Field[Any]]] = {
        **CHANGED_MEMBERS,
        "key": lambda **_: make_hex_field("The public key (Ed25519) with which you sign your commands."),
        "bot": lambda **settings: Enumeration(
            bots,
            metadata={"description": "The name of the bot, if a director puts one on the seat."},
            **settings,
        ),
        "seats": lambda **_: two,
    }
    found = {}
    for name, kind in CLIENT_COMMANDS.items():
        changed = {**change_members(kind, makers), "who": None}  # the service makes it
        if "seat" not in kind.__struct_fields__:
            changed["seat"] = ACTING_SEAT
        if kind is TableSeat:
            told = "The invitation that you received: `inv_...`. It is not part of the log."
            changed["invitation"] = make_invitation_field(told)
        found[name] = make_changed_schema(kind, changed, "table.")
    return make_commands(found, "table.Command", "A command that every game has, with any title.")


def make_title_commands(title: Title[Any]) -> TaggedUnion:
    """Return the commands of a title as they are described; one by one they are read by their Structs.

    Their `seat` is taken out before.
    """
    prefix = f"{title.id}."
    return make_commands(
        {
            type_name(kind): make_changed_schema(kind, {"seat": ACTING_SEAT}, prefix)
            for kind in title.commands
            if not kind.house
        },
        f"{prefix}Command",
        f"A command of {title.name}.",
    )


def make_game_commands(bots: tuple[str, ...]) -> UntaggedUnion:
    """Return the commands of all titles and of the table."""
    # Titles may have commands of the same type and shape, so a body may fit several: any of them.
    return UntaggedUnion(
        (*(make_title_commands(find_title(title)) for title in title_ids()), make_table_commands(bots)),
        component="Command",
        description="A command of the game's title, or of the table.",
    )
