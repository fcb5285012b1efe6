"""Facts of Diplomacy, wars, alliances, the war against Privateers, Escalations and bought steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from events.rules.draw_binding import Drawing
from events.rules.fact import Fact, Who
from events.rules.kit.overseas.words import format_number
from events.rules.kit.values import change_player, gain, put, remove_each, remove_present
from events.rules.kit.words import capital, format_list
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.data import PLAIN_DICE, SUCCESS_DICE
from events.titles.colonial_revised.derived import expedition_right, members
from events.titles.colonial_revised.parts import By, Faces, Loss, SeatChoice, SeatCount, SideCounts, SideFaces
from events.titles.colonial_revised.state import (
    ATTACKER,
    DEFENDER,
    Battle,
    Escalation,
    PrivateerWar,
    State,
    War,
    change_escalation,
    change_war,
    controllers,
    gain_each,
    next_in_queue,
    remove,
    remove_all,
    require,
    send,
)
from events.titles.colonial_revised.words import Data, says


class DiplomacyMoved(Fact, frozen=True):
    """A Diplomacy marker really moved (REV-131)."""

    seat: int
    from_: int = msgspec.field(name="from")
    to: int
    reason: str

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        way = "right" if data["to"] > data["from"] else "left"
        why = w.REASONS[data["reason"]]
        return f"{who(data['seat'])} moves {way} on Diplomacy to space {data['to']} {why}."

    def fold(self, state: State) -> State:
        return change_player(state, self.seat, diplomacy=self.to)


class PrivateerWarRolled(Fact, frozen=True):
    """The Squadrons of the Sovereign's player roll against Privateers (REV-376)."""

    drawn: ClassVar[Mapping[str, Drawing]] = {"dice": SUCCESS_DICE}
    seat: int
    round: int
    dice: Faces
    hits: int
    """Privateers that are sunk."""
    asked: bool
    """True if the player has to choose whose Privateers are sunk."""

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        hits = f"{format_number(sum(data['dice']), 'Success', 'Successes')} of {w.dice(len(data['dice']))}"
        return f"{who(data['seat'])} fights the Privateers, round {data['round']}: {hits}."

    def fold(self, state: State) -> State:
        counts = state.war_fought_this_turn or state.options.war_box_counts_privateer_war
        waiting = PrivateerWar(self.seat, self.round, self.hits) if self.asked else None
        return replace(state, war_fought_this_turn=counts, privateer_war=waiting)


class PrivateerWarRoundFought(Fact, frozen=True):
    """A round against Privateers: those that are sunk, the return dice of the others (REV-376, REV-377)."""

    drawn: ClassVar[Mapping[str, Drawing]] = {"return_dice": PLAIN_DICE}
    seat: int
    round: int
    sunk_by_owner: tuple[SeatCount, ...]
    return_dice: Faces
    squadrons_lost: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        sunk = [
            f"{format_number(entry['count'], 'Privateer')} of {who(entry['seat'])}"
            for entry in data["sunk_by_owner"]
        ]
        result = f"Sunk: {format_list(sunk, 'no Privateer')}"
        if not data["return_dice"]:
            return f"{result}."
        back, lost = format_list(map(str, data["return_dice"])), data["squadrons_lost"]
        return (
            f"{result}. The others roll {back}: {who(data['seat'])} loses {format_number(lost, 'Squadron')}."
        )

    def fold(self, state: State) -> State:
        state = replace(state, privateer_war=None)
        state = gain(state, self.seat, squadrons=-self.squadrons_lost)
        for entry in self.sunk_by_owner:
            fleet = state.players[entry.seat].privateers
            left = put(fleet, self.seat, fleet[self.seat] - entry.count)
            state = change_player(state, entry.seat, privateers=left)
        return state


# --- before the war ------------------------------------------------------------------------------


