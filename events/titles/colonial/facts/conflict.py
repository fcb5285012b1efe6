"""Diplomacy and war."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Who
from events.rules.kit.values import change_player, gain
from events.rules.kit.words import capital, format_count, format_list
from events.titles.colonial.data import SUCCESS_DICE
from events.titles.colonial.parts import Casualty, Dice, SeaLoss
from events.titles.colonial.state import Battle, State, War
from events.titles.colonial.words import REASONS, Data, says, territory_names

Reason = Literal[
    "ambassador",
    "india_china",
    "monopoly_broken",
    "control_taken",
    "repression",
    "war_declared",
    "slaves_shipped",
    "sovereign",
]
"""The reasons for which a marker moves on Diplomacy."""


def _war(state: State, **changes: Any) -> State:
    return state if state.war is None else replace(state, war=replace(state.war, **changes))


class DiplomacyMoved(Fact, frozen=True):
    """A marker really moved."""

    seat: int
    from_: int = msgspec.field(name="from")
    to: int
    reason: Reason

    def fold(self, state: State) -> State:
        return change_player(state, self.seat, diplomacy=self.to)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        side = "right" if data["to"] > data["from"] else "left"
        steps = abs(data["to"] - data["from"])
        why = REASONS[data["reason"]]
        return capital(f"{who(data['seat'])} moves {steps} {side} on Diplomacy {why}, to {data['to']}.")


class PrestigeTaken(Fact, frozen=True):
    """Prestige goes from the loser of a war to the winner, if there is any (COL-07-03)."""

    from_: int = msgspec.field(name="from")
    to: int
    amount: int

    def fold(self, state: State) -> State:
        return gain(gain(state, self.from_, prestige=-self.amount), self.to, prestige=self.amount)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        winner, loser = who(data["to"]), who(data["from"])
        if not data["amount"]:
            return capital(f"{loser} has no Prestige to lose to {winner}.")
        return capital(f"{winner} takes {data['amount']} Prestige from {loser}.")


class WarDeclared(Fact, frozen=True):
    """A seat declares war (COL-22-01)."""

    attacker: int
    defender: int
    tell = says("{attacker:who} declares war on {defender:who}!")

    def fold(self, state: State) -> State:
        return replace(state, war=War(self.attacker, self.defender))


class WarYearBegan(Fact, frozen=True):
    """A year of war begins; *territories* are those with battles on land (COL-22-03, COL-22-04)."""

    year: int
    territories: tuple[str, ...]

    def fold(self, state: State) -> State:
        return _war(state, year=self.year, year_open=True, battles=self.territories)

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        places = data["territories"]
        battles = f"battles on land: {territory_names(places)}" if places else "no battle on land"
        return f"Year {data['year']} of the war; {battles}."


class LandBattleRolled(Fact, frozen=True):
    """Both sides roll in a battle on land (COL-22-05, COL-22-06). Pairs are (attacker, defender)."""

    drawn: ClassVar = {"attacker_dice": SUCCESS_DICE, "defender_dice": SUCCESS_DICE}
    territory: str
    attacker: int
    defender: int
    attacker_dice: Dice
    defender_dice: Dice
    due: tuple[int, int]
    """Casualties that each side inflicts."""
    asked: tuple[bool, bool]
    """True for each side that has a real choice of casualties."""
    tell = says(
        "Battle in {territory:territory}: {attacker:who} rolls {attacker_dice:rolled},"
        " {defender:who} {defender_dice:rolled}."
    )

    def fold(self, state: State) -> State:
        rest = tuple(t for t in state.war.battles if t != self.territory) if state.war else ()
        battle = Battle(self.territory, self.due, self.asked) if any(self.due) else None
        return _war(state, battles=rest, battle=battle, step="casualties" if any(self.asked) else "fight")


class WarCasualtiesChosen(Fact, frozen=True):
    """A side chooses casualties; secret until `CountersLost` reveals both sides' choices."""

    secrets: ClassVar = {"casualties": ("seat",)}
    seat: int
    territory: str
    casualties: tuple[Casualty, ...]
    tell = says("{seat:who} has chosen the casualties in {territory:territory}.")

    def fold(self, state: State) -> State:
        war = state.war
        if war is None or war.battle is None:
            return state
        mine, other = war.battle.chosen
        chosen = (self.casualties, other) if self.seat == war.attacker else (mine, self.casualties)
        return _war(state, battle=replace(war.battle, chosen=chosen))


