"""What buttons say: price and gain, none twice, nothing that a player has to guess. And what history says."""

from __future__ import annotations

import msgspec
import pytest

from events.rules.fact import type_name
from events.rules.fast_chance import FastChance
from events.titles.colonial import TITLE
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from events.titles.colonial.parts import SeaLoss
from tests.titles.colonial.scene import AMERICA, N5, do, fresh, scene


def labels(state, seat: int = 0, kind: type | None = None) -> list[str]:
    """The buttons of a seat, of one type of command where *kind* is named."""
    listed = TITLE.legal(state, seat)
    return [TITLE.label(state, seat, given) for given in listed if kind is None or type(given) is kind]


def said(fact) -> str:
    """The sentence of a fact."""
    return TITLE.tell[type_name(type(fact))](
        msgspec.to_builtins(fact, str_keys=True), lambda seat: f"Seat {seat}"
    )


def test_a_nation_is_described_before_it_is_chosen():
    """COL-25-02: the button says what the Nation's card gives and where its goals lie."""
    state = TITLE.open(5, TITLE.Options(variant="nations"), FastChance(1)).state
    (seat,) = (d.seat for d in TITLE.awaited(state))
    spain = next(text for text in labels(state, seat) if "Spain" in text)
    assert "Scientist / Missionary (Missionary twice)" in spain
    assert "Treaty of Tordesillas **, Extremadura and Flamboyance" in spain
    assert "West Indies (Santo Domingo)" in spain
    nations = next(p for p in TITLE.panels(TITLE.view_json(state, seat), seat) if p["title"] == "Nations")
    assert [row[0]["text"] for row in nations["rows"]][:2] == ["Spain (free)", "Portugal (free)"]


def test_the_scientist_says_its_price():
    """COL-21-01: the track, the space and what it costs."""
    assert labels(scene("scientist_missionary"), kind=c.PlayScientist) == [
        "Scientist: Seafaring to 1 for 1 Treasury",
        "Scientist: Navy to 2 for 2 Treasury",
        "Scientist: Logistics to 2 for 2 Treasury",
        "Scientist: Economy to 4 for 4 Treasury",
    ]


def test_a_company_says_which_counter_goes_and_who_controls_then():
    """COL-14-07: counters of one pile are told apart, also by what follows."""
    lands = {"brazil": {"piles": {"plantation": [0, 0, 1]}}}
    texts = labels(scene("explorer_conqueror", lands=lands), kind=c.PlayConqueror)
    assert texts[0] == "Conqueror: Colony in Brazil for 1 Prestige"
    assert any("Company of counter 2 on Plantation goods in Brazil (1 Merchant Fleet)" in t for t in texts)
    assert any("Pillage (2 Treasury, 1 Unrest)" in t for t in texts)
    assert any("Repression of 1 Unrest (1 left on Diplomacy)" in t for t in texts)
    split = {"brazil": {"piles": {"plantation": [0, 1, 1, 0]}}}
    texts = labels(scene("explorer_conqueror", lands=split), kind=c.PlayConqueror)
    assert any("Company" in t and "Red takes control" in t for t in texts)
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        (
            "naval_forces",
            ["Buy 2 Squadrons for 2 Treasury", "Buy 1 Squadron for 1 Treasury", "Buy no Squadron"],
        ),
        ("merchant_fleets", ["Buy 1 Merchant Fleet for 1 Treasury", "Buy no Merchant Fleet"]),
    ],
)
def test_purchases_have_a_price_and_a_number(phase, expected):
    """COL-04-15, COL-04-19: singular, plural and none."""
    lands = {"west_africa": {"piles": {"gold": [0]}}}
    state = scene(phase=phase, active=0, lands=lands, players={0: {"navy": 2}})
    assert [text for text in labels(state) if text.startswith("Buy")] == expected


def test_plays_say_what_they_cost_and_bring():
    """COL-15-02, COL-17-03, COL-16-01, COL-24-01: dice, price, value and Prestige stand on the button."""
    lands = {"brazil": {"colony": 0, "piles": {"plantation": [0, 0]}}}
    governor = labels(scene("merchant_governor", lands=lands), kind=c.PlayGovernor)
    assert governor[0] == "Governor: Booming City of value 1 in Brazil for 1 Treasury, 1 Prestige for Blue"
    financier = labels(scene("trader_financier"), kind=c.PlayFinancier)
    assert financier[0] == "Financier: Loan of 4 for 4 Treasury"
    explorer = labels(scene("explorer_conqueror"), kind=c.PlayExplorer)
    assert "Explorer: West Africa (3 Successes with 10 dice, 1 Prestige)" in explorer
    eager = scene("explorer_conqueror", players={0: {"seafaring": 3}}, lands={"canada": {"prestige": 1}})
    assert "Explorer: West Africa (no Success needed, 1 Prestige)" in labels(eager, kind=c.PlayExplorer)
    viceroy = labels(scene("viceroy_ambassador", lands={"brazil": {}}), kind=c.PlayViceroy)
    assert "Viceroy: 1 on Plantation goods in Brazil for 1 Treasury" in viceroy
    sovereign = labels(scene("sovereign_rebel"), kind=c.PlaySovereign)
    assert sovereign[0] == "Sovereign: war on Red (1 left on Diplomacy)"


