"""Facts of Rebellions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from events.rules.draw_binding import Drawing
from events.rules.fact import Fact, Who
from events.rules.kit.overseas.words import format_number
from events.rules.kit.values import gain, put, remove_each
from events.rules.kit.words import format_count
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.data import SPACE, SUCCESS_DICE, TERRITORIES, TERRITORY
from events.titles.colonial_revised.parts import By, Faces, Loss, SpaceCount
from events.titles.colonial_revised.state import (
    Rebellion,
    State,
    change_rebellion,
    clear_protection,
    place,
    remove,
    require,
)
from events.titles.colonial_revised.words import Data, says


class RebellionPricePaid(Fact, frozen=True):
    """A seat pays for sparking a Rebellion in a Colony (REV-275)."""

    seat: int
    territory: str
    amount: int
    tell = says("{seat:who} pays {amount} T to the Pool for the Rebellion.")

    def fold(self, state: State) -> State:
        return gain(state, self.seat, treasury=-self.amount)


def _dice(data: Data) -> str:
    missions = f", {format_count(data['missions'], 'Mission')}" if data["missions"] else ""
    losses = format_number(data["losses"], "loss", "losses")
    if not data["dice"]:
        return f"no dice: {losses}"
    successes = format_number(data["successes"], "Success", "Successes")
    return f"{w.dice(data['dice'])}, {successes}{missions}: {losses}"


class RebellionRolled(Fact, frozen=True):
    """The dice of a Rebellion are rolled; *kind* is ``territory`` or ``colony``."""

    drawn: ClassVar[Mapping[str, Drawing]] = {"faces": SUCCESS_DICE}
    seat: int
    territory: str
    kind: str
    dice: int
    faces: Faces
    successes: int
    missions: int
    losses: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return (
            f"{who(data['seat'])} sparks a Rebellion in {w.territory_name(data['territory'])}: {_dice(data)}."
        )

    def fold(self, state: State) -> State:
        step = "allot" if self.losses else "avert"
        return replace(
            state, rebellion=Rebellion(self.territory, self.kind, self.losses, step, seat=self.seat)
        )


class AutomaticRebellionBrokeOut(Fact, frozen=True):
    """The fifth Unrest sets off an automatic Rebellion (REV-285)."""

    drawn: ClassVar[Mapping[str, Drawing]] = {"faces": SUCCESS_DICE}
    territory: str
    dice: int
    faces: Faces
    successes: int
    missions: int
    losses: int

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        return f"A Rebellion breaks out in {w.territory_name(data['territory'])}: {_dice(data)}."

    def fold(self, state: State) -> State:
        step = "allot" if self.losses else "avert"
        return replace(state, rebellion=Rebellion(self.territory, "automatic", self.losses, step))


class LossesAllotted(Fact, frozen=True):
    """Losses are allotted, by the Rebel's player or by rule (REV-268, REV-286)."""

    territory: str
    losses: tuple[Loss, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"Losses in {w.territory_name(data['territory'])}: {w.losses(data['losses'], who)}."

    def fold(self, state: State) -> State:
        victims = {loss.seat for loss in self.losses}
        awaiting = tuple(seat for seat in state.order if seat in victims)
        return change_rebellion(state, step="avert", allotment=self.losses, awaiting=awaiting)


class LossesAverted(Fact, frozen=True):
    """A victim saves counters for 2 T each (REV-269)."""

    victim: int
    territory: str
    saved: By
    paid: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        victim, where = who(data["victim"]), w.territory_name(data["territory"])
        if not data["saved"]:
            return f"{victim} saves nothing in {where}."
        saved = w.counters(sum(entry["count"] for entry in data["saved"]))
        return f"{victim} pays {data['paid']} T to the Pool and saves {saved} in {where}."

    def fold(self, state: State) -> State:
        held = require(state.rebellion)
        kept = tuple(loss for entry in held.allotment if (loss := self._reduce_loss(entry)).count)
        state = gain(state, self.victim, treasury=-self.paid)
        return change_rebellion(state, allotment=kept, awaiting=remove_each(held.awaiting, [self.victim]))

    def _reduce_loss(self, loss: Loss) -> Loss:
        """Return the part of an entry that is still lost."""
        if loss.seat != self.victim:
            return loss
        spared = next((entry.count for entry in self.saved if entry.space == loss.space), 0)
        return replace(loss, count=loss.count - min(loss.count, spared)) if spared else loss


class CountersLost(Fact, frozen=True):
    """Counters leave in a Rebellion."""

    territory: str
    seat: int
    by_space: By
    reason: str
    tell = says("{seat:who} loses counters in {territory:territory}: {by_space:per_space}.")

    def fold(self, state: State) -> State:
        state = remove(state, self.seat, self.by_space)
        return change_rebellion(state, removed=True, allotment=(), step="close") if state.rebellion else state


class CountersProtected(Fact, frozen=True):
    """Survivors are safe this turn (REV-270)."""

    territory: str
    by_space_and_player: tuple[Loss, ...]
    tell = says("The survivors in {territory:territory} are safe from Rebellions this turn.")

    def fold(self, state: State) -> State:
        protected = list(state.protected)
        for space in TERRITORIES[TERRITORY[self.territory]].spaces:
            protected[space] = ()
        for entry in self.by_space_and_player:
            number = SPACE[entry.space]
            safe = protected[number] or (0,) * state.seats
            protected[number] = clear_protection(put(safe, entry.seat, entry.count))
        return replace(state, protected=tuple(protected))


class RebelEntered(Fact, frozen=True):
    """The Rebel's player puts 1 T onto a space of the lost Colony (REV-277)."""

    seat: int
    space: str
    tell = says("{seat:who} enters with 1 T: {space:space}.")

    def fold(self, state: State) -> State:
        state = gain(state, self.seat, treasury=-1)
        return change_rebellion(place(state, self.seat, [SpaceCount(self.space, 1)]), step="close")


class RebelStayedOut(Fact, frozen=True):
    """The Rebel's player does not enter (REV-277)."""

    seat: int
    territory: str
    tell = says("{seat:who} does not enter {territory:territory}.")

    def fold(self, state: State) -> State:
        return change_rebellion(state, step="close")


class RebellionEnded(Fact, frozen=True):
    """The Rebellion is settled."""

    territory: str
    tell = says("The Rebellion in {territory:territory} is over.")

    def fold(self, state: State) -> State:
        return replace(state, rebellion=None)