class SeaBattleRolled(Fact, frozen=True):
    """Both sides roll in the battle at sea (COL-22-09)."""

    drawn: ClassVar = {"attacker_dice": SUCCESS_DICE, "defender_dice": SUCCESS_DICE}
    attacker: int
    defender: int
    attacker_dice: Dice
    defender_dice: Dice
    tell = says(
        "Battle at sea: {attacker:who} rolls {attacker_dice:rolled}, {defender:who} {defender_dice:rolled}."
    )

    def fold(self, state: State) -> State:
        return _war(state, sea=(self.attacker_dice, self.defender_dice))


class SeaDiceRerolled(Fact, frozen=True):
    """A seat re-rolls its sea dice (COL-25-18)."""

    drawn: ClassVar = {"new_dice": SUCCESS_DICE}
    seat: int
    old_dice: Dice
    new_dice: Dice
    tell = says("{seat:who} re-rolls at sea: {new_dice:hits} instead of {old_dice:hits}.")

    def fold(self, state: State) -> State:
        war = state.war
        if war is None or war.sea is None:
            return state
        sea = (self.new_dice, war.sea[1]) if self.seat == war.attacker else (war.sea[0], self.new_dice)
        return _war(state, sea=sea, step="fight")


class SeaRerollDeclined(Fact, frozen=True):
    """A seat keeps its sea dice (COL-25-18)."""

    seat: int
    tell = says("{seat:who} keeps the sea dice.")

    def fold(self, state: State) -> State:
        return _war(state, step="fight")


def _pieces(loss: Data) -> str:
    """Return the ships that a side lost, in words; empty for none."""
    ships = [(loss["squadrons"], "Squadron"), (loss["fleets"], "Merchant Fleet")]
    return format_list((format_count(number, name) for number, name in ships if number), "")


class SeaLossesTaken(Fact, frozen=True):
    """Both sides lose Squadrons and Merchant Fleets in the battle at sea (COL-22-10)."""

    losses: tuple[SeaLoss, SeaLoss]

    def fold(self, state: State) -> State:
        for loss in self.losses:
            state = gain(state, loss.seat, squadrons=-loss.squadrons, merchant_fleets=-loss.fleets)
        return _war(state, sea=None)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        parts = [f"{who(loss['seat'])} {lost}" for loss in data["losses"] if (lost := _pieces(loss))]
        return f"Lost at sea: {'; '.join(parts)}." if parts else "Nothing is lost at sea."


class SurrenderDeclined(Fact, frozen=True):
    """A belligerent fights on (COL-22-14)."""

    seat: int
    year: int
    tell = says("{seat:who} fights on after year {year}.")

    def fold(self, state: State) -> State:
        return _war(state, step="fight", deciding=None)


class Surrendered(Fact, frozen=True):
    """A belligerent surrenders (COL-22-15)."""

    seat: int
    year: int
    tell = says("{seat:who} surrenders after year {year}.")


class WarEnded(Fact, frozen=True):
    """The end of a war; a draw has neither winner nor loser."""

    result: Literal["surrender", "defeat", "draw"]
    winner: int | None
    loser: int | None
    years: int

    def fold(self, state: State) -> State:
        return replace(state, war=None)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        years = format_count(data["years"], "year")
        if data["result"] == "draw":
            return f"The war ends in a draw after {years}."
        verb = "surrenders" if data["result"] == "surrender" else "is defeated"
        return capital(f"{who(data['loser'])} {verb}; {who(data['winner'])} wins the war after {years}.")
