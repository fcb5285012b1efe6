"""Resolving the policy cards of a region, step by step (CSM-125 to CSM-133, CSM-152)."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonialism.data import CARD
from events.titles.colonialism.derived import influences, region
from events.titles.colonialism.facts import (
    PolicyCardsDiscarded,
    PolicyCardsResolved,
    PolicyCardsRevealed,
)
from events.titles.colonialism.parts import CardValue, Faction, Resolution, SeatCards
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.decks import settle_deck
from events.titles.colonialism.steps.losses import lose
from events.titles.colonialism.steps.policy_values import policy_value

UNREST = "unrest_at_home"


def resolve_policy_cards(draft: Draft[State], key: str) -> None:
    """Reveal the policy cards of a region, then resolve them step by step (CSM-125 to CSM-129).

    After Dominion come the simultaneous step, Consolidate Holdings and Unrest at Home.
    """
    shown = cards_at(draft.state, key)
    if not shown:
        return
    draft.emit(PolicyCardsRevealed(region=key, cards=shown))
    due = {CARD[card].step for mine in shown for card in mine.cards}
    for step in ("dominion", "simultaneous", "consolidate_holdings"):
        if step in due:
            _resolve_step(draft, key, step, shown)
    if any(card == UNREST for mine in shown for card in mine.cards):
        _unrest_at_home(draft, key)


def cards_at(state: State, key: str) -> tuple[SeatCards, ...]:
    """Return the policy cards at the region, by player."""
    stacks = region(state, key).policy
    return tuple([SeatCards(s, tuple([p.card for p in stack])) for s, stack in enumerate(stacks) if stack])


def _resolve_step(draft: Draft[State], key: str, step: str, shown: tuple[SeatCards, ...]) -> None:
    """Take all values before the step, add a player's, place the sum as far as it goes.

    The clauses are CSM-130 and CSM-131.
    """
    state = draft.state
    results: list[Resolution] = []
    for mine in shown:
        cards = [card for card in mine.cards if CARD[card].step == step]
        if cards:
            values = tuple([CardValue(card, policy_value(state, mine.seat, key, card)) for card in cards])
            wanted = sum([v.value for v in values])
            placed = min(wanted, state.reserve[mine.seat])
            results.append(Resolution(seat=mine.seat, cards=values, wanted=wanted, placed=placed))
    draft.emit(PolicyCardsResolved(region=key, step=step, results=tuple(results)))


def _unrest_at_home(draft: Draft[State], key: str) -> None:
    """Let the weakest colonial powers present remove 10, or all they have, once a region.

    The clauses are CSM-129, CSM-152 and CSM-153.
    """
    own = influences(region(draft.state, key))
    least = min((count for count in own if count), default=0)
    number = CARD[UNREST].number
    losses: dict[Faction, int] = {s: min(number, n) for s, n in enumerate(own) if n and n == least}
    results = tuple(
        Resolution(seat=seat, cards=(), wanted=number, placed=0, removed=losses[seat])
        for seat in range(len(own))
        if seat in losses
    )
    draft.emit(PolicyCardsResolved(region=key, step=UNREST, results=results))
    lose(draft, key, losses, UNREST)


def discard_policy_cards(draft: Draft[State], key: str) -> None:
    """Put resolved cards face-up on their owners' discard piles (CSM-133)."""
    cards = cards_at(draft.state, key)
    if not cards:
        return
    draft.emit(PolicyCardsDiscarded(region=key, cards=cards))
    for mine in cards:
        settle_deck(draft, mine.seat)
