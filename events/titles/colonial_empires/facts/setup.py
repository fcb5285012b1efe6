"""The set-up: the lot, the empires, Fortunes and starting hands."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from events.rules.draw_binding import index
from events.rules.fact import Fact, Seat
from events.rules.kit.values import put
from events.titles.colonial_empires.data import DECK
from events.titles.colonial_empires.facts.changes import draw, earn
from events.titles.colonial_empires.options import Options
from events.titles.colonial_empires.state import Cards, State
from events.titles.colonial_empires.words import says


class GameBegan(Fact, frozen=True):
    """The table is set."""

    seats: int
    options: Options
    data_version: str
    tell = says("A game for {seats} players begins{options.additional_empires:with_more}.")


class LeadSeatDrawn(Fact, frozen=True):
    """The lead seat of turn 1 (CEM-106)."""

    drawn: ClassVar = {"lead_seat": index}
    lead_seat: Seat
    tell = says("The lot makes {lead_seat:who} the lead seat of turn 1.")

    def fold(self, state: State) -> State:
        return replace(state, lead_seat=self.lead_seat)


class EmpireChosen(Fact, frozen=True):
    """A seat has its empire for the whole game (CEM-107)."""

    seat: Seat
    empire: str
    tell = says("Seat {seat} chooses to play the {empire:empire}.")

    def fold(self, state: State) -> State:
        return replace(state, empire=put(state.empire, self.seat, self.empire))


class DeckShuffled(Fact, frozen=True):
    """The deck is ready (CEM-108)."""

    count: int
    tell = says("The deck of {count} cards is shuffled.")

    def fold(self, state: State) -> State:
        return replace(state, deck=DECK)


class FortunesGranted(Fact, frozen=True):
    """Starting Fortunes (CEM-109)."""

    seat: Seat
    amount: int
    tell = says("{seat:who} [begins|begin] with {amount:fortunes}.")

    def fold(self, state: State) -> State:
        return earn(state, self.seat, self.amount)


class StartingHandDealt(Fact, frozen=True):
    """A starting hand (CEM-109)."""

    secrets: ClassVar = {"cards": ("seat",)}
    seat: Seat
    count: int
    cards: Cards
    deck_count: int
    tell = says("{seat:who} [begins|begin] with {count:number}{cards:which|}.")

    def fold(self, state: State) -> State:
        return draw(state, self.seat, self.cards)
