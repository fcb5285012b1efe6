"""The values of policy cards, from the state at resolution (CSM-132, CSM-140 to CSM-152)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from events.titles.colonialism.data import CARD, COLOR_INDEX
from events.titles.colonialism.derived import adjacent_regions, has_most, influence, is_adjacent, region
from events.titles.colonialism.state import State

Value = Callable[[State, int, str, str], int]
"""``(state, owner, region, card)``: how many discs the card wants to place."""


def _number(card: str) -> int:
    return CARD[card].number


def _own_ships(state: State, seat: int, key: str) -> int:
    return sum(is_adjacent(ship, key) for ship in state.ships[seat])


def _neighbours_held(state: State, seat: int, key: str) -> int:
    return sum(influence(at, seat) > 0 for at in adjacent_regions(state, key))


def army(state: State, seat: int, key: str, card: str) -> int:
    """Return 2 for each adjacent region with own influence (CSM-140)."""
    return _number(card) * _neighbours_held(state, seat, key)


def commerce(state: State, seat: int, key: str, card: str) -> int:
    """Return 1 for each ship of any player in adjacent sea zones (CSM-141)."""
    return _number(card) * sum(_own_ships(state, owner, key) for owner in range(len(state.ships)))


def dominion(state: State, seat: int, key: str, card: str) -> int:
    """Return 2 for each region where the owner has the most (CSM-142)."""
    return _number(card) * sum(has_most(at, seat) for at in state.regions)


def empire(state: State, seat: int, key: str, card: str) -> int:
    """Return 1 for each region with own influence, this one only if there was some before (CSM-143)."""
    return _number(card) * sum(influence(at, seat) > 0 for at in state.regions)


def fleet(state: State, seat: int, key: str, card: str) -> int:
    """Return 2 for each own ship in adjacent sea zones (CSM-144)."""
    return _number(card) * _own_ships(state, seat, key)


def hegemony(state: State, seat: int, key: str, card: str) -> int:
    """Return 1 per own ship in adjacent zones and per adjacent region with own influence (CSM-145)."""
    return _number(card) * (_own_ships(state, seat, key) + _neighbours_held(state, seat, key))


def find_printed_value(state: State, seat: int, key: str, card: str) -> int:
    """Return the printed value: n for Influence Region n, 0 for Treaty (CSM-146, CSM-149)."""
    return _number(card)


def monopoly(state: State, seat: int, key: str, card: str) -> int:
    """Return the largest of the owner's counts of collected cubes (CSM-147)."""
    return _number(card) * max(state.collected[seat])


def resources(state: State, seat: int, key: str, card: str) -> int:
    """Return the number of cubes of the card's colour here and in adjacent regions (CSM-148)."""
    color = COLOR_INDEX[CARD[card].resource]
    return _number(card) * sum(at.cubes[color] for at in (region(state, key), *adjacent_regions(state, key)))


def consolidate_holdings(state: State, seat: int, key: str, card: str) -> int:
    """Return exactly 7, or 0 with fewer in reserve (CSM-151)."""
    return _number(card) if state.reserve[seat] >= _number(card) else 0


VALUES: Mapping[str, Value] = {
    "army": army,
    "commerce": commerce,
    "consolidate_holdings": consolidate_holdings,
    "dominion": dominion,
    "empire": empire,
    "fixed": find_printed_value,
    "fleet": fleet,
    "hegemony": hegemony,
    "monopoly": monopoly,
    "resources": resources,
}
"""By the rule named in the card data; Unrest at Home has no value of its own."""


def policy_value(state: State, seat: int, key: str, card: str) -> int:
    """Return the number of discs that *card* of *seat* wants to place in the region now."""
    return VALUES[CARD[card].rule](state, seat, key, card)
