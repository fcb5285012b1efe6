"""The rulebook's words in sentences and on buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.rules.kit.overseas.words import character_name, format_number
from events.rules.kit.words import format_count, format_list, plural, sentences
from events.titles.colonial.data import (
    CARDS,
    NATIONS,
    RULES,
    Nation,
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
PHASE_NAMES = {
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
REASONS = {
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
_ENDED = {"tordesillas": "the Treaty of Tordesillas", "extra_card": "the use of the extra card"}


def territory_names(names: Sequence[str]) -> str:
    """``Brazil and Peru``, by id."""
    return format_list(territory_name(name) for name in names)


def space_names(names: Sequence[str]) -> str:
    """``Gold in West Africa and Furs in Canada``, by id."""
    return format_list(space_name(name) for name in names)


def nation_name(nation: str) -> str:
    """The name of a Nation, by id; a word that is none as it is."""
    return NATIONS[nation].name if nation in NATIONS else nation


def nation_rules(nation: Nation) -> str:
    """The rules that a Nation's card gives; those marked ** end at 6 Prestige (COL-25-09)."""
    return format_list(
        [
            *(["Treaty of Tordesillas **"] if nation.tordesillas else []),
            *(["Extremadura"] if nation.extremadura else []),
            *(["Flamboyance"] if nation.flamboyance else []),
            *(["re-roll at sea"] if nation.sea_reroll else []),
            *(["Sovereign may move right"] if nation.sovereign_moves_right else []),
            *([f"{nation.bonus_monopolies} bonus Monopolies"] if nation.bonus_monopolies else []),
            *([f"Logistics at most {nation.logistics_max}"] if nation.logistics_max else []),
        ],
        "no rules of its own",
    )


def nation_goals(nation: Nation) -> str:
    """The goals on a Nation's card, with their Historical Booming Cities."""
    return format_list(
        f"{territory_name(goal.territory)} ({goal.city})" if goal.city else territory_name(goal.territory)
        for goal in nation.goals
    )


def extra_card(nation: Nation) -> str:
    """``Merchant / Governor (Merchant twice)``."""
    again = format_list(character_name(character) for character in nation.repeatable)
    ends = " **" if nation.extra_card_ends else ""
    return f"{card_name(nation.extra_card)} ({again} twice){ends}"


def colour_of(seat: int) -> str:
    """Return the name of a seat before it has a Nation: its colour."""
    return RULES.colours[seat].capitalize()


def card_name(card: str) -> str:
    """The name of a card, by id; a word that is none as it is."""
    return CARDS[card].name if card in CARDS else card


def card_names(cards: Sequence[str]) -> str:
    """The names of cards, in order."""
    return ", ".join(card_name(card) for card in cards)


def format_roll(dice: Sequence[bool]) -> str:
    """``2 Successes of 5 dice``, ``no dice``."""
    return f"{successes(sum(dice))} of {format_count(len(dice), 'die', 'dice')}" if dice else "no dice"


def successes(count: int) -> str:
    """``1 Success``, ``2 Successes``, ``no Success``."""
    return format_number(count, "Success", "Successes")


def format_need(required: int, successes: int) -> str:
    """``4 needed: not reached``: a requirement of 0 or less is met without any Success.

    >>> format_need(4, 3), format_need(0, 0)
    ('4 needed: not reached', 'none needed: reached')
    """
    needed = f"{required} needed" if required > 0 else "none needed"
    return f"{needed}: {'reached' if successes >= required else 'not reached'}"


def format_result(data: Data) -> str:
    """``3 Successes, 4 needed: not reached``: a roll for an exploration or a circumnavigation."""
    return f"{successes(data['successes'])}, {format_need(data['required'], data['successes'])}"


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
    phase=PHASE_NAMES.__getitem__,
    choice=_CHOICES.__getitem__,
    reason=REASONS.__getitem__,
    ended=lambda rules: format_list(_ENDED[rule] for rule in rules) + plural(len(rules), " ends", " end"),
    rolled=format_roll,
    hits=lambda dice: str(sum(dice)),
    successes=successes,
    fleets=lambda count: format_count(count, "Merchant Fleet"),
    goods=lambda count: f"{count} Goods" if count else "no Goods",
)


def seat_said(state: State, seat: int) -> str:
    """The name of the seat; ``seat 9`` where there is none of that number."""
    return seat_name(state, seat) if 0 <= seat < state.seats else f"seat {seat}"


def removal(names: Sequence[str], casualties: Sequence[Any]) -> str:
    """``Remove 2 × Gold in Guinea (with the bottom of Gold in Guinea)``: *names* say each counter."""
    counts = [f"{names.count(name)} × {name}" for name in dict.fromkeys(names)]
    low = [space_name(loss.space) for loss in casualties if loss.position == 0]
    return f"Remove {format_list(counts)}" + (f" (with the bottom of {format_list(low)})" if low else "")
