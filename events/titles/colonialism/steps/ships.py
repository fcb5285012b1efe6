"""Placing ships at set-up, and the ships that actions use (CSM-014, CSM-044)."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonialism.commands import PlaceShip
from events.titles.colonialism.data import COLOR_NAMES, NAMES, PIECES, REGION_INDEX, ZONE_REGIONS
from events.titles.colonialism.facts import ActionRoundStarted, ShipPlaced, ShipUsed
from events.titles.colonialism.state import Ship, State, is_adjacent, ship_id


def known_region(key: str) -> str:
    """*key* if it is a region; otherwise rejected."""
    if key not in REGION_INDEX:
        raise Rejected("unknown_region", "There is no such region; name one of the six regions of the board.")
    return key


def known_sea_zone(key: str) -> str:
    """*key* if it is a sea zone; otherwise rejected."""
    if key not in ZONE_REGIONS:
        raise Rejected("unknown_sea_zone", "There is no such sea zone; name one of the five of the board.")
    return key


def own_ship(state: State, seat: int, key: str) -> Ship:
    """The seat's ship of that id; otherwise rejected."""
    color, _, number = key.rpartition("_ship_")
    numbers = [str(n + 1) for n in range(PIECES.ships)]
    if color not in state.colors or number not in numbers:
        raise Rejected(
            "unknown_ship", f"There is no such ship; yours are {ship_id(state, seat, 0)} and so on."
        )
    if color != state.colors[seat]:
        raise Rejected("not_your_ship", f"That ship is {COLOR_NAMES[color].lower()}; name one of your own.")
    fleet = state.ships[seat]
    if int(number) > len(fleet):
        raise Rejected("unknown_ship", f"You have {len(fleet)} ships on the board; name one of them.")
    return fleet[int(number) - 1]


def usable_ship(state: State, seat: int, key: str, *regions: str) -> Ship:
    """The seat's ship of that id if it is fresh and adjacent to the regions (CSM-071); otherwise rejected."""
    ship = own_ship(state, seat, key)
    if not ship.fresh:
        raise Rejected("ship_not_fresh", "That ship has been used in this round; choose a fresh one.")
    for place in regions:
        if not is_adjacent(ship, place):
            raise Rejected(
                "ship_not_adjacent", f"That ship is not adjacent to {NAMES[place]}; choose one that is."
            )
    return ship


def use_ship(draft: Draft[State], seat: int, key: str) -> None:
    """A ship that satisfied a requirement becomes used (CSM-014)."""
    ship = own_ship(draft.state, seat, key)
    draft.emit(ShipUsed(seat=seat, ship=key, sea_zone=ship.sea_zone))


def place_ship(draft: Draft[State], seat: int, command: PlaceShip, chance: Chance) -> None:
    """Ships are placed fresh, one a pass; the last one opens the first action round (CSM-044, CSM-045)."""
    zone = known_sea_zone(command.sea_zone)
    key = ship_id(draft.state, seat, len(draft.state.ships[seat]))
    draft.emit(ShipPlaced(seat=seat, ship=key, sea_zone=zone))
    if all(len(fleet) == PIECES.ships for fleet in draft.state.ships):
        draft.emit(ActionRoundStarted(turn=1, round=1))
