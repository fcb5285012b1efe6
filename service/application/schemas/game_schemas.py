"""Requests about games whose shape depends on what is installed: on titles, bots and beacons."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cache
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from events.clocks.absence_policy import SUBSTITUTE
from events.clocks.clock import CorrespondenceClock, LiveClock
from events.proof.beacon import CHAINS
from events.rules.catalogue import find_title, title_ids, versions
from events.rules.fact import Json
from events.rules.title import Title
from events.table.terms import SeatOccupant, check_occupant
from service.base.bot_catalogue import BotCatalogue
from service.openapi import request_fields
from service.openapi.json_schemas import make_request_schema
from service.openapi.marshmallow_schemas import (
    make_changed_schema,
    make_members,
    make_schema,
    read_description,
)
from service.openapi.request_fields import (
    Constant,
    Enumeration,
    ExclusiveChoice,
    Integer,
    Null,
    ObjectSchema,
    Part,
    Pattern,
    Rule,
    TaggedUnion,
    Text,
    UntaggedUnion,
    UnusedMember,
    Uuid,
    make_object,
)
from service.openapi.request_structs import Beacon, Fork, NewGame, Reveal
from service.openapi.response_structs import HEX32, WHO

ACTING_SEAT = Integer(
    validate=validate.Range(0, 99, error="Send the number of one of your seats."),
    allow_none=True,
    error_messages={"invalid": "Send the number of one of your seats."},
    metadata={"description": "The seat of yours that acts. Needed only if you hold several."},
)
"""The seat that gives a command: it stands in the body beside what the command says."""


def make_hex_field(description: str, **settings: Any) -> Text:
    """Make the field of 32 bytes in hex, or null."""
    return Text(
        validate=[Pattern(f"^{HEX32}$")],
        allow_none=True,
        metadata={"description": description},
        **settings,
    )


class Clock(TaggedUnion):
    """The settings of a clock; none is loaded as null."""

    def __init__(self, **settings: Any) -> None:
        none = make_object({"kind": Constant("none", required=True)})
        forms = {
            "none": none,
            "live": make_schema(LiveClock),
            "correspondence": make_schema(CorrespondenceClock),
        }
        super().__init__("kind", forms, allow_none=True, **settings)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        told = super()._deserialize(value, attr, data)
        return None if told["kind"] == "none" else told


def make_seat_field(bots: Sequence[str], component: str = "SeatWish") -> ExclusiveChoice:
    """Make the field that says who is to sit at a seat; one of *bots*, or a player."""

    def make_form(**members: fields.Field[Any]) -> ObjectSchema:
        return make_object(members)

    return ExclusiveChoice(
        {
            "you": make_form(
                you=Constant(True, required=True),
                commitment=make_hex_field(
                    "The commitment to a contribution to the randomness. It needs the `id` of the game."
                ),
                key=make_hex_field("The public key (Ed25519) with which you sign the seat's commands."),
            ),
            "bot": make_form(bot=Enumeration(tuple(bots), required=True)),
            "open": make_form(open=Constant(True, required=True)),
            "invited": make_form(invited=Constant(True, required=True)),
            "account": make_form(account=Uuid(required=True)),
        },
        component=component,
        description="The holder of the seat: you, a bot, the first to join, a player with an invitation, or "
        "one account.",
        error='Send {"you": true}, optionally with a "commitment" and a "key" of 64 hex digits, '
        '{"open": true}, {"account": ID}, {"invited": true}'
        f' or {{"bot": NAME}} with one of the bots: {", ".join(bots)}.',
    )


def make_new_game(offered: BotCatalogue, *, beacons: bool) -> TaggedUnion:
    """Return what `POST /v1/games` takes, where these bots are *offered*, and perhaps beacons."""
    return _make_new_game(offered, title_ids(), beacons=beacons)


@cache
def _make_new_game(offered: BotCatalogue, titles: tuple[str, ...], *, beacons: bool) -> TaggedUnion:
    return TaggedUnion(
        "title",
        {title: _make_new_game_schema(find_title(title), offered, beacons=beacons) for title in titles},
        component="NewGame",
        description="A new game; each title has its own options.",
    )


def _make_new_game_schema(title: Title[Any], offered: BotCatalogue, *, beacons: bool) -> ObjectSchema:
    """Return the schema of a new game of one title."""
    members, bots = make_members(NewGame), offered.names_for_title(title.id)
    told = {name: field.metadata for name, field in members.items()}
    own = "SeatWish" if bots == offered.all_names else f"{title.id}.SeatWish"
    there = tuple(one.version for one in versions(title.id))
    few, many = title.seats[0], title.seats[-1]
    changed: dict[str, fields.Field[Any] | None] = {
        "title": Constant(title.id, required=True),
        "version": Enumeration(there, allow_none=True, metadata=told["version"]),
        "options": make_options_field(versions(title.id)),
        "seats": request_fields.Sequence(
            make_seat_field(bots, own),
            required=True,
            validate=validate.Length(few, many, error=f"Send {few} to {many} seats for {title.name}."),
        ),
        "invited": request_fields.Sequence(
            Text(validate=[Pattern(WHO)], allow_none=True),
            validate=validate.Length(few, many, error=f"Send {few} to {many} seats for {title.name}."),
            allow_none=True,
            metadata=told["invited"],
        ),
        "beacon": _make_beacon_field(told["beacon"])
        if beacons
        else UnusedMember("This server uses no beacon. Leave it out."),
        "clock": Clock(metadata=told["clock"]),
    }
    return make_changed_schema(
        NewGame,
        changed,
        component=f"{title.id}.NewGame",
        description=f"A game of {title.name}.",
        rules=(_ONE_SEED, _COMMITMENTS, *make_version_rules(there)),
        examples=({"title": title.id, "seats": [{"you": True}] + [{"bot": SUBSTITUTE}] * (few - 1)},),
    )


def make_options_schema(title: Title[Any]) -> ObjectSchema:
    """Return the schema of a title's options."""
    return make_changed_schema(title.Options, {}, f"{title.id}.", component=f"{title.id}.Options")


