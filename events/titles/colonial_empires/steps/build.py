"""The Build Phase: sealed lists of cards to put into play, revealed together."""

from __future__ import annotations

from collections.abc import Iterable

from events.chance import Chance
from events.fact import Seat
from events.steps import Rejected
from events.titles.colonial_empires.checks import (
    Drafting,
    already_answered,
    require_cards,
    require_in_hand,
    require_step,
)
from events.titles.colonial_empires.commands import SubmitBuild
from events.titles.colonial_empires.data import CONSTANTS, EVENTS, RESOURCES, Empire
from events.titles.colonial_empires.derived import empire_of
from events.titles.colonial_empires.facts import BuildSubmitted, CardsPutIntoPlay
from events.titles.colonial_empires.steps.revenue import resources_by_region


def begin(draft: Drafting, chance: Chance) -> bool:
    """Players without hand cards have nothing to decide (CEM-612)."""
    for seat in range(draft.state.seats):
        if not draft.state.hand[seat]:
            draft.emit(BuildSubmitted(seat, ()))
    return _reveal_when_all_are_in(draft)


def submit_build(draft: Drafting, seat: Seat, command: SubmitBuild, chance: Chance) -> bool:
    """A sealed and final list (CEM-601)."""
    state = draft.state
    require_step(state, "build")
    if state.build_plans[seat] is not None:
        raise already_answered()
    require_cards(command.cards)
    require_in_hand(state, seat, command.cards)
    if any(card in EVENTS for card in command.cards):
        raise Rejected(
            "event_card_cannot_be_built", "Event cards are played, not built: leave them out (CEM-609)."
        )
    cost = build_cost(empire_of(state, seat), command.cards)
    if cost > state.treasury[seat]:
        raise Rejected(
            "insufficient_fortunes", f"This list costs {cost} Fortunes: leave out some of the paid cards."
        )
    draft.emit(BuildSubmitted(seat, command.cards))
    return _reveal_when_all_are_in(draft)


def _reveal_when_all_are_in(draft: Drafting) -> bool:
    plans = draft.state.build_plans
    if any(plan is None for plan in plans):
        return False
    for seat, plan in enumerate(plans):
        cards = plan or ()
        empire, treasury = empire_of(draft.state, seat), draft.state.treasury[seat]
        free = free_plays(empire, cards)
        cost = build_cost(empire, cards)
        draft.emit(CardsPutIntoPlay(seat, cards, free, len(cards) - free, cost, treasury - cost))
    return True


def free_plays(empire: Empire, cards: Iterable[str]) -> int:
    """How many of *cards* cost nothing in the cheapest assignment (CEM-602, CEM-603, CEM-605 to CEM-607).

    The free play is either the largest group of Resource cards of one region or one Industry card; the power
    then takes of what is left.

    >>> from events.titles.colonial_empires.data import EMPIRES
    >>> free_plays(EMPIRES["spanish"], ("china_silk", "china_tea", "india_rugs"))
    3
    """
    cards = tuple(cards)
    regions = resources_by_region(cards)
    resources = sum(regions.values())
    industries = len(cards) - resources
    group = max(regions.values(), default=0)
    by_group = group + min(empire.free_resources, resources - group) + min(empire.free_industries, industries)
    if not industries:
        return by_group
    by_industry = 1 + min(empire.free_resources, resources) + min(empire.free_industries, industries - 1)
    return max(by_group, by_industry)


def build_cost(empire: Empire, cards: Iterable[str]) -> int:
    """Fortunes for the cards that are not free (CEM-604, CEM-607)."""
    cards = tuple(cards)
    return CONSTANTS.extra_build_price * (len(cards) - free_plays(empire, cards))


def buildable(cards: Iterable[str]) -> tuple[str, ...]:
    """The Resource cards by region, then the Industry cards (CEM-609)."""
    hand = [card for card in cards if card not in EVENTS]
    return tuple(
        sorted(
            hand,
            key=lambda card: (card not in RESOURCES, RESOURCES[card].region if card in RESOURCES else ""),
        )
    )
