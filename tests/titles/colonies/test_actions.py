"""The action phase (§5.9 to 5.15)."""

import pytest
from msgspec import to_builtins

from events.rules.steps import Rejected
from events.titles.colonies.actions.influence import INFLUENCE
from events.titles.colonies.commands import TradeNegotiations
from events.titles.colonies.parts import AgreementStep
from tests.titles.colonies.at_table import TITLE, acting, give, table, waiting

RED_FROM_BLUE = {"owner": "red", "source": "blue"}


def test_same_action_again():
    """CLN-089: anyone may take the same kind of action again and again, three times a turn."""
    state = table(3, phase="actions", action_round=1, active=0)
    for _ in range(3):
        for seat in range(3):
            state = give(state, seat, "production_peak", resources=1, colonists=0).state
    assert state.turn == 2


def test_an_upgrade_counts_at_once():
    """CLN-090: the level as it is at the moment of the action."""
    state = table(
        3, phase="actions", action_round=1, active=0, stocks={0: {"purple": 2, "red": 4}}, colonists={0: 2}
    )
    with pytest.raises(Rejected, match="commerce_limit_exceeded"):
        give(state, 0, "business_trip", sales={"red": 2})
    state = give(state, 0, "upgrade_technology", technology="commerce", buy={}).state
    for seat in (1, 2):
        state = give(state, seat, "pass_action").state
    assert give(state, 0, "business_trip", sales={"red": 2}).facts


def test_passing_forfeits_one_action():
    """CLN-091: in the next round the player acts again."""
    state = acting(seats=3)
    for seat in (0, 1, 2):
        state = give(state, seat, "pass_action").state
    assert (state.action_round, waiting(state)) == (2, [(0, "take_action")])


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("provide_refuge", {"removals": [], "to_stock": 0}),
        ("hunt_pirates", {"removals": []}),
        ("business_trip", {"sales": {}}),
        ("trade_negotiations", {"steps": []}),
        ("production_peak", {"resources": 0, "colonists": 0}),
    ],
)
def test_empty_actions(kind, fields):
    """CLN-092: an action with nothing in it is rejected; the player passes instead."""
    with pytest.raises(Rejected, match="empty_action"):
        give(acting(), 0, kind, **fields)


def test_steps_may_cancel_out():
    """CLN-092: such negotiations are legal and cost what they cost."""
    state = acting(levels={0: {"influence": 3}})
    up = {"partner": "red", "kind": "unilateral_advancement", "marker": "import"}
    down = {"partner": "red", "kind": "unilateral_decrement", "marker": "import"}
    draft = give(state, 0, "trade_negotiations", steps=[up, down])
    assert draft.facts[0].points_used == 3
    assert draft.state.promise == state.promise
    assert draft.state.credits[0] == 48


def removal(owner, source, count):
    """One entry of a list of removals."""
    return {"route": {"owner": owner, "source": source}, "count": count}


@pytest.mark.parametrize(
    ("removals", "code"),
    [
        ([removal("red", "blue", 2)], "insufficient_pirates"),
        ([removal("green", "blue", 1)], "neutral_route"),
        ([removal("red", "blue", 1), removal("red", "blue", 1)], "duplicate_route"),
        ([removal("red", "red", 1)], "invalid_parameters"),
    ],
)
def test_only_pirates_that_are_there(removals, code):
    """CLN-097: no more than are on the route, and none on neutral planets' routes; a route is named once."""
    state = acting(seats=4, levels={0: {"community": 6, "military": 6}}, pirates={"red": {"blue": 1}})
    with pytest.raises(Rejected, match=code):
        give(state, 0, "provide_refuge", removals=removals, to_stock=0)
    with pytest.raises(Rejected, match=code):
        give(state, 0, "hunt_pirates", removals=removals)


def test_refuge_limits():
    """CLN-093, CLN-096: up to the Community level; no more to the stock than removed."""
    state = acting(levels={0: {"community": 2}}, pirates={"red": {"blue": 3}})
    with pytest.raises(Rejected, match="community_limit_exceeded"):
        give(state, 0, "provide_refuge", removals=[removal("red", "blue", 3)], to_stock=0)
    with pytest.raises(Rejected, match="to_stock_exceeds_removed"):
        give(state, 0, "provide_refuge", removals=[removal("red", "blue", 1)], to_stock=2)
    after = give(state, 0, "provide_refuge", removals=[removal("red", "blue", 1)], to_stock=1).state
    assert (after.stocks[0]["blue"], after.colonists[0]) == (6, 1)


def test_hunting_ones_own():
    """CLN-100, CLN-101: own pirates bring nothing, and no hunted pirate becomes a colonist."""
    state = acting(levels={0: {"military": 2}}, pirates={"blue": {"red": 2}})
    after = give(state, 0, "hunt_pirates", removals=[removal("blue", "red", 2)]).state
    assert after.credits == state.credits
    assert after.colonists == state.colonists
    with pytest.raises(Rejected, match="military_limit_exceeded"):
        give(acting(pirates={"blue": {"red": 2}}), 0, "hunt_pirates", removals=[removal("blue", "red", 2)])


def test_only_own_agreements():
    """CLN-114: a step names a partner of one's own planet; there is no way to name two others."""
    with pytest.raises(Rejected, match="unknown_partner"):
        give(acting(), 0, "trade_negotiations", steps=[{"partner": "blue", "kind": "bilateral_advancement"}])
    for command in TITLE.legal(acting(), 0):
        if hasattr(command, "steps"):
            draft = TITLE.decide(acting(), 0, command, None)
            assert all("blue" in (m.from_, m.to) for m in draft.facts[0].changes.markers)


