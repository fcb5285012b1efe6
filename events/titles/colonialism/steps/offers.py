"""What a seat can reach: the ground of most legal lists of actions."""

from __future__ import annotations

from events.titles.colonialism.data import REGION_IDS, ZONE_REGIONS
from events.titles.colonialism.derived import influence, ship_id
from events.titles.colonialism.state import State


def fresh_ships(state: State, seat: int) -> dict[str, str]:
    """One fresh ship of the seat for each sea zone where it has one: zone to ship."""
    found: dict[str, str] = {}
    for number, ship in enumerate(state.ships[seat]):
        if ship.fresh:
            found.setdefault(ship.sea_zone, ship_id(state, seat, number))
    return found


def reachable(state: State, seat: int) -> list[tuple[str, str]]:
    """Pairs of region and ship that a fresh ship reaches, in table order."""
    pairs = {(i, ship) for zone, ship in fresh_ships(state, seat).items() for i in ZONE_REGIONS[zone]}
    return [(REGION_IDS[i], ship) for i, ship in sorted(pairs)]


def presence(state: State, seat: int) -> list[str]:
    """The regions where the seat has influence."""
    return [key for key, at in zip(REGION_IDS, state.regions, strict=True) if influence(at, seat)]
