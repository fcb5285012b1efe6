"""The worth of positions in Colonial Empires: Fortunes, and the revenue that will still bring some."""

from __future__ import annotations

from collections.abc import Sequence

from events.rules.fact import Seat
from events.titles.colonial_empires.data import CONSTANTS, DECK, EVENTS, INCOME, REGION_SIZE, RESOURCES
from events.titles.colonial_empires.derived import empire_of
from events.titles.colonial_empires.state import State
from events.titles.colonial_empires.steps.revenue import resources_by_region, revenue
from workers.bots.kept.colonial_empires.bots4.worth import Worth

NAMES = (
    "treasury",
    "revenue",
    "regions_led",
    "regions_shared",
    "industries",
    "resources",
    "hand_resources",
    "hand_income",
    "hand_together",
    "hand_industries",
    "hand_events",
    "standing",
    "standing_shared",
    "ahead",
    "ahead_shared",
    "rivals_ahead",
)
FEW = 4
"""The seats of a small table: at a larger one the same standing counts less."""
LEAST = 20
"""Fortunes; before anybody has more, standings tell little."""
MOST_AHEAD = 300
"""Further ahead or behind counts no more."""
SUPPOSED = 2
"""Turns without extra cards that a forecast adds to those played: one turn alone says little."""
PHASES = ("setup", "fate", "revenue", "event", "build", "trade", "ended")


def features(state: State) -> list[tuple[int, ...]]:
    """Return the features by seat, in the order of :data:`NAMES`."""
    counts = [resources_by_region(cards) for cards in state.in_play]
    found: list[tuple[int, ...]] = []
    revenues = [revenue(state, s, counts) if state.empire[s] else None for s in range(state.seats)]
    standings = _standings(state, [paid.total if paid else 0 for paid in revenues])
    for seat, paid in enumerate(revenues):
        own, held = counts[seat], resources_by_region(state.hand[seat])
        industries = len(state.in_play[seat]) - sum(own.values())
        events = sum(card in EVENTS for card in state.hand[seat])
        resources = sum(held.values())
        found.append(
            (
                state.treasury[seat],
                paid.total if paid else 0,
                len(paid.region_bonuses) if paid else 0,
                len(own),
                industries,
                sum(own.values()),
                resources,
                sum(INCOME[card] for card in state.hand[seat] if card in RESOURCES),
                sum(max(0, held.get(region, 0) + own.get(region, 0) - 1) for region in REGION_SIZE),
                len(state.hand[seat]) - resources - events,
                events,
                *_rank_seat(standings, seat),
            )
        )
    return found


def revenues_to_come(state: State) -> int:
    """Return the number of Revenue Phases still to come, if cards are drawn as fast as so far.

    To begin with, it counts as if :data:`SUPPOSED` turns had been played in which nobody bought a card.
    """
    drawn = len(DECK) - len(state.deck) + SUPPOSED * _least_drawn(state)
    return _count_revenues(state, -(-len(state.deck) * (state.turn + SUPPOSED) // drawn))


def count_most_revenues(state: State) -> int:
    """Return the number of Revenue Phases still to come, if all players draw only the cards they must."""
    return _count_revenues(state, -(-len(state.deck) // _least_drawn(state)))


def _least_drawn(state: State) -> int:
    """Return the number of cards that are drawn in a turn in which nobody buys one."""
    return sum(CONSTANTS.fate_draw + empire_of(state, seat).free_draws for seat in range(state.seats))


def _count_revenues(state: State, later: int) -> int:
    """Return the Revenue Phases of so many later turns, with that of this turn if it is still to come."""
    return later + 1 if state.phase == "fate" else later


def _standings(state: State, revenues: Sequence[int]) -> list[int]:
    """Return the Fortunes of every seat in the end, if nothing changes until then."""
    turns = revenues_to_come(state) if all(state.empire) else 0
    return [treasury + paid * turns for treasury, paid in zip(state.treasury, revenues, strict=True)]


def _rank_seat(standings: list[int], seat: Seat) -> tuple[int, ...]:
    """Return the standing of a seat in numbers.

    They are its standing, and how far it is ahead of the best other, in hundredths of the usual standing;
    both also for the size of the table; and of a hundred rivals how many are ahead.
    """
    seats, mine = len(standings), standings[seat]
    usual = max(LEAST, sum(standings) // seats)
    standing = 100 * mine // usual
    best = max(standings[:seat] + standings[seat + 1 :])
    ahead = max(-MOST_AHEAD, min(MOST_AHEAD, 100 * (mine - best) // usual))
    rivals = sum(other > mine for other in standings)
    return standing, standing * FEW // seats, ahead, ahead * FEW // seats, 100 * rivals // seats


def progress(state: State) -> int:
    """Return the progress by the cards that are gone from the deck."""
    return 1000 * (len(DECK) - len(state.deck)) // len(DECK)


def clock(state: State) -> int:
    """Return the phases of all turns."""
    return len(PHASES) * state.turn + PHASES.index(state.phase)


SEARCHED = frozenset({"fate_extra"})
"""Of lists to build and Event cards none was found that beats the rules of thumb's by more than chance."""
CLEAR = 60
"""Fortunes: a usual lead, of games between rules of thumb."""
WORTH = Worth(NAMES, features, progress, clock, horizon=len(PHASES), searched=SEARCHED, lead=CLEAR)
