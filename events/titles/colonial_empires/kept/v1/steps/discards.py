"""Cards of a hand to discard, for the Italian power and for the hand limit alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from events.titles.colonial_empires.kept.v1.kit.offers import choose_evenly
from events.titles.colonial_empires.kept.v1.data import DECK_PLACE, INCOME
from events.titles.colonial_empires.kept.v1.state import Cards
from events.titles.colonial_empires.kept.v1.words import card_names

MOST = 300
"""With more ways to discard than this, as many as one answer of the service has, a selection is offered: 6 of
18 cards can be chosen in 18,564 ways."""


def list_discards(hand: Cards, due: int) -> Iterable[Cards]:
    """All ways, the least valuable cards first; where they are many, each two with the cheapest others."""
    cheapest = sorted(hand, key=_worth)
    if is_listed_whole(hand, due):
        return dict.fromkeys(combinations(cheapest, due))
    places = range(len(cheapest))
    pairs = dict.fromkeys(_complete_pair(cheapest, pair, due) for pair in combinations(places, 2))
    return choose_evenly(pairs, MOST, lambda cards: cards[-1])


def _complete_pair(cheapest: list[str], pair: tuple[int, ...], due: int) -> Cards:
    """Return the cards at two places, completed by the cheapest others."""
    others = [place for place in range(len(cheapest)) if place not in pair][: due - len(pair)]
    return tuple(cheapest[place] for place in sorted((*pair, *others)))


def _worth(card: str) -> tuple[int, int]:
    """Return the sort key: income first; equal cards side by side, so that none is offered twice."""
    return INCOME.get(card, 2), DECK_PLACE[card]


def is_listed_whole(hand: Cards, due: int) -> bool:
    """Return True if there are no more ways to discard than are offered."""
    return _ways(hand, due) <= MOST


def _ways(hand: Cards, due: int) -> int:
    """Return the number of ways to choose *due* cards of a hand, copies being alike."""
    ways = [1] + [0] * due
    for copies in Counter(hand).values():
        ways = [sum(ways[max(0, number - copies) : number + 1]) for number in range(due + 1)]
    return ways[due]


def last_cards(hand: Cards, due: int) -> Cards:
    """Return the cards that arrived last, which an absent player discards (CEM-904)."""
    return hand[-due:]


def discard_label(cards: Cards) -> str:
    """Return a text such as ``Discard China Tea and 2 Intrigue``."""
    return f"Discard {card_names(cards)}"
