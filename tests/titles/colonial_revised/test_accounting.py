"""Who reads only the history of a game knows why every number and every owner changed."""

from __future__ import annotations

import pytest

from events.titles.colonial_revised import TITLE
from events.titles.colonial_revised.data import TRACKS
from events.titles.colonial_revised.words import space_name, territory_name
from tests.titles.accounting import FOLLOWS, Accounts, Readings, reads, unexplained
from tests.titles.table import Table, play

OF_A_PLAYER = (
    "prestige_points",
    "treasury",
    "loans",
    "market_goods",
    "merchant_fleets",
    "squadrons",
    "diplomacy",
    "privateers_deployed",
    "missions_placed",
    "steps_bought",
    "war_pp",
    "war_victories",
    *TRACKS,
)


def accounts(view) -> Accounts:
    """What a view shows of players, Territories and Resource spaces."""
    found = {(what, n): player[what] for n, player in enumerate(view["players"]) for what in OF_A_PLAYER}
    found["size", "box"] = view["war_box"]
    found["holder", "Progress"] = view["progress_award_holder"]
    found["holder", "Missions"] = view["missions_award_holder"]
    for name, land in view["territories"].items():
        place = territory_name(name)
        found |= {(what, place): land[what] for what in ("unrest", "missions", "colony_owner", "independent")}
        found["cities", place] = len(land["cities"])
        for resource, owner in land["controllers"].items():  # REV-353: in a war control is settled at its end
            control = owner if view["war"] is None else FOLLOWS
            found["control", space_name(f"{name}.{resource}")] = control
    return found


