"""Changes that several facts share: Treasuries, hands, the deck and the discard pile."""

from __future__ import annotations

from msgspec.structs import replace

from events.rules.fact import Seat
from events.titles.colonial_empires.kept.v1.kit.values import put, remove_each
from events.titles.colonial_empires.kept.v1.knowledge import note_left_openly
from events.titles.colonial_empires.kept.v1.state import Cards, State


def earn(state: State, seat: Seat, amount: int) -> State:
    """Let a Treasury grow by *amount*, or shrink."""
    return replace(state, treasury=put(state.treasury, seat, state.treasury[seat] + amount))


def draw(state: State, seat: Seat, cards: Cards) -> State:
    """Move cards from the deck to a hand."""
    return replace(
        state,
        hand=put(state.hand, seat, state.hand[seat] + cards),
        deck=remove_each(state.deck, cards),
    )


def discard(state: State, seat: Seat, cards: Cards) -> State:
    """Move cards from a hand to the discard pile, before all eyes."""
    hand = remove_each(state.hand[seat], cards)
    return replace(
        state,
        hand=put(state.hand, seat, hand),
        discard_pile=state.discard_pile + cards,
        known=note_left_openly(state.known, seat, cards, empty=not hand),
    )