def test_no_consent():
    """CLN-112: the partner is not asked."""
    step = {"partner": "red", "kind": "unilateral_decrement", "marker": "export"}
    state = acting(promise={"blue": {"red": 3}})
    draft = give(state, 0, "trade_negotiations", steps=[step])
    assert draft.state.promise["blue"]["red"] == 2
    assert (draft.state.credits[0], draft.state.credits[4]) == (49, 51)
    assert waiting(draft.state) == [(1, "take_action")]


def test_prices_of_steps_start_again():
    """CLN-116: the next action's first step on the same agreement costs 1 point again."""
    state = table(3, phase="actions", action_round=1, active=0)
    step = {"partner": "red", "kind": "bilateral_advancement"}
    state = give(state, 0, "trade_negotiations", steps=[step]).state
    for seat in (1, 2):
        state = give(state, seat, "pass_action").state
    assert give(state, 0, "trade_negotiations", steps=[step]).facts[0].points_used == 1


@pytest.mark.parametrize(
    "step",
    [
        {"partner": "red", "kind": "unilateral_decrement"},
        {"partner": "red", "kind": "bilateral_decrement", "marker": "export"},
    ],
)
def test_marker_of_a_step(step):
    """CLN-109: a unilateral step names its marker, a bilateral one none."""
    with pytest.raises(Rejected, match="invalid_parameters"):
        give(acting(), 0, "trade_negotiations", steps=[step])


def test_highest_level():
    """CLN-122: level 6 is the highest."""
    state = acting(levels={0: {"industry": 6}}, colonists={0: 20}, stocks={0: {"blue": 20, "green": 20}})
    with pytest.raises(Rejected, match="technology_at_maximum"):
        give(state, 0, "upgrade_technology", technology="industry", buy={})


def test_both_colours_bought():
    """CLN-125: shortfalls of both resources may be bought in one upgrade."""
    markets = {"blue": 2, "green": 5}
    state = acting(stocks={0: {"blue": 1, "green": 0}}, colonists={0: 2}, markets=markets)
    draft = give(state, 0, "upgrade_technology", technology="industry", buy={"blue": 1, "green": 2})
    assert draft.state.credits[0] == 50 - 2 - (1 + 2)
    assert draft.state.markets == {"blue": 1, "green": 3, "yellow": 1, "purple": 1, "red": 1}


def test_colonists_cannot_be_bought():
    """CLN-129: without enough colonists there is no upgrade, whatever else one has."""
    state = acting(stocks={0: {"blue": 9, "green": 9}}, colonists={0: 1}, credits={0: 99})
    with pytest.raises(Rejected, match="insufficient_colonists"):
        give(state, 0, "upgrade_technology", technology="industry", buy={})


def test_not_your_action():
    """CLN-174: only the active player acts."""
    with pytest.raises(Rejected, match="not_your_decision"):
        give(acting(0), 1, "pass_action")
    with pytest.raises(Rejected, match="not_your_decision"):
        give(acting(0), None, "pass_action")


@pytest.mark.parametrize(
    "changed", [{}, {"pirates": {"red": {"blue": 2}, "blue": {"red": 3}}, "colonists": [5] * 5}]
)
@pytest.mark.parametrize("level", [1, 3, 6])
def test_listed_actions_are_accepted(changed, level):
    """Every listed action is legal, and no list is long."""
    levels = dict.fromkeys(("community", "military", "commerce", "influence", "industry"), level)
    state = acting(
        levels={0: levels}, stocks={0: dict.fromkeys(("blue", "green", "yellow", "red"), 6)}, **changed
    )
    listed = list(TITLE.legal(state, 0))
    assert len(listed) <= 300
    for command in listed:
        assert TITLE.decide(state, 0, command, None).facts
        assert TITLE.label(state, 0, command)
    assert len({TITLE.label(state, 0, command) for command in listed}) == len(listed)


def test_negotiations_are_listed_whole_where_they_are_few():
    """CLN-106 to CLN-111: with two points and two partners every pair of steps is listed once."""
    state = acting(seats=3, levels={0: {"influence": 2}}, credits=[0, 5, 5])
    listed = [c for c in TITLE.legal(state, 0) if isinstance(c, TradeNegotiations)]
    assert TITLE.complete(state, 0)
    assert any(len({step.partner for step in c.steps}) == 2 for c in listed)
    effects = [give(state, 0, "trade_negotiations", steps=to_builtins(c.steps)).state.promise for c in listed]
    assert len({repr(effect) for effect in effects}) == len(effects)


def test_several_steps_on_one_agreement_are_listed_too():
    """CLN-107, CLN-108: three points are enough for two steps on one agreement, in any direction."""
    only = dict.fromkeys(("green", "yellow", "purple", "red"), 6)
    back = {colour: {"blue": 6} for colour in only}
    state = acting(levels={0: {"influence": 3}}, promise={"blue": only, **back}, credits=[0] * 5)
    ways = {c.steps for c in INFLUENCE.every(state, 0, 3)}
    assert len(ways) == 22
    down = AgreementStep("red", "bilateral_decrement")
    up = AgreementStep("red", "bilateral_advancement")
    assert {(down,), (down, down), (down, up)} <= ways
    assert all(not step.marker for way in ways for step in way)
    for way in ways:
        assert give(state, 0, "trade_negotiations", steps=to_builtins(way)).facts
