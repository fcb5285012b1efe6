"""Who reads only the history of a game knows why every number and every owner changed."""

from __future__ import annotations

import pytest

from events.rules.kit.overseas.piles import counts
from events.titles.colonial.data import space_name, territory_name
from tests.titles.accounting import FOLLOWS, Accounts, Readings, reads, unexplained
from tests.titles.table import Table, play

OF_A_PLAYER = ("prestige", "treasury", "debt", "market", "fleets", "squadrons", "diplomacy")
TRACKS = ("seafaring", "navy", "logistics", "economy")


def accounts(view) -> Accounts:
    """What a view shows of players, Territories and Resource spaces."""
    found = {(what, p["seat"]): p[what] for p in view["players"] for what in (*OF_A_PLAYER, *TRACKS)}
    found |= {("nation", p["colour"].capitalize()): p["nation"] and p["name"] for p in view["players"]}
    found["holder", "token"] = view["first_player"]
    city = view["booming_city"]
    found["territory", "city"] = territory_name(city["territory"]) if city else None
    found["value", "city"] = city["value"] if city else None
    for land in view["territories"]:
        place = territory_name(land["id"])
        found |= {(what, place): land[what] for what in ("unrest", "missions", "colony", "independent")}
        for space in land["spaces"]:
            found |= _on_space(space_name(space["id"]), space)
    return found


def _on_space(place, space):
    """A space that is empty has no controller, which needs not be told."""
    held = {("counters", f"{owner}/{place}"): number for owner, number in counts(space["pile"]).items()}
    control = FOLLOWS if space["controller"] is None else space["controller"]
    return {("control", place): control, **held}


