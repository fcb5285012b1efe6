"""Values that follow from a state: whose turn it is, what a seat holds, who comes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from events.rules.fact import Seat
from events.rules.kit.values import list_clockwise
from events.titles.colonial_empires.data import EMPIRES, Empire
from events.titles.colonial_empires.state import Cards, Offer, Side, State


def empire_of(state: State, seat: Seat) -> Empire:
    """Return the empire of a seat, after the set-up."""
    return EMPIRES[state.empire[seat] or ""]


def owner_of(state: State, card: str) -> Seat | None:
    """Return the seat that has *card* in play, or None."""
    for seat, cards in enumerate(state.in_play):
        if card in cards:
            return seat
    return None


def current(state: State) -> Seat | None:
    """Return the seat whose event turn it is, or None."""
    if state.step in {"event_turn", "italian_discard"}:
        return state.event_order[state.event_index]
    return None


def holds(stock: Cards, cards: Cards) -> bool:
    """Return True if *stock* covers *cards*, each as often as it is named."""
    for card in cards:  # noqa: SIM110 - a plain loop takes half the time, and every trade asks it
        if stock.count(card) < cards.count(card):
            return False
    return True


def covers(state: State, seat: Seat, side: Side) -> bool:
    """Return True if a seat has everything that one side of an offer names, and hand cards enough."""
    return (
        state.treasury[seat] >= side.fortunes
        and len(state.hand[seat]) >= len(side.hand_cards) + side.hand_card_count
        and holds(state.in_play[seat], side.in_play_cards)
        and holds(state.hand[seat], side.hand_cards)
    )


def is_covered(state: State, offer: Offer) -> bool:
    """Return True if the offerer has everything that the offer gives, unnamed hand cards too (CEM-705)."""
    if not offer.unnamed_cards:
        return covers(state, offer.from_, offer.give)
    cards = offer.give.hand_cards + offer.unnamed_cards
    return covers(state, offer.from_, Side(offer.give.fortunes, cards, offer.give.in_play_cards))


def least_first(state: State, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return the poorest of *seats*, then others clockwise; ties from the lead seat (CEM-303, CEM-503)."""
    among = frozenset(seats)
    round_table = [seat for seat in list_clockwise(state.seats, state.lead_seat) if seat in among]
    if not round_table:
        return ()
    poorest = min(round_table, key=state.treasury.__getitem__)
    return tuple(seat for seat in list_clockwise(state.seats, poorest) if seat in among)


def count_conserved(state: State) -> Mapping[str, int]:
    """Return the counts that never change: every card is in deck, hand, play or discard pile."""
    laid = (card for zone in (state.hand, state.in_play) for cards in zone for card in cards)
    return Counter((*state.deck, *state.discard_pile, *laid))
