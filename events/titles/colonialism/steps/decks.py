"""Decks and discard piles (CSM-021, CSM-022)."""

from __future__ import annotations

from events.rules.kit.values import remove_each
from events.rules.steps import Draft
from events.titles.colonialism.data import sort_in_table_order
from events.titles.colonialism.facts import DiscardPileReshuffled, HandRefilled, StartingCardsDrawn
from events.titles.colonialism.parts import SeatCards
from events.titles.colonialism.state import State


def settle_deck(draft: Draft[State], seat: int) -> None:
    """Replace an empty deck by the discard pile at once, whenever that arises (CSM-022)."""
    pile = draft.state.discards[seat]
    if pile and not draft.state.decks[seat]:
        draft.emit(DiscardPileReshuffled(seat=seat, count=len(pile)))


def list_chosen_discards(state: State) -> tuple[SeatCards, ...]:
    """Return the discards of all who have chosen, in table order.

    The order of a hand is the owner's business.
    """
    return tuple(
        SeatCards(seat, sort_in_table_order(remove_each(state.hands[seat], kept)))
        for seat, kept in enumerate(state.kept)
        if kept is not None
    )


def draw_cards(
    draft: Draft[State],
    seat: int,
    count: int,
    kind: type[StartingCardsDrawn | HandRefilled],
) -> None:
    """Draw into the hand, reshuffling where due (CSM-202); each *kind* holds the cards of one deck.

    A hand that the deck and pile cannot fill stays smaller (CSM-055).
    """
    settle_deck(draft, seat)
    while count and (deck := draft.state.decks[seat]):
        cards = draft.chance.deal(deck, count)
        draft.emit(kind(seat=seat, count=len(cards), cards=cards))
        settle_deck(draft, seat)
        count -= len(cards)
