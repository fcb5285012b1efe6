"""The Explorer and the special explorations (COL-11, COL-15, COL-07-01)."""

from __future__ import annotations

import pytest

from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from events.titles.colonial.data import TERRITORIES
from tests.titles.colonial.scene import AMERICA, code, dice, do, kinds, scene

ALL_EXPLORED = {land.id: {} for land in TERRITORIES}


def test_target_is_unexplored():
    """COL-15-01: ten dice on one Unexplored Territory."""
    state = scene("explorer_conqueror", lands={"india": {}})
    assert code(state, 0, c.PlayExplorer("india")) == "territory_already_explored"
    rolled = do(state, 0, c.PlayExplorer("japan"), dice(0)).of(f.ExplorationRolled)[0]
    assert len(rolled.dice) == 10


def test_explored_for_prestige_and_for_ever():
    """COL-07-01, COL-15-05, COL-15-11: the Prestige moves to the explorer; no fact puts Prestige back."""
    done = do(scene("explorer_conqueror"), 0, c.PlayExplorer("west_africa"), dice(3))
    assert done.player(0).prestige == 1
    assert done.land("west_africa")["prestige"] == 0
    assert code(done.do(0, c.SettleExploredTerritory("none")).state, 1, c.PlayExplorer("west_africa")) == (
        "territory_already_explored"
    )


def test_settling_is_one_of_three():
    """COL-15-07, COL-15-08: nothing, a trading post from the Fleets, or adventurers from the Treasury."""
    done = do(scene("explorer_conqueror"), 0, c.PlayExplorer("east_indies"), dice(4))
    assert kinds(done.state) == [(0, "settle_explored_territory")]
    post = do(done.state, 0, c.SettleExploredTerritory("trading_post", "east_indies.spices"))
    assert (post.player(0).merchant_fleets, post.player(0).treasury) == (1, 4)
    assert post.land("east_indies")["unrest"] == 0
    none = do(done.state, 0, c.SettleExploredTerritory("none"))
    assert none.of(f.SettleDeclined)


@pytest.mark.parametrize(
    ("players", "command", "expected"),
    [
        ({"fleets": 0}, c.SettleExploredTerritory("trading_post", "west_africa.gold"), "no_merchant_fleet"),
        (
            {"treasury": 0},
            c.SettleExploredTerritory("adventurers", "west_africa.gold"),
            "not_enough_treasury",
        ),
        ({}, c.SettleExploredTerritory("adventurers", "east_africa.slaves"), "space_not_in_territory"),
        ({}, c.SettleExploredTerritory("adventurers"), "unknown_space"),
    ],
)
def test_settling_needs_its_means(players, command, expected):
    """COL-15-08, COL-15-09, COL-15-10: a Fleet or a Treasury, and a space of the Territory."""
    action = {"type": "explorer", "circumnavigation": False, "territory": "west_africa", "step": "settle"}
    state = scene(
        "explorer_conqueror",
        played="explorer",
        action=action,
        players={0: players},
        lands={"west_africa": {}},
    )
    assert code(state, 0, command) == expected


def test_no_settling_without_resources():
    """COL-15-10: in the Congo the step is skipped."""
    state = scene("explorer_conqueror", players={0: {"seafaring": 3}})
    assert do(state, 0, c.PlayExplorer("congo"), dice(4)).state.active == 1


def test_answers_come_in_their_step():
    """COL-15-07, COL-11-09: no settling, second roll or voyage unless offered."""
    state = scene("explorer_conqueror")
    assert code(state, 0, c.SettleExploredTerritory("none")) == "no_settle_pending"
    assert code(state, 0, c.RollAgainForAustralia(roll=True)) == "no_second_roll_pending"
    assert code(state, 0, c.AttemptCircumnavigation(attempt=True)) == "circumnavigation_not_open"


def test_circumnavigation_opens_with_america():
    """COL-11-03: only while its box holds the Prestige."""
    closed = do(scene("explorer_conqueror"), 0, c.PlayExplorer("japan"), dice(0))
    assert closed.state.active == 1
    opened = do(scene("explorer_conqueror", **AMERICA), 0, c.PlayExplorer("japan"), dice(0))
    assert kinds(opened.state) == [(0, "attempt_circumnavigation")]


def test_no_offer_without_treasury():
    """COL-11-05: the attempt costs 1 Treasury."""
    state = scene("explorer_conqueror", players={0: {"treasury": 0}}, **AMERICA)
    assert do(state, 0, c.PlayExplorer("japan"), dice(0)).state.active == 1


def test_continents():
    """COL-11-06: Africa, the Americas, Asia and Oceania count once each, the Near East never."""
    lands = {
        "egypt": {"piles": {"wares": [0]}},
        "brazil": {"piles": {"plantation": [0]}},
        "peru": {"piles": {"precious_metals": [0]}},
        "japan": {"piles": {"precious_metals": [0]}},
    }
    state = scene("explorer_conqueror", lands=lands, **AMERICA)
    done = do(state, 0, c.PlayExplorer("china"), dice(0)).do(
        0, c.AttemptCircumnavigation(attempt=True), dice(3)
    )
    rolled = done.of(f.CircumnavigationRolled)[0]
    assert (rolled.required, rolled.continents) == (4, ("americas", "asia"))
    assert not done.of(f.WorldCircumnavigated)
    assert done.state.circumnavigation_box == 1


def test_sailing_alone():
    """COL-11-08: only when nothing is left to explore, and if it is open and affordable."""
    state = scene("explorer_conqueror", lands=ALL_EXPLORED, **AMERICA)
    done = do(state, 0, c.PlayExplorer()).do(0, c.AttemptCircumnavigation(attempt=True), dice(6))
    assert done.of(f.WorldCircumnavigated)
    assert code(done.state, 1, c.PlayExplorer()) == "circumnavigation_not_open"
    poor = scene("explorer_conqueror", lands=ALL_EXPLORED, players={0: {"treasury": 0}}, **AMERICA)
    assert code(poor, 0, c.PlayExplorer()) == "not_enough_treasury"
    assert (
        code(scene("explorer_conqueror", **AMERICA), 0, c.PlayExplorer()) == "unexplored_territory_available"
    )


def test_second_roll_may_be_declined():
    """COL-11-10: then Australia stays Unexplored, without settling."""
    state = scene("explorer_conqueror", players={0: {"seafaring": 3}})
    done = do(state, 0, c.PlayExplorer("australia"), dice(3)).do(0, c.RollAgainForAustralia(roll=False))
    assert done.land("australia")["prestige"] == 1
    assert done.state.active == 1


def test_second_success_settles():
    """COL-11-11: the second Prestige, and the settle step."""
    state = scene("explorer_conqueror", players={0: {"seafaring": 3}})
    done = do(state, 0, c.PlayExplorer("australia"), dice(3)).do(
        0, c.RollAgainForAustralia(roll=True), dice(3)
    )
    assert done.player(0).prestige == 2
    assert kinds(done.state) == [(0, "settle_explored_territory")]


def test_win_stops_the_prompts():
    """COL-00-02: the tenth Prestige ends the game before any second roll."""
    state = scene("explorer_conqueror", players={0: {"seafaring": 3, "prestige": 9}})
    done = do(state, 0, c.PlayExplorer("australia"), dice(3))
    assert done.of(f.GameWon) == [f.GameWon(0, 10)]
    assert kinds(done.state) == []
    assert code(done.state, 0, c.RollAgainForAustralia(roll=True)) == "game_not_running"
