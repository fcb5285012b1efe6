"""The whole state as readable JSON, and back.

Regions stand by id, cubes by colour; everything else has the names of the state's fields.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import asdict, replace

from events.rules.fact import Json
from events.rules.kit.positions import from_mapping, read, to_mapping
from events.rules.kit.values import plain
from events.titles.colonialism.data import COLORS, REGION_IDS, sort_in_table_order
from events.titles.colonialism.derived import choosing_order
from events.titles.colonialism.options import Options, PlayerColor
from events.titles.colonialism.parts import (
    NO_LIMIT,
    ActionCard,
    Collection,
    Colonization,
    Count,
    Cubes,
    Id,
    Loss,
    PolicyCard,
    Region,
    SeatNumber,
    Ship,
    Standing,
    StepName,
)
from events.titles.colonialism.position_checks import check
from events.titles.colonialism.state import State

Row = Annotated[int, Meta(ge=0, le=4)]
BySeat = Meta(min_length=2, max_length=4)
Cards = Annotated[tuple[Id, ...], Meta(max_length=99)]


class CubePosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cubes by colour; those left out are none."""

    black: Count = 0
    brown: Count = 0
    yellow: Count = 0


class PolicyCardPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A policy card in play; left open, the first of a stack lies face-down and the others face-up."""

    card: Id
    face_up: bool | None = None
    drawn_limit: Count = NO_LIMIT


Stack = Annotated[tuple[PolicyCardPosition | Id, ...], Meta(max_length=99)]


class RegionPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a region; lists are by seat."""

    value: Annotated[int, Meta(ge=1, le=4)]
    limit: Annotated[int, Meta(ge=1, le=99)]
    cubes: CubePosition
    natives: Count
    discs: Annotated[tuple[Count, ...], BySeat]
    mercenaries: Annotated[tuple[Count, ...], BySeat]
    policy: Annotated[tuple[Stack, ...], BySeat]


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A state as JSON; lists are by seat unless the state says otherwise."""

    options: Options
    colors: Annotated[tuple[PlayerColor, ...], BySeat]
    step: StepName
    turn: Annotated[int, Meta(ge=1, le=3)]
    phase: Id
    rows: Annotated[tuple[Row, ...], BySeat]
    actions_taken: Annotated[tuple[Annotated[int, Meta(ge=0, le=3)], ...], BySeat]
    choosers: Annotated[tuple[SeatNumber, ...], Meta(max_length=4)]
    chosen_rows: Annotated[tuple[Row, ...], BySeat]
    region_order: Annotated[tuple[Id, ...], Meta(max_length=6)]
    regions: dict[str, RegionPosition]
    bag: CubePosition
    native_supply: Count
    mercenary_supply: Count
    reserve: Annotated[tuple[Count, ...], BySeat]
    ships: Annotated[tuple[Annotated[tuple[Ship, ...], Meta(max_length=3)], ...], BySeat]
    hands: Annotated[tuple[Cards, ...], BySeat]
    decks: Annotated[tuple[Cards, ...], BySeat]
    discards: Annotated[tuple[Cards, ...], BySeat]
    known_held: Annotated[tuple[Cards, ...], BySeat]
    interests: Annotated[tuple[Annotated[tuple[Id, ...], Meta(max_length=12)], ...], BySeat]
    undealt_interests: Annotated[tuple[Id, ...], Meta(max_length=12)]
    interests_shown: Annotated[tuple[bool, ...], BySeat]
    collected: Annotated[tuple[CubePosition, ...], BySeat]
    collected_this_turn: Annotated[tuple[Count, ...], BySeat]
    kept: Annotated[tuple[Cards | None, ...], BySeat]
    action_card: ActionCard | None
    losses: Annotated[tuple[Loss, ...], Meta(max_length=4)]
    collection: Collection | None
    colonization: Colonization | None
    standings: Annotated[tuple[Standing, ...], Meta(max_length=4)]


def position(state: State) -> Json:
    """Return everything, secrets included."""
    data = plain(state)
    data["regions"] = to_mapping(REGION_IDS if state.regions else (), data["regions"])
    for at in data["regions"].values():
        at["cubes"] = to_mapping(COLORS, at["cubes"])
    data["bag"] = to_mapping(COLORS, state.bag)
    data["collected"] = [to_mapping(COLORS, cubes) for cubes in state.collected]
    return data


def from_position(data: Json) -> State:
    """Return the state of a position. Raises InvalidPosition naming what is wrong."""
    state = _with_choosers(_state(read(data, Position)))
    check(state)
    return replace(state, decks=tuple(map(sort_in_table_order, state.decks)))


def _state(given: Position) -> State:
    fields: dict[str, Any] = asdict(given)
    fields["regions"] = tuple(map(_region, from_mapping(REGION_IDS, given.regions, "regions")))
    fields["bag"] = _cubes(given.bag)
    fields["collected"] = tuple(map(_cubes, given.collected))
    return State(**fields)


def _with_choosers(state: State) -> State:
    """Set the order of choosing rows from the cubes collected, where it is left open."""
    if state.step != "turn_order_choice" or state.choosers or len(state.collected_this_turn) != state.seats:
        return state
    return replace(state, choosers=choosing_order(state))


def _region(at: RegionPosition) -> Region:
    policy = tuple(
        tuple(_policy_card(card, index) for index, card in enumerate(stack)) for stack in at.policy
    )
    return Region(at.value, at.limit, _cubes(at.cubes), at.natives, at.discs, at.mercenaries, policy)


def _policy_card(given: PolicyCardPosition | str, index: int) -> PolicyCard:
    """A card may stand as its id alone."""
    card = PolicyCardPosition(given) if isinstance(given, str) else given
    face_up = index > 0 if card.face_up is None else card.face_up
    return PolicyCard(card.card, face_up, card.drawn_limit)


def _cubes(cubes: CubePosition) -> Cubes:
    return cubes.black, cubes.brown, cubes.yellow
