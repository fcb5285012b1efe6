"""The closed vocabulary of the event cards: what a card file may say, and nothing else (CLN-072)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.rules.fact import snake

Colour = Literal["blue", "green", "yellow", "purple", "red"]
Technology = Literal["community", "military", "commerce", "influence", "industry"]

Small = Annotated[int, msgspec.Meta(ge=0, le=20)]


class Quantity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number that depends on the affected player; evaluated when its primitive begins (CLN-073)."""

    base: Small = 0
    level: Technology | None = None
    """Adds the player's level of this technology."""
    own_pirates: Annotated[int, msgspec.Meta(ge=0, le=1)] = 0
    """1 adds the number of pirates on the player's own routes."""


Amount = Small | Quantity


class Primitive(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="op", tag=snake
):
    """One step of an effect on one player."""


class GainCredits(Primitive, frozen=True):
    """The player receives Credits from the bank (CLN-074)."""

    n: Amount


class PayCredits(Primitive, frozen=True):
    """The player pays Credits to the bank, as far as they have them (CLN-074)."""

    n: Amount


class CollectCredits(Primitive, frozen=True):
    """Every other player pays Credits to the player, as far as they have them (CLN-075)."""

    n: Amount


class GainResource(Primitive, frozen=True):
    """The player takes resources from the supply (CLN-076)."""

    n: Amount
    kind: Colour | Literal["own", "other", "any"]


class PayResource(Primitive, frozen=True):
    """The player gives up resources, as far as they have them (CLN-077, CLN-078)."""

    n: Amount
    kind: Colour | Literal["own", "any"]
    to: Literal["supply", "market"]


class GainColonists(Primitive, frozen=True):
    """Colonists join the player's stock (CLN-079)."""

    n: Amount


class LoseColonists(Primitive, frozen=True):
    """The player returns colonists; with *may* as many of them as they like (CLN-079)."""

    n: Amount
    may: bool = False


class PlacePirates(Primitive, frozen=True):
    """Pirates come to the player's own routes (CLN-064, CLN-080)."""

    n: Amount


class RemovePirates(Primitive, frozen=True):
    """Pirates leave the player's own routes (CLN-081)."""

    n: Amount


class Downgrade(Primitive, frozen=True):
    """A technology falls one level, never below the first (CLN-082)."""

    technology: Technology | Literal["any"]


class ShiftAgreement(Primitive, frozen=True):
    """Bilateral steps of agreements with other players, free of charge (CLN-083)."""

    direction: Literal[1, -1]
    n: Amount


class FloodMarket(Primitive, frozen=True):
    """Resources of the player's own colour come onto their market (CLN-084)."""

    n: Amount


class BonusAction(Primitive, frozen=True):
    """The named technology's action at a raised level, outside the three actions (CLN-085)."""

    kind: Technology
    plus: Small


class Upgrade(Primitive, frozen=True):
    """One technology upgrade at a discount, outside the three actions (CLN-086)."""

    discount: Small


AnyPrimitive = (
    GainCredits
    | PayCredits
    | CollectCredits
    | GainResource
    | PayResource
    | GainColonists
    | LoseColonists
    | PlacePirates
    | RemovePirates
    | Downgrade
    | ShiftAgreement
    | FloodMarket
    | BonusAction
    | Upgrade
)
Effect = Annotated[tuple[AnyPrimitive, ...], msgspec.Meta(min_length=1, max_length=8)]


def level_of(primitive: Primitive) -> Technology | None:
    """Return the technology whose level of the affected player the primitive depends on."""
    if isinstance(primitive, BonusAction):
        return primitive.kind
    n = getattr(primitive, "n", None)
    return n.level if isinstance(n, Quantity) else None
