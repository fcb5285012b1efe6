"""Cards of a hand to discard, for the Italian power and for the hand limit alike."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, islice
from math import comb

from events.titles.colonial_empires.data import INCOME
from events.titles.colonial_empires.state import Cards
from events.titles.colonial_empires.words import card_names

MOST = 300
"""With more ways to discard than this, the cheapest ones are offered."""


def some_discards(hand: Cards, due: int) -> Iterable[Cards]:
    """The least valuable cards first."""
    cheapest = sorted(hand, key=_worth)
    return dict.fromkeys(islice(combinations(cheapest, due), MOST))


def _worth(card: str) -> int:
    return INCOME.get(card, 2)


def listed_whole(hand: Cards, due: int) -> bool:
    """Whether there are no more ways than are offered."""
    return comb(len(hand), due) <= MOST


def last_cards(hand: Cards, due: int) -> Cards:
    """Those that arrived last, which an absent player discards (CEM-904)."""
    return hand[-due:]


def discard_label(cards: Cards) -> str:
    """Such as ``Discard China Tea and 2 Intrigue``."""
    return f"Discard {card_names(cards)}"
