"""Values that the state, the facts and the view share."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.rules.bounds import BySeat, limit_number

Cubes = tuple[int, int, int]
"""Counts of black, brown and yellow cubes."""
NO_CUBES: Cubes = (0, 0, 0)
Id = Annotated[str, msgspec.Meta(max_length=40)]
Count = Annotated[int, msgspec.Meta(ge=0, le=999)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=3)]
Faction = SeatNumber | Literal["natives"]
"""A seat, or the natives (CSM-003)."""
CubeColor = Literal["black", "brown", "yellow"]
NO_LIMIT = 24
"""A face-down card of which nothing is known besides what cards its owner may hold."""

StepName = Literal[
    "setup_turn_order",
    "setup_starting_hands",
    "setup_ships",
    "action_round",
    "colonization",
    "keep_one_card",
    "turn_order_choice",
    "scoring",
    "ended",
]
Stage = Literal["check", "cards", "unrest_at_home", "conflict", "collection"]


class Ship(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ship on the board: upright (fresh) or on its side (CSM-014)."""

    sea_zone: str
    fresh: bool = True


class PolicyCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A policy card in play at a region."""

    card: str
    face_up: bool
    drawn_limit: Count = NO_LIMIT
    """The most cards that can be drawn ones among this and its owner's face-down cards.

    Counted are those with the same or a smaller limit. A drawn card came to the owner since their last
    reshuffle, as everybody could count (see `knowledge`).
    """


class Region(msgspec.Struct, frozen=True):
    """The contents of a region; tuples are by seat."""

    value: int
    limit: int
    cubes: Cubes
    natives: int
    discs: tuple[int, ...]
    mercenaries: tuple[int, ...]
    policy: tuple[tuple[PolicyCard, ...], ...]


class ActionCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The action card that is being carried out, while owners choose losses or colours."""

    seat: SeatNumber
    card: str
    region: str
    target: Faction | None = None
    removed: Count = 0
    """Influence that it has removed so far."""


class Loss(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A partial loss that its owner has to split between mercenaries and own discs (CSM-105)."""

    seat: SeatNumber
    region: str
    loss: Annotated[int, msgspec.Meta(ge=1, le=999)]
    cause: str


class Collection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A collection of resources under way."""

    region: str
    order: BySeat[SeatNumber]
    picks: Count = 0


class Colonization(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state of the colonization phase: the place in the region order, and what was done last there."""

    index: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0
    stage: Stage = "check"


class Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's result: cubes after bonus and conversion, score, total and place."""

    seat: SeatNumber
    black: Count
    brown: Count
    yellow: Count
    score: Count
    total: Count
    place: Annotated[int, msgspec.Meta(ge=1, le=4)]


# --- inside facts ------------------------------------------------------------------------------


CubeCount = Annotated[int, limit_number(0, 99)]


class CubeCounts(msgspec.Struct, frozen=True):
    """Cubes by colour."""

    black: CubeCount
    brown: CubeCount
    yellow: CubeCount


class TileInUse(msgspec.Struct, frozen=True):
    """A limit tile put on its region."""

    region: str
    value: int
    limit: int


class CardValue(msgspec.Struct, frozen=True):
    """A resolved policy card and its value."""

    card: str
    value: int


class Resolution(msgspec.Struct, frozen=True):
    """The effect of a step of policy cards for one player."""

    seat: int
    cards: tuple[CardValue, ...]
    wanted: int
    placed: int
    removed: int = 0


class Removal(msgspec.Struct, frozen=True):
    """One removal of conflict: the factions that lost 1 at the same time, and the total after it."""

    factions: tuple[Faction, ...]
    total: int


class SeatCards(msgspec.Struct, frozen=True):
    """Cards of one seat."""

    seat: int
    cards: tuple[str, ...]


class SeatRegionCount(msgspec.Struct, frozen=True):
    """Pieces of one seat in one region."""

    seat: int
    region: str
    count: int


class Exchange(msgspec.Struct, frozen=True):
    """A conversion: three cubes of one colour for one of another."""

    from_: str = msgspec.field(name="from")
    to: str
