"""The rulebook's words in sentences and on buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.kit.words import counted, listed, sentences
from events.titles.colonial.data import (
    CARDS,
    NATIONS,
    character_name,
    resource_name,
    space_name,
    territory_name,
)
from events.titles.colonial.derived import seat_name
from events.titles.colonial.state import State

Data = Mapping[str, Any]

_VARIANTS = {
    "basic": "the basic game",
    "nations": "the Nations Variant",
    "nations_2_3": "the 2-3 player game",
}
_PHASES = {
    "merchant_fleets": "Merchant Fleets",
    "naval_forces": "Naval Forces",
    "end_of_turn": "the end of the turn",
}
_CHOICES = {
    "second_roll": "may roll again for Australia",
    "settle": "may settle there",
    "circumnavigation": "may try to sail around the world",
    "reroll": "may re-roll the sea dice",
    "surrender": "decides whether to surrender",
}
WHY = {
    "first_player": "as First Player",
    "scientist": "for the Scientist",
    "governor": "for a Booming City",
    "circumnavigation": "for sailing around the world",
    "ambassador": "through the Ambassador",
    "india_china": "for exploring there",
    "monopoly_broken": "for breaking a Monopoly",
    "control_taken": "for taking control",
    "repression": "for repression",
    "war_declared": "for declaring war",
    "slaves_shipped": "for shipping slaves",
    "sovereign": "through the Sovereign",
    "adventurers": "with the adventurers",
    "extremadura": "by Extremadura",
    "pillage": "after pillage",
    "rebel": "by the Rebel",
}
_SOURCES = {"treasury": "a Treasury", "fleets": "a Merchant Fleet"}
_ENDED = {"tordesillas": "the Treaty of Tordesillas", "extra_card": "the use of the extra card"}


def territory_names(names: Sequence[str]) -> str:
    """``Brazil and Peru``, by id."""
    return listed(territory_name(name) for name in names)


def space_names(names: Sequence[str]) -> str:
    """``Gold in West Africa and Furs in Canada``, by id."""
    return listed(space_name(name) for name in names)


def nation_name(nation: str) -> str:
    """The name of a Nation, by id; a word that is none as it is."""
    return NATIONS[nation].name if nation in NATIONS else nation


def card_name(card: str) -> str:
    """The name of a card, by id; a word that is none as it is."""
    return CARDS[card].name if card in CARDS else card


def card_names(cards: Sequence[str]) -> str:
    """The names of cards, in order."""
    return ", ".join(card_name(card) for card in cards)


def rolled(dice: Sequence[bool]) -> str:
    """``2 of 5``: Successes and dice."""
    return f"{sum(dice)} of {len(dice)}"


says = sentences(
    territory=territory_name,
    territories=territory_names,
    space=space_name,
    spaces=space_names,
    nation=nation_name,
    card=card_name,
    character=character_name,
    resource=resource_name,
    track=str.capitalize,
    variant=_VARIANTS.__getitem__,
    phase=_PHASES.__getitem__,
    choice=_CHOICES.__getitem__,
    why=WHY.__getitem__,
    source=_SOURCES.__getitem__,
    ended=lambda rules: listed(_ENDED[rule] for rule in rules),
    rolled=rolled,
    hits=lambda dice: str(sum(dice)),
    successes=lambda count: counted(count, "Success", "Successes"),
    continents=lambda reached: counted(len(reached), "continent"),
    fleets=lambda count: counted(count, "Merchant Fleet"),
    squadrons=lambda count: counted(count, "Squadron"),
)


def seat_said(state: State, seat: int) -> str:
    """The name of the seat; ``seat 9`` where there is none of that number."""
    return seat_name(state, seat) if 0 <= seat < state.seats else f"seat {seat}"


def removal(names: Sequence[str], casualties: Sequence[Any]) -> str:
    """``Remove 2 × Gold in Guinea (with the bottom of Gold in Guinea)``: *names* say each counter."""
    counts = [f"{names.count(name)} × {name}" for name in dict.fromkeys(names)]
    low = [space_name(loss.space) for loss in casualties if loss.position == 0]
    return f"Remove {listed(counts)}" + (f" (with the bottom of {listed(low)})" if low else "")
