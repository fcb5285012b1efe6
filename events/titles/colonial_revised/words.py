"""Names for people: Territories, spaces, cards, seats, lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from events.kit import words
from events.titles.colonial_revised.data import CARD, COLOURS, SPACE, SPACES, TERRITORIES, TERRITORY, WORLD

listed, many = words.listed, words.counted

CHARACTER_NAMES = {
    character: character.capitalize() for card in CARD.values() for character in card.characters
}
TRACK_NAMES = {"economy": "Economy", "seafaring": "Seafaring", "navy": "Navy", "logistics": "Logistics"}
PHASE_NAMES = {
    "endeavour": "Endeavour",
    "merchant_fleets": "Merchant Fleets",
    "first_player": "First player",
    "naval_forces": "Naval Forces",
    "privateering": "Privateering",
    "interest": "Interest",
    "choosing_cards": "Choosing cards",
    "end_of_turn": "End of turn",
}
SOURCE_NAMES = {
    "monopoly": "Monopolies",
    "colony": "Colonies",
    "city": "Cities",
    "war": "wars",
    "progress_award": "the Progress award",
    "missions_award": "the Missions award",
    "adjacency": "adjacent Colonies",
    "diversity": "different Resources",
}


def seat_name(seat: int) -> str:
    """The colour of a seat."""
    return COLOURS[seat] if 0 <= seat < len(COLOURS) else f"Seat {seat}"


def territory(name: str) -> str:
    """The name of a Territory."""
    number = TERRITORY.get(name)
    return name if number is None else TERRITORIES[number].name


def space(name: str) -> str:
    """Such as ``Gold in New Spain``."""
    number = SPACE.get(name)
    if number is None:
        return name
    found = SPACES[number]
    return f"{resource(found.resource)} in {TERRITORIES[found.territory].name}"


def resource(name: str) -> str:
    """The name of a type of Resource."""
    found = WORLD.resource_named.get(name)
    return name if found is None else found.name


def short_space(name: str) -> str:
    """Only the Resource, where the Territory is clear."""
    number = SPACE.get(name)
    return name if number is None else resource(SPACES[number].resource)


def card(name: str) -> str:
    """The name of a card."""
    return CARD[name].name if name in CARD else name


def placements(entries: Iterable[Mapping[str, Any]]) -> str:
    """``2 on Silk and 1 on Tea``."""
    return listed(f"{entry['count']} on {short_space(entry['space'])}" for entry in entries)


def per_space(entries: Iterable[Mapping[str, Any]]) -> str:
    """``2 from Silk and 1 from Tea``."""
    return listed(f"{entry['count']} from {short_space(entry['space'])}" for entry in entries)


def spaces(names: Iterable[str]) -> str:
    """A list of spaces."""
    return listed(space(name) for name in names)
