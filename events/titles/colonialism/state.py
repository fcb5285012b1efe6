"""The state of a game, and what follows from it without further rules."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.titles.colonialism.data import NEIGHBOURS, REGION_INDEX, SEAS, TRACK
from events.titles.colonialism.options import Options

Cubes = tuple[int, int, int]
"""Counts of black, brown and yellow cubes."""
NO_CUBES: Cubes = (0, 0, 0)
Count = Annotated[int, msgspec.Meta(ge=0, le=999)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=3)]
Faction = SeatNumber | Literal["natives"]
"""A seat, or the natives (CSM-003)."""
NO_LIMIT = 24
"""A face-down card of which nothing is known besides what cards its owner may hold."""

Step = Literal[
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
    """Of this and all face-down cards of its owner with the same or a smaller limit, at most so many can
    have been drawn since his last reshuffle, as everybody could count (see `knowledge`).
    """


class Region(msgspec.Struct, frozen=True):
    """What lies on a region; tuples are by seat."""

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
    order: tuple[SeatNumber, ...]
    picks: Count = 0


class Colonization(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the colonization phase stands: the place in the region order, and what was done last there."""

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


class State(msgspec.Struct, frozen=True):
    """Everything that is the case; tuples are by seat unless said otherwise."""

    options: Options
    colors: tuple[str, ...]
    step: Step
    turn: int
    phase: str
    rows: tuple[int, ...]
    actions_taken: tuple[int, ...]
    choosers: tuple[int, ...]
    """Seats in the order in which they choose a row, while this is being done."""
    chosen_rows: tuple[int, ...]
    """Rows chosen in this step, 0 for none; they count when the last is in (CSM-206)."""
    region_order: tuple[str, ...]
    regions: tuple[Region, ...]
    """By region, in table order."""
    bag: Cubes
    native_supply: int
    mercenary_supply: int
    reserve: tuple[int, ...]
    ships: tuple[tuple[Ship, ...], ...]
    hands: tuple[tuple[str, ...], ...]
    """In the order in which the cards came."""
    decks: tuple[tuple[str, ...], ...]
    """Unordered, kept in table order."""
    discards: tuple[tuple[str, ...], ...]
    known_held: tuple[tuple[str, ...], ...]
    """Cards that everybody knows to be in the hand or face-down, since they were not in the pile last
    reshuffled.
    """
    interests: tuple[tuple[str, ...], ...]
    undealt_interests: tuple[str, ...]
    interests_shown: tuple[bool, ...]
    collected: tuple[Cubes, ...]
    collected_this_turn: tuple[int, ...]
    kept: tuple[tuple[str, ...] | None, ...]
    """Sealed answers of a simultaneous choice, until the last is in."""
    action_card: ActionCard | None
    losses: tuple[Loss, ...]
    """Choices of losses that are due, the first of them now."""
    collection: Collection | None
    colonization: Colonization | None
    standings: tuple[Standing, ...]


def blank(seats: int, options: Options) -> State:
    """The state before the first fact."""
    zeros, none = (0,) * seats, ((),) * seats
    return State(
        options=options,
        colors=(),
        step="setup_turn_order",
        turn=1,
        phase=TRACK.phases[0],
        rows=zeros,
        actions_taken=zeros,
        choosers=(),
        chosen_rows=zeros,
        region_order=(),
        regions=(),
        bag=NO_CUBES,
        native_supply=0,
        mercenary_supply=0,
        reserve=zeros,
        ships=none,
        hands=none,
        decks=none,
        discards=none,
        known_held=none,
        interests=none,
        undealt_interests=(),
        interests_shown=(False,) * seats,
        collected=(NO_CUBES,) * seats,
        collected_this_turn=zeros,
        kept=(None,) * seats,
        action_card=None,
        losses=(),
        collection=None,
        colonization=None,
        standings=(),
    )


def seat_count(state: State) -> int:
    """How many players take part."""
    return len(state.rows)


