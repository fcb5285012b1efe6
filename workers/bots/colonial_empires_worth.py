"""What counts in Colonial Empires: Fortunes, and the revenue that will still bring some."""

from __future__ import annotations

from events.titles.colonial_empires.data import DECK, EVENTS, INCOME, REGION_SIZE, RESOURCES
from events.titles.colonial_empires.state import State
from events.titles.colonial_empires.steps.revenue import resources_by_region, revenue
from workers.bots.worth import Worth

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
)
PHASES = ("setup", "fate", "revenue", "event", "build", "trade", "ended")


def features(state: State) -> list[tuple[int, ...]]:
    """By seat, in the order of :data:`NAMES`."""
    counts = [resources_by_region(cards) for cards in state.in_play]
    found: list[tuple[int, ...]] = []
    for seat in range(state.seats):
        paid = revenue(state, seat, counts) if state.empire[seat] else None
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
            )
        )
    return found


def progress(state: State) -> int:
    """By the cards that are gone from the deck."""
    return 1000 * (len(DECK) - len(state.deck)) // len(DECK)


def clock(state: State) -> int:
    """The phases of all turns."""
    return len(PHASES) * state.turn + PHASES.index(state.phase)


SEARCHED = frozenset({"build", "event_turn", "fate_extra"})
WORTH = Worth(NAMES, features, progress, clock, horizon=len(PHASES), searched=SEARCHED)
