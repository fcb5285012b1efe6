"""Words for people: Territories, spaces, cards, seats, pieces; and the sentences made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from events.rules.fact import Who
from events.rules.kit.words import format_count, format_list, sentences
from events.titles.colonial_revised.data import CARDS, COLOURS, SPACE, SPACES, WORLD
from events.titles.colonial_revised.derived import count_sent_unrest
from events.titles.colonial_revised.parts import SpaceCount

Data = Mapping[str, Any]
"""The JSON of a fact, less the secrets that the reader may not know."""

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


SIDE_NAMES = {"attacker": "the Attacker", "defender": "the Defender", "none": "nobody"}
REASONS = {
    "ambassador": "by the Ambassador",
    "war_declared": "for declaring war",
    "ally_of_the_attacker": "for helping the Attacker",
    "war_lost": "after losing the war",
    "monopoly_broken": "for breaking a Monopoly",
    "space_taken_over": "for taking over a space",
    "slaves_shipped": "for shipping Slaves",
    "rebel_entered": "for entering after the Rebellion",
    "adventurers": "for the Adventurers",
    "viceroy": "for the Viceroy's counters",
    "rebel": "by the Rebel",
    "expedition": "for the military expedition",
    "conqueror": "after the Conquest",
    "rebellion": "after the Rebellion",
}
"""The words for why Diplomacy moves and Unrest comes or goes, by reason."""


territory_name, space_name, resource_name = WORLD.territory_name, WORLD.space_name, WORLD.resource_name


def seat_name(seat: int) -> str:
    """The colour of a seat."""
    return COLOURS[seat] if 0 <= seat < len(COLOURS) else f"Seat {seat}"


def short_space(name: str) -> str:
    """Only the Resource, where the Territory is clear."""
    number = SPACE.get(name)
    return name if number is None else resource_name(SPACES[number].resource)


def card_name(name: str) -> str:
    """The name of a card."""
    return CARDS[name].name if name in CARDS else name


def placements(entries: Iterable[Mapping[str, Any]]) -> str:
    """``2 on Silk and 1 on Tea``."""
    return format_list(f"{entry['count']} on {short_space(entry['space'])}" for entry in entries)


def format_per_space(entries: Iterable[Mapping[str, Any]]) -> str:
    """``2 from Silk and 1 from Tea``."""
    return format_list(f"{entry['count']} from {short_space(entry['space'])}" for entry in entries)


def format_on_spaces(entries: Iterable[SpaceCount]) -> str:
    """:func:`placements` of a command."""
    return format_list(f"{entry.count} on {short_space(entry.space)}" for entry in entries)


def format_sent(entries: Iterable[SpaceCount]) -> str:
    """``3 on Silk for 3 T and 1 Unrest``: what a command sends, and what it costs."""
    placed = tuple(entries)
    count = sum(entry.count for entry in placed)
    unrest = count_sent_unrest(count)
    return f"{format_on_spaces(placed)} for {count} T" + (f" and {unrest} Unrest" if unrest else "")


def format_from_spaces(entries: Iterable[SpaceCount]) -> str:
    """:func:`format_per_space` of a command."""
    return format_list(f"{entry.count} from {short_space(entry.space)}" for entry in entries)


def space_names(names: Iterable[str]) -> str:
    """A list of spaces."""
    return format_list(space_name(name) for name in names)


def dice(count: int) -> str:
    """``1 die``, ``4 dice``."""
    return format_count(count, "die", "dice")


def successes(count: int) -> str:
    """``1 Success``, ``2 Successes``."""
    return format_count(count, "Success", "Successes")


def points(count: int) -> str:
    """``1 Prestige Point``, ``3 Prestige Points``."""
    return format_count(count, "Prestige Point")


def fleets(count: int) -> str:
    """``1 Merchant Fleet``, ``3 Merchant Fleets``."""
    return format_count(count, "Merchant Fleet")


def squadrons(count: int) -> str:
    """``1 Squadron``, ``3 Squadrons``."""
    return format_count(count, "Squadron")


def privateers(count: int) -> str:
    """``1 Privateer``, ``3 Privateers``."""
    return format_count(count, "Privateer")


def total(entries: Iterable[Mapping[str, Any]]) -> int:
    """Return the number of counters that the entries of a fact place or take."""
    return sum(entry["count"] for entry in entries)


def goods(count: int) -> str:
    """``1 Good``, ``3 Goods``."""
    return format_count(count, "Good")


def own_goods(count: int) -> str:
    """``1 own Good``, ``3 own Goods``."""
    return format_count(count, "own Good")


def foreign_goods(count: int) -> str:
    """``1 foreign Good``, ``3 foreign Goods``."""
    return format_count(count, "foreign Good")


def counters(count: int) -> str:
    """``1 counter``, ``3 counters``."""
    return format_count(count, "counter")


def format_by_seat(entries: Iterable[Mapping[str, Any]], who: Who) -> str:
    """``2 by Red and 1 by Blue``, from a fact's entries of seat and count."""
    return format_list(f"{entry['count']} by {who(entry['seat'])}" for entry in entries)


def losses(entries: Iterable[Mapping[str, Any]], who: Who) -> str:
    """``Red 2 (Silk) and Blue 1 (Tea)``."""
    return format_list(f"{who(e['seat'])} {e['count']} ({short_space(e['space'])})" for e in entries)


says = sentences(
    card=card_name,
    counters=counters,
    fleets=fleets,
    goods=goods,
    per_space=format_per_space,
    phase=PHASE_NAMES.__getitem__,
    placements=placements,
    points=points,
    privateers=privateers,
    reason=REASONS.__getitem__,
    side=SIDE_NAMES.__getitem__,
    space=space_name,
    squadrons=squadrons,
    territory=territory_name,
    track=str.capitalize,
)
"""``says("{seat:who} discards {amount} T.")``: the sentence of a fact, its words those above."""