def make_options_field(there: Sequence[Title[Any]]) -> fields.Field[Any]:
    """Make the field of a title's options: those of the newest of the versions that are *there*, or older.

    For a position is taken by the version that it is of. Most often they are the same.
    """
    newest, *older = there
    found = [make_request_schema(newest.Options)]
    kinds = [Part(make_options_schema(newest))]
    for title in older:
        described = make_request_schema(title.Options)
        if described not in found:
            found.append(described)
            prefix = f"{title.id}.v{title.version}."
            kinds.append(Part(make_changed_schema(title.Options, {}, prefix, component=f"{prefix}Options")))
    return kinds[0] if len(kinds) == 1 else UntaggedUnion(tuple(kinds))


def _make_beacon_field(metadata: Any) -> Part:
    chain = Enumeration(tuple(CHAINS), required=True)
    return Part(make_object({**make_members(Beacon), "chain": chain}), allow_none=True, metadata=metadata)


def _check_one_seed(given: Json) -> None:
    if given.get("seed") is not None and given.get("repeat") is not None:
        raise ma.ValidationError({"repeat": ["Send either `seed` or `repeat`, not both."]})


def _describe_text(description: str) -> Json:
    return {"type": "string", "description": description}


_ONE_SEED = Rule(
    {
        "not": {
            "required": ["seed", "repeat"],
            "properties": {
                "seed": _describe_text("A seed of your own, which excludes `repeat`."),
                "repeat": _describe_text("A game to repeat, which excludes `seed`."),
            },
        }
    },
    _check_one_seed,
)


def _check_commitments(given: Json) -> None:
    """Check that the creator's own seats contribute where all have to. Raises Rejected."""
    if given.get("contributions") == "required":
        for seat in given["seats"]:
            if "you" in seat:
                check_occupant(SeatOccupant(commitment=seat.get("commitment")), "required")


_NOT_MINE: Json = {"not": {"required": ["you"]}}
_COMMITTED: Json = {
    "required": ["you", "commitment"],
    "properties": {"commitment": _describe_text("Your commitment, which such a game requires.")},
}
_COMMITMENTS = Rule(
    {
        "if": {
            "required": ["contributions"],
            "properties": {
                "contributions": {"const": "required", "description": "All people at the table contribute."}
            },
        },
        "then": {
            "properties": {
                "seats": {
                    "description": "Each seat of yours has a `commitment`.",
                    "items": {"oneOf": [_NOT_MINE, _COMMITTED]},
                }
            }
        },
    },
    _check_commitments,
)


def make_version_rules(there: Sequence[int]) -> tuple[Rule, ...]:
    """Return the rule for the versions that are *there*, the newest first: older ones are for positions."""
    newest, *older = there
    if not older:
        return ()

    def check(given: Json) -> None:
        if given.get("version") in older and given.get("position") is None:
            told = (
                f"New games begin with version {newest}. Send an older one only together with a `position`."
            )
            raise ma.ValidationError({"version": [told]})

    version = {"enum": older, "description": "An older version, which needs a `position`."}
    position = {"type": "null", "description": "Null if there is no position."}
    named = {"required": ["version"], "properties": {"version": version}}
    lacks = {"anyOf": [{"not": {"required": ["position"]}}, {"properties": {"position": position}}]}
    return (Rule({"allOf": [{"not": {"allOf": [named, lacks]}}]}, check),)


@cache
def make_fork(bots: tuple[str, ...]) -> Part:
    """Return what `POST /v1/games/{id}/forks` takes, where these *bots* may sit."""
    most = max(find_title(title).seats[-1] for title in title_ids())
    seats = request_fields.Sequence(make_seat_field(bots), validate=validate.Length(1, most), allow_none=True)
    return Part(make_changed_schema(Fork, {"seats": seats}))


def _make_reveal() -> ExclusiveChoice:
    members = {**make_members(Reveal), "seat": ACTING_SEAT}

    def make_form(one: str, other: str) -> ObjectSchema:
        given = copy.copy(members[one])
        given.required, given.allow_none, given.metadata = True, False, {}
        return make_object({one: given, other: Null(), "seat": members["seat"]})

    return ExclusiveChoice(
        {
            "contribution": make_form("contribution", "director_contribution"),
            "director_contribution": make_form("director_contribution", "contribution"),
        },
        component="Reveal",
        description=read_description(Reveal),
        error="Send either `contribution` or `director_contribution`.",
    )


REVEAL = _make_reveal()
"""The body of `POST /v1/games/{id}/reveal`."""
