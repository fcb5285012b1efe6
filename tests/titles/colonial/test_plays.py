"""Eight of the Characters: peace, cities, Goods, faith, revolt, science (COL-13, COL-17 to COL-24)."""

from __future__ import annotations

import pytest

from events.titles.colonial import TITLE
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from tests.titles.colonial.scene import AMERICA, Done, code, dice, do, kinds, scene

EGYPT = {"egypt": {"piles": {"wares": [0]}}}


# --- Ambassador --------------------------------------------------------------------------------


def test_ambassador_moves_anybody():
    """COL-13-01: any one player's marker, also one's own, 1 right."""
    done = do(scene("viceroy_ambassador"), 0, c.PlayAmbassador(move=2))
    assert done.player(2).diplomacy == 5
    assert code(scene("viceroy_ambassador"), 0, c.PlayAmbassador(move=4)) == "unknown_player"


def test_ambassador_calms():
    """COL-13-02: 1 Unrest anywhere, besides."""
    state = scene("viceroy_ambassador", lands={"india": {"unrest": 2}})
    done = do(state, 0, c.PlayAmbassador(0, "india"))
    assert (done.land("india")["unrest"], done.player(0).diplomacy) == (1, 5)
    assert code(state, 0, c.PlayAmbassador(0, "egypt")) == "no_unrest_there"


def test_ambassador_does_at_least_one():
    """COL-13-03: each effect is optional, not both."""
    state = scene("viceroy_ambassador", lands={"india": {"unrest": 1}})
    assert code(state, 0, c.PlayAmbassador()) == "nothing_chosen"
    assert do(state, 0, c.PlayAmbassador(remove_unrest_from="india")).player(0).diplomacy == 4


# --- Governor ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "command", "expected"),
    [
        ({"lands": {"brazil": {"prestige": 1}}}, c.PlayGovernor("brazil", 1), "territory_unexplored"),
        ({"lands": {"brazil": {}}}, c.PlayGovernor("brazil", 1), "no_counter_there"),
        (
            {"lands": EGYPT, "booming_city": {"territory": "egypt", "value": 1, "founder": 0}},
            c.PlayGovernor("egypt", 2),
            "city_already_there",
        ),
        (
            {"lands": EGYPT, "players": {0: {"treasury": 1}}},
            c.PlayGovernor("egypt", 2),
            "not_enough_treasury",
        ),
    ],
)
def test_governor_requirements(changes, command, expected):
    """COL-17-02, COL-17-03: an Explored Territory with a counter, without the city; Treasury enough."""
    assert code(scene("merchant_governor", **AMERICA, **changes), 0, command) == expected


def test_city_outside_a_colony_gives_nothing():
    """COL-17-05, COL-17-07: it stays in play all the same, and a new Governor replaces it."""
    state = scene(
        "merchant_governor", lands={**EGYPT, "levant": {"piles": {"wares": [1]}}}, players={1: {"economy": 4}}
    )
    done = do(state, 0, c.PlayGovernor("egypt", 1))
    assert not done.of(f.PrestigeGained)
    done.do(1, c.PlayGovernor("levant", 2))
    assert done.state.booming_city.territory == "levant"


def test_city_value_limits_only_the_next_governor():
    """COL-17-06: neither Trader nor anything else depends on it."""
    city = {"territory": "egypt", "value": 9, "founder": 0}
    plain = scene("trader_financier", players={0: {"market": 5}}, lands=EGYPT)
    booming = scene("trader_financier", players={0: {"market": 5}}, lands=EGYPT, booming_city=city)
    capacity = [TITLE.view_json(s, 0)["players"][0]["trader_capacity"] for s in (plain, booming)]
    assert capacity == [2, 2]


# --- Merchant ----------------------------------------------------------------------------------


def test_merchant_needs_fleets_and_goods():
    """COL-18-01, COL-04-10: no Fleet, or nothing to ship anywhere."""
    assert code(scene("merchant_governor"), 0, c.PlayMerchant()) == "nothing_to_ship"
    poor = scene("merchant_governor", players={0: {"fleets": 0}}, lands=EGYPT)
    assert code(poor, 0, c.PlayMerchant()) == "no_merchant_fleet"