def test_loans_of_one_size_are_listed_once():
    """COL-16-03: repaying one of two equal piles is one choice, whichever it is."""
    loans = [{"loan_id": 1, "size": 3}, {"loan_id": 2, "size": 3}, {"loan_id": 3, "size": 4}]
    state = scene("trader_financier", players={0: {"loans": loans, "treasury": 2}}, next_loan=4)
    texts = labels(state, kind=c.RepayLoan)
    assert texts == [
        "Repay 2 of a Loan of 3",
        "Repay 1 of a Loan of 3",
        "Repay 2 of a Loan of 4",
        "Repay 1 of a Loan of 4",
    ]


SENTENCES = [
    (f.NationChosen(3, "great_britain", {}), "Yellow chooses Great Britain."),
    (
        f.ExplorationRolled(0, "west_africa", -1, (True,) * 4, 4),
        "Seat 0 sails for West Africa: 4 Successes, none needed: reached.",
    ),
    (
        f.ExplorationRolled(0, "brazil", 4, (True,), 1),
        "Seat 0 sails for Brazil: 1 Success, 4 needed: not reached.",
    ),
    (f.WarYearBegan(1, ()), "Year 1 of the war; no battle on land."),
    (f.WarYearBegan(2, ("brazil",)), "Year 2 of the war; battles on land: Brazil."),
    (f.ShipmentAnswered(1, ("brazil.plantation",), ()), "Seat 1 grants Plantation goods in Brazil."),
    (f.ShipmentAnswered(1, (), ("brazil.plantation",)), "Seat 1 refuses Plantation goods in Brazil."),
    (
        f.ShipmentAnswered(1, ("india.silk",), ("brazil.plantation",)),
        "Seat 1 grants Silk in India; refuses Plantation goods in Brazil.",
    ),
    (
        f.TreasuryDiscarded(0, 3, "scientist"),
        "Seat 0 pays 3 Treasury to the Pool for the Scientist.",
    ),
    (
        f.GoodsShipped(0, "india.silk", 1, 1, forced=False),
        "Seat 0 ships Silk in India: 1 Goods on the Market; Seat 1 earns 1 Treasury from the Pool.",
    ),
    (f.GoodsRequestAnswered(1, 0, 1), "Seat 1 lets no Goods go."),
    (f.GoodsRequestAnswered(1, 2, 0), "Seat 1 lets 2 Goods go."),
    (f.GoodsRequestAnswered(1, 2, 1), "Seat 1 lets 2 Goods go and keeps 1."),
    (f.SquadronsBought(0, 0, 2), "Seat 0 buys no Squadron."),
    (f.SquadronsBought(0, 1, 2), "Seat 0 buys 1 Squadron for 1 Treasury (at most 2)."),
    (f.MerchantFleetsBought(0, 0, 2), "Seat 0 buys no Merchant Fleet."),
    (f.PrestigeTaken(0, 1, 0), "Seat 0 has no Prestige to lose to Seat 1."),
    (f.LoanRepaid(0, 1, 3, 0), "Seat 0 repays 3: that Loan is paid off."),
    (f.LoanRepaid(0, 1, 3, 2), "Seat 0 repays 3: 2 of that Loan remain."),
    (
        f.RebellionRolled(0, "egypt", 0, (), 0, 0, 0, 0),
        "Seat 0 sparks a rebellion in Egypt: no dice; no counter is lost.",
    ),
    (
        f.RebellionRolled(0, "brazil", 1, (True,), 1, 1, 1, 0),
        "Seat 0 sparks a rebellion in Brazil: 1 Success with 1 die; 1 counter is lost.",
    ),
    (f.SeaLossesTaken((SeaLoss(0, 0, 0), SeaLoss(1, 0, 0))), "Nothing is lost at sea."),
    (
        f.SeaLossesTaken((SeaLoss(0, 1, 0), SeaLoss(1, 2, 1))),
        "Lost at sea: Seat 0 1 Squadron; Seat 1 2 Squadrons and 1 Merchant Fleet.",
    ),
    (
        f.SixPrestigeReached(1, ("tordesillas", "extra_card")),
        "Seat 1 has reached 6 Prestige; the Treaty of Tordesillas and the use of the extra card end.",
    ),
    (f.FleetStolen(0, 1, 1), "Seat 0 takes 1 Merchant Fleet from Seat 1 for the plantations."),
]


@pytest.mark.parametrize(("fact", "expected"), SENTENCES)
def test_sentences_read_well(fact, expected):
    """None, one and several; what was needed; who did it."""
    assert said(fact) == expected


def test_the_house_does_not_speak_of_a_first_counter_as_a_guest():
    """COL-05-03: the first counter on a space controls it, and that is told."""
    state = scene("viceroy_ambassador", lands={"brazil": {}}, **AMERICA)
    told = [said(fact) for fact in do(state, 0, c.PlayViceroy("brazil", ("brazil.plantation",))).facts]
    assert "Seat 0 places a Treasury on Plantation goods in Brazil and controls it." in told


def test_seats_of_the_nations_variant_are_named_by_their_nations():
    """After the choice a seat is called by its Nation, before it by its colour."""
    assert [TITLE.seat_name(fresh(nations=N5), seat) for seat in (0, 2)] == ["Spain", "the Dutch Republic"]