READINGS: Readings = {
    "NationChosen": [reads(r"{place} chooses {nation}\.", "place nation =nation")],
    "TreasuryDiscarded": [reads("{a} pays {n} Treasury", "a treasury -n")],
    "TreasuryGiven": [reads("{a} gives {n} Treasury to {b}", "a treasury -n", "b treasury +n")],
    "LoanTaken": [reads("{a} takes a Loan of {n}", "a debt +n", "a treasury +n")],
    "LoanRepaid": [reads("{a} repays {n}", "a debt -n", "a treasury -n")],
    "InterestAdded": [reads("{a} owes", "a debt +1")],
    "MerchantFleetsBought": [
        reads("{a} buys {n} Merchant Fleets? for {m} Treasury", "a fleets +n", "a treasury -m")
    ],
    "SquadronsBought": [reads("{a} buys {n} Squadrons? for {m} Treasury", "a squadrons +n", "a treasury -m")],
    "FlamboyancePaid": [reads("{a} pays {n} Treasury", "a treasury -n")],
    "FlamboyancePrestigeLost": [reads("{a} loses {n} Prestige", "a prestige -n")],
    "FirstPlayerMoved": [reads("{a} (?:takes|keeps) the First Player token", "token holder =a")],
    "TerritoryExplored": [reads("{a} explores .* and gains {n} Prestige", "a prestige +n")],
    "AmericaDiscovered": [reads("{a} discovers America and gains {n} more Prestige", "a prestige +n")],
    "WorldCircumnavigated": [reads("{a} has sailed .* gains {n} Prestige", "a prestige +n")],
    "ColonyFounded": [
        reads(
            r"{a} founds a Colony in {place}(?: by Extremadura)? and gains {n} Prestige",
            "a prestige +n",
            "place colony =a",
        )
    ],
    "ColonyLost": [
        reads("{a} loses the Colony {place} and {n} Prestige", "a prestige -n", "place colony ="),
        reads("the Colony {place} and .* Prestige, {n} Unrest goes", "place unrest -n"),
    ],
    "IndependenceBegan": [reads("^{place} becomes an Independent State", "place independent =1")],
    "IndependenceEnded": [reads("^{place} is no Independent State", "place independent =0")],
    "PrestigeGained": [reads("{a} gains {n} Prestige", "a prestige +n")],
    "PrestigeTaken": [reads("{a} takes {n} Prestige from {b}", "a prestige +n", "b prestige -n")],
    "DiplomacyMoved": [
        reads("{a} moves {n} right on Diplomacy", "a diplomacy +n"),
        reads("{a} moves {n} left on Diplomacy", "a diplomacy -n"),
    ],
    "TrackAdvanced": [
        reads(f"{{a}} advances to {{n}} on {track.capitalize()}", f"a {track} =n") for track in TRACKS
    ],
    "CounterPlaced": [
        reads(
            r"{a} places a Treasury on {place}(?: and controls it)?\.",
            "a treasury -1",
            "{a}/{place} counters +1",
        ),
        reads(r"{a} places a Merchant Fleet on {place}(?: and|\.)", "a fleets -1", "{a}/{place} counters +1"),
        reads("{a} places .* on {place} and controls it", "place control =a"),
    ],
    "ControlChanged": [
        reads("{a} takes control of {place} from", "place control =a"),
        reads("{a} keeps control of {place}, ", "place control =a"),
    ],
    "CountersLost": [reads(r"{a} {n} counters? on {place}(?=,| and|\.)", "{a}/{place} counters -n")],
    "CompanyCreated": [
        reads("{a} creates a Company: a counter on {place} becomes", "a fleets +1", "{a}/{place} counters -1")
    ],
    "TerritoryPillaged": [reads("{a} pillages .* for {n} Treasury", "a treasury +n")],
    "FleetStolen": [reads("{a} takes {n} Merchant Fleets? from {b}", "a fleets +n", "b fleets -n")],
    "SeaLossesTaken": [
        reads("{a} {n} Squadron", "a squadrons -n"),
        reads(r"{a} (?:\d+ Squadrons? and )?{n} Merchant Fleet", "a fleets -n"),
    ],
    "UnrestPlaced": [reads(r"{n} Unrest is placed in {place} (?:with|by|after)", "place unrest +n")],
    "UnrestRemoved": [reads(r"{n} Unrest is removed from {place} (?:through|for)", "place unrest -n")],
    "UnrestFlipped": [
        reads("turns an Unrest in {place} into a Mission", "place unrest -1", "place missions +1")
    ],
    "MissionPlaced": [reads(r"places a Mission in {place}\.", "place missions +1")],
    "MissionDiscarded": [reads(r"discards a Mission in {place}\.", "place missions -1")],
    "BoomingCityPlaced": [
        reads("Booming City in {place}, with value {n}", "city territory =place", "city value =n")
    ],
    "BoomingCityRemoved": [reads("declines", "city territory =", "city value =")],
    "BoomingCityPillaged": [reads("its value falls to {n}", "city value =n")],
    "SellersPaid": [reads("{a} {n} Treasury", "a treasury +n")],
    "FleetLostToPirates": [reads("{a} loses {n} Merchant Fleet", "a fleets -n")],
    "GoodsShipped": [
        reads("{a} ships .*: {n} Goods on the Market", "a market +n"),
        reads("; {a} earns {n} Treasury", "a treasury +n"),
    ],
    "OwnGoodsSold": [reads("{a} sells {n} own Goods for {m} Treasury", "a market -n", "a treasury +m")],
    "ForeignGoodsSold": [
        reads(
            "{a} sells {n} Goods of {b}: {m} Treasury for each",
            "b market -n",
            "a treasury +m",
            "b treasury +m",
        )
    ],
}

TABLES = [
    Table("colonial", 6, (("turn_limit", 9),)),
    Table("colonial", 3, (("booming_city_prestige", "any"), ("turn_limit", 12))),
    Table("colonial", 5, (("turn_limit", 12), ("variant", "nations"))),
]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_the_history_explains_every_change(table):
    """Prestige, Treasury, debt, Goods, ships, tracks, markers, Colonies and control: all is told."""
    game = play(table, seed=1, keep=True)
    assert list(unexplained(game, READINGS, accounts)) == []