def test_shipping_limits():
    """COL-18-02, COL-18-06: each controlled space once a play, no more than Fleets."""
    lands = {**EGYPT, "levant": {"piles": {"wares": [0]}}, "barbary": {}}
    done = do(scene("merchant_governor", lands=lands), 0, c.PlayMerchant())
    assert code(done.state, 0, c.ShipGoods(("barbary.wares",))) == "space_uncontrolled"
    assert code(done.state, 0, c.ShipGoods(("egypt.wares", "egypt.wares"))) == "already_shipped"
    assert (
        code(done.state, 0, c.ShipGoods(("egypt.wares", "levant.wares", "barbary.wares")))
        == "not_enough_fleets"
    )
    done.do(0, c.ShipGoods(("egypt.wares",)))
    assert code(done.state, 0, c.ShipGoods(("egypt.wares",))) == "already_shipped"
    assert code(done.state, 1, c.ShipGoods(("egypt.wares",))) == "no_merchant_in_progress"
    assert code(scene("viceroy_ambassador"), 0, c.FinishAction()) == "nothing_to_finish"


def test_silent_owner_cannot_hold_up():
    """COL-18-05: the Merchant withdraws what is not answered; it counts as refused."""
    lands = {**EGYPT, "levant": {"piles": {"wares": [1]}}}
    done = do(scene("merchant_governor", lands=lands), 0, c.PlayMerchant()).do(
        0, c.ShipGoods(("levant.wares",))
    )
    assert code(done.state, 0, c.FinishAction()) == "request_open"
    assert code(done.state, 0, c.ShipGoods(("egypt.wares",))) == "request_open"
    assert code(done.state, 1, c.WithdrawRequests()) == "not_your_decision"
    done.do(0, c.WithdrawRequests())
    assert code(done.state, 0, c.ShipGoods(("levant.wares",))) == "shipment_refused_before"
    assert code(done.state, 1, c.AnswerShipment(("levant.wares",))) == "not_your_decision"
    assert code(done.state, 0, c.WithdrawRequests()) == "no_request_open"


def test_mission_does_not_stop_pirates():
    """COL-18-17: the Pirate check depends on the Unrest only."""
    lands = {"egypt": {"unrest": 1, "missions": 2, "piles": {"wares": [0]}}}
    city = {"territory": "egypt", "value": 2, "founder": 0}
    done = do(
        scene("merchant_governor", lands=lands, booming_city=city), 0, c.PlayMerchant(("egypt.wares",)), [1]
    )
    assert done.of(f.FleetLostToPirates)


def test_sellers_paid_only_if_shipped():
    """COL-18-09: the option gives the other reading."""
    lands = {"egypt": {"unrest": 1, "piles": {"wares": [1]}}}
    city = {"territory": "egypt", "value": 2, "founder": 0}
    state = scene(
        "merchant_governor", lands=lands, booming_city=city, options={"pay_sellers_only_if_shipped": True}
    )
    assert not do(state, 0, c.PlayMerchant(("egypt.wares",)), [1]).of(f.SellersPaid)
    assert do(state, 0, c.PlayMerchant(("egypt.wares",)), [0]).player(1).treasury == 6


def test_abolition_per_merchant():
    """COL-06-07: by option one step a Merchant play."""
    lands = {"west_africa": {"piles": {"slaves": [0]}}, "east_africa": {"piles": {"slaves": [0]}}}
    state = scene(
        "merchant_governor",
        lands=lands,
        players={3: {"economy": 10}},
        options={"abolition_per_merchant": True},
    )
    both = c.ShipGoods(("west_africa.slaves", "east_africa.slaves"))
    playing = do(state, 0, c.PlayMerchant())
    assert TITLE.label(playing.state, 0, both).endswith(", 1 left on Diplomacy")
    done = playing.do(0, both)
    assert done.player(0).diplomacy == 3


