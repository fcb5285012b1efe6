"""What holds in every moment of random games."""

from functools import cache

import pytest

from events.titles.colonial_revised import derived
from events.titles.colonial_revised.data import CONSTANTS, GATED, TABLES, TERRITORIES
from events.titles.colonial_revised.derived import count_deployed, counters, privateers_in_box, standings
from tests.titles.table import Table, play

GAMES = ((3, 11), (5, 12), (6, 13))
"""Numbers of seats, and seeds."""


@cache
def played(seats, seed):
    """All states of a game, the last included."""
    game = play(Table("colonial_revised", seats), seed=seed, keep=True)
    return [moment.state for moment in game.moments] + [game.state]


@pytest.fixture(params=GAMES, ids=["3", "5", "6"])
def states(request):
    """All states of a game, the last included."""
    return played(*request.param)


def test_controllers_have_most(states):
    """REV-061, REV-067: outside a war the bottom counter's owner has a maximal count."""
    for state in states:
        for pile in state.piles if state.war is None else ():
            assert not pile or pile.count(pile[0]) == max(pile.count(owner) for owner in pile)


def test_colonies_hold_their_minimum(states):
    """REV-113: a Colony never stands with fewer counters of its owner; it is no Independent State."""
    for state in states:
        for place, land in zip(TERRITORIES, state.lands, strict=True):
            if land.colony_owner is not None:
                held = counters(state, land.colony_owner, place.number)
                assert held >= derived.half_up(place.native_power)
                assert not land.independent


def test_tea_and_opium_need_economy_six(states):
    """REV-069: by no means does a counter of a poorer player get there."""
    for state in states:
        for space in GATED:
            assert all(
                state.players[seat].economy >= CONSTANTS.tea_opium_economy for seat in state.piles[space]
            )


def test_limits(states):
    """REV-046, REV-047, REV-126, REV-188, REV-003: Privateers, Unrest, Cities, escrow."""
    for state in states:
        cities = [value for land in state.lands for value in land.cities]
        assert len(set(cities)) == len(cities)
        assert set(cities) <= set(TABLES.city_values)
        for seat, player in enumerate(state.players):
            assert count_deployed(player) <= CONSTANTS.privateers_deployed_max
            assert privateers_in_box(state, seat) <= CONSTANTS.privateers_in_box_max
            assert 0 <= player.escrow <= player.treasury
        if state.rebellion is None:
            assert all(land.unrest < CONSTANTS.auto_rebellion_unrest for land in state.lands)


def test_recorded_prestige_is_the_derived_one(states):
    """REV-090: between actions what was recorded is what the position gives."""
    for state in states:
        if state.action is None:
            assert tuple(player.standing for player in state.players) == standings(state)


def test_nobody_stands_in_unexplored_territories(states):
    """REV-014, REV-163: counters come only after the exploration."""
    for state in states:
        for place, land in zip(TERRITORIES, state.lands, strict=True):
            assert land.explored or not any(state.piles[space] for space in place.spaces)
