"""The Conqueror founds a Colony."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import (
    Counts,
    is_explored,
    make_space_counts,
    merge_counts,
    territory_number,
)
from events.titles.colonial_revised.data import CONSTANTS, TERRITORIES, TERRITORY
from events.titles.colonial_revised.derived import (
    colonies,
    counters,
    double_if,
    list_territories_of,
    native_power,
    own_counters,
    removal_order,
)
from events.titles.colonial_revised.offers import draw_counters, entries, list_capped_splits, pick
from events.titles.colonial_revised.parts import SpaceCount
from events.titles.colonial_revised.state import State, controllers, remove
from events.titles.colonial_revised.steps.cards import Character, character, use
from events.titles.colonial_revised.steps.settlement import (
    control_after_removal,
    holds,
    removal_consequences,
)


def check_site(state: State, seat: int, territory: int) -> None:
    """Check that a Colony may be founded there (REV-150, REV-155). Raises :class:`Rejected`."""
    is_explored(state, territory)
    land, place = state.lands[territory], TERRITORIES[territory]
    if land.colony_owner is not None:
        raise Rejected("colony_exists", f"{place.name} already has a Colony: choose another Territory.")
    power = native_power(state, territory)
    if power < 1:
        raise Rejected(
            "no_native_power",
            f"{place.name} has no Native Power, so it can never be a Colony: choose another.",
        )
    if counters(state, seat, territory) < power:
        raise Rejected(
            "not_enough_counters", f"You need {power} counters in {place.name}: place more there first."
        )
    if any(state.piles[space][:1] != (seat,) for space in place.spaces):
        raise Rejected("resources_not_controlled", f"Take control of every space of {place.name} first.")


def founder_removal(state: State, seat: int, territory: int) -> int:
    """Return the number of counters that the founder gives up (REV-151)."""
    return counters(state, seat, territory) // 2


def _check_removals(state: State, seat: int, territory: int, removals: Counts) -> None:
    due = founder_removal(state, seat, territory)
    held = {space: state.piles[space].count(seat) for space in TERRITORIES[territory].spaces}
    if sum(removals.values()) != due or any(held.get(space, 0) < n for space, n in removals.items()):
        raise Rejected(
            "bad_removals", f"Remove exactly {due} of your counters from spaces of this Territory."
        )


def found_colony(draft: Draft[State], seat: int, command: c.FoundColony) -> None:
    """Half of everybody's counters go, the Colony marker comes (REV-150 to REV-157)."""
    territory, removals = territory_number(command.territory), merge_counts(command.removals)
    state = draft.state
    check_site(state, seat, territory)
    _check_removals(state, seat, territory, removals)
    if len(colonies(state, seat)) >= CONSTANTS.colony_markers:
        raise Rejected("no_colony_marker", "All your Colony markers are on the map: play something else.")
    use(draft, seat, "conqueror")
    _remove_founders(draft, seat, command.territory, removals)
    for other in range(state.seats):
        if other != seat and (half := counters(state, other, territory) // 2):
            gone = make_space_counts(removal_order(state, territory, other, half, rebellion=False))
            draft.emit(f.CountersRemoved(command.territory, other, gone, "pool", "conqueror"))
    unrest = state.lands[territory].unrest // 2
    if unrest:
        draft.emit(f.UnrestRemoved(territory=command.territory, count=unrest, reason="conqueror"))
    draft.emit(f.ColonyFounded(seat=seat, territory=command.territory, pp=double_if(territory)))
    if state.lands[territory].independent:
        draft.emit(f.IndependenceEnded(territory=command.territory))
    spaces = TERRITORIES[territory].spaces
    if any(state.protected[space] for space in spaces):
        draft.emit(f.ProtectionLifted(territory=command.territory))
    control_after_removal(draft, controllers(state), spaces)


def _remove_founders(draft: Draft[State], seat: int, territory: str, removals: Counts) -> None:
    """One of the founder's counters becomes a Merchant Fleet, the others leave (REV-152)."""
    if not removals:
        return
    first = next(iter(removals))
    draft.emit(
        f.CountersRemoved(territory, seat, make_space_counts({first: 1}), "merchant_fleet", "conqueror")
    )
    rest = make_space_counts({**removals, first: removals[first] - 1})
    if rest:
        draft.emit(f.CountersRemoved(territory, seat, rest, "pool", "conqueror"))


# --- offers --------------------------------------------------------------------------------------


def colony_sites(state: State, seat: int) -> tuple[int, ...]:
    """Return the Territories where the Conqueror can found a Colony (REV-150)."""
    if len(colonies(state, seat)) >= CONSTANTS.colony_markers:
        return ()
    return tuple(t for t in list_territories_of(state, seat) if _is_site(state, seat, t))


def _is_site(state: State, seat: int, territory: int) -> bool:
    land, power = state.lands[territory], native_power(state, territory)
    return (
        land.explored
        and land.colony_owner is None
        and power >= 1
        and counters(state, seat, territory) >= power
        and all(state.piles[space][:1] == (seat,) for space in TERRITORIES[territory].spaces)
    )


def _offers(state: State, seat: int) -> Iterator[c.FoundColony]:
    for site in colony_sites(state, seat):
        held, due = own_counters(state, seat, site), founder_removal(state, seat, site)
        for split in list_capped_splits(held, due):
            yield c.FoundColony(TERRITORIES[site].id, entries(split))


def _label(state: State, seat: int, command: c.FoundColony) -> str:
    given = f"; {w.format_on_spaces(command.removals)} for 1 Merchant Fleet" if command.removals else ""
    number = TERRITORY.get(command.territory)
    points = f" ({w.points(double_if(number))})" if number is not None else ""
    led = "" if number is None else _control_said(state, seat, number, command.removals)
    return f"Conqueror: Colony in {w.territory_name(command.territory)}{points}{given}{led}"


def _control_said(state: State, seat: int, territory: int, removals: Iterable[SpaceCount]) -> str:
    """Return the words for a button on control that changes once half of all counters are gone (REV-157)."""
    given = tuple(removals)
    if not holds(state, seat, given):
        return ""
    left = remove(state, seat, given)
    for other in range(state.seats):
        if other != seat and (half := counters(state, other, territory) // 2):
            gone = removal_order(state, territory, other, half, rebellion=False)
            left = remove(left, other, make_space_counts(gone))
    return removal_consequences(state, left, territory)


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    sites = colony_sites(state, seat)
    if not sites:
        return None
    site = pick(chance, sites)
    held, due = own_counters(state, seat, site), founder_removal(state, seat, site)
    return c.FoundColony(TERRITORIES[site].id, entries(draw_counters(chance, held, due)))


FOUND_COLONY = character("conqueror", c.FoundColony, take=found_colony, legal=_offers, label=_label)
CONQUEROR = Character("conqueror", (FOUND_COLONY,), _sample)
