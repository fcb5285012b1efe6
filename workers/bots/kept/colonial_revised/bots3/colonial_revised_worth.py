"""The worth of positions in Colonial Revised: Prestige, and all that becomes Prestige."""

from __future__ import annotations

from events.titles.colonial_revised.data import CONSTANTS, TERRITORIES
from events.titles.colonial_revised.derived import (
    colonies_by_seat,
    count_deployed,
    double_if,
    loan_penalty,
    native_power,
)
from events.titles.colonial_revised.state import State, controllers
from workers.bots.kept.colonial_revised.bots3.worth import Worth

NAMES = (
    "prestige",
    "loan_penalty",
    "loans",
    "colonies",
    "cities",
    "spaces",
    "monopolies",
    "counters",
    "near_colonies",
    "treasury",
    "market",
    "merchant_fleets",
    "squadrons",
    "privateers",
    "privateered",
    "economy",
    "seafaring",
    "navy",
    "logistics",
    "diplomacy",
    "steps_bought",
    "missions",
    "unrest",
)
LAST = 11
"""The turn in which the end is as likely as it gets."""


def features(state: State) -> list[tuple[int, ...]]:
    """Return the features by seat, in the order of :data:`NAMES`."""
    held, owned = controllers(state), colonies_by_seat(state)
    counters, near, unrest = _count_on_map(state)
    return [
        (
            player.standing.total,
            loan_penalty(player.loans),
            player.loans,
            len(owned[seat]),
            player.standing.city,
            held.count(seat),
            player.standing.monopoly,
            counters[seat],
            near[seat],
            min(player.spendable, 20),
            player.market,
            min(player.merchant_fleets, 12),
            min(player.squadrons, 12),
            count_deployed(player),
            sum(other.privateers[seat] for other in state.players),
            player.economy,
            player.seafaring,
            player.navy,
            player.logistics,
            player.diplomacy,
            min(player.steps_bought, 8),
            min(player.missions_placed, 5),
            unrest[seat],
        )
        for seat, player in enumerate(state.players)
    ]


def _count_on_map(state: State) -> tuple[list[int], list[int], list[int]]:
    """Return by seat: counters; tenths of Colonies on the way; Unrest in Territories with its counters."""
    everywhere, near, unrest = [0] * state.seats, [0] * state.seats, [0] * state.seats
    for place, land in zip(TERRITORIES, state.lands, strict=True):
        here: dict[int, int] = {}
        first: dict[int, int] = {}
        for number in place.spaces:
            pile = state.piles[number]
            for seat in pile:
                here[seat] = here.get(seat, 0) + 1
            if pile:
                first[pile[0]] = first.get(pile[0], 0) + 1
        for seat, count in here.items():
            everywhere[seat] += count
            unrest[seat] += land.unrest
        if land.colony_owner is None and place.native_power:
            whole = native_power(state, place.number) * len(place.spaces)
            for seat, spaces in first.items():
                tenths = 10 * min(here[seat], native_power(state, place.number)) * spaces // whole
                near[seat] += tenths * double_if(place.number)
    return everywhere, near, unrest


def progress(state: State) -> int:
    """Return the progress by the turn, or by the leader's Prestige where that is closer to the end."""
    lead = max(player.standing.total for player in state.players)
    return min(1000, max(1000 * (state.turn - 1) // (LAST - 1), 1000 * lead // CONSTANTS.win_pp))


def clock(state: State) -> int:
    """Return the rounds of all turns; the phases after them are one more."""
    rounds = CONSTANTS.rounds_per_turn
    return state.turn * (rounds + 1) + (state.round if state.phase == "endeavour" else rounds + 1)


SEARCHED = frozenset({"play_card", "decide_war", "build_merchant_fleets", "settle_exploration"})
CLEAR = 2
"""Prestige Points: a usual lead, of games between rules of thumb."""
WORTH = Worth(NAMES, features, progress, clock, horizon=6, searched=SEARCHED, lead=CLEAR)