class WarDeclared(Fact, frozen=True):
    """A war begins (REV-300)."""

    attacker: int
    defender: int
    tell = says("{attacker:who} declares war on {defender:who}.")

    def fold(self, state: State) -> State:
        others = tuple(seat for seat in state.order if seat not in {self.attacker, self.defender})
        begun = War(
            attacker=self.attacker,
            defender=self.defender,
            step="offer_attacker",
            controllers=controllers(state),
            awaiting=others,
            choices=(None,) * state.seats,
        )
        return replace(state, war=begun, war_fought_this_turn=True)


class WarBoxTaken(Fact, frozen=True):
    """The declarer takes the War box (REV-303)."""

    seat: int
    amount: int
    tell = says("{seat:who} takes {amount} T from the War box.")

    def fold(self, state: State) -> State:
        return replace(gain(state, self.seat, treasury=self.amount), war_box=0)


class AllianceOffered(Fact, frozen=True):
    """A principal offers a sum to an Ally; *side* is ``attacker`` or ``defender``."""

    seat: int
    side: str
    amount: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        offer = f"{data['amount']} T" if data["amount"] else "nothing"
        return f"{who(data['seat'])} offers {offer} to an Ally."

    def fold(self, state: State) -> State:
        state = gain(state, self.seat, escrow=self.amount)
        if self.side == ATTACKER:
            return change_war(state, attacker_offer=self.amount, step="offer_defender")
        return change_war(state, defender_offer=self.amount, step="choice")


class AllianceChosen(Fact, frozen=True):
    """A seat makes its sealed choice of a side (REV-305)."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"choice": ("seat",)}
    seat: int
    choice: str

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        if "choice" not in data:
            return f"{who(data['seat'])} has chosen in secret."
        return f"{who(data['seat'])} chooses to help {w.SIDE_NAMES[data['choice']]}."

    def fold(self, state: State) -> State:
        held = require(state.war)
        choices = put(held.choices, self.seat, self.choice)
        return change_war(state, choices=choices, awaiting=remove_present(held.awaiting, [self.seat]))


class AllianceChoicesRevealed(Fact, frozen=True):
    """All choices of sides are revealed together."""

    discloses = True
    choices: tuple[SeatChoice, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        parts = (f"{who(entry['seat'])} helps {w.SIDE_NAMES[entry['choice']]}" for entry in data["choices"])
        return f"The choices are open: {format_list(parts)}."

    def fold(self, state: State) -> State:
        return change_war(state, step="pick_attacker")


class AllyAccepted(Fact, frozen=True):
    """One volunteer is accepted (REV-307)."""

    side: str
    seat: int
    tell = says("{seat:who} is accepted as the Ally of {side:side}.")

    def fold(self, state: State) -> State:
        if self.side == ATTACKER:
            return change_war(state, attacker_ally=self.seat, step="pick_defender")
        return change_war(state, defender_ally=self.seat, step="fight")


class AllyDeclined(Fact, frozen=True):
    """No volunteer is accepted (REV-307)."""

    side: str

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        return f"{capital(w.SIDE_NAMES[data['side']])} accepts no Ally."

    def fold(self, state: State) -> State:
        return change_war(state, step="pick_defender" if self.side == ATTACKER else "fight")


class EscrowReleased(Fact, frozen=True):
    """A side without an Ally keeps its sum (REV-309)."""

    seat: int
    amount: int
    tell = says("{seat:who} has no Ally and keeps the {amount} T offered.")

    def fold(self, state: State) -> State:
        return gain(state, self.seat, escrow=-self.amount)


# --- a year of war -------------------------------------------------------------------------------


class WarYearBegan(Fact, frozen=True):
    """A year of war begins (REV-315); *territories* are those with battles on land."""

    year: int
    territories: tuple[str, ...]

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        places = format_list(map(w.territory_name, data["territories"]), "none")
        return f"Year {data['year']} of the war begins. Battles on land: {places}."

    def fold(self, state: State) -> State:
        return change_war(
            state,
            year=self.year,
            attacker_naval_losses=0,
            defender_naval_losses=0,
            battles=self.territories,
            step="battles",
        )


BATTLE_DICE = {"dice.attacker": SUCCESS_DICE, "dice.defender": SUCCESS_DICE}


def _dice(data: Data, who: Who) -> str:
    """``Red (Attacker) 1 of 3 dice, Blue (Defender) without dice``."""
    sides = ((name, data["successes"][name], len(data["dice"][name])) for name in (ATTACKER, DEFENDER))
    rolled = (
        f"{who(data[name])} ({name.capitalize()}) "
        + (f"{format_number(hits, 'Success', 'Successes')} of {w.dice(count)}" if count else "without dice")
        for name, hits, count in sides
    )
    return ", ".join(rolled)


def _tell_land_battle(data: Data, who: Who) -> str:
    due = format_list(f"{who(entry['seat'])} {w.counters(entry['count'])}" for entry in data["due"])
    losses = f"To fall: {due}" if data["due"] else "No losses"
    return f"Battle in {w.territory_name(data['territory'])}: {_dice(data, who)}. {losses}."


class LandBattleFought(Fact, frozen=True):
    """A battle is fought in one shared Territory (REV-317, REV-318)."""

    drawn: ClassVar[Mapping[str, Drawing]] = BATTLE_DICE
    territory: str
    attacker: int
    defender: int
    dice: SideFaces
    successes: SideCounts
    due: tuple[SeatCount, ...]
    """The number of counters that each player loses."""
    asked: tuple[bool, bool]
    """True for each principal (Attacker, Defender) who has a real choice among the enemy's counters."""
    tell = staticmethod(_tell_land_battle)

    def fold(self, state: State) -> State:
        rest = remove_each(require(state.war).battles, [self.territory])
        battle = Battle(self.territory, self.due, self.asked) if self.due else None
        return change_war(
            state, battles=rest, battle=battle, step="casualties" if any(self.asked) else "battles"
        )


