"""The upkeep (§5.16 to 5.18) and neutral planets (§5.19)."""

import pytest

from events.rules.steps import Rejected
from events.titles.colonies.trade import has_choice
from tests.titles.colonies.at_table import TITLE, give, names, table, waiting

NOTHING = {"blue": 0, "green": 0, "yellow": 0, "purple": 0, "red": 0}


def test_police_decide_together():
    """CLN-132: all players with own pirates at once, covered; the others are skipped."""
    state = table(phase="upkeep_police", pirates={"blue": {"red": 1}, "purple": {"red": 2}})
    assert waiting(state) == [(0, "police_sector"), (3, "police_sector")]
    with pytest.raises(Rejected, match="not_your_decision"):
        give(state, 1, "police_sector", removals=[])
    removals = [{"route": {"owner": "purple", "source": "red"}, "count": 1}]
    first = give(state, 3, "police_sector", removals=removals)
    assert names(first) == ["PoliceCommitted"]
    assert first.state.pirates == state.pirates
    last = give(first.state, 0, "police_sector", removals=[])
    assert names(last)[:4] == [
        "PoliceCommitted",
        "SectorPoliced",
        "SectorPoliced",
        "TradeAgreementsFulfilled",
    ]


def test_police_own_routes_only():
    """CLN-130: nobody polices another player's routes."""
    state = table(phase="upkeep_police", pirates={"blue": {"red": 1}, "red": {"blue": 1}})
    with pytest.raises(Rejected, match="not_own_route"):
        give(state, 0, "police_sector", removals=[{"route": {"owner": "red", "source": "blue"}, "count": 1}])


@pytest.mark.parametrize(
    ("stock", "choice"),
    [
        ({"blue": 4}, False),
        ({"blue": 3}, False),
        ({"blue": 3, "green": 9}, False),
        ({"blue": 3, "green": 1, "yellow": 1}, True),
        ({"blue": 3, "green": 1, "red": 1}, False),
        ({"blue": 3, "red": 5}, False),
        ({"blue": 2, "green": 1, "yellow": 1}, True),
    ],
)
def test_real_choice(stock, choice):
    """CLN-135, CLN-143: asked only where two plans exist; Red, the last partner, never gets red."""
    state = table(stocks={0: NOTHING | stock})
    assert has_choice(state, 0) == choice


def test_substitutes_are_compulsory():
    """CLN-137: nobody may pay Credits while an allowed resource is left."""
    state = table(phase="upkeep_fulfil", stocks={0: NOTHING | {"blue": 3, "green": 1, "yellow": 1}})
    with pytest.raises(Rejected, match="substitute_count_wrong"):
        give(state, 0, "fulfil_trade_agreements", substitutes={})


def test_substitutes_in_stock_only():
    """CLN-178: a plan uses what is left after the earlier partners."""
    state = table(phase="upkeep_fulfil", stocks={0: NOTHING | {"blue": 2, "green": 1, "yellow": 1}})
    plan = {"purple": {"green": 1}, "red": {"green": 1}}
    with pytest.raises(Rejected, match="insufficient_resources"):
        give(state, 0, "fulfil_trade_agreements", substitutes=plan)
    with pytest.raises(Rejected, match="unknown_partner"):
        give(state, 0, "fulfil_trade_agreements", substitutes={"blue": {"green": 1}})


def test_listed_plans():
    """CLN-178: every complete plan is listed once."""
    state = table(phase="upkeep_fulfil", stocks={0: NOTHING | {"blue": 2, "green": 1, "yellow": 1}})
    plans = [command.substitutes for command in TITLE.legal(state, 0)]
    assert TITLE.complete(state, 0)
    assert len(plans) == 2
    assert {"purple": {"yellow": 1}, "red": {"green": 1}} in plans


def test_colonists_turn_pirates():
    """CLN-149, CLN-151: all of them, on the routes of their own player only."""
    state = table(phase="actions", action_round=3, active=4, colonists=[2, 0, 0, 0, 1])
    after = give(state, 4, "pass_action").state
    assert after.colonists == (0, 0, 0, 0, 0)
    assert {p: sum(routes.values()) for p, routes in after.pirates.items()} == {
        "blue": 2,
        "green": 0,
        "yellow": 0,
        "purple": 0,
        "red": 1,
    }


