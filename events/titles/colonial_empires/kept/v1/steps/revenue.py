"""The Revenue Phase: automatic, computed for all from the same cards in play."""

from __future__ import annotations

from events.rules.fact import Seat
from events.rules.steps import Draft
from events.titles.colonial_empires.kept.v1.data import CONSTANTS, INCOME, REGION_SIZE, RESOURCES
from events.titles.colonial_empires.kept.v1.derived import empire_of
from events.titles.colonial_empires.kept.v1.facts import RegionBonus, RevenueCollected
from events.titles.colonial_empires.kept.v1.state import Cards, State


def begin(draft: Draft[State]) -> None:
    """Pay everybody (CEM-401, CEM-414)."""
    counts = [resources_by_region(cards) for cards in draft.state.in_play]
    for seat in range(draft.state.seats):
        draft.emit(revenue(draft.state, seat, counts))


def resources_by_region(cards: Cards) -> dict[str, int]:
    """Return the number of Resource cards of each region among *cards* (CEM-214, CEM-215).

    Industry belongs to no region.
    """
    found: dict[str, int] = {}
    for card in cards:
        if card in RESOURCES:
            region = RESOURCES[card].region
            found[region] = found.get(region, 0) + 1
    return found


def revenue(state: State, seat: Seat, counts: list[dict[str, int]] | None = None) -> RevenueCollected:
    """Return the revenue of *seat* for the cards in play (CEM-402 to CEM-413).

    *counts* are the Resource cards by region of all seats.
    """
    if counts is None:
        counts = [resources_by_region(cards) for cards in state.in_play]
    resources = industries = number = 0
    for card in state.in_play[seat]:
        if card in RESOURCES:
            resources += INCOME[card]
        else:
            industries += INCOME[card]
            number += 1
    extra = number * empire_of(state, seat).industry_bonus
    bonuses = region_bonuses(counts, seat, stack=state.options.region_bonuses_stack)
    total = CONSTANTS.base_revenue + resources + industries + extra + sum(bonus.amount for bonus in bonuses)
    return RevenueCollected(
        seat,
        CONSTANTS.base_revenue,
        resources,
        industries,
        extra,
        bonuses,
        total,
        state.treasury[seat] + total,
    )


def _has_strictly_most(counts: list[dict[str, int]], seat: Seat, region: str) -> bool:
    """Return True if nobody else has as many cards of a region as *seat* (CEM-407)."""
    own = counts[seat][region]
    for rival, theirs in enumerate(counts):  # noqa: SIM110 - a plain loop takes half the time
        if rival != seat and theirs.get(region, 0) >= own:
            return False
    return True


def region_bonuses(counts: list[dict[str, int]], seat: Seat, *, stack: bool) -> tuple[RegionBonus, ...]:
    """2 for strictly the most cards of a region, 5 instead for all of them (CEM-406 to CEM-412)."""
    own = counts[seat]
    found = []
    for region, size in REGION_SIZE.items():
        number = own.get(region, 0)
        if not number:
            continue
        complete = number == size
        if complete:
            found.append(RegionBonus(region, "all", CONSTANTS.region_all_bonus))
        if (stack or not complete) and _has_strictly_most(counts, seat, region):
            found.append(RegionBonus(region, "most", CONSTANTS.region_most_bonus))
    return tuple(found)
