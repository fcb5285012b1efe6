"""What happens in Liar's dice: each fact with its secrets, what it changes and how it is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from rutter.events.rules.fact import Fact, Seat
from rutter.events.rules.kit.values import put
from rutter.events.rules.kit.words import format_count, format_list, sentences

from .state import Bid, Dice, State

says = sentences(
    dice=lambda n: format_count(n, "die", "dice"),
    which=lambda faces: f": {format_list(map(str, faces))}",
    cups=lambda cups: "; ".join(format_list(map(str, cup)) for cup in cups if cup),
)


class DiceRolled(Fact, frozen=True):
    """A player rolls under the cup (LDI-02). All see how many dice, one sees which."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"faces": ("seat",)}
    seat: Seat
    count: int
    faces: Dice
    tell = says("{seat:who} rolls {count:dice} under the cup{faces:which|}.")

    def fold(self, state: State) -> State:
        return replace(state, cups=put(state.cups, self.seat, tuple(sorted(self.faces))))


class BidMade(Fact, frozen=True):
    """A player bids (LDI-03)."""

    seat: Seat
    count: int
    face: int
    tell = says("{seat:who} bids {count:dice} of face {face}.")

    def fold(self, state: State) -> State:
        return replace(
            state,
            bid=Bid(self.count, self.face),
            bidder=self.seat,
            turn=state.find_next(self.seat),
        )


class CupsLifted(Fact, frozen=True):
    """A challenge: all dice are shown, and those of the face are counted (LDI-04)."""

    discloses = True
    seat: Seat
    cups: tuple[Dice, ...]
    face: int
    found: int
    tell = says("{seat:who} challenges. The dice are {cups:cups}: {found:dice} of face {face}.")


class DieLost(Fact, frozen=True):
    """A player loses a die, and the round ends (LDI-05, LDI-06)."""

    seat: Seat
    left: int
    tell = says("{seat:who} loses a die and has {left:dice}.")

    def fold(self, state: State) -> State:
        state = replace(
            state,
            cups=put(state.cups, self.seat, state.cups[self.seat][:-1]),
            bid=None,
            bidder=None,
            turn=self.seat,
        )
        if self.left:
            return state
        return replace(state, turn=state.find_next(self.seat), out=(*state.out, self.seat))