def test_buttons_name_what_slaves_cost():
    """COL-18-16: after the abolition each Goods of slaves moves left; of others once they are granted."""
    lands = {"west_africa": {"piles": {"slaves": [0]}}, "east_africa": {"piles": {"slaves": [1]}}}
    state = scene("merchant_governor", lands=lands, players={3: {"economy": 10}})
    playing = do(state, 0, c.PlayMerchant()).state

    def button(*spaces):
        return TITLE.label(playing, 0, c.ShipGoods(spaces))

    assert button("west_africa.slaves").endswith("Slaves in West Africa, 1 left on Diplomacy")
    assert button("east_africa.slaves").endswith(", 1 left on Diplomacy if Slaves are granted")
    free = do(scene("merchant_governor", lands=lands), 0, c.PlayMerchant()).state
    assert "Diplomacy" not in TITLE.label(free, 0, c.ShipGoods(("west_africa.slaves",)))


# --- Missionary, Rebel -------------------------------------------------------------------------


def test_mission_where_no_unrest():
    """COL-19-02, COL-19-03: on an Explored Territory, with or without counters of one's own."""
    state = scene("scientist_missionary", lands={"india": {"unrest": 1}, "persia": {"missions": 1}})
    assert code(state, 0, c.PlayMissionary("india", "place")) == "unrest_present"
    assert code(state, 0, c.PlayMissionary("japan", "place")) == "territory_unexplored"
    assert code(state, 0, c.PlayMissionary("persia", "flip")) == "no_unrest_there"
    assert do(state, 0, c.PlayMissionary("persia", "place")).land("persia")["missions"] == 2


def test_rebel_does_one_of_three():
    """COL-20-01, COL-20-07: rebellion, Unrest anywhere Explored, or a Mission discarded."""
    lands = {"india": {"missions": 1, "colony": 1, "piles": {"silk": [1]}}, "brazil": {"independent": True}}
    state = scene("sovereign_rebel", lands=lands, **AMERICA)
    assert code(state, 0, c.PlayRebel("rebellion", "india")) == "no_unrest_there"
    assert code(state, 0, c.PlayRebel("unrest", "japan")) == "territory_unexplored"
    assert code(state, 0, c.PlayRebel("discard_mission", "brazil")) == "no_mission_there"
    assert do(state, 0, c.PlayRebel("unrest", "india")).land("india")["unrest"] == 1
    assert do(state, 0, c.PlayRebel("unrest", "brazil")).land("brazil")["unrest"] == 1
    assert do(state, 0, c.PlayRebel("discard_mission", "india")).land("india")["missions"] == 0


def test_control_then_colonies_after_a_rebellion():
    """COL-20-06: control is checked without Diplomacy moves, then the Colony is lost."""
    lands = {"brazil": {"colony": 1, "unrest": 1, "piles": {"plantation": [1, 2]}}}
    done = do(
        scene("sovereign_rebel", lands=lands, **AMERICA), 0, c.PlayRebel("rebellion", "brazil"), dice(1, 2)
    )
    done.do(0, c.ChooseRebellionCasualties((c.Victim("brazil.plantation", 1),)))
    names = [type(fact).__name__ for fact in done.facts]
    order = ["CountersLost", "ControlChanged", "ColonyLost", "IndependenceBegan"]
    assert [names.index(name) for name in order] == sorted(names.index(name) for name in order)
    assert not done.of(f.DiplomacyMoved)


def test_rebellion_without_result():
    """COL-20-08: where nothing lies, or Native Power is 0, it may be sparked all the same."""
    state = scene("sovereign_rebel", lands={"egypt": {"unrest": 2, "piles": {"wares": [1]}}})
    done = do(state, 0, c.PlayRebel("rebellion", "egypt"))
    assert done.of(f.RebellionRolled)[0].dice == ()
    assert done.land("egypt")["piles"]["wares"] == [1]


def test_casualties_are_real_counters():
    """COL-20-04: space, owner and position must exist, each once."""
    lands = {"west_africa": {"unrest": 1, "piles": {"gold": [1, 1, 2], "slaves": [3]}}}
    done = do(scene("sovereign_rebel", lands=lands), 0, c.PlayRebel("rebellion", "west_africa"), dice(2, 3))
    victim = c.Victim("west_africa.gold", 1, 0)
    for wrong in (
        (victim, victim),
        (victim, c.Victim("west_africa.gold", 2, 1)),
        (victim, c.Victim("egypt.wares", 1)),
        (victim, c.Victim("west_africa.slaves", 1)),
    ):
        assert code(done.state, 0, c.ChooseRebellionCasualties(wrong)) == "invalid_casualty"


