"""What buttons say: price and gain, none twice, no target hidden. And what history says."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from events.rules.fact import type_name
from events.titles.colonial_revised import TITLE
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import TERRITORIES
from events.titles.colonial_revised.parts import Loss, SeatCount, SeatSpaces, SideCounts, SideFaces
from tests.titles.colonial_revised.given import SOVEREIGN, fresh, land, war


def labels(state, seat: int = 0, kind: type | None = None) -> list[str]:
    """The buttons of a seat, of one type of command where *kind* is named."""
    listed = TITLE.legal(state, seat)
    return [TITLE.label(state, seat, given) for given in listed if kind is None or type(given) is kind]


def of(state, kind, seat: int = 0):
    """The commands of that type in the legal list of a seat."""
    return [command for command in TITLE.legal(state, seat) if isinstance(command, kind)]


def said(fact) -> str:
    """The sentence of a fact."""
    data = msgspec.to_builtins(fact, str_keys=True)
    return TITLE.tell[type_name(type(fact))](data, lambda seat: f"Seat {seat}")


def test_every_territory_can_be_sent_to():
    """REV-246: with the highest Logistics, and everything explored, the list hides no Territory."""
    everywhere = {place.id: {"explored": True} for place in TERRITORIES}
    state = fresh(players={0: {"logistics": 4, "treasury": 30, "economy": 10}}, territories=everywhere)
    sent = Counter(command.territory for command in of(state, c.SendCounters))
    assert set(sent) == {place.id for place in TERRITORIES if place.spaces}
    assert min(sent.values()) == 4


def test_a_panel_shows_the_missions_of_each_player():
    """REV-092, REV-093: how many each has placed, also of those lost since, and who holds the awards."""
    players = {0: {"missions_placed": 2}, 1: {"missions_placed": 4, "steps_bought": 5}}
    state = fresh(players=players, missions_award_holder=1)
    panels = TITLE.panels(TITLE.view_json(state, None), None)
    (panel,) = (each for each in panels if each["title"] == "Missions and steps of progress")
    shown = [row[1]["text"] if isinstance(row[1], dict) else str(row[1]) for row in panel["rows"]]
    assert shown == ["2", "4", "0"]
    assert [isinstance(row[1], dict) for row in panel["rows"]] == [False, True, False]


def test_all_pairs_for_unrest_are_listed():
    """REV-262: each pair of 25 Territories once, the last pair included."""
    everywhere = {place.id: {"explored": True} for place in TERRITORIES}
    pairs = {frozenset(command.territories) for command in of(fresh(territories=everywhere), c.PlaceUnrest)}
    assert len(pairs) == 25 * 24 // 2


def test_nothing_is_listed_that_does_nothing():
    """REV-131, REV-212, REV-145: no Ambassador at the right end, no empty shipment, no idle Trader."""
    state = fresh(players={0: {"diplomacy": 7}})
    assert of(state, c.UseAmbassador) == []
    assert of(state, c.ShipGoods) == []
    assert of(state, c.SellGoods) == []
    assert labels(fresh(), kind=c.UseAmbassador) == ["Ambassador: move 1 right on Diplomacy"]


def test_buttons_have_price_and_gain():
    """REV-230, REV-186, REV-175, REV-248, REV-302, REV-303: what it costs and what it brings."""
    brazil = land(plantation=[[0, 4]])
    state = fresh(territories={"brazil": brazil}, players={0: {"treasury": 9, "logistics": 2}}, war_box=2)
    texts = labels(state)
    assert "Financier: 10 into Loans for 10 T" in texts
    assert "Viceroy: send to Brazil: 2 on Plantation goods for 2 T and 1 Unrest" in texts
    assert "Sovereign: declare war on Blue (1 left on Diplomacy, 2 T from the War box)" in texts
    assert "Scientist: Navy to 2 for 2 T" in texts
    colony = fresh(territories={"brazil": land(colony=0, plantation=[[0, 4]])})
    assert "Governor: Booming City of value 2 in Brazil for 2 T, 1 Prestige Point" in labels(colony)


def test_none_and_one_read_well():
    """REV-030, REV-042, REV-304: no `Build 0`, no `1 Squadrons`."""
    building = fresh(phase="naval_forces", round=5, players={0: {"navy": 2}})
    assert labels(building, kind=c.BuildSquadrons) == [
        "Build no Squadron",
        "Build 1 Squadron for 1 T",
        "Build 2 Squadrons for 2 T",
    ]
    offering = fresh(
        action={"seat": 0, **SOVEREIGN}, war=war("offer_attacker", year=0, awaiting=[2], choices=[None] * 3)
    )
    assert labels(offering, kind=c.OfferAlliance)[:2] == ["Offer no T to an Ally", "Offer 1 T to an Ally"]


def test_after_the_last_year_the_button_says_what_going_on_means():
    """REV-336: in the fourth year the war ends by itself."""
    fourth = fresh(
        action={"seat": 0, **SOVEREIGN}, war=war("attacker", year=4), players={1: {"squadrons": 1}}
    )
    assert labels(fourth, kind=c.DecideWar) == ["Go on until the war ends undecided", "Surrender"]


NO_DICE = SideFaces((), ())
SENTENCES = [
    (f.AllyDeclined("defender"), "The Defender accepts no Ally."),
    (f.AllianceOffered(0, "attacker", 0), "Seat 0 offers nothing to an Ally."),
    (f.MerchantFleetsBuilt(0, 0), "Seat 0 builds no Merchant Fleet."),
    (f.SquadronsBuilt(0, 1), "Seat 0 builds 1 Squadron for 1 T."),
    (f.EscalationPassed(0, "A"), "Seat 0 buys no Navy step."),
    (
        f.GoodsShipped(0, ("india.silk",), (SeatSpaces(1, ("barbary.wares",)),), 2),
        "Seat 0 ships Silk in India; from Seat 1 Wares in Barbary: 2 counters for the Market.",
    ),
    (
        f.GoodsRequested(
            0,
            ("india.silk",),
            (SeatSpaces(1, ("barbary.wares", "china.tea")), SeatSpaces(2, ("china.silk",))),
            (),
            False,
        ),
        (
            "Seat 0 loads Silk in India; asks Seat 1 for Wares in Barbary and Tea in China;"
            " asks Seat 2 for Silk in China."
        ),
    ),
    (
        f.GoodsAnswersRevealed((SeatSpaces(1, ("barbary.wares", "china.tea")), SeatSpaces(2, ()))),
        "Goods granted: by Seat 1 Wares in Barbary and Tea in China; by Seat 2 nothing.",
    ),
    (f.GoodsRequestAnswered(1, ()), "Seat 1 grants nothing."),
    (f.SellerPaid(1, 2), "Seat 1 takes 2 T from the Pool for the Goods sold."),
    (
        f.TradeAnswersRevealed((SeatCount(1, 2), SeatCount(2, 1))),
        "Goods released: 2 by Seat 1 and 1 by Seat 2.",
    ),
    (f.GoodsRequested(0, (), (), (), False), "Seat 0 ships nothing."),
    (f.GoodsReachedMarket(0, 0), "Seat 0 puts no counter on the Market."),
    (
        f.PrivateersAttacked(1, 0, 2, (1, 0), 1, 1, 1),
        "Seat 1 attacks Seat 0 with 2 Privateers: 1 Success, 1 counter taken for 1 T.",
    ),
    (
        f.PrivateersAttacked(1, 0, 1, (0,), 0, 0, 0),
        "Seat 1 attacks Seat 0 with 1 Privateer: no Success, nothing taken.",
    ),
    (
        f.PrivateerWarRolled(0, 1, (1, 0), 1, asked=True),
        "Seat 0 fights the Privateers, round 1: 1 Success of 2 dice.",
    ),
    (
        f.PrivateerWarRoundFought(0, 1, (SeatCount(1, 1),), (6, 3), 1),
        "Sunk: 1 Privateer of Seat 1. The others roll 6 and 3: Seat 0 loses 1 Squadron.",
    ),
    (f.PrivateerWarRoundFought(0, 2, (), (), 0), "Sunk: no Privateer."),
    (
        f.GoodsMoved(0, 0, (SeatCount(1, 3),), 2),
        "Seat 0 turns 3 Goods of Seat 1 into 3 T for Seat 1, for a commission of 2 T from the Pool.",
    ),
    (f.GoodsMoved(0, 2, (), 0), "Seat 0 turns 2 own Goods into 2 T."),
    (
        f.LandBattleFought(
            "egypt", 0, 1, SideFaces((1,), (0,)), SideCounts(1, 0), (SeatCount(1, 1),), (False, False)
        ),
        (
            "Battle in Egypt: Seat 0 (Attacker) 1 Success of 1 die, Seat 1 (Defender) no Success of 1 die."
            " To fall: Seat 1 1 counter."
        ),
    ),
    (
        f.CasualtiesTaken("egypt", (Loss(1, "egypt.wares", 1),)),
        "Losses in Egypt: Seat 1 1 (Wares).",
    ),
    (
        f.WarYearBegan(2, ("egypt", "india")),
        "Year 2 of the war begins. Battles on land: Egypt and India.",
    ),
    (f.CounterattackDeclined(0, 1), "Seat 0 does not strike back at the Privateers of Seat 1."),
    (
        f.NavalBattleFought(0, 1, NO_DICE, SideCounts(0, 0), (), ()),
        "Battle at sea: Seat 0 (Attacker) without dice, Seat 1 (Defender) without dice. Nothing is lost.",
    ),
    (
        f.WarEnded("attacker_won", 0, 1, "forced", 1, 0),
        "Seat 0 wins the war against Seat 1 (no Squadron left): 1 Prestige Point gained, no loss.",
    ),
    (f.LoansRepaidAtEnd((0, 0)), "Nobody can repay a Loan at the end."),
    (
        f.RebellionRolled(0, "levant", "territory", 0, (), 0, 0, 0),
        "Seat 0 sparks a Rebellion in Levant: no dice: no loss.",
    ),
]


@pytest.mark.parametrize(("fact", "expected"), SENTENCES)
def test_sentences_read_well(fact, expected):
    """None, one and several; dice, prices and names."""
    assert said(fact) == expected


def test_buttons_name_what_cannot_be_taken_back():
    """REV-064, REV-065, REV-285: takeovers, broken Monopolies, Diplomacy, a Rebellion at the fifth Unrest."""
    lands = {"egypt": land(wares=[[1, 1]]), "west_africa": land(unrest=4, gold=[[2, 1]])}
    state = fresh(territories=lands, players={0: {"logistics": 2}})

    def send(territory, space, count):
        return TITLE.label(state, 0, c.SendCounters(territory, (c.SpaceCount(space, count),)))

    taken = send("egypt", "egypt.wares", 2)
    assert taken.endswith(", takes Wares in Egypt over from Blue, 1 left on Diplomacy")
    assert "left on Diplomacy" not in send("egypt", "egypt.wares", 1)
    assert send("west_africa", "west_africa.slaves", 2).endswith(", a Rebellion breaks out in West Africa")
    unrest = TITLE.label(state, 0, c.PlaceUnrest(("egypt", "west_africa")))
    assert unrest == "Rebel: 1 Unrest in Egypt and West Africa, a Rebellion breaks out in West Africa"


def recall(state, territory, space, count):
    return TITLE.label(state, 0, c.RecallCounters(territory, (c.SpaceCount(space, count),)))


def test_buttons_name_what_counters_leave_behind():
    """REV-067, REV-113, REV-116, REV-157: control that passes on, a Colony that is lost, independence."""
    lands = {
        "egypt": land(wares=[[0, 2], [1, 1]]),
        "levant": land(wares=[[0, 1]]),
        "brazil": land(colony=0, plantation=[[0, 2]]),
        "india": land(silk=[[0, 4], [1, 3]]),
    }
    state = fresh(territories=lands, players={0: {"logistics": 2}})
    assert recall(state, "egypt", "egypt.wares", 1).endswith(" 1 from Wares")
    assert recall(state, "egypt", "egypt.wares", 2).endswith(", Blue takes control of Wares in Egypt")
    assert recall(state, "levant", "levant.wares", 1).endswith(", an Independent State remains")
    gone = recall(state, "brazil", "brazil.plantation", 2)
    assert gone.endswith(", the Colony is lost, an Independent State remains")
    assert recall(state, "brazil", "brazil.plantation", 9).endswith(" 9 from Plantation goods")
    founded = c.FoundColony("india", (c.SpaceCount("india.silk", 2),))
    assert "takes control" not in TITLE.label(state, 0, founded)
    four = c.FoundColony("india", (c.SpaceCount("india.silk", 4),))
    assert TITLE.label(state, 0, four).endswith(", Blue takes control of Silk in India")


def test_an_expedition_and_an_entry_name_what_follows():
    """REV-328, REV-329: a Rebellion, but no control. REV-277: an entry costs Diplomacy."""
    target = land(unrest=4, colony=1, slaves=[[1, 1]])
    players = {0: {"squadrons": 3, "logistics": 2, "treasury": 4}}
    at_war = fresh(
        action={"seat": 0, **SOVEREIGN},
        war=war("expedition", defender_naval_losses=1),
        territories={"west_africa": target},
        players=players,
    )

    def send(count):
        sent = (c.SpaceCount("west_africa.slaves", count),)
        return TITLE.label(at_war, 0, c.SendExpedition("west_africa", sent))

    assert send(1) == "Expedition to West Africa: 1 on Slaves for 1 T"
    assert send(2).endswith(" and 1 Unrest, a Rebellion breaks out in West Africa")
    china = land(unrest=1, silk=[[1, 1]])
    state = fresh(territories={"china": china})
    assert TITLE.label(state, 0, c.EnterAfterRebellion("china.silk")).endswith(", 1 left on Diplomacy")
    leftmost = fresh(territories={"china": china}, players={0: {"diplomacy": 1}})
    assert TITLE.label(leftmost, 0, c.EnterAfterRebellion("china.wares")) == "Enter with 1 T: Wares in China"
