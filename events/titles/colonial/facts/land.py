"""Facts that change the map."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Who
from events.rules.kit.overseas.piles import Pile, remove_counters
from events.rules.kit.overseas.words import format_number
from events.rules.kit.values import gain, put
from events.rules.kit.words import capital, format_count, format_list, plural
from events.titles.colonial.data import SPACE, SUCCESS_DICE, space_name, territory_name
from events.titles.colonial.parts import Casualty, Dice
from events.titles.colonial.state import BoomingCity, Rebelling, State, add_missions, add_unrest, change_land
from events.titles.colonial.words import Data, says, successes


def _pile(state: State, space: str, pile: Pile) -> State:
    return replace(state, piles=put(state.piles, SPACE[space], pile))


# --- exploration, counters, control ------------------------------------------------------------


class TerritoryExplored(Fact, frozen=True):
    """A Territory is explored (COL-07-01); *prestige_left* repeats what stays on the Territory."""

    seat: int
    territory: str
    prestige_taken: int
    prestige_left: int

    def fold(self, state: State) -> State:
        state = change_land(state, self.territory, prestige=self.prestige_left)
        return gain(state, self.seat, prestige=self.prestige_taken)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        left = f"; {data['prestige_left']} Prestige stays there" if data["prestige_left"] else ""
        place = territory_name(data["territory"])
        return capital(
            f"{who(data['seat'])} explores {place} and gains {data['prestige_taken']} Prestige{left}."
        )


class CounterPlaced(Fact, frozen=True):
    """One counter on top of a pile; *stack* repeats the pile before the control check."""

    seat: int
    space: str
    from_: Literal["treasury", "fleets"] = msgspec.field(name="from")
    stack: tuple[int, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        piece = "a Treasury" if data["from"] == "treasury" else "a Merchant Fleet"
        first = " and controls it" if len(data["stack"]) == 1 else ""
        return capital(f"{who(data['seat'])} places {piece} on {space_name(data['space'])}{first}.")

    def fold(self, state: State) -> State:
        box = "treasury" if self.from_ == "treasury" else "merchant_fleets"
        return gain(_pile(state, self.space, self.stack), self.seat, **{box: -1})


class ControlChanged(Fact, frozen=True):
    """The control check altered controller or order; *stack* is the pile after it."""

    space: str
    from_: int = msgspec.field(name="from")
    to: int
    cause: Literal["placed", "loss"]
    stack: tuple[int, ...]

    def fold(self, state: State) -> State:
        return _pile(state, self.space, self.stack)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        place = space_name(data["space"])
        if data["from"] == data["to"]:
            return capital(f"{who(data['to'])} keeps control of {place}; their counters move to the bottom.")
        return capital(f"{who(data['to'])} takes control of {place} from {who(data['from'])}.")


class MonopolyBroken(Fact, frozen=True):
    """A seat breaks the Monopoly of another (COL-05-07)."""

    by: int
    victim: int
    resource: str
    space: str
    tell = says("{by:who} breaks the {resource:resource} Monopoly of {victim:who}.")


class CountersLost(Fact, frozen=True):
    """Counters return to the Pools; positions are those before the batch."""

    territory: str
    losses: tuple[Casualty, ...]
    cause: Literal["rebellion", "war"]
    inflicted_by: tuple[int, ...]

    def fold(self, state: State) -> State:
        for space in {loss.space for loss in self.losses}:
            gone = {loss.position for loss in self.losses if loss.space == space}
            state = _pile(state, space, remove_counters(state.piles[SPACE[space]], gone))
        if self.cause == "rebellion":
            return replace(state, action=None)
        war = state.war
        return state if war is None else replace(state, war=replace(war, battle=None, step="fight"))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        held = Counter((loss["owner"], loss["space"]) for loss in data["losses"])
        parts = [
            f"{who(owner)} {format_count(number, 'counter')} on {space_name(space)}"
            for (owner, space), number in held.items()
        ]
        return f"In {territory_name(data['territory'])} fall: {format_list(parts)}."


# --- Unrest and Missions -----------------------------------------------------------------------


class UnrestPlaced(Fact, frozen=True):
    """Unrest markers put on a Territory."""

    territory: str
    amount: int
    by: int
    reason: Literal["adventurers", "extremadura", "pillage", "rebel"]
    tell = says("{amount} Unrest is placed in {territory:territory} {reason:reason}.")

    def fold(self, state: State) -> State:
        return add_unrest(state, self.territory, self.amount)


class UnrestRemoved(Fact, frozen=True):
    """Unrest markers taken off a Territory."""

    territory: str
    amount: int
    by: int
    reason: Literal["ambassador", "repression"]
    tell = says("{amount} Unrest is removed from {territory:territory} {reason:reason}.")

    def fold(self, state: State) -> State:
        return add_unrest(state, self.territory, -self.amount)


class UnrestFlipped(Fact, frozen=True):
    """An Unrest becomes a Mission: Unrest -1, Missions +1 (COL-19-01)."""

    territory: str
    by: int
    tell = says("{by:who} turns an Unrest in {territory:territory} into a Mission.")

    def fold(self, state: State) -> State:
        return add_missions(add_unrest(state, self.territory, -1), self.territory, 1)


class MissionPlaced(Fact, frozen=True):
    """A Mission is placed in a Territory (COL-19-02)."""

    territory: str
    by: int
    tell = says("{by:who} places a Mission in {territory:territory}.")

    def fold(self, state: State) -> State:
        return add_missions(state, self.territory, 1)


class MissionDiscarded(Fact, frozen=True):
    """A Mission is discarded by the Rebel (COL-20-01)."""

    territory: str
    by: int
    tell = says("{by:who} discards a Mission in {territory:territory}.")

    def fold(self, state: State) -> State:
        return add_missions(state, self.territory, -1)


class RebellionRolled(Fact, frozen=True):
    """The dice of a Rebellion are rolled (COL-20-03 to COL-20-05)."""

    drawn: ClassVar = {"dice": SUCCESS_DICE}
    by: int
    territory: str
    dice_count: int
    dice: Dice
    successes: int
    casualties_due: int
    from_others: int
    from_self: int

    def fold(self, state: State) -> State:
        return replace(state, action=Rebelling(self.territory, self.from_others, self.from_self))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        rolled, lost = len(data["dice"]), data["casualties_due"]
        hits = (
            f"{successes(data['successes'])} with {format_count(rolled, 'die', 'dice')}"
            if rolled
            else "no dice"
        )
        return capital(
            f"{who(data['by'])} sparks a rebellion in {territory_name(data['territory'])}: {hits};"
            f" {format_number(lost, 'counter')} {plural(max(1, lost), 'is', 'are')} lost."
        )


# --- Colonies ----------------------------------------------------------------------------------


class ColonyFounded(Fact, frozen=True):
    """A Colony is founded; the founder gains *prestige* and *city_prestige* (COL-14-03, COL-14-04)."""

    seat: int
    territory: str
    method: Literal["normal", "extremadura"]
    prestige: int
    city_prestige: int

    def fold(self, state: State) -> State:
        state = change_land(state, self.territory, colony=self.seat)
        return gain(state, self.seat, prestige=self.prestige + self.city_prestige)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        gained = data["prestige"] + data["city_prestige"]
        method = " by Extremadura" if data["method"] == "extremadura" else ""
        place = territory_name(data["territory"])
        return capital(f"{who(data['seat'])} founds a Colony in {place}{method} and gains {gained} Prestige.")


class IndependenceEnded(Fact, frozen=True):
    """A Territory is no Independent State any more (COL-08-08)."""

    territory: str
    tell = says("{territory:territory} is no Independent State any more.")

    def fold(self, state: State) -> State:
        return change_land(state, self.territory, independent=False)


class IndependenceBegan(Fact, frozen=True):
    """A Territory becomes an Independent State (COL-08-05)."""

    territory: str
    tell = says("{territory:territory} becomes an Independent State.")

    def fold(self, state: State) -> State:
        return change_land(state, self.territory, independent=True)


class CompanyCreated(Fact, frozen=True):
    """A counter of the founder becomes a Merchant Fleet (COL-14-07)."""

    seat: int
    space: str
    position: int
    tell = says("{seat:who} creates a Company: a counter on {space:space} becomes a Merchant Fleet.")

    def fold(self, state: State) -> State:
        left = remove_counters(state.piles[SPACE[self.space]], {self.position})
        return gain(_pile(state, self.space, left), self.seat, merchant_fleets=1)


class TerritoryPillaged(Fact, frozen=True):
    """A Territory is pillaged for Treasury (COL-14-08); the Unrest follows in `UnrestPlaced`."""

    seat: int
    territory: str
    amount: int
    tell = says("{seat:who} pillages {territory:territory} for {amount} Treasury.")

    def fold(self, state: State) -> State:
        return gain(state, self.seat, treasury=self.amount)


class FleetStolen(Fact, frozen=True):
    """Plantation takes Merchant Fleets from a victim (COL-14-10)."""

    thief: int
    victim: int
    amount: int
    tell = says("{thief:who} takes {amount:fleets} from {victim:who} for the plantations.")

    def fold(self, state: State) -> State:
        return gain(
            gain(state, self.victim, merchant_fleets=-self.amount), self.thief, merchant_fleets=self.amount
        )


class ColonyLost(Fact, frozen=True):
    """A Colony is lost: marker and Unrest go, Prestige is lost (COL-08-05, COL-08-10)."""

    seat: int
    territory: str
    prestige_lost: int
    city_prestige_lost: int
    unrest_removed: int

    def fold(self, state: State) -> State:
        state = add_unrest(state, self.territory, -self.unrest_removed)
        state = change_land(state, self.territory, colony=None)
        return gain(state, self.seat, prestige=-self.prestige_lost - self.city_prestige_lost)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        lost = data["prestige_lost"] + data["city_prestige_lost"]
        place = territory_name(data["territory"])
        unrest = f", {data['unrest_removed']} Unrest goes" if data["unrest_removed"] else ""
        return capital(f"{who(data['seat'])} loses the Colony {place} and {lost} Prestige{unrest}.")


# --- the Booming City --------------------------------------------------------------------------


class BoomingCityPlaced(Fact, frozen=True):
    """The Booming City is placed (COL-17-04); *payment* repeats what `TreasuryDiscarded` took."""

    by: int
    territory: str
    payment: int
    value: int
    tell = says("{by:who} founds the Booming City in {territory:territory}, with value {value}.")

    def fold(self, state: State) -> State:
        return replace(state, booming_city=BoomingCity(self.territory, self.value, self.by))


class BoomingCityRemoved(Fact, frozen=True):
    """The former Booming City goes."""

    territory: str
    value: int
    tell = says("The Booming City in {territory:territory}, of value {value}, declines.")

    def fold(self, state: State) -> State:
        return replace(state, booming_city=None)


class BoomingCityPillaged(Fact, frozen=True):
    """Pirates reduce the value of the Booming City (COL-18-12)."""

    territory: str
    old_value: int
    new_value: int
    tell = says("Pirates pillage the Booming City in {territory:territory}: its value falls to {new_value}.")

    def fold(self, state: State) -> State:
        city = state.booming_city
        return state if city is None else replace(state, booming_city=replace(city, value=self.new_value))


class PrestigeGained(Fact, frozen=True):
    """The owner of a Colony gains Prestige for the Booming City (COL-17-05)."""

    seat: int
    amount: int
    reason: Literal["booming_city"]
    tell = says("{seat:who} gains {amount} Prestige for the Booming City.")

    def fold(self, state: State) -> State:
        return gain(state, self.seat, prestige=self.amount)
