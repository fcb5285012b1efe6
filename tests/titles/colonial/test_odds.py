"""Odds of wars, against exact values (COL-22)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import pytest

from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.titles.colonial import TITLE
from events.titles.colonial.odds import odds
from tests.titles.colonial.scene import fresh, scene

SIMULATIONS = 3000


def binomial(dice: int, hits: int) -> Fraction:
    """The probability of exactly so many Successes."""
    return Fraction(comb(dice, hits) * 2 ** (dice - hits), 3**dice)


@cache
def at_sea(attacker: int, defender: int) -> tuple[Fraction, Fraction]:
    """(victory, draw) of a war at sea only, exactly: a year in which nobody is hit changes nothing."""
    if not attacker or not defender:
        won = attacker > 0 and not defender
        return Fraction(won), Fraction(not attacker and not defender)
    one, two = min(5, attacker), min(5, defender)
    win, draw, moved = Fraction(0), Fraction(0), Fraction(0)
    for hits in range(one + 1):
        for losses in range(two + 1):
            if hits or losses:
                chance = binomial(one, hits) * binomial(two, losses)
                after = at_sea(max(0, attacker - losses), max(0, defender - hits))
                win += chance * after[0]
                draw += chance * after[1]
                moved += chance
    return win / moved, draw / moved


@pytest.mark.parametrize(("attacker", "defender"), [(1, 1), (3, 2), (2, 4), (7, 6)])
def test_war_at_sea_against_exact_values(attacker, defender):
    """COL-22-09 to COL-22-13: simulated shares lie within four standard deviations of the exact ones."""
    state = scene(players={0: {"squadrons": attacker}, 1: {"squadrons": defender}})
    found = odds(state, 0, 1, SIMULATIONS, FastChance(attacker))
    for name, exact in zip(("victory", "draw"), at_sea(attacker, defender), strict=True):
        spread = 4 * (float(exact * (1 - exact)) * SIMULATIONS) ** 0.5 + 1
        assert abs(found[name] - float(exact) * SIMULATIONS) < spread


def test_first_year_of_a_small_battle():
    """COL-22-05: one counter each, no Squadrons: it goes on until somebody is hit, and is a draw."""
    state = scene(
        players={0: {"squadrons": 0}, 1: {"squadrons": 0}}, lands={"egypt": {"piles": {"wares": [0, 1]}}}
    )
    found = odds(state, 0, 1, SIMULATIONS, FastChance(3))
    # Whenever a counter falls nobody can fight any more: every end is a draw (COL-22-12).
    assert found["draw"] == SIMULATIONS
    ended_at_once = Fraction(5, 9)
    assert abs(found["years"]["1"] - float(ended_at_once) * SIMULATIONS) < 4 * (SIMULATIONS * 20 / 81) ** 0.5
    assert found["shared_territories"] == ["egypt"]


def test_odds_do_not_need_the_turn():
    """They can be asked at any moment, and tell whether Diplomacy permits the war."""
    state = fresh()
    found = TITLE.odds(TITLE.imagine(state, 2, FastChance(1)), 2, 0, 50, FastChance(1))
    assert found["allowed"]
    assert found["victory"] + found["defeat"] + found["draw"] == 50
    closed = scene(players={0: {"diplomacy": 6}})
    assert not odds(closed, 2, 0, 1, FastChance(1))["allowed"]


def test_odds_of_nonsense():
    """COL-22-20: a war needs two players of the game."""
    with pytest.raises(Rejected, match="target_is_self"):
        odds(fresh(), 1, 1, 10, FastChance(1))
    with pytest.raises(Rejected, match="unknown_player"):
        odds(fresh(), 1, 7, 10, FastChance(1))


def test_great_britain_gains_by_its_re_roll():
    """COL-25-18: the simulated British re-roll bad dice."""
    nations = ("spain", "great_britain", "france")
    even = {0: {"squadrons": 4}, 1: {"squadrons": 4}}
    british = odds(scene(nations=nations, players=even), 1, 0, 800, FastChance(4))
    assert british["victory"] > british["defeat"] * 1.3
