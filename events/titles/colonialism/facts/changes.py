"""States with one thing changed, as several facts change them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from events.rules.kit.values import put, remove_each
from events.titles.colonialism.data import COLOR_INDEX, REGION_INDEX
from events.titles.colonialism.derived import region
from events.titles.colonialism.knowledge import note_showing
from events.titles.colonialism.parts import Cubes, Faction, Region, SeatCards, Stage
from events.titles.colonialism.state import State


def add_at(values: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    """Return a copy of *values* with *more* at *index*."""
    return put(values, index, values[index] + more)


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
    natives = region(state, key).natives + more
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
    mercenaries = add_at(region(state, key).mercenaries, seat, more)
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


def discard_chosen(state: State, discards: Sequence[SeatCards]) -> State:
    """Discard the cards that players chose from their hands, shown to all; all choices are made."""
    for mine in discards:
        state = discard_cards(take_from_hand(state, mine.seat, mine.cards), mine.seat, mine.cards)
        state = note_showing(state, mine.seat, mine.cards)
    return replace(state, kept=(None,) * state.seats)


def set_stage(state: State, stage: Stage) -> State:
    """Set the colonization of the current region to *stage*."""
    if state.colonization is None:
        return state
    return replace(state, colonization=replace(state.colonization, stage=stage))
