"""Dealing cards and choosing the starting hand (CSM-040 to CSM-043)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from events.rules.chance import Chance
from events.rules.kit.values import remove_each
from events.rules.steps import Draft, Move, Rejected, Step
from events.titles.colonialism.commands import KeepStartingHand
from events.titles.colonialism.data import COUNTS
from events.titles.colonialism.derived import has_chosen
from events.titles.colonialism.facts import (
    EconomicInterestCardsDealt,
    InfluenceDeckShuffled,
    StartingCardsDrawn,
    StartingDiscardsRevealed,
    StartingHandKept,
    UndealtEconomicInterestSetAside,
)
from events.titles.colonialism.parts import SeatCards
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.decks import draw_cards, list_chosen_discards
from events.titles.colonialism.words import format_names


def deal(draft: Draft[State]) -> None:
    """Economic interests, then starting cards; with `quick_start_hands` the hands are complete."""
    seats = range(draft.state.seats)
    for seat in seats:
        cards = draft.chance.deal(draft.state.undealt_interests, COUNTS.interests)
        draft.emit(EconomicInterestCardsDealt(seat=seat, cards=cards))
    aside = draft.state.undealt_interests
    draft.emit(UndealtEconomicInterestSetAside(count=len(aside), cards=aside))
    for seat in seats:
        draft.emit(InfluenceDeckShuffled(seat=seat, count=len(draft.state.decks[seat])))
    count = COUNTS.drawn
    if draft.state.options.quick_start_hands:
        _discard_openly(draft)
        count -= COUNTS.kept
    for seat in seats:
        draw_cards(draft, seat, count, StartingCardsDrawn)


def _discard_openly(draft: Draft[State]) -> None:
    """The first cards of each deck go to the open discard pile (CSM-043)."""
    discards = tuple(
        SeatCards(seat, draft.chance.deal(deck, COUNTS.drawn - COUNTS.kept, hidden=False))
        for seat, deck in enumerate(draft.state.decks)
    )
    draft.emit(StartingDiscardsRevealed(discards))


def keep_starting_hand(draft: Draft[State], seat: int, command: KeepStartingHand) -> None:
    """Keep six of the twelve; the others are shown when everybody has chosen (CSM-041, CSM-042)."""
    hand, cards = draft.state.hands[seat], command.cards
    if len(cards) != COUNTS.kept:
        raise Rejected("wrong_card_count", f"Keep exactly {COUNTS.kept} of the cards that you drew.")
    if not set(cards) <= set(hand):
        raise Rejected("card_not_drawn", "Keep only cards that you drew.")
    if len(set(cards)) != len(cards):
        raise Rejected("duplicate_card", "Name each card that you keep once.")
    draft.emit(StartingHandKept(seat=seat, kept=cards, discarded=remove_each(hand, cards)))
    if None not in draft.state.kept:
        draft.emit(StartingDiscardsRevealed(list_chosen_discards(draft.state)))


def _hands(state: State, seat: int) -> Iterator[KeepStartingHand]:
    """Return all 924 choices, the first six cards first."""
    return (KeepStartingHand(cards=cards) for cards in combinations(state.hands[seat], COUNTS.kept))


def _random_hand(state: State, seat: int, chance: Chance) -> KeepStartingHand:
    return KeepStartingHand(cards=chance.deal(state.hands[seat], COUNTS.kept))


KEEP_STARTING_HAND: Move[State] = Move(
    command=KeepStartingHand,
    take=keep_starting_hand,
    legal=_hands,
    label=lambda _state, _seat, command: f"Keep {format_names(command.cards)}",
    sample=_random_hand,
)
STARTING_HAND: Step[State] = Step(
    kind="starting_hand",
    asked=lambda state: tuple(seat for seat, kept in enumerate(state.kept) if kept is None),
    moves=(KEEP_STARTING_HAND,),
    default=lambda state, seat: KeepStartingHand(cards=state.hands[seat][: COUNTS.kept]),
    covered=has_chosen,
    sample=KEEP_STARTING_HAND.one,
)
