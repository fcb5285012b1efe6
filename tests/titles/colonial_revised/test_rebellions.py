"""Rebellions: who loses, who is safe, what remains."""

from events.titles.colonial_revised import TITLE
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from tests.titles.colonial_revised.given import after, fresh, give, kinds, land, refused

SPACE = "brazil.plantation"


def lands(state, name="brazil"):
    """A Territory of the position."""
    return TITLE.position(state)["territories"][name]


def test_a_rebellion_needs_unrest():
    """REV-125, REV-266: without a marker nothing can be sparked."""
    state = fresh(territories={"brazil": land(plantation=[[1, 1]])})
    assert refused(state, 0, c.SparkRebellion("brazil")) == "no_unrest"


def test_never_in_the_own_colony():
    """REV-275 (ruling 55): an own Colony cannot be chosen; an uncolonised Territory with own counters can."""
    state = fresh(territories={"brazil": land(colony=0, unrest=1, plantation=[[0, 2]])})
    assert refused(state, 0, c.SparkRebellion("brazil")) == "own_colony"
    open_land = fresh(territories={"brazil": land(unrest=1, plantation=[[0, 2]])})
    assert "RebellionRolled" in kinds(give(open_land, 0, c.SparkRebellion("brazil"), [0]))


def test_the_price_must_be_affordable():
    """REV-275, REV-027: sparking in a Colony costs half its Native Power."""
    state = fresh(
        players={0: {"treasury": 1}}, territories={"new_spain": land(colony=1, unrest=1, gold=[[1, 3]])}
    )
    assert refused(state, 0, c.SparkRebellion("new_spain")) == "insufficient_treasury"


def test_own_counters_are_lost_last():
    """REV-268: the Rebel's own counters only after all vulnerable ones of others; all losses are allotted."""
    state = fresh(territories={"brazil": land(unrest=2, plantation=[[1, 1], [0, 2]])})
    state = after(state, 0, c.SparkRebellion("brazil"), [1, 1])
    own = c.AllotLosses((c.Loss(0, SPACE, 2),))
    assert refused(state, 0, own) == "own_counters_last"
    assert refused(state, 0, c.AllotLosses((c.Loss(1, SPACE, 1),))) == "wrong_total"
    assert refused(state, 0, c.AllotLosses((c.Loss(1, SPACE, 2),))) == "not_enough_counters"
    shared = after(state, 0, c.AllotLosses((c.Loss(1, SPACE, 1), c.Loss(0, SPACE, 1))))
    assert {d.seat for d in TITLE.awaited(shared)} == {0, 1}


def test_averting_is_limited_only_by_treasury():
    """REV-269: 2 T each, at most what was allotted and what they can pay."""
    state = fresh(players={1: {"treasury": 3}}, territories={"brazil": land(unrest=2, plantation=[[1, 3]])})
    state = after(state, 0, c.SparkRebellion("brazil"), [1, 1])
    state = after(state, 0, c.AllotLosses((c.Loss(1, SPACE, 2),)))
    assert refused(state, 1, c.AvertLosses((c.SpaceCount(SPACE, 3),))) == "more_than_allotted"
    assert refused(state, 1, c.AvertLosses((c.SpaceCount(SPACE, 2),))) == "insufficient_treasury"
    saved = after(state, 1, c.AvertLosses((c.SpaceCount(SPACE, 1),)))
    assert (saved.players[1].treasury, lands(saved)["piles"]) == (1, {"plantation": [[1, 2]]})


def test_a_repayment_meanwhile_may_leave_too_little():
    """REV-176, REV-269: a victim who repays their Loan meanwhile is not awaited."""
    players = {1: {"treasury": 2, "loans": 5}}
    state = fresh(players=players, territories={"brazil": land(unrest=1, plantation=[[1, 2]])})
    state = after(state, 0, c.SparkRebellion("brazil"), [1])
    state = after(state, 0, c.AllotLosses((c.Loss(1, SPACE, 1),)))
    draft = give(state, 1, c.RepayLoan(1))
    assert "CountersLost" in kinds(draft)
    assert draft.state.rebellion is None