class CasualtiesChosen(Fact, frozen=True):
    """A principal chooses casualties; secret until `CasualtiesTaken` shows both sides' (REV-317)."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"losses": ("seat",)}
    seat: int
    territory: str
    losses: tuple[Loss, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        place = w.territory_name(data["territory"])
        if "losses" not in data:
            return f"{who(data['seat'])} has chosen the casualties in {place}."
        return f"{who(data['seat'])} chooses the casualties in {place}: {w.losses(data['losses'], who)}."

    def fold(self, state: State) -> State:
        war = require(state.war)
        battle = require(war.battle)
        mine, other = battle.chosen
        chosen = (self.losses, other) if self.seat == war.attacker else (mine, self.losses)
        return change_war(state, battle=replace(battle, chosen=chosen))


class CasualtiesTaken(Fact, frozen=True):
    """The counters of both sides that fall in a battle on land leave together (REV-317)."""

    territory: str
    losses: tuple[Loss, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"Losses in {w.territory_name(data['territory'])}: {w.losses(data['losses'], who)}."

    def fold(self, state: State) -> State:
        battle = require(require(state.war).battle)
        state = remove_all(state, ((loss.seat, loss.space, loss.count) for loss in self.losses))
        return change_war(state, battle=None, step="check" if battle.expedition else "battles")


class NavalBattleFought(Fact, frozen=True):
    """The sea battle of the year is fought (REV-320, REV-321)."""

    drawn: ClassVar[Mapping[str, Drawing]] = BATTLE_DICE
    attacker: int
    defender: int
    dice: SideFaces
    successes: SideCounts
    squadrons_lost: tuple[SeatCount, ...]
    merchant_fleets_lost: tuple[SeatCount, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        lost = [(w.squadrons, data["squadrons_lost"]), (w.fleets, data["merchant_fleets_lost"])]
        parts = [f"{who(e['seat'])} {count(e['count'])}" for count, entries in lost for e in entries]
        losses = f"Lost are {format_list(parts)}." if parts else "Nothing is lost."
        return f"Battle at sea: {_dice(data, who)}. {losses}"

    def fold(self, state: State) -> State:
        state = gain_each(state, "squadrons", {e.seat: -e.count for e in self.squadrons_lost})
        state = gain_each(state, "merchant_fleets", {e.seat: -e.count for e in self.merchant_fleets_lost})
        attackers = {require(state.war).attacker, require(state.war).attacker_ally}
        lost = (*self.squadrons_lost, *self.merchant_fleets_lost)
        mine = sum(entry.count for entry in lost if entry.seat in attackers)
        theirs = sum(entry.count for entry in lost) - mine
        state = change_war(state, attacker_naval_losses=mine, defender_naval_losses=theirs)
        return change_war(state, step="check" if expedition_right(state) is None else "expedition")


class ExpeditionSent(Fact, frozen=True):
    """Treasury lands in an enemy Colony (REV-326)."""

    seat: int
    territory: str
    placements: By

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        sent, place = w.total(data["placements"]), w.territory_name(data["territory"])
        where = w.placements(data["placements"])
        return f"{who(data['seat'])} sends a military expedition of {sent} T to {place}: {where}."

    def fold(self, state: State) -> State:
        state = send(state, self.seat, self.placements)
        return change_war(state, step="expedition_battle", expedition_territory=self.territory)


class ExpeditionDeclined(Fact, frozen=True):
    """A seat sends no expedition although it had the right."""

    seat: int
    tell = says("{seat:who} sends no military expedition.")

    def fold(self, state: State) -> State:
        return change_war(state, step="check")


class ExpeditionBattleFought(Fact, frozen=True):
    """The battle of the expedition is fought (REV-327)."""

    drawn: ClassVar[Mapping[str, Drawing]] = BATTLE_DICE
    territory: str
    attacker: int
    defender: int
    dice: SideFaces
    successes: SideCounts
    due: tuple[SeatCount, ...]
    """The number of counters that each player loses."""
    asked: tuple[bool, bool]
    """True for each principal (Attacker, Defender) who has a real choice among the enemy's counters."""
    tell = staticmethod(_tell_land_battle)

    def fold(self, state: State) -> State:
        battle = Battle(self.territory, self.due, self.asked, expedition=True) if self.due else None
        step = "casualties" if any(self.asked) else "check"
        return change_war(state, battle=battle, step=step, expedition_territory=None)


