"""The upkeep: police, fulfilment and pirates, the end of the year and of the game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.rules.kit.values import add_at, add_counts, put, subtract_counts
from events.rules.kit.words import format_count, format_list, plural
from events.titles.colonies import words
from events.titles.colonies.changes import Payment, PirateChange, make_pirate_changes, pay, pirates_after
from events.titles.colonies.commands import FulfilTradeAgreements, PoliceSector
from events.titles.colonies.data import COLOURS, Some
from events.titles.colonies.parts import Removal, Score
from events.titles.colonies.primitives import Colour
from events.titles.colonies.sealing import Covered, Secrets, clear_answers
from events.titles.colonies.state import State
from events.titles.colonies.words import Data, says


class PoliceCommitted(Covered, frozen=True):
    """A player decides how to police their sector, covered."""

    answer = PoliceSector
    secrets: ClassVar[Secrets] = {"removals": ("seat",)}
    removals: tuple[Removal, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell that the player decides; to the player also how."""
        if "removals" not in data:
            return f"{who(data['seat'])} decides how to police the sector, covered."
        return f"{who(data['seat'])} decides to police: {words.removals(data['removals']) or 'nothing'}."


class SectorPoliced(Fact, frozen=True):
    """Pirates removed from a player's own routes (CLN-130)."""

    seat: Seat
    removals: tuple[Removal, ...]

    def fold(self, state: State) -> State:
        """The pirates leave; after the last player's comes the fulfilment."""
        sealed = put(state.sealed, self.seat, None)
        return replace(
            state,
            pirates=pirates_after(state.pirates, make_pirate_changes(self.removals)),
            sealed=sealed,
            phase=state.phase if any(sealed) else "upkeep_fulfil",
        )

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell which pirates are gone."""
        if not data["removals"]:
            return f"{who(data['seat'])} polices nothing."
        return f"{who(data['seat'])} removes pirates: {words.removals(data['removals'])}."


class FulfilmentCommitted(Covered, frozen=True):
    """A player decides on their substitutes, covered (CLN-143)."""

    answer = FulfilTradeAgreements
    secrets: ClassVar[Secrets] = {"substitutes": ("seat",)}
    substitutes: dict[Colour, Some]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell that the player decides; to the player also how."""
        if "substitutes" not in data:
            return f"{who(data['seat'])} decides on substitutes, covered."
        plan = words.substitutes(data["substitutes"]) or "nothing"
        return f"{who(data['seat'])} decides to substitute {plan}."


class Delivery(msgspec.Struct, frozen=True):
    """The delivery from one planet to another in one year."""

    payer: Colour
    partner: Colour
    own_resources: int
    substitutes: Some
    missing: int
    fees: int
    compensation: int
    intercepted: bool
    """True if pirates took the resources to the markets (CLN-144)."""
    pirates_removed: int


class Income(msgspec.Struct, frozen=True):
    """The resources and Credits that one player receives from their partners."""

    seat: Seat
    resources: Some
    credits: int


class TradeAgreementsFulfilled(Fact, frozen=True):
    """All deliveries of the year, payers in ring order, partners clockwise."""

    deliveries: tuple[Delivery, ...]
    markets_after: Some
    income: tuple[Income, ...]

    def fold(self, state: State) -> State:
        """Everybody pays, pirates intercept, and only then the income is handed over (CLN-142)."""
        stocks, payments, pirates = list(state.stocks), [], []
        for delivery in self.deliveries:
            if delivery.pirates_removed:
                pirates.append(PirateChange(delivery.partner, delivery.payer, -delivery.pirates_removed))
            if delivery.payer in state.planets:
                seat = state.planets.index(delivery.payer)
                given = {delivery.payer: delivery.own_resources, **delivery.substitutes}
                stocks[seat] = subtract_counts(stocks[seat], given)
                payments.append(Payment(seat, None, delivery.fees + delivery.compensation))
        for income in self.income:
            stocks[income.seat] = add_counts(stocks[income.seat], income.resources)
            payments.append(Payment(None, income.seat, income.credits))
        return replace(
            state,
            stocks=tuple(stocks),
            credits=pay(state.credits, payments),
            pirates=pirates_after(state.pirates, pirates),
            markets=self.markets_after,
            sealed=clear_answers(state),
            phase="upkeep_pirates",
        )

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell what all receive; and in a line for each payer what it gives, pays, and loses to pirates."""
        parts = []
        for income in data["income"]:
            credits = f" and {income['credits']} €" if income["credits"] else ""
            parts.append(f"{who(income['seat'])} receives {words.resources(income['resources'])}{credits}")
        deliveries: dict[str, list[Data]] = {}
        for delivery in data["deliveries"]:
            deliveries.setdefault(delivery["payer"], []).append(delivery)
        neutral = data.get("neutral", ())
        lines = [_tell_payer(payer, made, neutral) for payer, made in deliveries.items()]
        return "\n".join([f"Trade agreements are fulfilled: {'; '.join(parts)}.", *lines])

    @staticmethod
    def beside(_data: Data, state: State) -> Data:
        """The neutral planets: what is paid to them goes to the supply (CLN-157)."""
        return {"neutral": [colour for colour in COLOURS if colour not in state.planets]}


def _tell_payer(payer: str, deliveries: Sequence[Data], neutral: Collection[str]) -> str:
    """One planet's deliveries of the year, with the Credits that they cost it and what pirates intercept."""
    paid, caught = format_list(_tell_paid(deliveries, neutral), ""), "; ".join(_tell_caught(deliveries))
    fined = f" {words.planet(payer)} pays {paid}." if paid else ""
    lost = f" Pirates take to the markets {caught}." if caught else ""
    return f"{words.planet(payer)} gives {'; '.join(map(_tell_given, deliveries))}.{fined}{lost}"


