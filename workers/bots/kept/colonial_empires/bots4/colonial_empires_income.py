"""The revenue of a seat in Colonial Empires by regions, and the list of cards that brings most.

The same whole numbers as the Revenue Phase and the legal list give, in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from events.rules.fact import Seat
from events.titles.colonial_empires.commands import SubmitBuild
from events.titles.colonial_empires.data import CONSTANTS, INCOME, REGION_SIZE, RESOURCES
from events.titles.colonial_empires.derived import empire_of
from events.titles.colonial_empires.state import Cards, State
from events.titles.colonial_empires.steps.build import MOST_CARDS, list_buildable
from events.titles.colonial_empires.steps.revenue import resources_by_region

_SIZES = tuple(REGION_SIZE.values())
_NUMBER = {region: number for number, region in enumerate(REGION_SIZE)}
_BITS = 6
"""Bits of a count of cards, where the counts of all regions are one number."""
_MASK = (1 << _BITS) - 1
_INDUSTRIES = len(_SIZES)
"""The place of Industry cards behind the regions."""


class _Sums(NamedTuple):
    """The sums of a seat's cards in play."""

    income: int
    industries: int
    counts: tuple[int, ...]
    """Resource cards by region."""


@lru_cache(4_000)
def _add_up(cards: Cards) -> _Sums:
    found = resources_by_region(cards)
    counts = tuple(found.get(region, 0) for region in REGION_SIZE)
    return _Sums(sum(INCOME[card] for card in cards), len(cards) - sum(counts), counts)


def compute_income(state: State, seat: Seat, in_play: Sequence[Cards]) -> int:
    """Return the revenue of a seat with these cards in play."""
    sums = [_add_up(cards) for cards in in_play]
    own = sums.pop(seat)
    total = CONSTANTS.base_revenue + own.income + own.industries * empire_of(state, seat).industry_bonus
    stack = state.options.region_bonuses_stack
    for region, number in enumerate(own.counts):
        if number:
            total += _count_bonus(region, number, max([each.counts[region] for each in sums]), stack=stack)
    return total


def _count_bonus(region: int, number: int, rivals: int, *, stack: bool) -> int:
    """Return the bonus for so many cards of a region, of which no rival has more than *rivals*."""
    whole = number == _SIZES[region]
    bonus = CONSTANTS.region_all_bonus if whole else 0
    if number > rivals and (stack or not whole):
        bonus += CONSTANTS.region_most_bonus
    return bonus


def choose_build(state: State, seat: Seat, turns: int) -> SubmitBuild | None:
    """Return the list that brings most in so many turns, less its cost; ties: the first legal one.

    None for a hand of which not all lists are legal commands.
    """
    cards = list_buildable(state.hand[seat])
    if len(cards) > MOST_CARDS:
        return None
    values = _ValuedLists(state, seat, turns)
    places = [_NUMBER[RESOURCES[card].region] if card in RESOURCES else _INDUSTRIES for card in cards]
    units = [1 << (_BITS * place) for place in places]
    incomes = [INCOME[card] for card in cards]
    most, single = state.treasury[seat], state.options.paid_builds == "one"
    best: tuple[int, int, int] | None = None
    chosen: tuple[int, ...] = ()
    for size in range(len(cards) + 1):
        for subset in combinations(range(len(cards)), size):
            packed = income = 0
            for index in subset:
                packed += units[index]
                income += incomes[index]
            paid, bonus = values.look_up(packed, size)
            cost = CONSTANTS.extra_build_price * paid
            if cost <= most and not (single and paid > 1):
                value = ((income + bonus) * turns - cost, -cost, income)
                if best is None or value > best:
                    best, chosen = value, subset
    return SubmitBuild(tuple(cards[index] for index in chosen))


class _ValuedLists:
    """The cards to be paid for and the bonuses, of lists with equal counts by region."""

    def __init__(self, state: State, seat: Seat, turns: int) -> None:
        sums = [_add_up(cards) for cards in state.in_play]
        self._own = sums.pop(seat).counts
        self._rivals = [max([each.counts[region] for each in sums]) for region in range(len(_SIZES))]
        self._empire, self._stack = empire_of(state, seat), state.options.region_bonuses_stack
        self._known: dict[int, tuple[int, int]] = {}

    def look_up(self, packed: int, size: int) -> tuple[int, int]:
        """Return the number of cards that are not free, and the revenue besides their income."""
        found = self._known.get(packed)
        if found is None:
            found = self._known[packed] = self._count(packed, size)
        return found

    def _count(self, packed: int, size: int) -> tuple[int, int]:
        empire, group, bonus = self._empire, 0, 0
        industries = packed >> (_BITS * _INDUSTRIES)
        resources = size - industries
        for region, own in enumerate(self._own):
            more = packed >> (_BITS * region) & _MASK
            if more:
                group = max(group, more)
                rivals = self._rivals[region]
                bonus += _count_bonus(region, own + more, rivals, stack=self._stack)
                if own:
                    bonus -= _count_bonus(region, own, rivals, stack=self._stack)
        free = group + min(empire.free_resources, resources - group) + min(empire.free_industries, industries)
        if industries:
            by_industry = (
                1 + min(empire.free_resources, resources) + min(empire.free_industries, industries - 1)
            )
            free = max(free, by_industry)
        return size - free, bonus + industries * empire.industry_bonus
