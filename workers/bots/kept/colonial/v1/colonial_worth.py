"""The worth of positions in Colonial: Prestige, and all that becomes Prestige."""

from __future__ import annotations

from events.titles.colonial.kept.v1.data import RULES
from events.titles.colonial.kept.v1.derived import colonies, controllers, loans_of, monopoly_counts
from events.titles.colonial.kept.v1.state import State
from workers.bots.kept.colonial.v1.worth import Worth

NAMES = (
    "prestige",
    "colonies",
    "spaces",
    "monopolies",
    "counters",
    "treasury",
    "market",
    "loans",
    "indebted",
    "merchant_fleets",
    "squadrons",
    "seafaring",
    "navy",
    "logistics",
    "economy",
    "unrest",
    "acted",
)


def features(state: State) -> list[tuple[int, ...]]:
    """Return the features by seat, in the order of :data:`NAMES`."""
    held, monopolies = controllers(state), monopoly_counts(state)
    counters, unrest = [0] * state.seats, [0] * state.seats
    for pile in state.piles:
        for owner in pile:
            counters[owner] += 1
    for land in state.lands:
        if land.colony is not None:
            unrest[land.colony] += bool(land.unrest and not land.missions)
    return [
        (
            player.prestige,
            colonies(state, seat),
            held.count(seat),
            monopolies[seat],
            counters[seat],
            min(player.treasury, 12),
            player.market,
            loans_of(player),
            bool(player.loans),
            player.merchant_fleets,
            player.squadrons,
            player.seafaring,
            player.navy,
            player.logistics,
            player.economy,
            unrest[seat],
            len(player.used_characters),
        )
        for seat, player in enumerate(state.players)
    ]


def progress(state: State) -> int:
    """Return the progress by the Prestige of the leader."""
    return min(1000, 1000 * max(player.prestige for player in state.players) // RULES.win_prestige)


def clock(state: State) -> int:
    """Return the rounds of all turns."""
    return state.turn * (RULES.programmed_cards + 1) + state.round


SEARCHED = frozenset({"program_cards", "play_character", "end_round", "settle_explored_territory"})
WORTH = Worth(NAMES, features, progress, clock, horizon=7, searched=SEARCHED)
