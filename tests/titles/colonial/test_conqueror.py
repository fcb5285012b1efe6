"""The Conqueror (COL-14)."""

from __future__ import annotations

import pytest

from events.titles.colonial import TITLE
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from tests.titles.colonial.scene import AMERICA, code, do, scene

BRAZIL = {"piles": {"plantation": [0, 0]}}


@pytest.mark.parametrize(
    ("lands", "command", "expected"),
    [
        ({"brazil": {"prestige": 1, **BRAZIL}}, c.PlayConqueror("brazil"), "territory_unexplored"),
        ({"egypt": {"piles": {"wares": [0]}}}, c.PlayConqueror("egypt"), "no_native_power"),
        (
            {"brazil": {"piles": {"plantation": [1, 0]}}},
            c.PlayConqueror("brazil"),
            "not_all_resources_controlled",
        ),
        ({"congo": {}}, c.PlayConqueror("congo"), "not_all_resources_controlled"),
        ({"brazil": {"piles": {"plantation": [0]}}}, c.PlayConqueror("brazil"), "not_enough_counters"),
        ({"brazil": BRAZIL}, c.PlayConqueror("brazil", "extremadura"), "extremadura_not_allowed"),
        ({"brazil": BRAZIL}, c.PlayConqueror("brazil", repression=1), "not_enough_unrest"),
        ({"brazil": BRAZIL}, c.PlayConqueror("brazil", plantation=(1,)), "no_slaves_controlled"),
        (
            {"east_indies": {"piles": {"spices": [0, 0]}}},
            c.PlayConqueror("east_indies", plantation=(1,)),
            "no_plantation_resource",
        ),
        (
            {"brazil": {"piles": {"plantation": [0, 0, 1]}}},
            c.PlayConqueror("brazil", company=c.Company("brazil.plantation", 2)),
            "counter_not_yours",
        ),
        (
            {"canada": {"piles": {"furs": [0]}}},
            c.PlayConqueror("canada", company=c.Company("canada.furs")),
            "company_would_empty_colony",
        ),
    ],
)
def test_requirements(lands, command, expected):
    """COL-14-02, COL-14-07, COL-14-09, COL-14-10: each requirement has its code."""
    assert code(scene("explorer_conqueror", lands=lands, **AMERICA), 0, command) == expected


def _lying(state):
    """The Prestige on the map."""
    return sum(land.prestige for land in state.lands)


def test_one_colony_a_play():
    """COL-14-01, COL-07-02: one Colony, with 1 Prestige from the general supply."""
    state = scene(
        "explorer_conqueror", lands={"brazil": BRAZIL, "canada": {"piles": {"furs": [0]}}}, **AMERICA
    )
    done = do(state, 0, c.PlayConqueror("brazil"))
    assert [land.colony for land in done.state.lands].count(0) == 1
    assert done.player(0).prestige == 1
    assert _lying(done.state) == _lying(state)
    assert done.state.active == 1


def test_city_in_the_territory_gives_one_more():
    """COL-14-04: the Booming City stands there."""
    city = {"territory": "brazil", "value": 2, "founder": 3}
    done = do(
        scene("explorer_conqueror", lands={"brazil": BRAZIL}, booming_city=city, **AMERICA),
        0,
        c.PlayConqueror("brazil"),
    )
    assert done.of(f.ColonyFounded)[0].city_prestige == 1
    assert done.player(0).prestige == 2


def test_foreign_counters_stay():
    """COL-14-05: other players' counters are unaffected."""
    lands = {"brazil": {"piles": {"plantation": [0, 0, 1]}}}
    done = do(scene("explorer_conqueror", lands=lands, **AMERICA), 0, c.PlayConqueror("brazil"))
    assert done.land("brazil")["piles"]["plantation"] == [0, 0, 1]


def test_options_in_their_order():
    """COL-14-06: Company, Pillage, Repression; Repression may take the Unrest of Pillage."""
    command = c.PlayConqueror("brazil", company=c.Company("brazil.plantation"), pillage=True, repression=1)
    done = do(scene("explorer_conqueror", lands={"brazil": BRAZIL}, **AMERICA), 0, command)
    names = [type(fact).__name__ for fact in done.facts]
    order = [
        "ColonyFounded",
        "CompanyCreated",
        "TerritoryPillaged",
        "UnrestPlaced",
        "UnrestRemoved",
        "DiplomacyMoved",
    ]
    assert [names.index(name) for name in order] == sorted(names.index(name) for name in order)
    assert done.player(0).treasury == 4 + 2


def test_plantation_takes_all_there_is():
    """COL-14-10: with fewer Fleets than black spaces all of them; none at all is no option."""
    lands = {
        "brazil": BRAZIL,
        "west_africa": {"piles": {"slaves": [0]}},
        "east_africa": {"piles": {"slaves": [0]}},
    }
    few = {1: {"fleets": 1}, 2: {"fleets": 0}, 3: {"fleets": 0}}
    state = scene("explorer_conqueror", lands=lands, players=few, **AMERICA)
    assert code(state, 0, c.PlayConqueror("brazil", plantation=(1, 1))) == "invalid_victims"
    assert do(state, 0, c.PlayConqueror("brazil", plantation=(1,))).player(0).merchant_fleets == 3
    none = scene("explorer_conqueror", lands=lands, players={**few, 1: {"fleets": 0}}, **AMERICA)
    assert code(none, 0, c.PlayConqueror("brazil", plantation=(1,))) == "invalid_victims"


def test_victory_skips_the_options():
    """COL-00-02: the Colony that wins brings no Pillage any more."""
    state = scene("explorer_conqueror", lands={"brazil": BRAZIL}, players={0: {"prestige": 9}}, **AMERICA)
    done = do(state, 0, c.PlayConqueror("brazil", pillage=True))
    assert done.of(f.GameWon)
    assert not done.of(f.TerritoryPillaged)


def test_a_colony_on_an_independent_state_may_win():
    """COL-08-08, COL-00-02: the independence ends first, so the final position can be set up again."""
    lands = {"brazil": {"independent": True, "piles": {"plantation": [0] * 4}}}
    state = scene("explorer_conqueror", lands=lands, players={0: {"prestige": 9}}, **AMERICA)
    done = do(state, 0, c.PlayConqueror("brazil"))
    assert [type(fact) for fact in done.facts[1:]] == [f.IndependenceEnded, f.ColonyFounded, f.GameWon]
    assert TITLE.from_position(TITLE.position(done.state)) == done.state
