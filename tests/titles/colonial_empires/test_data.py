"""The cards, regions and empires as the rulebook names them."""

from __future__ import annotations

from collections import Counter

from events.titles.colonial_empires.data import (
    DECK,
    EMPIRES,
    EVENTS,
    INCOME,
    INDUSTRIES,
    REGION_SIZE,
    REGIONS,
    RESOURCES,
)
from events.titles.colonial_empires.state import State


def test_deck_of_98_cards():
    """V-01: 46 Resource, 20 Industry and 32 Event cards make the one common deck (CEM-201)."""
    assert len(DECK) == 98
    assert sum(card in RESOURCES for card in DECK) == 46
    assert sum(card in INDUSTRIES for card in DECK) == 20
    assert sum(card in EVENTS for card in DECK) == 32


def test_copies():
    """V-01: each Event card exists four times, every other card once (CEM-202)."""
    copies = Counter(DECK)
    assert {copies[card] for card in EVENTS} == {4}
    assert {copies[card] for card in (*RESOURCES, *INDUSTRIES)} == {1}


def test_region_sizes():
    """V-01: the ten regions hold 5, 5, 4, 5, 5, 5, 5, 4, 4, 4 cards (CEM-213)."""
    assert list(REGION_SIZE.values()) == [5, 5, 4, 5, 5, 5, 5, 4, 4, 4]


def test_incomes():
    """V-01: the printed incomes add up to 101 and 44, from 1, 2 and 3 (CEM-201)."""
    assert sum(card.income for card in RESOURCES.values()) == 101
    assert sum(card.income for card in INDUSTRIES.values()) == 44
    assert sum(INCOME.values()) == 145
    assert Counter(card.income for card in RESOURCES.values()) == {1: 5, 2: 27, 3: 14}
    assert Counter(card.income for card in INDUSTRIES.values()) == {1: 3, 2: 10, 3: 7}


def test_region_incomes():
    """The incomes of each region add up to those of the card list (CEM-214)."""
    sums = Counter()
    for card in RESOURCES.values():
        sums[card.region] += card.income
    assert [sums[region] for region in REGIONS] == [10, 10, 10, 10, 12, 10, 10, 10, 10, 9]


def test_a_resource_belongs_to_the_region_in_its_name():
    """Gold of South America and of Central America are different cards of different regions (CEM-214)."""
    for card in RESOURCES.values():
        assert card.name.startswith(REGIONS[card.region].name)
    assert RESOURCES["south_america_gold"].region != RESOURCES["central_america_gold"].region


def test_industry_is_no_region():
    """There are ten regions; Industry cards belong to none (CEM-213, CEM-215)."""
    assert len(REGIONS) == 10
    assert all(not hasattr(card, "region") for card in INDUSTRIES.values())


def test_ten_empires():
    """Five basic empires, then five additional ones, in the order of the rulebook (CEM-104, CEM-105)."""
    assert [empire.set for empire in EMPIRES.values()] == ["basic"] * 5 + ["additional"] * 5
    assert list(EMPIRES)[:5] == ["portuguese", "spanish", "english", "french", "dutch"]


def test_no_date():
    """The years 1600 to 1850 are flavour: the game counts turns, nothing else (CEM-102)."""
    counters = {name for name in State.__struct_fields__ if "year" in name or "date" in name}
    assert not counters


def test_counting_order():
    """Cards are counted as the card list names them, copies side by side (CEM-905)."""
    assert DECK[0] == "sub_sahara_africa_gold"
    assert DECK[45:48] == ("east_indies_coconut_oils", "industry_glass_lenses", "industry_clockworks")
    assert DECK[55:57] == ("industry_machinery", "industry_coal_mining")
    assert DECK[66:71] == (*("event_rebellion",) * 4, "event_colonial_war")
