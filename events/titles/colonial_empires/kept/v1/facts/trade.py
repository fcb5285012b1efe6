"""The Build and Trade Phases, and the hand limit."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.titles.colonial_empires.kept.v1.kit.values import put, remove_each
from events.titles.colonial_empires.kept.v1.kit.words import capital, format_count, format_list
from events.titles.colonial_empires.kept.v1.knowledge import note_left_openly, note_shown, note_trade
from events.titles.colonial_empires.kept.v1.state import Cards, Offer, Side, State
from events.titles.colonial_empires.kept.v1.words import Data, card_names, fortunes, says, side_text


class BuildSubmitted(Fact, frozen=True):
    """A sealed list of cards to build (CEM-601)."""

    secrets: ClassVar = {"cards": ("seat",)}
    seat: Seat
    cards: Cards

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        what = f": {card_names(data['cards'])}" if "cards" in data else ", sealed"
        return f"{capital(who(data['seat']))} submitted a build list{what}."

    def fold(self, state: State) -> State:
        return replace(state, build_plans=put(state.build_plans, self.seat, self.cards))


class CardsPutIntoPlay(Fact, frozen=True):
    """The reveal of one list (CEM-601)."""

    seat: Seat
    cards: Cards
    free_count: int
    paid_count: int
    cost: int
    treasury: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        seat = capital(who(data["seat"]))
        if not data["cards"]:
            return f"{seat} built nothing."
        price = f"for {fortunes(data['cost'])}" if data["cost"] else "free"
        return f"{seat} put {card_names(data['cards'])} into play {price}."

    def fold(self, state: State) -> State:
        if not self.cards:
            return state
        seat = self.seat
        hand = remove_each(state.hand[seat], self.cards)
        return replace(
            state,
            hand=put(state.hand, seat, hand),
            in_play=put(state.in_play, seat, state.in_play[seat] + self.cards),
            treasury=put(state.treasury, seat, self.treasury),
            known=note_left_openly(state.known, seat, self.cards, empty=not hand),
        )


class TradeOffered(Fact, frozen=True):
    """An offer is open; its contents are known to the two parties (CEM-708)."""

    secrets: ClassVar = {"give": ("from_", "to"), "ask": ("from_", "to")}
    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat
    give: Side
    ask: Side

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        offer = f"{capital(who(data['from']))} made {who(data['to'])} a trade offer (no. {data['offer_id']})"
        if "give" not in data or "ask" not in data:
            return f"{offer}."
        return f"{offer}: {side_text(data['give'])} for {side_text(data['ask'])}."

    def fold(self, state: State) -> State:
        known = state.known
        if self.give.hand_cards:
            known = put(known, self.to, note_shown(known[self.to], self.give.hand_cards, self.from_))
        return replace(
            state,
            offers=(*state.offers, Offer(self.offer_id, self.from_, self.to, self.give, self.ask)),
            next_offer_id=self.offer_id + 1,
            offers_made=put(state.offers_made, self.from_, state.offers_made[self.from_] + 1),
            known=known,
        )


class TradeDeclined(Fact, frozen=True):
    """The recipient declined (CEM-711)."""

    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat
    tell = says("{to:who} declined offer no. {offer_id} of {from:who}.")

    def fold(self, state: State) -> State:
        return _close(state, self.offer_id)


class TradeWithdrawn(Fact, frozen=True):
    """The offerer took their offer back (CEM-711)."""

    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat
    tell = says("{from:who} withdrew offer no. {offer_id} to {to:who}.")

    def fold(self, state: State) -> State:
        return _close(state, self.offer_id)


class TradeLapsed(Fact, frozen=True):
    """The offerer no longer holds what they offer (CEM-712)."""

    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat
    tell = says("Offer no. {offer_id} of {from:who} to {to:who} lapsed.")

    def fold(self, state: State) -> State:
        return _close(state, self.offer_id)


def _close(state: State, offer_id: int) -> State:
    return replace(state, offers=tuple(offer for offer in state.offers if offer.offer_id != offer_id))


class Passed(msgspec.Struct, frozen=True):
    """The assets that one side of a completed trade gave."""

    fortunes: int
    in_play_cards: Cards
    hand_card_count: int
    hand_cards: Cards


class TradeCompleted(Fact, frozen=True):
    """A trade was carried out; which hand cards moved is known to the two parties (CEM-708)."""

    secrets: ClassVar = {"give.hand_cards": ("from_", "to"), "ask.hand_cards": ("from_", "to")}
    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat
    give: Passed
    ask: Passed
    tell = says("{from:who} traded {give:side} to {to:who} for {ask:side}.")

    def fold(self, state: State) -> State:
        one, other, give, ask = self.from_, self.to, self.give, self.ask
        purses, paid = state.treasury, give.fortunes - ask.fortunes
        state = replace(
            _close(state, self.offer_id),
            treasury=_two(purses, one, purses[one] - paid, other, purses[other] + paid),
            hand=_exchange(state.hand, one, give.hand_cards, other, ask.hand_cards),
            in_play=_exchange(state.in_play, one, give.in_play_cards, other, ask.in_play_cards),
        )
        return replace(state, known=note_trade(state, one, other, give.hand_cards, ask.hand_cards))


def _exchange(
    stocks: tuple[Cards, ...], one: Seat, given: Cards, other: Seat, got: Cards
) -> tuple[Cards, ...]:
    """Exchange cards of *one* and *other*: of their hands, or of those in play."""
    return _two(
        stocks, one, remove_each(stocks[one], given) + got, other, remove_each(stocks[other], got) + given
    )


def _two(values: tuple[Any, ...], one: Seat, first: Any, other: Seat, second: Any) -> tuple[Any, ...]:
    return put(put(values, one, first), other, second)


class TradingFinished(Fact, frozen=True):
    """A seat makes no more offers (CEM-713)."""

    seat: Seat
    tell = says("{seat:who} finished trading.")

    def fold(self, state: State) -> State:
        return replace(state, trade_finished=put(state.trade_finished, self.seat, True))


class HandLimitChecked(Fact, frozen=True):
    """The number of cards that each seat above its limit must discard: `{seat: number}` (CEM-717)."""

    discards_due: dict[Seat, int]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        due = data["discards_due"]
        if not due:
            return "Nobody was above the hand limit."
        over = [f"{who(int(seat))} by {format_count(number, 'card')}" for seat, number in due.items()]
        return f"Above the hand limit: {format_list(over)}."

    def fold(self, state: State) -> State:
        due = tuple(self.discards_due.get(seat, 0) for seat in range(state.seats))
        return replace(state, step="hand_limit", discards_due=due)


class ExcessDiscardSubmitted(Fact, frozen=True):
    """A sealed choice of excess cards (CEM-717)."""

    secrets: ClassVar = {"cards": ("seat",)}
    seat: Seat
    cards: Cards

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        seat = capital(who(data["seat"]))
        if "cards" not in data:
            return f"{seat} chose the excess cards, sealed."
        return f"{seat} chose to discard {card_names(data['cards'])}."

    def fold(self, state: State) -> State:
        return replace(state, discard_choices=put(state.discard_choices, self.seat, self.cards))