# --- the end of a year ---------------------------------------------------------------------------


def next_decision(held: War, step: str) -> str:
    """The next decision of the year, without Allies who are not there (REV-335); last the next year."""
    if step == "check":
        return "attacker_ally" if held.attacker_ally in members(held, ATTACKER) else "attacker"
    if step == "attacker_ally":
        return "attacker"
    if step == "attacker":
        return "defender_ally" if held.defender_ally in members(held, DEFENDER) else "defender"
    return "defender" if step == "defender_ally" else "fight"


class YearOfWarEnded(Fact, frozen=True):
    """The fighting of the year is over and both sides still have Squadrons: the decisions follow."""

    year: int
    tell = says("Year {year} of the war is over.")

    def fold(self, state: State) -> State:
        return change_war(state, step=next_decision(require(state.war), "check"), expedition_territory=None)


class AllyLeftWar(Fact, frozen=True):
    """An Ally gives up (REV-337)."""

    seat: int
    tell = says("{seat:who} gives up and leaves the war.")

    def fold(self, state: State) -> State:
        held = require(state.war)
        return change_war(state, left=(*held.left, self.seat), step=next_decision(held, held.step))


class WarContinued(Fact, frozen=True):
    """A belligerent goes on."""

    seat: int
    tell = says("{seat:who} goes on with the war.")

    def fold(self, state: State) -> State:
        held = require(state.war)
        return change_war(state, step=next_decision(held, held.step))


class WarSurrendered(Fact, frozen=True):
    """A principal surrenders (REV-338)."""

    seat: int
    tell = says("{seat:who} surrenders.")


WAR_REASONS = {
    "surrender": "surrender",
    "forced": "no Squadron left",
    "both_without_squadrons": "no Squadrons left on either side",
    "four_years": "four years have passed",
}


