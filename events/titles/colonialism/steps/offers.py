"""The regions and ships that a seat can reach: the ground of most legal lists of actions."""

from __future__ import annotations

from events.titles.colonialism.data import REGION_IDS, SEAS
from events.titles.colonialism.derived import influence, ship_id
from events.titles.colonialism.state import State


def find_fresh_ships(state: State, seat: int) -> dict[str, str]:
    """Return one fresh ship of the seat for each sea zone where it has one: zone to ship."""
    found: dict[str, str] = {}
    for number, ship in enumerate(state.ships[seat]):
        if ship.fresh:
            found.setdefault(ship.sea_zone, ship_id(state, seat, number))
    return found


def list_reachable(state: State, seat: int) -> list[tuple[str, str]]:
    """Return pairs of region and ship that a fresh ship reaches, in table order."""
    fresh = find_fresh_ships(state, seat)
    found: list[tuple[str, str]] = []
    if not fresh:
        return found
    for key, zones in zip(REGION_IDS, SEAS, strict=True):
        ships = [fresh[zone] for zone in zones if zone in fresh]
        found += [(key, ship) for ship in (sorted(ships) if len(ships) > 1 else ships)]
    return found


def presence(state: State, seat: int) -> list[str]:
    """Return the regions where the seat has influence."""
    return [key for key, at in zip(REGION_IDS, state.regions, strict=True) if influence(at, seat)]
