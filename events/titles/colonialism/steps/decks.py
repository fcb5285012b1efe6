"""Decks and discard piles (CSM-021, CSM-022)."""

from __future__ import annotations

from events.chance import Chance
from events.kit.values import without
from events.steps import Draft
from events.titles.colonialism.data import NUMBERS, in_table_order
from events.titles.colonialism.facts import DiscardPileReshuffled, HandRefilled, StartingCardsDrawn
from events.titles.colonialism.shapes import SeatCards
from events.titles.colonialism.state import State

D3 = NUMBERS.die
"""The faces of a die: 1, 1, 2, 2, 3, 3 (CSM-019)."""


def settle_deck(draft: Draft[State], seat: int) -> None:
    """An empty deck is replaced by the discard pile at once, whenever that arises (CSM-022)."""
    pile = draft.state.discards[seat]
    if pile and not draft.state.decks[seat]:
        draft.emit(DiscardPileReshuffled(seat=seat, count=len(pile)))


def pick_cards(deck: tuple[str, ...], count: int, chance: Chance, *, hidden: bool = True) -> tuple[str, ...]:
    """*count* cards from an unordered deck, each drawn from those that remain."""
    drawn: list[str] = []
    for _ in range(count):
        card = chance.pick(deck, hidden=hidden)
        deck = without(deck, (card,))
        drawn.append(card)
    return tuple(drawn)


def chosen_discards(state: State) -> tuple[SeatCards, ...]:
    """What all who have chosen discard, in table order: the order of a hand is the owner's business."""
    return tuple(
        SeatCards(seat, in_table_order(without(state.hands[seat], kept)))
        for seat, kept in enumerate(state.kept)
        if kept is not None
    )


def draw_cards(
    draft: Draft[State],
    seat: int,
    count: int,
    chance: Chance,
    kind: type[StartingCardsDrawn | HandRefilled],
) -> None:
    """Draw into the hand, reshuffling where due; each *kind* holds the cards drawn from one deck (CSM-202).

    A hand that the deck and pile cannot fill stays smaller (CSM-055).
    """
    settle_deck(draft, seat)
    while count and (deck := draft.state.decks[seat]):
        cards = pick_cards(deck, min(count, len(deck)), chance)
        draft.emit(kind(seat=seat, count=len(cards), cards=cards))
        settle_deck(draft, seat)
        count -= len(cards)


def roll_die(chance: Chance) -> int:
    """One die, in the open."""
    return chance.roll(1, D3)[0]
