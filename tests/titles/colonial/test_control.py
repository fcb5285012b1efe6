"""Counters, control, Colonies and Independent States (COL-05, COL-08, COL-09, COL-10)."""

from __future__ import annotations

import pytest

from events.titles.colonial import TITLE
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from events.titles.colonial.steps.losses import settle_losses
from tests.titles.colonial.scene import AMERICA, code, dice, do, scene


def test_counters_lie_on_resource_spaces_only():
    """COL-05-01: nothing can be placed in Congo or Amazonia."""
    state = scene("viceroy_ambassador", lands={"congo": {}, "west_africa": {}})
    assert code(state, 0, c.PlayViceroy("congo", ("west_africa.gold",))) == "space_not_in_territory"
    assert code(state, 0, c.PlayViceroy("congo", ("congo.gold",))) == "unknown_space"
    assert code(state, 0, c.PlayViceroy("atlantis", ("west_africa.gold",))) == "unknown_territory"


def test_only_the_bottom_counter_controls():
    """COL-05-03, COL-05-02: a new counter goes on top, the bottom one controls."""
    state = scene("viceroy_ambassador", lands={"egypt": {"piles": {"wares": [1, 1]}}})
    done = do(state, 0, c.PlayViceroy("egypt", ("egypt.wares",)))
    assert done.land("egypt")["piles"]["wares"] == [1, 1, 0]
    assert TITLE.view_json(done.state, None)["territories"][13]["spaces"][0]["controller"] == 1


def test_reinforcing_is_free():
    """COL-05-16, COL-05-10: who controls a space pays nothing for more counters, which go on top."""
    state = scene("viceroy_ambassador", lands={"egypt": {"piles": {"wares": [0, 1]}}})
    done = do(state, 0, c.PlayViceroy("egypt", ("egypt.wares",)))
    assert done.land("egypt")["piles"]["wares"] == [0, 1, 0]
    assert not done.of(f.DiplomacyMoved)
    assert not done.of(f.ControlChanged)


@pytest.mark.parametrize(
    ("pile", "gone", "left"),
    [
        ((2, 0, 0, 1, 1), {0}, (0, 0, 1, 1)),
        ((2, 1, 0, 0, 1), {0}, (1, 1, 0, 0)),
        ((2, 2, 0, 0, 0), {1}, (0, 0, 0, 2)),
        ((2, 2, 0, 0), {1}, (0, 0, 2)),
        ((2, 2, 0, 1), {1}, (2, 0, 1)),
        ((2, 0, 2, 1, 2), {1}, (2, 2, 1, 2)),
        ((2, 0, 2), {0}, (0, 2)),
        ((2, 0, 2, 2), {0}, (2, 2, 0)),
        ((0,), {0}, ()),
    ],
)
def test_control_after_a_loss(pile, gone, left):
    """COL-05-14, COL-05-10, COL-05-17: most counters, ties to the lowest; empty stays empty."""
    assert settle_losses(pile, gone) == left


def test_supplies_never_run_out():
    """COL-01-08, COL-02-04: counters come from and go to the Pool without limit; Colony markers do not."""
    lands = {
        name: {"colony": 0, "piles": {}}
        for name in ("canada", "peru", "japan", "brazil", "guyanas", "china", "india")
    }
    lands["new_england"] = {"piles": {"plantation": [0, 0]}}
    state = scene("explorer_conqueror", lands=lands, players={0: {"treasury": 5000}}, **AMERICA)
    assert code(state, 0, c.PlayConqueror("new_england")) == "no_colony_marker_left"


def test_market_holds_any_number():
    """COL-01-04: a Goods on the Market is a counter of its shipper."""
    state = scene("trader_financier", players={0: {"market": 900, "economy": 10}})
    assert do(state, 0, c.PlayTrader(10)).player(0).market == 890


def test_one_colony_a_territory():
    """COL-08-01: a Colony belongs to one player."""
    state = scene("explorer_conqueror", lands={"east_indies": {"colony": 1, "piles": {"spices": [0, 0]}}})
    assert code(state, 0, c.PlayConqueror("east_indies")) == "already_a_colony"


def test_nobody_else_places_in_a_colony():
    """COL-08-02, COL-24-02: foreign counters there before stay and count."""
    state = scene("viceroy_ambassador", lands={"east_indies": {"colony": 1, "piles": {"spices": [1, 1, 0]}}})
    assert code(state, 0, c.PlayViceroy("east_indies", ("east_indies.spices",))) == "foreign_colony"
    mine = scene(
        "viceroy_ambassador", active=1, lands={"east_indies": {"colony": 1, "piles": {"spices": [1, 1, 0]}}}
    )
    done = do(mine, 1, c.PlayViceroy("east_indies", ("east_indies.spices",)))
    assert done.land("east_indies")["piles"]["spices"] == [1, 1, 0, 1]


