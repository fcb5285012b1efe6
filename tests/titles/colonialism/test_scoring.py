"""Final scoring."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from events.titles.colonialism import TITLE
from events.titles.colonialism import facts as f
from events.titles.colonialism.parts import Exchange
from events.titles.colonialism.steps.scoring import convert, rank
from tests.titles.colonialism.given import before_the_end, last_action, of


@pytest.mark.parametrize(
    ("counts", "score", "total"),
    [((10, 1, 1), 2, 8), ((9, 3, 3), 3, 15), ((0, 0, 9), 1, 5), ((6, 6, 1), 3, 9), ((7, 4, 1), 2, 10)],
)
def test_conversion_examples(counts, score, total):
    """CSM-V-24 (CSM-244, CSM-245, CSM-246): the worked conversions."""
    after, _ = convert(counts)
    assert (min(after), sum(after)) == (score, total)


def test_conversions_are_recorded():
    """CSM-244, CSM-245: two yellow and black missing cubes, each from three of what is plenty."""
    after, made = convert((7, 8, 0))
    assert after == (4, 5, 2)
    assert made == (Exchange("brown", "yellow"), Exchange("black", "yellow"))


@cache
def best(counts):
    """The best score and then total that any sequence of conversions reaches, by trying all of them."""
    results = [(min(counts), sum(counts))]
    for given in range(3):
        if counts[given] < 3:
            continue
        for gained in range(3):
            if gained != given:
                changed = list(counts)
                changed[given] -= 3
                changed[gained] += 1
                results.append(best(tuple(changed)))
    return max(results)


def test_conversion_is_optimal():
    """CSM-245: for all counts from 0 to 15 of each colour no sequence of conversions does better."""
    for counts in product(range(16), repeat=3):
        after, made = convert(counts)
        assert (min(after), sum(after)) == best(counts), counts
        assert sum(after) == sum(counts) - 2 * len(made)


def test_conversion_follows_the_rule():
    """CSM-244: each recorded conversion gives up three of one colour for one of another, and leads to the
    result.
    """
    names = ("black", "brown", "yellow")
    for counts in product(range(0, 16, 2), repeat=3):
        after, made = convert(counts)
        now = dict(zip(names, counts, strict=True))
        for exchange in made:
            assert exchange.from_ != exchange.to
            now[exchange.from_] -= 3
            now[exchange.to] += 1
            assert now[exchange.from_] >= 0
        assert tuple(now.values()) == after


def test_ranking():
    """CSM-246, CSM-247, CSM-248: by score, then total; equal pairs share the place, and the next place is
    left out.
    """
    standings = rank([(2, 2, 5), (3, 3, 3), (4, 3, 2), (2, 5, 2)])
    assert [s.place for s in standings] == [2, 1, 2, 2]
    shared = rank([(3, 3, 4), (4, 3, 3), (3, 3, 3), (0, 9, 9)])
    assert [s.place for s in shared] == [1, 1, 3, 4]
    assert shared[3].score == 0


def test_shared_victory():
    """CSM-248: players with equal score and total share the victory."""
    cubes = {"black": 2, "brown": 2, "yellow": 2}
    draft = last_action(before_the_end(2, collected=[cubes, cubes]))
    outcome = TITLE.outcome(draft.state)
    assert outcome is not None
    assert outcome.winners == (0, 1)
    assert outcome.places == (1, 1)


def test_two_cards_for_one_region():
    """CSM-240, CSM-242: both of a player's cards for India pay; nobody is judged by another's cards."""
    state = before_the_end(
        2,
        **{
            "interests!": [
                ["ei_india_brown", "ei_india_yellow", "ei_china_black"],
                ["ei_china_yellow", "ei_middle_east_black", "ei_middle_east_brown"],
            ],
            "undealt_interests!": [],
        },
        regions={"india": {"natives": 1, "discs": [3, 0]}, "china": {"natives": 1, "discs": [0, 2]}},
    )
    draft = last_action(state)
    assert [fact.paid for fact in of(draft, f.EconomicInterestRevealed)] == [
        ("brown", "yellow", None),
        ("yellow", None, None),
    ]
    assert draft.state.interests_shown == (True, True)


def test_last_phase_has_only_the_influence_check():
    """CSM-211: at the very end no card is kept or drawn, and no order is chosen."""
    draft = last_action(before_the_end(2))
    assert not of(draft, f.HandRefilled, f.TurnOrderChoiceOpened, f.RegionOrderDetermined)
    assert TITLE.decisions(draft.state) == ()
