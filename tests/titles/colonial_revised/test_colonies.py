"""Colonies and what they are worth, the Trader's consents, player order by dice, Diplomacy."""

from events.titles.colonial_revised import TITLE
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from tests.titles.colonial_revised.given import SOVEREIGN, after, fresh, give, kinds, land, refused, war


def test_one_colony_in_a_territory_and_none_without_natives():
    """REV-110, REV-150."""
    lands = {
        "canada": land(colony=1, furs=[[0, 2], [1, 1]]),
        "egypt": land(wares=[[0, 3]]),
        "brazil": {"explored": False},
    }
    state = fresh(territories=lands)
    assert refused(state, 0, c.FoundColony("canada")) == "colony_exists"
    assert refused(state, 0, c.FoundColony("egypt")) == "no_native_power"
    assert refused(state, 0, c.FoundColony("brazil")) == "territory_unexplored"


def test_founders_removals():
    """REV-151: exactly half of their counters, from where they have them."""
    state = fresh(territories={"brazil": land(plantation=[[0, 4]])})
    assert refused(state, 0, c.FoundColony("brazil")) == "bad_removals"
    three = c.FoundColony("brazil", (c.SpaceCount("brazil.plantation", 3),))
    assert refused(state, 0, three) == "bad_removals"


def test_founding_halves_unrest():
    """REV-153: floor(Unrest / 2) markers go, Missions stay."""
    state = fresh(territories={"canada": land(unrest=3, missions=1, furs=[[0, 1]])})
    now = TITLE.position(after(state, 0, c.FoundColony("canada")))["territories"]["canada"]
    assert (now["unrest"], now["missions"]) == (2, 1)


def test_india_counts_double():
    """REV-154: a Colony in India is worth 2 points, also when it is lost (REV-114)."""
    lands = {"india": land(silk=[[0, 4]], opium=[[0, 4]])}
    state = fresh(players={0: {"economy": 6, "logistics": 4}}, territories=lands)
    half = (c.SpaceCount("india.silk", 2), c.SpaceCount("india.opium", 2))
    draft = give(state, 0, c.FoundColony("india", half))
    founded = next(fact for fact in draft.facts if isinstance(fact, f.ColonyFounded))
    assert founded.pp == 2
    assert draft.state.players[0].standing.colony == 2
    owned = fresh(players={0: {"economy": 6}}, territories={"india": land(colony=0, silk=[[0, 3]], opium=[])})
    lost = next(
        fact
        for fact in give(owned, 0, c.RecallCounters("india", (c.SpaceCount("india.silk", 1),))).facts
        if isinstance(fact, f.ColonyLost)
    )
    assert lost.pp == 2


def test_others_remove_by_the_standard_order():
    """REV-151 (ruling 28): guests lose half of theirs, without a choice."""
    state = fresh(territories={"new_france": land(plantation=[[0, 4], [1, 3]])})
    draft = give(state, 0, c.FoundColony("new_france", (c.SpaceCount("new_france.plantation", 2),)))
    assert TITLE.position(draft.state)["territories"]["new_france"]["piles"] == {
        "plantation": [[0, 2], [1, 2]]
    }


def test_city_only_in_an_own_colony_without_the_booming_city():
    """REV-185, REV-187: not elsewhere, and not where the Booming City stands."""
    lands = {
        "canada": land(colony=0, furs=[[0, 1]]) | {"cities": [2]},
        "guyanas": land(colony=1, plantation=[[1, 1]]),
    }
    state = fresh(booming_city=2, players={0: {"economy": 10, "treasury": 20}}, territories=lands)
    assert refused(state, 0, c.FoundCity("canada", 4)) == "already_booming_city"
    assert refused(state, 0, c.FoundCity("guyanas", 4)) == "not_your_colony"
    assert refused(state, 0, c.FoundCity("canada", 3)) == "invalid_parameters"


def test_owners_may_refuse_in_part():
    """REV-238: the Trader moves at most what each owner grants, within their limit."""
    state = fresh(players={0: {"economy": 4}, 1: {"market_goods": 5}, 2: {"market_goods": 2}})
    asked = after(state, 0, c.SellGoods(0, (c.SeatCount(1, 5), c.SeatCount(2, 2))))
    assert {d.seat for d in TITLE.awaited(asked)} == {1, 2}
    assert refused(asked, 1, c.AnswerTradeRequest(6)) == "not_asked"
    granted = after(after(asked, 1, c.AnswerTradeRequest(4)), 2, c.AnswerTradeRequest(2))
    assert refused(granted, 0, c.ConfirmTrade((c.SeatCount(1, 5),))) == "not_accepted"
    over = c.ConfirmTrade((c.SeatCount(1, 4), c.SeatCount(2, 2)))
    assert refused(granted, 0, over) == "over_trade_limit"
    moved = after(granted, 0, c.ConfirmTrade((c.SeatCount(1, 3),)))
    assert [p.market for p in moved.players] == [0, 2, 2]
    assert moved.players[0].treasury == state.players[0].treasury + 2


def test_all_refusals_need_no_confirmation():
    """REV-238: where nothing is granted the trade is carried out as it stands."""
    state = fresh(players={0: {"market_goods": 1}, 1: {"market_goods": 1}})
    asked = after(state, 0, c.SellGoods(1, (c.SeatCount(1, 1),)))
    draft = give(asked, 1, c.AnswerTradeRequest(0))
    assert kinds(draft)[1:4] == ["TradeAnswersRevealed", "DecisionSkipped", "GoodsMoved"]


def test_last_tie_is_rolled():
    """REV-036: the higher roll comes first, those still tied roll again."""
    state = fresh(
        phase="merchant_fleets",
        place=2,
        players={seat: {"treasury": 5} for seat in range(3)},
        territories={
            name: land(wares=[[seat, 1]]) for seat, name in enumerate(("egypt", "levant", "persia"))
        },
    )
    draft = give(state, 2, c.BuildMerchantFleets(0), [2, 5, 2], [1, 6])
    rolled = [fact for fact in draft.facts if isinstance(fact, f.TieRolled)]
    assert [fact.seats for fact in rolled] == [(0, 1, 2), (0, 2)]
    assert draft.state.order == (1, 2, 0)


def test_moves_to_the_right():
    """REV-130, REV-145: 1 right by the Ambassador, or after a war lost as Defender."""
    assert after(fresh(), 0, c.UseAmbassador(move_marker=True)).players[0].diplomacy == 5
    assert refused(fresh(), 0, c.UseAmbassador(move_marker=False)) == "invalid_parameters"
    state = fresh(
        players={0: {"squadrons": 2}, 1: {"squadrons": 1}},
        action={"seat": 0, **SOVEREIGN},
        war=war("defender"),
    )
    assert after(state, 1, c.DecideWar(go_on=False)).players[1].diplomacy == 5


def test_the_war_against_privateers_ends_early():
    """REV-378: with the last Privateer sunk there is no second round; nor without Squadrons."""
    state = fresh(players={1: {"privateers": [1, 0, 0]}})
    assert kinds(give(state, 0, c.FightPrivateers(), [1])).count("PrivateerWarRoundFought") == 1
    two = fresh(players={1: {"privateers": [1, 0, 0]}})
    assert kinds(give(two, 0, c.FightPrivateers(), [0], [6])).count("PrivateerWarRoundFought") == 1