def test_neutral_planets_have_nothing():
    """CLN-161, CLN-162: no seat, no own routes, no agreement with each other, but markets."""
    state = table(3)
    assert "green" not in state.pirates
    assert "purple" not in state.promise["green"]
    assert "green" not in state.promise["purple"]
    assert set(state.pirates["blue"]) == {"green", "yellow", "purple", "red"}
    for values in (state.stocks, state.credits, state.levels, state.hands):
        assert len(values) == 3
    assert set(state.markets) == {"blue", "green", "yellow", "purple", "red"}


def test_neutral_planets_always_deliver():
    """CLN-155: exactly the promise in their own colour, and only to players."""
    state = table(3, phase="actions", action_round=3, active=2, promise={"green": {"blue": 4}})
    fulfilled = next(f for f in give(state, 2, "pass_action").facts if hasattr(f, "deliveries"))
    neutral = [d for d in fulfilled.deliveries if d.payer == "green"]
    assert [(d.partner, d.own_resources, d.missing, d.fees, d.compensation) for d in neutral] == [
        ("yellow", 1, 0, 0, 0),
        ("red", 1, 0, 0, 0),
        ("blue", 4, 0, 0, 0),
    ]


def test_adjustments_bind_in_this_upkeep():
    """CLN-115: what the last action of the turn raised is owed in the same turn."""
    state = table(3, phase="actions", action_round=3, active=2, turn=10, current_card=None)
    step = {"partner": "blue", "kind": "unilateral_advancement", "marker": "export"}
    fulfilled = next(
        f for f in give(state, 2, "trade_negotiations", steps=[step]).facts if hasattr(f, "deliveries")
    )
    assert [d.own_resources for d in fulfilled.deliveries if (d.payer, d.partner) == ("red", "blue")] == [2]


def test_produced_colonists_turn_pirates():
    """CLN-118: colonists of a production peak become pirates like any others."""
    state = table(3, phase="actions", action_round=3, active=2, turn=10, current_card=None)
    draft = give(state, 2, "production_peak", resources=0, colonists=1)
    assert draft.state.pirates["red"] == {"blue": 0, "green": 0, "yellow": 0, "purple": 1}


def test_debts_to_neutral_planets():
    """CLN-156, CLN-157: substitutes, fees and compensation as to a player; all of it goes to the supply."""
    owed = {"blue": {"green": 4, "yellow": 1, "purple": 1, "red": 1}}
    state = table(
        4,
        phase="actions",
        action_round=3,
        active=3,
        turn=10,
        current_card=None,
        promise=owed,
        stocks={0: NOTHING | {"blue": 1, "yellow": 2}},
    )
    draft = give(state, 3, "pass_action")
    fulfilled = next(f for f in draft.facts if hasattr(f, "deliveries"))
    first = fulfilled.deliveries[0]
    assert (first.partner, first.own_resources, first.substitutes, first.missing) == (
        "green",
        1,
        {"yellow": 2},
        1,
    )
    assert (first.fees, first.compensation) == (1, 3)
    assert sum(draft.state.credits) == sum(state.credits) - 4
    assert draft.state.markets == state.markets


def test_neutral_market():
    """CLN-163: resources of a neutral colour are sold and bought as any others."""
    state = table(4, phase="actions", action_round=1, active=0)
    after = give(state, 0, "business_trip", sales={"green": 1}).state
    assert (after.credits[0], after.markets["green"]) == (52, 2)
    short = table(4, phase="actions", action_round=1, active=0, stocks={0: {"green": 1}}, colonists={0: 2})
    bought = give(short, 0, "upgrade_technology", technology="industry", buy={"green": 1}).state
    assert (bought.credits[0], bought.markets["green"]) == (47, 0)


def test_policing_nothing_is_listed():
    """CLN-130: all ways are listed, however many there are; removing nothing is among them."""
    many = dict.fromkeys(("green", "yellow", "purple", "red"), 6)
    state = table(phase="upkeep_police", levels={0: {"military": 6}}, pirates={"blue": many})
    listed = list(TITLE.legal(state, 0))
    assert TITLE.complete(state, 0)
    assert len(listed) == 210
    assert () in [command.removals for command in listed]
    for command in listed:
        assert TITLE.decide(state, 0, command, None).facts