def test_independent_state_is_open_to_all():
    """COL-08-09, COL-24-02: every player may place counters there."""
    state = scene("viceroy_ambassador", lands={"brazil": {"independent": True}}, **AMERICA)
    assert do(state, 0, c.PlayViceroy("brazil", ("brazil.plantation",))).of(f.CounterPlaced)


def test_independent_state_doubles_native_power():
    """COL-08-07: also for rebellion dice."""
    state = scene("sovereign_rebel", lands={"brazil": {"independent": True, "unrest": 1}}, **AMERICA)
    rolled = do(state, 0, c.PlayRebel("rebellion", "brazil"), dice(0, 4))
    assert len(rolled.of(f.RebellionRolled)[0].dice) == 4


def test_lost_colony_costs_what_there_is():
    """COL-07-05, COL-08-05: Prestige never falls below 0."""
    state = scene(
        "sovereign_rebel",
        booming_city={"territory": "brazil", "value": 1, "founder": 1},
        players={1: {"prestige": 1}},
        lands={"brazil": {"colony": 1, "unrest": 1, "missions": 0, "piles": {"plantation": [1]}}},
        **AMERICA,
    )
    done = do(state, 0, c.PlayRebel("rebellion", "brazil"), dice(1, 2))
    assert done.of(f.ColonyLost) == [f.ColonyLost(1, "brazil", 1, 0, 1)]
    assert done.player(1).prestige == 0


def test_any_number_of_unrest_and_missions():
    """COL-09-02: both may lie in a Territory, several of each."""
    state = scene("sovereign_rebel", lands={"india": {"unrest": 4, "missions": 3}})
    assert do(state, 0, c.PlayRebel("unrest", "india")).land("india")["unrest"] == 5


def test_rebellion_leaves_the_unrest():
    """COL-09-03: a rebellion does not remove Unrest by itself."""
    state = scene(
        "sovereign_rebel", lands={"egypt": {"unrest": 2, "piles": {"wares": [1]}}, "india": {"unrest": 1}}
    )
    assert do(state, 0, c.PlayRebel("rebellion", "india"), dice(3, 6)).land("india")["unrest"] == 1


def test_who_moves_right():
    """COL-10-02: Ambassador, India and China, France's Sovereign; nothing else moves a marker right."""
    state = scene("viceroy_ambassador", players={1: {"diplomacy": 2}})
    assert do(state, 0, c.PlayAmbassador(move=1)).player(1).diplomacy == 3
    state = scene("explorer_conqueror", players={0: {"seafaring": 3}})
    assert do(state, 0, c.PlayExplorer("china"), dice(2)).player(0).diplomacy == 5
    assert do(state, 0, c.PlayExplorer("japan"), dice(2)).player(0).diplomacy == 4


def test_track_has_limits():
    """COL-10-01: no marker passes the ends."""
    state = scene("viceroy_ambassador", players={0: {"diplomacy": 7}})
    assert code(state, 0, c.PlayAmbassador(move=0)) == "diplomacy_at_right_limit"
    india = scene("explorer_conqueror", players={0: {"diplomacy": 7, "seafaring": 3}})
    assert do(india, 0, c.PlayExplorer("india"), dice(1)).player(0).diplomacy == 7


def test_buttons_name_what_cannot_be_taken_back():
    """COL-05-07, COL-05-11: control that changes, a Monopoly that breaks, Diplomacy that moves."""
    lands = {"brazil": {"piles": {"plantation": [1]}}, "egypt": {"piles": {"wares": [0]}}}
    state = scene("viceroy_ambassador", lands=lands, players={0: {"logistics": 2}}, **AMERICA)

    def button(state, territory, *spaces):
        return TITLE.label(state, 0, c.PlayViceroy(territory, spaces))

    taken = button(state, "brazil", "brazil.plantation", "brazil.plantation")
    assert taken.endswith(", takes control of Plantation goods in Brazil from Red, 1 left on Diplomacy")
    assert button(state, "egypt", "egypt.wares").endswith(" for 1 Treasury")
    assert button(state, "brazil", "brazil.plantation").endswith(" for 1 Treasury")
    broken = scene("viceroy_ambassador", lands={"egypt": {"piles": {"wares": [1]}}, "levant": {}})
    assert button(broken, "levant", "levant.wares").endswith(
        ", breaks the Wares Monopoly of Red, 1 left on Diplomacy"
    )
    leftmost = scene(
        "viceroy_ambassador",
        lands={"egypt": {"piles": {"wares": [1]}}, "levant": {}},
        players={0: {"diplomacy": 1}},
    )
    assert button(leftmost, "levant", "levant.wares").endswith(", breaks the Wares Monopoly of Red")