def _tell_given(delivery: Data) -> str:
    """The goods that a partner gets, and how much is missing."""
    missing = f" ({delivery['missing']} missing)" if delivery["missing"] else ""
    return f"{_goods(delivery)} to {words.planet(delivery['partner'])}{missing}"


def _tell_paid(deliveries: Sequence[Data], neutral: Collection[str]) -> Iterator[str]:
    """The Credits that each partner gets, and what they are for."""
    for delivery in deliveries:
        what = {"in fees for substitutes": delivery["fees"], "for what is missing": delivery["compensation"]}
        parts = [f"{credits} € {why}" for why, credits in what.items() if credits]
        if parts:
            supply = "; to the supply" if delivery["partner"] in neutral else ""
            credits = f"{sum(what.values())} € ({format_list(parts)}{supply})"
            yield f"{words.planet(delivery['partner'])} {credits}"


def _tell_caught(deliveries: Sequence[Data]) -> Iterator[str]:
    """The deliveries that pirates intercept on the receiver's route, and how many of them leave with it."""
    for delivery in deliveries:
        if delivery["intercepted"]:
            route = f"{words.planet(delivery['partner'])}'s {words.planet(delivery['payer'])} route"
            pirates = delivery["pirates_removed"]
            leave = f"{format_count(pirates, 'pirate')} {plural(pirates, 'leaves', 'leave')}"
            yield f"{_goods(delivery)} from {route} ({leave})"


def _goods(delivery: Data) -> str:
    return words.resources({delivery["payer"]: delivery["own_resources"], **delivery["substitutes"]})


class PiratesPlaced(Fact, frozen=True):
    """A player's colonists turn pirates (CLN-149)."""

    seat: Seat
    colonists_converted: int
    pirates_added: Some
    """By the source of the route."""

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell how many colonists turn pirates, and on which routes they are."""
        count = data["colonists_converted"]
        turned = f"{format_count(count, 'colonist')} {plural(count, 'turns pirate', 'turn pirates')}"
        return f"{who(data['seat'])}'s {turned}: {words.routes(data['pirates_added'])}."

    def fold(self, state: State) -> State:
        """Colonists in the stock become pirates on the routes."""
        planet = state.planets[self.seat]
        return replace(
            state,
            colonists=add_at(state.colonists, self.seat, -self.colonists_converted),
            pirates={**state.pirates, planet: add_counts(state.pirates[planet], self.pirates_added)},
        )


class TurnEnded(Fact, frozen=True):
    """The year is over."""

    turn: int
    tell = says("Turn {turn} ends.")


class FirstPlayerAdvanced(Fact, frozen=True):
    """The first-player card passes on (CLN-152)."""

    seat: Seat
    tell = says("The first-player card passes clockwise to {seat:who}.")

    def fold(self, state: State) -> State:
        return replace(state, first_player=self.seat)


class GameEnded(Fact, frozen=True):
    """The final scores, by seat (CLN-164)."""

    scores: tuple[Score, ...]
    winners: tuple[Seat, ...]

    def fold(self, state: State) -> State:
        """The screens are lifted."""
        return replace(state, phase="ended", scores=self.scores)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Everybody's points and where they come from, who wins, and by what where points are equal."""
        totals = format_list(
            f"{who(s['seat'])} {format_count(s['total'], 'point')} "
            f"({s['technology_points']} for technologies, {s['credits']} €)"
            for s in data["scores"]
        )
        verb = "wins" if len(data["winners"]) == 1 else "share the victory"
        winners = format_list(who(seat) for seat in data["winners"])
        return f"The game ends: {totals}. {winners} {verb}{words.tie(data['scores'])}."
