"""Dealing cards and choosing the starting hand (CSM-040 to CSM-043)."""

from __future__ import annotations

from events.chance import Chance
from events.kit.values import without
from events.steps import Draft, Rejected
from events.titles.colonialism.commands import KeepStartingHand
from events.titles.colonialism.data import COUNTS
from events.titles.colonialism.facts import (
    EconomicInterestCardsDealt,
    InfluenceDeckShuffled,
    StartingCardsDrawn,
    StartingDiscardsRevealed,
    StartingHandKept,
    UndealtEconomicInterestSetAside,
)
from events.titles.colonialism.shapes import (
    SeatCards,
)
from events.titles.colonialism.state import State, seat_count
from events.titles.colonialism.steps.decks import chosen_discards, draw_cards, pick_cards


def deal(draft: Draft[State], chance: Chance) -> None:
    """Economic interests, then starting cards; with `quick_start_hands` the hands are complete."""
    seats = range(seat_count(draft.state))
    for seat in seats:
        cards = pick_cards(draft.state.undealt_interests, COUNTS.interests, chance)
        draft.emit(EconomicInterestCardsDealt(seat=seat, cards=cards))
    aside = draft.state.undealt_interests
    draft.emit(UndealtEconomicInterestSetAside(count=len(aside), cards=aside))
    for seat in seats:
        draft.emit(InfluenceDeckShuffled(seat=seat, count=len(draft.state.decks[seat])))
    count = COUNTS.drawn
    if draft.state.options.quick_start_hands:
        _discard_openly(draft, chance)
        count -= COUNTS.kept
    for seat in seats:
        draw_cards(draft, seat, count, chance, StartingCardsDrawn)


def _discard_openly(draft: Draft[State], chance: Chance) -> None:
    """The first cards of each deck go to the open discard pile (CSM-043)."""
    discards = tuple(
        SeatCards(seat, pick_cards(deck, COUNTS.drawn - COUNTS.kept, chance, hidden=False))
        for seat, deck in enumerate(draft.state.decks)
    )
    draft.emit(StartingDiscardsRevealed(discards))


def keep_starting_hand(draft: Draft[State], seat: int, command: KeepStartingHand, chance: Chance) -> None:
    """Keep six of the twelve; the others are shown when everybody has chosen (CSM-041, CSM-042)."""
    hand, cards = draft.state.hands[seat], command.cards
    if len(cards) != COUNTS.kept:
        raise Rejected("wrong_card_count", f"Keep exactly {COUNTS.kept} of the cards that you drew.")
    if not set(cards) <= set(hand):
        raise Rejected("card_not_drawn", "Keep only cards that you drew.")
    if len(set(cards)) != len(cards):
        raise Rejected("duplicate_card", "Name each card that you keep once.")
    draft.emit(StartingHandKept(seat=seat, kept=cards, discarded=without(hand, cards)))
    if None not in draft.state.kept:
        draft.emit(StartingDiscardsRevealed(chosen_discards(draft.state)))
