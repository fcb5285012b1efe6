"""Odds of wars, against exact values (REV-315 to REV-348)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import pytest

from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.titles.colonial_revised.odds import odds
from events.titles.colonial_revised.steps.endeavour.war import war_dice
from tests.titles.colonial_revised.given import fresh, land, played

SIMULATIONS = 1500


def binomial(dice: int, hits: int) -> Fraction:
    """The probability of exactly so many Successes."""
    return Fraction(comb(dice, hits) * 2 ** (dice - hits), 3**dice)


@cache
def at_sea(attacker: int, defender: int, years: int = 4) -> tuple[Fraction, Fraction]:
    """(victory, draw) of a war at sea only, exactly: REV-316, REV-320, REV-336."""
    one, two = war_dice(attacker, defender)
    win, draw = Fraction(0), Fraction(0)
    for hits in range(one + 1):
        for losses in range(two + 1):
            chance = binomial(one, hits) * binomial(two, losses)
            ours, theirs = max(0, attacker - losses), max(0, defender - hits)
            if ours and theirs and years > 1:
                after = at_sea(ours, theirs, years - 1)
                win, draw = win + chance * after[0], draw + chance * after[1]
            else:
                win += chance * bool(ours and not theirs)
                draw += chance * (bool(ours) == bool(theirs))
    return win, draw


@pytest.mark.parametrize(("attacker", "defender"), [(1, 1), (3, 2), (2, 4), (6, 5), (3, 0)])
def test_war_at_sea_against_exact_values(attacker, defender):
    """REV-320, REV-336: simulated shares lie within four standard deviations of the exact ones."""
    state = fresh(players={0: {"squadrons": attacker}, 1: {"squadrons": defender}})
    found = odds(state, 0, 1, SIMULATIONS, FastChance(attacker))
    for name, exact in zip(("victory", "draw"), at_sea(attacker, defender), strict=True):
        spread = 4 * (float(exact * (1 - exact)) * SIMULATIONS) ** 0.5 + 1
        assert abs(found[name] - float(exact) * SIMULATIONS) < spread


def test_what_is_lost_is_counted():
    """REV-317, REV-321: counters on land, Squadrons and Merchant Fleets at sea; all numbers add up."""
    lands = {"egypt": land(wares=[[0, 3], [1, 2]])}
    players = {0: {"squadrons": 3}, 1: {"squadrons": 1, "merchant_fleets": 2}}
    found = odds(fresh(players=players, territories=lands), 0, 1, 200, FastChance(1))
    assert found["shared_territories"] == ["egypt"]
    assert found["victory"] + found["defeat"] + found["draw"] == sum(found["years"].values()) == 200
    assert set(found["losses"]) == {
        f"{side}_{kind}" for side in ("attacker", "defender") for kind in ("counters", "fleets", "squadrons")
    }
    assert 0 < found["losses"]["defender_counters"] <= 400
    assert found["losses"]["attacker_fleets"] == 0


def test_they_can_be_asked_for_at_any_time():
    """REV-301: also in a phase without cards, and of a target whom Diplomacy protects."""
    state = fresh(players={**played(0, 1, 2), 1: {"diplomacy": 6}}, phase="choosing_cards", round=5)
    assert odds(state, 0, 1, 5, FastChance(1))["allowed"] is False
    assert odds(state, 1, 0, 5, FastChance(1))["allowed"] is True
    with pytest.raises(Rejected, match="self_target"):
        odds(state, 1, 1, 5, FastChance(1))