def turn_order(state: State) -> tuple[int, ...]:
    """Seats from row 1 down to row 4; empty rows are skipped (CSM-016)."""
    return tuple(sorted(range(len(state.rows)), key=state.rows.__getitem__))


def active_seat(state: State) -> int | None:
    """Whose action it is: all first actions in turn order, then all second, then all third (CSM-050)."""
    taken = state.actions_taken
    seat = min(turn_order(state), key=taken.__getitem__)
    return seat if taken[seat] < TRACK.actions else None


def placing_seat(state: State) -> int:
    """Who places the next ship at set-up: three passes in turn order (CSM-044)."""
    return min(turn_order(state), key=lambda seat: len(state.ships[seat]))


def choosing_seat(state: State) -> int | None:
    """Who chooses a row of the turn order now."""
    return next((seat for seat in state.choosers if not state.chosen_rows[seat]), None)


def keeping_seats(state: State) -> tuple[int, ...]:
    """Who still has to choose the one card to keep: players with two or more (CSM-200)."""
    return tuple(s for s, hand in enumerate(state.hands) if len(hand) >= 2 and state.kept[s] is None)


def segment(state: State) -> int:
    """1 or 2: the first three spaces of the phase track, or the last three (CSM-002)."""
    return 1 if TRACK.phases.index(state.phase) < len(TRACK.phases) // 2 else 2


def action_round(state: State) -> int:
    """1 to 4: the action round that the phase token shows."""
    index = TRACK.phases.index(state.phase)
    return index + 1 - index // 3


def last_phase(state: State) -> bool:
    """Whether this is the second colonization phase of turn 3, after which the game ends (CSM-002)."""
    return state.turn == TRACK.turns and segment(state) == 2


def region(state: State, key: str) -> Region:
    """The region of that id."""
    return state.regions[REGION_INDEX[key]]


def influence(at: Region, seat: int) -> int:
    """Own discs and mercenaries (CSM-004, CSM-005)."""
    return at.discs[seat] + at.mercenaries[seat]


def influences(at: Region) -> tuple[int, ...]:
    """The influence of every seat."""
    return tuple(map(int.__add__, at.discs, at.mercenaries))


def has_most(at: Region, seat: int) -> bool:
    """Strictly more influence than every other faction, natives included (CSM-006)."""
    own = influences(at)
    rivals = max(at.natives, *own[:seat], *own[seat + 1 :])
    return own[seat] > rivals


def fails_limit_check(at: Region) -> bool:
    """Two or more factions, and more influence in total than the limit (CSM-122)."""
    own = influences(at)
    factions = sum(1 for n in own if n) + (at.natives > 0)
    return factions >= 2 and sum(own) + at.natives > at.limit


def policy_count(at: Region) -> int:
    """Policy cards in play at the region, everybody's, face-down ones included."""
    return sum(map(len, at.policy))


def adjacent_regions(state: State, key: str) -> tuple[Region, ...]:
    """The regions adjacent to that region; it is not adjacent to itself (CSM-012)."""
    return tuple(state.regions[i] for i in NEIGHBOURS[REGION_INDEX[key]])


def is_adjacent(ship: Ship, key: str) -> bool:
    """Whether the ship's sea zone touches the region (CSM-012)."""
    return ship.sea_zone in SEAS[REGION_INDEX[key]]


def ship_id(state: State, seat: int, number: int) -> str:
    """Such as ``blue_ship_1``: numbered in the order of placement."""
    return f"{state.colors[seat]}_ship_{number + 1}"


def factions(state: State) -> tuple[Faction, ...]:
    """The natives and every player."""
    return ("natives", *range(len(state.rows)))


def influence_of(at: Region, faction: Faction) -> int:
    """The influence of a faction: gray discs for the natives, else own discs and mercenaries."""
    return at.natives if faction == "natives" else influence(at, faction)


def face_down(state: State, seat: int) -> tuple[PolicyCard, ...]:
    """The face-down policy cards of a seat, in table order of the regions."""
    return tuple(p for at in state.regions for p in at.policy[seat] if not p.face_up)
