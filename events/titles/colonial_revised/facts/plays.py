"""Facts of what the Characters do, save for deals, Rebellions and wars; and of Loans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from events.rules.chance import D6
from events.rules.draw_binding import Drawing, die
from events.rules.fact import Fact, Who
from events.rules.kit.values import change_player, gain
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.data import TERRITORY
from events.titles.colonial_revised.parts import By, SpaceCount
from events.titles.colonial_revised.state import (
    Exploration,
    State,
    change_land,
    place,
    remove,
    send,
    total,
)
from events.titles.colonial_revised.words import Data, says

# --- Explorer ------------------------------------------------------------------------------------


class ExplorationRolled(Fact, frozen=True):
    """An Explorer rolls: the die, and everything that made the target (REV-161).

    *price* is null where the shortfall is not for sale.
    """

    drawn: ClassVar[Mapping[str, Drawing]] = {"roll": die(D6)}
    seat: int
    territory: str
    difficulty: int
    seafaring: int
    adjacency: int
    america_penalty: int
    target: int
    roll: int
    shortfall: int
    price: int | None

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        short = data["shortfall"]
        how = f"and falls short by {short}" if short > 0 else "and succeeds"
        where = w.territory_name(data["territory"])
        return f"{who(data['seat'])} explores {where}: needs {data['target']}, rolls {data['roll']} {how}."

    def fold(self, state: State) -> State:
        return replace(
            state, exploration=Exploration(self.territory, "buy", max(0, self.shortfall), self.price)
        )


class ExplorationBought(Fact, frozen=True):
    """The shortfall is paid (REV-162)."""

    seat: int
    territory: str
    price: int
    tell = says("{seat:who} pays {price} T to the Pool for the shortfall.")

    def fold(self, state: State) -> State:
        return gain(state, self.seat, treasury=-self.price)


class ExplorationFailed(Fact, frozen=True):
    """An exploration fails: the Territory stays unexplored."""

    seat: int
    territory: str
    tell = says("{territory:territory} stays unexplored.")

    def fold(self, state: State) -> State:
        return replace(state, exploration=None)


class TerritoryExplored(Fact, frozen=True):
    """The Territory is explored, *paid* where the die alone was not enough (REV-163)."""

    seat: int
    territory: str
    paid: bool

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        how = " by paying" if data["paid"] else ""
        return f"{w.territory_name(data['territory'])} is explored by {who(data['seat'])}{how}."

    def fold(self, state: State) -> State:
        state = change_land(state, self.territory, explored=True)
        return replace(state, exploration=Exploration(self.territory, "settle"))


class AmericaDiscovered(Fact, frozen=True):
    """The first American exploration (REV-139)."""

    seat: int
    turn: int
    tell = says("{seat:who} discovers America in turn {turn}!")

    def fold(self, state: State) -> State:
        return replace(state, america_discovered_turn=self.turn)


class AmericaPenaltyLifted(Fact, frozen=True):
    """A seat is free of the penalty in the Americas for good (REV-141)."""

    seat: int
    tell = says("{seat:who} explores the Americas without penalty from now on.")

    def fold(self, state: State) -> State:
        return change_player(state, self.seat, america_free=True)


class TradingPostEstablished(Fact, frozen=True):
    """A Merchant Fleet moves onto a space (REV-164)."""

    seat: int
    space: str
    tell = says("{seat:who} turns 1 Merchant Fleet into a trading post: {space:space}.")

    def fold(self, state: State) -> State:
        state = gain(state, self.seat, merchant_fleets=-1)
        return replace(place(state, self.seat, [SpaceCount(self.space, 1)]), exploration=None)


class AdventurersSent(Fact, frozen=True):
    """Treasury moves onto spaces of the new Territory (REV-165)."""

    seat: int
    territory: str
    placements: By

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        sent, place = w.total(data["placements"]), w.territory_name(data["territory"])
        where = w.placements(data["placements"])
        return f"{who(data['seat'])} sends Adventurers for {sent} T to {place}: {where}."

    def fold(self, state: State) -> State:
        return replace(send(state, self.seat, self.placements), exploration=None)


class ExplorationSettled(Fact, frozen=True):
    """Nothing was placed in the Territory just explored."""

    seat: int
    territory: str
    tell = says("{seat:who} places nothing in {territory:territory}.")

    def fold(self, state: State) -> State:
        return replace(state, exploration=None)


# --- Conqueror -----------------------------------------------------------------------------------


class CountersRemoved(Fact, frozen=True):
    """The Conqueror gives up counters; *to* is ``pool`` or ``merchant_fleet``."""

    territory: str
    seat: int
    by_space: By
    to: str
    reason: str

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        owner, place, spaces = (
            who(data["seat"]),
            w.territory_name(data["territory"]),
            w.format_per_space(data["by_space"]),
        )
        if data["to"] == "merchant_fleet":
            return f"{owner} turns a counter in {place} ({spaces}) into 1 Merchant Fleet."
        return f"{owner} removes counters in {place}: {spaces}."

    def fold(self, state: State) -> State:
        state = remove(state, self.seat, self.by_space)
        if self.to != "merchant_fleet":
            return state
        return gain(state, self.seat, merchant_fleets=total(self.by_space))


class ColonyFounded(Fact, frozen=True):
    """A Colony marker is placed (REV-154)."""

    seat: int
    territory: str
    pp: int
    tell = says("{seat:who} founds a Colony in {territory:territory} ({pp} PP).")

    def fold(self, state: State) -> State:
        return change_land(state, self.territory, colony_owner=self.seat)


# --- Viceroy -------------------------------------------------------------------------------------


class CountersSent(Fact, frozen=True):
    """Treasury goes onto spaces of one Territory (REV-246)."""

    seat: int
    territory: str
    placements: By

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        sent, place = w.total(data["placements"]), w.territory_name(data["territory"])
        return f"{who(data['seat'])} sends {sent} T to {place}: {w.placements(data['placements'])}."

    def fold(self, state: State) -> State:
        return send(state, self.seat, self.placements)


class CountersRecalled(Fact, frozen=True):
    """Counters go back to the Treasury (REV-250)."""

    seat: int
    territory: str
    removals: By

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        back, place = w.total(data["removals"]), w.territory_name(data["territory"])
        return (
            f"{who(data['seat'])} takes {back} T back from {place}: {w.format_per_space(data['removals'])}."
        )

    def fold(self, state: State) -> State:
        state = remove(state, self.seat, self.removals)
        return gain(state, self.seat, treasury=total(self.removals))


# --- Governor, Missionary, Economy 10 ------------------------------------------------------------


class BoomingCityFounded(Fact, frozen=True):
    """The new Booming City (REV-185)."""

    seat: int
    territory: str
    value: int
    tell = says(
        "{seat:who} pays {value} T to the Pool"
        " and founds the Booming City of value {value} in {territory:territory}."
    )

    def fold(self, state: State) -> State:
        state = gain(state, self.seat, treasury=-self.value)
        cities = tuple(sorted((*state.lands[TERRITORY[self.territory]].cities, self.value)))
        return replace(change_land(state, self.territory, cities=cities), booming_city=self.value)


class CityBecameRelevant(Fact, frozen=True):
    """The former Booming City keeps its marker (REV-189)."""

    territory: str
    value: int
    tell = says("The City of value {value} in {territory:territory} is now a Relevant City.")


class MissionPlaced(Fact, frozen=True):
    """A Mission is placed; *placed_total*: all Missions that the seat ever placed (REV-093)."""

    seat: int
    territory: str
    placed_total: int
    tell = says("{seat:who} places a Mission in {territory:territory} (number {placed_total}).")

    def fold(self, state: State) -> State:
        state = change_player(state, self.seat, missions_placed=self.placed_total)
        return change_land(
            state, self.territory, missions=state.lands[TERRITORY[self.territory]].missions + 1
        )


class SlaveryAbolished(Fact, frozen=True):
    """The first Economy 10 abolishes slavery (REV-082)."""

    seat: int
    tell = says("{seat:who} reaches Economy 10: slavery is abolished.")

    def fold(self, state: State) -> State:
        return replace(state, abolition=True)


# --- Loans ---------------------------------------------------------------------------------------


class LoanTaken(Fact, frozen=True):
    """A seat takes a Financier's or an Emergency Loan (REV-175, REV-366)."""

    seat: int
    loan: int
    treasury: int
    emergency: bool

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        kind = "an Emergency Loan" if data["emergency"] else "a Loan"
        amounts = f"{data['loan']} into Loans, {data['treasury']} T into the Treasury"
        return f"{who(data['seat'])} takes {kind}: {amounts}."

    def fold(self, state: State) -> State:
        state = gain(state, self.seat, loans=self.loan, treasury=self.treasury)
        held = state.escalation
        if self.emergency and held:
            state = replace(state, escalation=replace(held, loans_used=(*held.loans_used, self.seat)))
        return state


class LoanRepaid(Fact, frozen=True):
    """A seat repays its Loan: each T removes 1 from it (REV-176)."""

    seat: int
    amount: int
    tell = says("{seat:who} repays {amount} T of the Loan.")

    def fold(self, state: State) -> State:
        return gain(state, self.seat, loans=-self.amount, treasury=-self.amount)
