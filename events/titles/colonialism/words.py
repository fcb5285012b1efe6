"""Words for sentences and buttons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from events.rules.fact import Who
from events.rules.kit.words import format_count, format_list, sentences
from events.titles.colonialism.data import CARD, COLOR_NAMES, COLORS, D3, INTEREST, NAMES
from events.titles.colonialism.state import State

Data = Mapping[str, Any]
"""A fact, or a part of it, as JSON."""

CAUSES: Mapping[str, str] = {
    "colonization": "its colonization",
    "conflict": "conflict",
    "unrest_at_home": "Unrest at Home",
    **{key: NAMES[key] for key in ("diplomacy", "land_grab", "military_campaign", "missionaries", "plague")},
}


def mercenaries_counted(count: int) -> str:
    """Return a text such as ``1 mercenary``, ``2 mercenaries``."""
    return format_count(count, "mercenary", "mercenaries")


def format_names(keys: Iterable[str]) -> str:
    """Return the names of cards or regions in a list."""
    return format_list(NAMES[key] for key in keys)


def cubes_named(cubes: Data) -> str:
    """Return a text such as ``2 black and 1 yellow``."""
    return format_list(f"{cubes[color]} {color}" for color in COLORS if cubes[color])


def interest_named(card: str) -> str:
    """Return a text such as ``India (yellow)``."""
    return f"{NAMES[INTEREST[card].region]} ({INTEREST[card].pays})"


def phase_named(phase: str) -> str:
    """Return a text such as ``action round 1``."""
    return phase.replace("_", " ")


def ship_named(ship: str) -> str:
    """Return a text such as ``blue ship 1``."""
    return ship.replace("_", " ")


def faction_named(faction: int | str, who: Who) -> str:
    """Return the natives, or what the seat is called."""
    return "the natives" if isinstance(faction, str) else who(faction)


def faction_on_button(state: State, faction: int | str) -> str:
    """Return the natives, or the colour of the player."""
    if isinstance(faction, str):
        return faction
    return COLOR_NAMES[state.colors[faction]] if faction < state.seats else f"seat {faction}"


def influences_named(there: Mapping[Any, int], who: Who) -> str:
    """Return a text such as ``Blue 4, Red 2 and natives 1``: who has how much influence in a region."""
    return format_list(
        (
            f"{'natives' if faction == 'natives' else who(int(faction))} {count}"
            for faction, count in there.items()
        ),
        "nobody is there",
    )


def tie_break(results: Iterable[tuple[int, int]]) -> str:
    """Return the rule for players of equal score (CSM-247, CSM-248); empty if there are none.

    The results are one ``(score, cubes)`` for each player.
    """
    found = list(results)
    scores = [score for score, _ in found]
    if len(set(scores)) == len(found):
        return ""
    shared = " Who is equal in both shares the place." if len(set(found)) < len(found) else ""
    return f"Of equal scores the one with more cubes left after conversion ranks first.{shared}"


def format_name(key: str) -> str:
    """Return the name of a region, sea zone or card, or the text that stands for none."""
    return NAMES.get(key, key)


def dice_bounds(card: str, most: int) -> tuple[int, int]:
    """Return the least and the most that the die of an action card can bring, where *most* are there."""
    return min(most, min(D3) + CARD[card].number), min(most, max(D3) + CARD[card].number)


def dice_range(card: str, most: int) -> str:
    """Return a text such as ``2 to 4``, ``2 or 3``, ``1`` or ``no``, where *most* are there."""
    least, highest = dice_bounds(card, most)
    if least == highest:
        return str(most or "no")
    return f"{least} {'or' if highest - least == 1 else 'to'} {highest}"


def dice_sum(roll: Data) -> str:
    """Return a text such as ``2 + 1 = 3``: the face of the die and the bonus of the card."""
    bonus = CARD[roll["purpose"]].number
    return f"{roll['face']} + {bonus} = {roll['face'] + bonus}"


def format_with_ship(ship: str) -> str:
    """Return a text such as ``with blue ship 1``."""
    return f"with {ship_named(ship)}"


def format_dice(dice: Iterable[int]) -> str:
    """Return a text such as ``2 + 3 = 5``; a single die alone."""
    faces = list(dice)
    return " + ".join(map(str, faces)) + (f" = {sum(faces)}" if len(faces) > 1 else "")


def format_by_seat(parts: Iterable[Data], who: Who) -> str:
    """Return a text such as ``Blue: Army and Fleet; Red: Trade``."""
    return "; ".join(f"{who(part['seat'])}: {format_names(part['cards'])}" for part in parts)


says = sentences(
    name=NAMES.__getitem__,
    names=format_names,
    these=lambda cards: f": {format_names(cards)}",
    interests=lambda cards: f"the economic interests {format_list(map(interest_named, cards))}",
    ship=ship_named,
    phase=phase_named,
    cards=lambda count: format_count(count, "card"),
    discs=lambda count: format_count(count, "disc"),
    natives=lambda count: format_count(count, "native"),
    mercenaries=mercenaries_counted,
)

DRAWS_CARDS = says("{seat:who} draws {count:cards}{cards:these|}.")