READINGS: Readings = {
    "TreasuryDiscarded": [reads("{a} discards {n} T", "a treasury -n")],
    "MerchantFleetsBuilt": [
        reads("{a} builds {n} Merchant Fleets? for {m} T", "a merchant_fleets +n", "a treasury -m")
    ],
    "SquadronsBuilt": [reads("{a} builds {n} Squadrons? for {m} T", "a squadrons +n", "a treasury -m")],
    "SquadronsBought": [reads("{a} buys {n} Squadrons? for {m} T", "a squadrons +n", "a treasury -m")],
    "MaintenancePaid": [
        reads("{a} pays {n} T", "a treasury -n"),
        reads("{a} pays .* scraps {n} Squadron", "a squadrons -n"),
    ],
    "PrivateersCommissioned": [
        reads("{a} sends {n} Privateers? for {m} T", "a privateers_deployed +n", "a treasury -m")
    ],
    "InterestAdded": [reads("{a} owes {n} more", "a loans +n")],
    "LoanTaken": [reads("{a} takes .*: {n} into Loans, {m} T", "a loans +n", "a treasury +m")],
    "LoanRepaid": [reads("{a} repays {n} T", "a loans -n", "a treasury -n")],
    "LoansRepaidAtEnd": [reads("{a} {n} T", "a loans -n", "a treasury -n")],
    "WarBoxIncreased": [reads("the War box grows to {n} T", "box size =n")],
    "WarBoxTaken": [reads("{a} takes {n} T from the War box", "a treasury +n", "box size -n")],
    "ExplorationBought": [reads("{a} pays {n} T", "a treasury -n")],
    "TradingPostEstablished": [reads("{a} turns {n} Merchant Fleet", "a merchant_fleets -n")],
    "AdventurersSent": [reads("{a} sends Adventurers for {n} T", "a treasury -n")],
    "CountersSent": [reads("{a} sends {n} T", "a treasury -n")],
    "CountersRecalled": [reads("{a} takes {n} T back", "a treasury +n")],
    "CountersReturned": [reads("{a} takes {n} T home", "a treasury +n")],
    "ExpeditionSent": [reads("{a} sends a military expedition of {n} T", "a treasury -n")],
    "CountersRemoved": [reads("{a} turns a counter .* into {n} Merchant Fleet", "a merchant_fleets +n")],
    "ColonyFounded": [reads(r"{a} founds a Colony in {place} \(", "place colony_owner =a")],
    "ColonyLost": [
        reads(
            r"{a} loses the Colony of {place}(?:, and the Cit.*)?\.$",
            "place colony_owner =",
            "place cities =0",
        )
    ],
    "TerritoryBecameIndependent": [reads("^{place} becomes an Independent State", "place independent =1")],
    "IndependenceEnded": [reads("^{place} is independent no more", "place independent =0")],
    "BoomingCityFounded": [
        reads(r"{a} pays {n} T to the Pool and founds .* in {place}\.", "a treasury -n", "place cities +1")
    ],
    "MissionPlaced": [
        reads(r"{a} places a Mission in {place} \(number {n}\)", "a missions_placed =n", "place missions +1")
    ],
    "ProgressAdvanced": [
        reads(
            f"{{a}} advances {track.capitalize()} to {{n}} for {{m}} T",
            f"a {track} =n",
            "a treasury -m",
            "a steps_bought +1",
        )
        for track in TRACKS
    ],
    "AwardTransferred": [reads("{a} takes the {award} award", "award holder =a")],
    "DiplomacyMoved": [reads("{a} moves (?:left|right) on Diplomacy to space {n}", "a diplomacy =n")],
    "UnrestPlaced": [reads("{n} Unrest is placed in {place} (?:by|for|after)", "place unrest +n")],
    "UnrestRemoved": [reads("{n} Unrest is removed in {place} (?:by|for|after)", "place unrest -n")],
    "ControlChanged": [
        reads(r"{a} now controls {place}(?: instead|\.)", "place control =a"),
        reads("Nobody controls {place} any more", "place control ="),
    ],
    "PrestigeChanged": [
        reads("{a} gains {n} Prestige Point", "a prestige_points +n"),
        reads("{a} loses {n} Prestige Point", "a prestige_points -n"),
    ],
    "SellerPaid": [reads("{a} takes {n} T", "a treasury +n")],
    "PrivateersAttacked": [reads("^{a} attacks .* taken for {n} T", "a treasury +n")],
    "CounterattackRolled": [reads("sinks {n} Privateers? of {a}", "a privateers_deployed -n")],
    "GoodsReachedMarket": [reads("{a} puts {n} counter", "a market_goods +n")],
    "GoodsMoved": [
        reads("{a} turns {n} own Goods? into {m} T", "a market_goods -n", "a treasury +m"),
        reads("{n} Goods? of {a} into {m} T", "a market_goods -n", "a treasury +m"),
        reads("^{a} .* for a commission of {n} T", "a treasury +n"),
    ],
    "PrivateerWarRoundFought": [
        reads("{n} Privateers? of {a}", "a privateers_deployed -n"),
        reads("{a} loses {n} Squadron", "a squadrons -n"),
    ],
    "NavalBattleFought": [
        reads("{a} {n} Squadron", "a squadrons -n"),
        reads("{a} {n} Merchant Fleet", "a merchant_fleets -n"),
    ],
    "WarEnded": [
        reads(r"{a} wins .*: {n} Prestige Points? gained", "a war_pp +n"),
        reads("{a} wins ", "a war_victories +1"),
        reads("{a} loses {n} Prestige Point", "a war_pp -n"),
    ],
    "AllianceSumPaid": [reads("{a} pays {n} T to the Ally {b}", "a treasury -n", "b treasury +n")],
    "RebellionPricePaid": [reads("{a} pays {n} T", "a treasury -n")],
    "LossesAverted": [reads("{a} pays {n} T", "a treasury -n")],
    "RebelEntered": [reads("{a} enters with {n} T", "a treasury -n")],
}


@pytest.mark.parametrize(
    "table", [Table(TITLE.id, 3), Table(TITLE.id, 5, (("end_roll_bonus", 5),))], ids=lambda table: table.name
)
def test_the_history_explains_every_change(table):
    """Prestige, Treasury, Loans, Goods, ships, Privateers, Missions, Colonies and control: all is told."""
    game = play(table, seed=1, keep=True)
    assert list(unexplained(game, READINGS, accounts)) == []
