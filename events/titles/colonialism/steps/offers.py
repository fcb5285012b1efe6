"""The regions and ships that a seat can reach: the ground of most legal lists of actions."""

from __future__ import annotations

from functools import lru_cache

from events.titles.colonialism.data import REGION_IDS, SEAS
from events.titles.colonialism.derived import influence, name_ship
from events.titles.colonialism.parts import Ship
from events.titles.colonialism.state import State


def find_fresh_ships(state: State, seat: int) -> dict[str, str]:
    """Return one fresh ship of the seat for each sea zone where it has one: zone to ship."""
    return _find_fresh(state.colors[seat], state.ships[seat])


def _find_fresh(color: str, fleet: tuple[Ship, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, ship in enumerate(fleet):
        if ship.fresh:
            found.setdefault(ship.sea_zone, name_ship(color, number))
    return found


def list_reachable(state: State, seat: int) -> tuple[tuple[str, str], ...]:
    """Return pairs of region and ship that a fresh ship reaches, in table order."""
    return _reach(state.colors[seat], state.ships[seat])


@lru_cache(5000)  # of each colour, three ships in five zones, fresh or used: as many fleets as there are
def _reach(color: str, fleet: tuple[Ship, ...]) -> tuple[tuple[str, str], ...]:
    fresh = _find_fresh(color, fleet)
    found: list[tuple[str, str]] = []
    for key, zones in zip(REGION_IDS, SEAS, strict=True):
        found += [(key, ship) for ship in sorted(fresh[zone] for zone in zones if zone in fresh)]
    return tuple(found)


def presence(state: State, seat: int) -> list[str]:
    """Return the regions where the seat has influence."""
    return [key for key, at in zip(REGION_IDS, state.regions, strict=True) if influence(at, seat)]
