"""The whole state as readable JSON, and back.

Regions stand by id, cubes by colour; everything else has the names of the state's fields.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from events.fact import Json
from events.title import InvalidPosition
from events.titles.colonialism.data import COLORS, REGION_IDS, in_table_order
from events.titles.colonialism.options import Options, PlayerColor
from events.titles.colonialism.position_checks import check
from events.titles.colonialism.state import (
    NO_LIMIT,
    ActionCard,
    Collection,
    Colonization,
    Count,
    Cubes,
    Loss,
    PolicyCard,
    Region,
    SeatNumber,
    Ship,
    Standing,
    State,
    Step,
)
from events.titles.colonialism.steps.turn_order import choosing_order

Row = Annotated[int, Meta(ge=0, le=4)]
Id = Annotated[str, Meta(max_length=40)]
BySeat = Meta(min_length=2, max_length=4)
Cards = Annotated[tuple[Id, ...], Meta(max_length=99)]


class CubePosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cubes by colour."""

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
    """What lies on a region; lists are by seat."""

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
    step: Step
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


def cubes_by_color(cubes: Cubes) -> dict[str, int]:
    """Counts under the names of their colours."""
    return dict(zip(COLORS, cubes, strict=True))


def position(state: State) -> Json:
    """Everything, secrets included."""
    data: Json = msgspec.json.decode(msgspec.json.encode(state))
    data["regions"] = dict(zip(REGION_IDS, data["regions"], strict=True))
    for at in data["regions"].values():
        at["cubes"] = cubes_by_color(at["cubes"])
    data["bag"] = cubes_by_color(state.bag)
    data["collected"] = [cubes_by_color(cubes) for cubes in state.collected]
    return data


def from_position(data: Json) -> State:
    """The state of a position. Raises InvalidPosition naming what is wrong."""
    try:
        given = msgspec.convert(data, Position)
    except (msgspec.ValidationError, ValueError, TypeError) as error:
        raise InvalidPosition(str(error)) from None
    missing = [key for key in REGION_IDS if key not in given.regions]
    if missing or len(given.regions) != len(REGION_IDS):
        raise InvalidPosition(f"regions: exactly {', '.join(REGION_IDS)} are needed")
    state = _with_choosers(_state(given))
    check(state)
    return msgspec.structs.replace(state, decks=tuple(map(in_table_order, state.decks)))


def _state(given: Position) -> State:
    fields: dict[str, Any] = msgspec.structs.asdict(given)
    fields["regions"] = tuple(_region(given.regions[key]) for key in REGION_IDS)
    fields["bag"] = _cubes(given.bag)
    fields["collected"] = tuple(_cubes(cubes) for cubes in given.collected)
    return State(**fields)


def _with_choosers(state: State) -> State:
    """Who chooses rows in which order follows from the cubes collected, where it is left open."""
    if (
        state.step != "turn_order_choice"
        or state.choosers
        or len(state.collected_this_turn) != len(state.rows)
    ):
        return state
    return msgspec.structs.replace(state, choosers=choosing_order(state))


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