class WarEnded(Fact, frozen=True):
    """A war ends; the points go to the war tallies.

    *result*: ``attacker_won``, ``defender_won`` or ``undecided``; *reason*: ``surrender``, ``forced``,
    ``both_without_squadrons`` or ``four_years``.
    """

    result: str
    winner: int | None
    loser: int | None
    reason: str
    winner_pp: int
    loser_pp: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        reason = WAR_REASONS[data["reason"]]
        if data["winner"] is None or data["loser"] is None:
            return f"The war ends undecided: {reason}."
        loser = f"{who(data['loser'])} loses {w.points(-data['loser_pp'])}" if data["loser_pp"] else "no loss"
        tally = f"{w.points(data['winner_pp'])} gained, {loser}"
        return f"{who(data['winner'])} wins the war against {who(data['loser'])} ({reason}): {tally}."

    def fold(self, state: State) -> State:
        if self.winner is not None and self.loser is not None:
            state = gain(state, self.winner, war_pp=self.winner_pp, war_victories=1)
            state = gain(state, self.loser, war_pp=self.loser_pp)
        return change_war(state, step="over")


class AllianceSumPaid(Fact, frozen=True):
    """The promised sum is paid, from escrow (REV-351)."""

    from_: int = msgspec.field(name="from")
    to: int
    amount: int
    tell = says("{from:who} pays {amount} T to the Ally {to:who}.")

    def fold(self, state: State) -> State:
        state = gain(state, self.from_, treasury=-self.amount, escrow=-self.amount)
        return gain(state, self.to, treasury=self.amount)


class CountersReturned(Fact, frozen=True):
    """Counters leave the other side's Colonies (REV-352)."""

    seat: int
    territory: str
    count: int
    by_space: By
    tell = says("{seat:who} takes {count} T home from {territory:territory}: {by_space:per_space}.")

    def fold(self, state: State) -> State:
        return gain(remove(state, self.seat, self.by_space), self.seat, treasury=self.count)


# --- Escalation ----------------------------------------------------------------------------------


class EscalationStarted(Fact, frozen=True):
    """Part A of the Escalation begins, in reverse player order (REV-360, REV-361)."""

    order: tuple[int, ...]
    belligerents: tuple[int, ...]
    tell = says("An Escalation follows the war: everybody may buy a Navy step.")

    def fold(self, state: State) -> State:
        begun = Escalation(part="A", order=self.order, queue=self.order, belligerents=self.belligerents)
        return replace(state, war=None, escalation=begun)


class EscalationPartStarted(Fact, frozen=True):
    """Part B of the Escalation begins (REV-363)."""

    part: str
    order: tuple[int, ...]
    tell = says("Escalation: everybody may buy Squadrons.")

    def fold(self, state: State) -> State:
        return change_escalation(state, part=self.part, queue=self.order)


class EscalationPassed(Fact, frozen=True):
    """A player buys nothing in a part."""

    seat: int
    part: str

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"{who(data['seat'])} buys no {'Navy step' if data['part'] == 'A' else 'Squadron'}."

    def fold(self, state: State) -> State:
        return next_in_queue(state)


class ProgressAdvanced(Fact, frozen=True):
    """A seat advances; *by* is ``scientist`` or ``escalation``; *to* the value of the space entered."""

    seat: int
    track: str
    to: int
    price: int
    by: str

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        track = data["track"].capitalize()
        where = " in the Escalation" if data["by"] == "escalation" else ""
        return f"{who(data['seat'])} advances {track} to {data['to']} for {data['price']} T{where}."

    def fold(self, state: State) -> State:
        mine, escalated = state.players[self.seat], self.by == "escalation"
        state = change_player(
            state,
            self.seat,
            treasury=mine.treasury - self.price,
            steps_bought=mine.steps_bought + 1,
            navy_step_bought_this_turn=mine.navy_step_bought_this_turn or self.track == "navy",
            navy_step_by_escalation=mine.navy_step_by_escalation or escalated,
            **{self.track: self.to},
        )
        return next_in_queue(state) if escalated and state.escalation else state


class SquadronsBought(Fact, frozen=True):
    """A seat buys Squadrons in part B of the Escalation."""

    seat: int
    count: int
    price: int
    tell = says("{seat:who} buys {count:squadrons} for {price} T.")

    def fold(self, state: State) -> State:
        return next_in_queue(gain(state, self.seat, treasury=-self.price, squadrons=self.count))
