"""The state of a game."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from events.rules.kit.values import add_at, put, remove_each
from events.titles.colonialism.data import COLOR_INDEX, REGION_INDEX, TRACK
from events.titles.colonialism.options import Options
from events.titles.colonialism.parts import (
    NO_CUBES,
    ActionCard,
    Collection,
    Colonization,
    Cubes,
    Faction,
    Loss,
    Region,
    Ship,
    Stage,
    Standing,
    StepName,
)


class State(msgspec.Struct, frozen=True):
    """Everything that is the case; tuples are by seat unless said otherwise."""

    options: Options
    colors: tuple[str, ...]
    step: StepName
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

    @property
    def seats(self) -> int:
        """The number of players that take part."""
        return len(self.rows)


def blank(seats: int, options: Options) -> State:
    """Return the state before the first fact."""
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


# --- states with one thing changed, as several facts change them ------------------------------------


def cubes_plus(cubes: Cubes, color: str, more: int) -> Cubes:
    """Return *cubes* with *more* of a colour."""
    black, brown, yellow = add_at(cubes, COLOR_INDEX[color], more)
    return black, brown, yellow


def regions_with(state: State, key: str, **changes: Any) -> tuple[Region, ...]:
    """Return the regions with *changes* to one of them."""
    index = REGION_INDEX[key]
    return put(state.regions, index, replace(state.regions[index], **changes))


def add_natives(state: State, key: str, more: int) -> State:
    """Put *more* natives from the supply in a region; fewer than none go back."""
    natives = state.regions[REGION_INDEX[key]].natives + more
    regions = regions_with(state, key, natives=natives)
    return replace(state, native_supply=state.native_supply - more, regions=regions)


def add_discs(state: State, key: str, seat: int, more: int) -> State:
    """Put *more* discs from the seat's reserve in a region; fewer than none go back."""
    index = REGION_INDEX[key]
    at = state.regions[index]
    regions = put(state.regions, index, replace(at, discs=add_at(at.discs, seat, more)))
    return replace(state, reserve=add_at(state.reserve, seat, -more), regions=regions)


def add_mercenaries(state: State, key: str, seat: int, more: int) -> State:
    """Put *more* mercenaries from the supply for the seat in a region; fewer than none go back."""
    mercenaries = add_at(state.regions[REGION_INDEX[key]].mercenaries, seat, more)
    regions = regions_with(state, key, mercenaries=mercenaries)
    return replace(state, mercenary_supply=state.mercenary_supply - more, regions=regions)


def add_influence(state: State, key: str, faction: Faction, more: int) -> State:
    """Put *more* discs of a faction, natives included, in a region."""
    if faction == "natives":
        return add_natives(state, key, more)
    return add_discs(state, key, faction, more)


def take_from_hand(state: State, seat: int, cards: tuple[str, ...]) -> State:
    """Take *cards* out of the seat's hand."""
    return replace(state, hands=put(state.hands, seat, remove_each(state.hands[seat], cards)))


def take_from_deck(state: State, seat: int, cards: tuple[str, ...]) -> State:
    """Take *cards* out of the seat's deck."""
    return replace(state, decks=put(state.decks, seat, remove_each(state.decks[seat], cards)))


def draw_into_hand(state: State, seat: int, cards: tuple[str, ...]) -> State:
    """Move *cards* of the seat's deck to the end of its hand."""
    hands = put(state.hands, seat, state.hands[seat] + cards)
    return replace(state, hands=hands, decks=put(state.decks, seat, remove_each(state.decks[seat], cards)))


def discard_cards(state: State, seat: int, cards: tuple[str, ...]) -> State:
    """Lay *cards* on the seat's discard pile."""
    return replace(state, discards=put(state.discards, seat, state.discards[seat] + cards))


def set_stage(state: State, stage: Stage) -> State:
    """Set the colonization of the current region to *stage*."""
    if state.colonization is None:
        return state
    return replace(state, colonization=replace(state.colonization, stage=stage))
