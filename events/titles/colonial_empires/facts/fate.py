"""The Fate and Revenue Phases: what comes into hands and Treasuries."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.rules.kit.values import put, remove_each
from events.rules.kit.words import capital, format_list
from events.titles.colonial_empires.data import REGIONS
from events.titles.colonial_empires.facts.changes import draw
from events.titles.colonial_empires.state import Cards, State
from events.titles.colonial_empires.words import Data, agree, explain_order, fortunes, says


class FateOrderSet(Fact, frozen=True):
    """The order of the draws of this Fate Phase (CEM-303)."""

    order: tuple[Seat, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        order = f"Cards are drawn in this order: {format_list(who(seat) for seat in data['order'])}"
        return f"{order}{explain_order(data, who)}."

    @staticmethod
    def beside(_data: Data, state: State) -> Data:
        """Add the Fortunes of the seats, which make the order (CEM-303)."""
        return {"fortunes": state.treasury}

    def fold(self, state: State) -> State:
        return replace(state, fate_order=self.order)


class FateCardsDrawn(Fact, frozen=True):
    """All cards of one seat in the basic deal (CEM-304)."""

    secrets: ClassVar = {"cards": ("seat",)}
    seat: Seat
    count: int
    cards: Cards
    deck_count: int
    tell = says("{seat:who} [draws|draw] {count:number}{cards:which|}.")

    def fold(self, state: State) -> State:
        return draw(state, self.seat, self.cards)


class DeckRanOut(Fact, frozen=True):
    """The last card was drawn: this is the final turn (CEM-209)."""

    turn: int
    tell = says("The last card of the deck is drawn: turn {turn} is the final turn.")


class ExtraDrawRoundStarted(Fact, frozen=True):
    """A buying round begins for those who are in (CEM-309)."""

    round: int
    seats: tuple[Seat, ...]
    tell = says("Round {round} of buying extra cards begins; asked: {seats:seats}.")

    def fold(self, state: State) -> State:
        return replace(state, step="fate_extra", fate_round=self.round, fate_answers=(None,) * state.seats)


class ExtraCardAnswered(Fact, frozen=True):
    """A seat has answered, sealed (CEM-309)."""

    secrets: ClassVar = {"buys": ("seat",)}
    seat: Seat
    buys: bool

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        seat = capital(who(data["seat"]))
        if "buys" not in data:
            return agree(f"{seat} [answers|answer], sealed.")
        return agree(f"{seat} [decides|decide] to {'buy an extra card' if data['buys'] else 'stop buying'}.")

    def fold(self, state: State) -> State:
        return replace(state, fate_answers=put(state.fate_answers, self.seat, self.buys))


class ExtraCardBought(Fact, frozen=True):
    """A seat paid for an extra card (CEM-311)."""

    secrets: ClassVar = {"card": ("seat",)}
    seat: Seat
    price: int
    card: str
    treasury: int
    deck_count: int
    tell = says("{seat:who} [buys|buy] an extra card{card:aside|} for {price:fortunes}.")

    def fold(self, state: State) -> State:
        state = replace(state, treasury=put(state.treasury, self.seat, self.treasury))
        return draw(state, self.seat, (self.card,))


class ExtraCardUnavailable(Fact, frozen=True):
    """A buyer came too late: the deck is empty, nothing is paid (CEM-311)."""

    seat: Seat
    tell = says("{seat:who} [wants|want] an extra card, but the deck is empty.")


class ExtraDrawStopped(Fact, frozen=True):
    """A seat buys no more in this Fate Phase (CEM-310)."""

    seat: Seat
    reason: Literal["declined", "cannot_pay", "limit"]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return agree(f"{capital(who(data['seat']))} {_STOPPED[data['reason']]}.")

    def fold(self, state: State) -> State:
        return replace(state, fate_in=remove_each(state.fate_in, (self.seat,)))


_STOPPED = {
    "declined": "[wants|want] no more extra cards",
    "cannot_pay": "cannot pay for more extra cards",
    "limit": "[has|have] bought the one extra card of this turn",
}


class RegionBonus(msgspec.Struct, frozen=True):
    """The extra Fortunes for one region (CEM-406, CEM-408)."""

    region: str
    kind: Literal["most", "all"]
    amount: int


class RevenueCollected(Fact, frozen=True):
    """The revenue of a seat, part by part (CEM-402)."""

    seat: Seat
    base: int
    resources: int
    industries: int
    prussian_bonus: int
    region_bonuses: tuple[RegionBonus, ...]
    total: int
    treasury: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        parts = [f"{data['base']} base"]
        parts += [f"{data[part]} from {source}" for part, source in _SOURCES.items() if data[part]]
        parts += [
            f"{bonus['amount']} for {_SHARES[bonus['kind']]} of {REGIONS[bonus['region']].name}"
            for bonus in data["region_bonuses"]
        ]
        seat = capital(who(data["seat"]))
        return agree(f"{seat} [collects|collect] {fortunes(data['total'])} ({', '.join(parts)}).")

    def fold(self, state: State) -> State:
        return replace(state, treasury=put(state.treasury, self.seat, self.treasury))


_SOURCES = {"resources": "Resources", "industries": "Industry", "prussian_bonus": "the Prussian power"}
_SHARES = {"most": "the most", "all": "all"}
