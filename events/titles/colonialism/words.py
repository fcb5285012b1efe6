"""Words for sentences and buttons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from events.rules.fact import Who
from events.rules.kit.words import counted, listed, sentences
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
    """``1 mercenary``, ``2 mercenaries``."""
    return counted(count, "mercenary", "mercenaries")


def named(keys: Iterable[str]) -> str:
    """The names of cards or regions in a list."""
    return listed(NAMES[key] for key in keys)


def cubes_named(cubes: Data) -> str:
    """``2 black and 1 yellow``."""
    return listed(f"{cubes[color]} {color}" for color in COLORS if cubes[color])


def interest_named(card: str) -> str:
    """``India (yellow)``."""
    return f"{NAMES[INTEREST[card].region]} ({INTEREST[card].pays})"


def phase_named(phase: str) -> str:
    """``action round 1``."""
    return phase.replace("_", " ")


def ship_named(ship: str) -> str:
    """``blue ship 1``."""
    return ship.replace("_", " ")


def faction_named(faction: int | str, who: Who) -> str:
    """The natives, or what the seat is called."""
    return "the natives" if isinstance(faction, str) else who(faction)


def faction_on_button(state: State, faction: int | str) -> str:
    """The natives, or the colour of the player."""
    if isinstance(faction, str):
        return faction
    return COLOR_NAMES[state.colors[faction]] if faction < state.seats else f"seat {faction}"


def influences_named(there: Mapping[Any, int], who: Who) -> str:
    """``Blue 4, Red 2 and natives 1``: who has how much influence in a region."""
    return listed(
        (
            f"{'natives' if faction == 'natives' else who(int(faction))} {count}"
            for faction, count in there.items()
        ),
        "nobody is there",
    )


def tie_break(results: Iterable[tuple[int, int]]) -> str:
    """How players of equal score are ranked (CSM-247, CSM-248), of ``(score, cubes)`` each; empty without."""
    found = list(results)
    scores = [score for score, _ in found]
    if len(set(scores)) == len(found):
        return ""
    shared = " Who is equal in both shares the place." if len(set(found)) < len(found) else ""
    return f"Of equal scores the one with more cubes left after conversion ranks first.{shared}"


def called(key: str) -> str:
    """The name of a region, sea zone or card, or the text that stands for none."""
    return NAMES.get(key, key)


def dice_range(card: str) -> str:
    """``2 to 4``: what the die of an action card can come to."""
    return f"{min(D3) + CARD[card].number} to {max(D3) + CARD[card].number}"


def with_ship(ship: str) -> str:
    """``with blue ship 1``."""
    return f"with {ship_named(ship)}"


def by_seat(parts: Iterable[Data], who: Who) -> str:
    """``Blue Army and Fleet; Red Trade``."""
    return "; ".join(f"{who(part['seat'])} {named(part['cards'])}" for part in parts)


says = sentences(
    name=NAMES.__getitem__,
    names=named,
    these=lambda cards: f": {named(cards)}",
    interests=lambda cards: f"the economic interests {listed(map(interest_named, cards))}",
    ship=ship_named,
    phase=phase_named,
    dice=lambda dice: " + ".join(map(str, dice)),
    cards=lambda count: counted(count, "card"),
    discs=lambda count: counted(count, "disc"),
    natives=lambda count: counted(count, "native"),
    mercenaries=mercenaries_counted,
)

DRAWS_CARDS = says("{seat:who} draws {count:cards}{cards:these|}.")