# --- Scientist, Trader, Viceroy ----------------------------------------------------------------


def test_track_at_its_end():
    """COL-21-02, COL-06-08: markers move forward only, up to the last space."""
    state = scene("scientist_missionary", players={0: {"navy": 4, "treasury": 9}})
    assert code(state, 0, c.PlayScientist("navy")) == "track_at_maximum"
    assert do(state, 0, c.PlayScientist("economy")).of(f.TrackAdvanced) == [
        f.TrackAdvanced(0, "economy", 2, 4, 4)
    ]


def test_owner_may_keep_goods():
    """COL-23-04: what is refused cannot be asked again and uses no capacity."""
    state = scene("trader_financier", players={0: {"economy": 4}, 1: {"market": 3}, 2: {"market": 3}})
    done = do(state, 0, c.PlayTrader(0, (c.GoodsWanted(1, 3),))).do(1, c.AnswerGoodsRequest(1))
    assert code(done.state, 0, c.MoveGoods(0, (c.GoodsWanted(1, 1),))) == "refused_before"
    assert code(done.state, 0, c.MoveGoods()) == "nothing_chosen"
    assert code(done.state, 1, c.AnswerGoodsRequest(1)) == "not_your_decision"
    done.do(0, c.MoveGoods(0, (c.GoodsWanted(2, 3),)))
    assert code(done.state, 0, c.MoveGoods(0, (c.GoodsWanted(2, 1),))) == "request_open"
    assert code(done.state, 2, c.AnswerGoodsRequest(4)) == "invalid_parameters"
    done.do(2, c.AnswerGoodsRequest(3))
    assert (done.player(0).treasury, done.player(1).treasury, done.player(2).treasury) == (8, 6, 8)


def test_trader_may_move_less():
    """COL-23-05: the play ends when they say so, or without Goods to ask for."""
    state = scene("trader_financier", players={0: {"market": 2}, 1: {"market": 1}})
    done = do(state, 0, c.PlayTrader(1))
    assert kinds(done.state) == [(0, "continue_trader")]
    assert do(done.state, 0, c.FinishAction()).state.active == 1
    last = Done(scene("trader_financier", players={1: {"market": 1}})).do(
        0, c.PlayTrader(0, (c.GoodsWanted(1, 1),))
    )
    last.do(0, c.WithdrawRequests())
    assert last.of(f.ActionFinished)
    assert last.state.active == 1


def test_viceroy_limits():
    """COL-24-01, COL-06-04: up to Logistics, in one Explored Territory, of one's own Treasury."""
    state = scene("viceroy_ambassador", players={1: {"treasury": 0}}, lands={"west_africa": {}})
    assert code(state, 0, c.PlayViceroy("egypt", ("egypt.wares",) * 2)) == "too_many_counters"
    assert code(state, 0, c.PlayViceroy("india", ("india.silk",))) == "territory_unexplored"
    broke = scene("viceroy_ambassador", players={0: {"treasury": 0}})
    assert code(broke, 0, c.PlayViceroy("egypt", ("egypt.wares",))) == "not_enough_treasury"


def test_viceroy_needs_economy_for_tea_and_opium():
    """COL-24-04, COL-06-06: below 6 no counter on them."""
    poor = scene("viceroy_ambassador", lands={"china": {}})
    assert code(poor, 0, c.PlayViceroy("china", ("china.tea",))) == "economy_too_low"
    rich = scene("viceroy_ambassador", lands={"china": {}}, players={0: {"economy": 6}})
    assert do(rich, 0, c.PlayViceroy("china", ("china.tea",))).of(f.CounterPlaced)


def test_viceroy_brings_no_unrest():
    """COL-24-05: unlike adventurers."""
    assert not do(scene("viceroy_ambassador"), 0, c.PlayViceroy("egypt", ("egypt.wares",))).of(f.UnrestPlaced)
