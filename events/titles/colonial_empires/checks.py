"""Checks that several commands share, and the words of refusals."""

from __future__ import annotations

from collections.abc import Iterable

from events.rules.fact import Seat
from events.rules.kit.words import format_count
from events.rules.steps import Rejected
from events.titles.colonial_empires.data import CARD_NAMES
from events.titles.colonial_empires.derived import holds
from events.titles.colonial_empires.state import Cards, State

CODES = {
    "not_a_player": "not_your_decision",
    "wrong_phase": "not_your_decision",
    "not_your_choice": "not_your_decision",
    "not_your_event_turn": "not_your_decision",
    "not_in_extra_draw": "not_your_decision",
    "no_discard_due": "not_your_decision",
    "no_discard_pending": "not_your_decision",
    "already_submitted": "already_answered",
    "game_over": "game_not_running",
}
"""The rulebook's codes of the cases that every title refuses alike, each with the common code."""


def require_cards(cards: Iterable[str]) -> None:
    """Raise Rejected unless each key is a card of the deck."""
    for card in cards:
        if card not in CARD_NAMES:
            raise Rejected("unknown_card", f"There is no card {card!r}: use a key of the card list.")


def require_in_hand(state: State, seat: Seat, cards: Cards) -> None:
    """Hand cards are a multiset: a key may be named as often as the player holds it."""
    if not holds(state.hand[seat], cards):
        raise Rejected("card_not_in_hand", "Name only cards of your hand, each as often as you hold it.")


def require_discard(state: State, seat: Seat, cards: Cards, due: int) -> None:
    """Raise Rejected unless exactly the owed number of cards is discarded, of the player's choice."""
    require_cards(cards)
    if len(cards) != due:
        raise Rejected("wrong_discard_count", f"Discard exactly {format_count(due, 'card')}.")
    require_in_hand(state, seat, cards)
