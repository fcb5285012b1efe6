"""Every printed row of the tables (V-19), and how they go on."""

import pytest

from events.titles.colonial_revised import derived
from events.titles.colonial_revised.data import TABLES


def rows(*pairs):
    """``(1, 2, 9)``: 1 to 2 give 9."""
    return [(number, value) for low, high, value in pairs for number in range(low, high + 1)]


@pytest.mark.parametrize(
    ("resources", "fleets"), rows((0, 0, 0), (1, 2, 1), (3, 4, 2), (5, 6, 3), (7, 12, 4))
)
def test_fleet_limit_by_resources(resources, fleets):
    """REV-031: 1-2, 3-4, 5-6, 7 and more Resources."""
    assert derived.fleets_for(resources) == fleets


@pytest.mark.parametrize(
    ("squadrons", "cost"), rows((0, 5, 0), (6, 10, 1), (11, 15, 2), (16, 20, 3), (21, 25, 4))
)
def test_maintenance(squadrons, cost):
    """REV-040, and REV-005 beyond 20."""
    assert derived.maintenance(squadrons) == cost


def test_affordable_squadrons_are_the_largest_fleet_that_can_be_paid():
    """REV-041: one more Squadron would cost more than there is."""
    for squadrons in range(30):
        for treasury in range(6):
            kept = derived.affordable_squadrons(squadrons, treasury)
            assert derived.maintenance(kept) <= treasury
            assert kept == squadrons or derived.maintenance(kept + 1) > treasury


@pytest.mark.parametrize(
    ("loan", "added"), rows((0, 0, 0), (1, 15, 1), (16, 30, 2), (31, 45, 3), (46, 60, 4))
)
def test_interest(loan, added):
    """REV-050: each further 15 adds 1 (ruling 16)."""
    assert derived.interest(loan) == added


@pytest.mark.parametrize(
    ("loan", "points"), rows((0, 0, 0), (1, 5, 1), (6, 10, 2), (11, 15, 3), (16, 20, 4), (27, 27, 6))
)
def test_loan_penalty(loan, points):
    """REV-098: ceil(Loan / 5)."""
    assert derived.loan_penalty(loan) == points


@pytest.mark.parametrize(
    ("shortfall", "price"), [(0, None), (1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 21), (7, None)]
)
def test_exploration_price(shortfall, price):
    """REV-162: the only table that does not go on (REV-005)."""
    assert derived.exploration_price(shortfall) == price


@pytest.mark.parametrize(("sent", "unrest"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)])
def test_unrest_of_adventurers(sent, unrest):
    """REV-165."""
    assert derived.adventurers_unrest(sent) == unrest


@pytest.mark.parametrize(("sent", "unrest"), [(1, 0), (2, 1), (3, 1), (4, 2)])
def test_unrest_of_the_viceroy(sent, unrest):
    """REV-248."""
    assert derived.count_sent_unrest(sent) == unrest


@pytest.mark.parametrize(
    ("power", "half"), rows((0, 0, 0), (1, 2, 1), (3, 4, 2), (5, 6, 3), (7, 8, 4), (13, 14, 7))
)
def test_half_native_power(power, half):
    """REV-112, REV-113, REV-267, REV-275 use one table."""
    assert derived.half_up(power) == half


@pytest.mark.parametrize(("power", "missions"), rows((0, 0, 0), (1, 4, 1), (5, 8, 2)))
def test_mission_limit(power, missions):
    """REV-201."""
    assert derived.mission_limit(power) == missions


@pytest.mark.parametrize(
    ("goods", "counters"), rows((0, 0, 0), (1, 2, 1), (3, 4, 2), (5, 6, 3), (7, 8, 4), (9, 10, 5))
)
def test_foreign_goods(goods, counters):
    """REV-207 and REV-237: half, rounded up."""
    assert derived.foreign_counters(goods) == counters


@pytest.mark.parametrize(("turn", "cap"), [(1, 2), (2, 3), (3, 4), (4, 5), (9, 5)])
def test_squadron_cap(turn, cap):
    """REV-363."""
    assert derived.squadron_cap(turn) == cap


@pytest.mark.parametrize(
    ("turn", "bonus", "threshold"), [(7, 0, None), (8, 0, 2), (9, 0, 3), (10, 0, 4), (11, 0, 5), (15, 0, 5)]
)
def test_end_roll(turn, bonus, threshold):
    """REV-393 (ruling 47)."""
    assert derived.end_threshold(turn, bonus) == threshold


def test_end_roll_bonus_never_above_six():
    """REV-018."""
    assert derived.end_threshold(8, 1) == 3
    assert derived.end_threshold(8, 5) == 6
    assert derived.end_threshold(11, 5) == 6


@pytest.mark.parametrize(("seats", "types"), [(6, 4), (5, 5), (4, 6), (3, 7)])
def test_diversity(seats, types):
    """REV-096: k = 10 - players."""
    assert derived.diversity_needed(seats) == types


def test_success_die():
    """REV-001: 2 of the 6 faces are a Success."""
    assert len(TABLES.success_faces) == 6
    assert sum(TABLES.success_faces) == 2