def test_missions_reduce_losses():
    """REV-202, REV-267: each Mission takes away one loss, and stays."""
    state = fresh(territories={"brazil": land(unrest=2, missions=1, plantation=[[1, 3]])})
    draft = give(state, 0, c.SparkRebellion("brazil"), [1, 1])
    rolled = next(fact for fact in draft.facts if isinstance(fact, f.RebellionRolled))
    assert (rolled.successes, rolled.missions, rolled.losses) == (2, 1, 1)
    assert lands(draft.state)["missions"] == 1


def test_an_emptied_territory_loses_all_unrest():
    """REV-272, REV-116: it becomes Independent; new counters there are vulnerable (REV-271)."""
    state = fresh(players={1: {"treasury": 1}}, territories={"brazil": land(unrest=3, plantation=[[1, 1]])})
    state = after(state, 0, c.SparkRebellion("brazil"), [1, 0, 0])
    now = after(state, 0, c.AllotLosses((c.Loss(1, SPACE, 1),)))
    assert (lands(now)["independent"], lands(now)["unrest"], lands(now)["protected"]) == (True, 0, {})
    settled = after(now, 1, c.SendCounters("brazil", (c.SpaceCount(SPACE, 1),)))
    assert lands(settled)["protected"] == {}


def test_automatic_rebellion_without_vulnerable_counters():
    """REV-287: no dice, but less Unrest; an empty Territory becomes no Independent State."""
    state = fresh(territories={"brazil": land(unrest=4), "arabia": land()})
    draft = give(state, 0, c.PlaceUnrest(("brazil", "arabia")))
    broke_out = next(fact for fact in draft.facts if isinstance(fact, f.AutomaticRebellionBrokeOut))
    assert (broke_out.dice, broke_out.faces) == (0, ())
    assert (lands(draft.state)["unrest"], lands(draft.state)["independent"]) == (3, False)


def test_protection_ends_with_the_turn():
    """REV-270, REV-059: survivors are safe this turn only; Rebel marks and card states go too."""
    cards = {
        card["id"]: {"status": "played", "round": 1, "character": None} for card in TITLE.board["cards"][:5]
    }
    safe = land(unrest=1, plantation=[[1, 2]]) | {
        "protected": {"plantation": [0, 2, 0]},
        "rebel_marked_this_turn": True,
    }
    state = fresh(
        phase="choosing_cards",
        round=5,
        players={seat: {"cards": cards} for seat in range(3)},
        territories={"brazil": safe},
    )
    for seat in range(3):
        state = after(state, seat, c.SetAsideCard("merchant_governor"))
    assert (lands(state)["protected"], lands(state)["rebel_marked_this_turn"]) == ({}, False)
    assert {held.status for held in state.players[0].cards} == {"available", "barred"}


def test_entry_needs_economy_for_tea():
    """REV-277, REV-069: the Rebel's player enters only a space that they may use."""
    state = fresh(
        players={0: {"treasury": 9}, 1: {"treasury": 1, "economy": 6}},
        territories={"china": land(colony=1, unrest=1, silk=[[1, 4]], tea=[], wares=[])},
    )
    faces = [1] * 4 + [0] * 3
    state = after(state, 0, c.SparkRebellion("china"), faces)
    state = after(state, 0, c.AllotLosses((c.Loss(1, "china.silk", 4),)))
    assert refused(state, 0, c.EnterAfterRebellion("china.tea")) == "economy_too_low"
    assert refused(state, 0, c.EnterAfterRebellion("brazil.plantation")) == "space_not_in_territory"
    assert "RebelEntered" in kinds(give(state, 0, c.EnterAfterRebellion("china.wares")))
