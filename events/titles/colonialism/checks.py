"""Checks that commands must pass before they are carried out; each refuses with a reason."""

from __future__ import annotations

from collections.abc import Mapping

from events.rules.kit.words import format_count
from events.rules.steps import Rejected
from events.titles.colonialism.data import COLOR_NAMES, NAMES, PIECES, REGION_INDEX, ZONE_REGIONS
from events.titles.colonialism.derived import factions, influence, is_adjacent, region, ship_id
from events.titles.colonialism.parts import Faction, Ship
from events.titles.colonialism.state import State

CODES: Mapping[str, str] = {
    "wrong_phase": "not_your_decision",
    "decision_pending": "not_your_decision",
    "not_active_player": "not_your_decision",
    "no_choice_needed": "not_your_decision",
    "already_chosen": "already_answered",
    "invalid_row": "invalid_parameters",
    "invalid_count": "invalid_parameters",
}
"""The rulebook's words for refusals that have a common code."""

_SHIP_NUMBERS: Mapping[str, int] = {str(n + 1): n for n in range(PIECES.ships)}


def require_region(key: str) -> str:
    """Return *key* if it is a region."""
    if key not in REGION_INDEX:
        raise Rejected("unknown_region", "There is no such region; name one of the six regions of the board.")
    return key


def require_sea_zone(key: str) -> str:
    """Return *key* if it is a sea zone."""
    if key not in ZONE_REGIONS:
        raise Rejected("unknown_sea_zone", "There is no such sea zone; name one of the five of the board.")
    return key


def require_faction(state: State, name: int | str) -> Faction:
    """Return the faction of that name, a seat or ``natives``."""
    for faction in factions(state):
        if faction == name:
            return faction
    raise Rejected("unknown_faction", "No such player takes part; name the natives or a seat of this game.")


def own_ship(state: State, seat: int, key: str) -> Ship:
    """Return the seat's ship of that id."""
    color, _, number = key.rpartition("_ship_")
    if color not in state.colors or number not in _SHIP_NUMBERS:
        raise Rejected(
            "unknown_ship", f"There is no such ship; yours are {ship_id(state, seat, 0)} and so on."
        )
    if color != state.colors[seat]:
        raise Rejected("not_your_ship", f"That ship is {COLOR_NAMES[color].lower()}; name one of your own.")
    fleet = state.ships[seat]
    index = _SHIP_NUMBERS[number]
    if index >= len(fleet):
        ships = format_count(len(fleet), "ship")
        raise Rejected("unknown_ship", f"You have {ships} on the board; name one of them.")
    return fleet[index]


def usable_ship(state: State, seat: int, key: str, *regions: str) -> Ship:
    """Return the seat's ship of that id if it is fresh and adjacent to the regions."""
    ship = own_ship(state, seat, key)
    if not ship.fresh:
        raise Rejected("ship_not_fresh", "That ship has been used in this round; choose a fresh one.")
    for place in regions:
        if not is_adjacent(ship, place):
            raise Rejected(
                "ship_not_adjacent", f"That ship is not adjacent to {NAMES[place]}; choose one that is."
            )
    return ship


def ship_for_card(state: State, seat: int, key: str, place: str) -> Ship:
    """Return the ship that a card needs, fresh and adjacent to its region (CSM-071)."""
    return usable_ship(state, seat, key, place)


def check_in_hand(state: State, seat: int, card: str) -> None:
    """Raise Rejected unless the card is in the hand (CSM-070)."""
    if card not in state.hands[seat]:
        raise Rejected("card_not_in_hand", "You do not hold that card; play one from your hand.")


def check_presence(state: State, seat: int, key: str) -> None:
    """Raise Rejected unless there is own influence in the region (CSM-073)."""
    if not influence(region(state, key), seat):
        raise Rejected(
            "no_presence_in_region", f"You have no influence in {NAMES[key]}; choose a region where you have."
        )
