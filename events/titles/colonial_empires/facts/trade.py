"""The Build and Trade Phases, and the hand limit."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.rules.kit.values import put, remove_each
from events.rules.kit.words import capital, format_count, format_list
from events.titles.colonial_empires.knowledge import Exchange, note_left_openly, note_shown, note_trade
from events.titles.colonial_empires.state import Cards, Known, Offer, Side, State
from events.titles.colonial_empires.words import (
    Data,
    agree,
    card_names,
    fortunes,
    offer_text,
    says,
    side_text,
)


class BuildSubmitted(Fact, frozen=True):
    """A sealed list of cards to build (CEM-601)."""

    secrets: ClassVar = {"cards": ("seat",)}
    seat: Seat
    cards: Cards

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        what = f": {card_names(data['cards'])}" if "cards" in data else ", sealed"
        return agree(f"{capital(who(data['seat']))} [submits|submit] a build list{what}.")

    def fold(self, state: State) -> State:
        return replace(state, build_plans=put(state.build_plans, self.seat, self.cards))


class CardsPutIntoPlay(Fact, frozen=True):
    """The reveal of one list (CEM-601)."""

    discloses = True
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
            return agree(f"{seat} [builds|build] nothing.")
        price = f"for {fortunes(data['cost'])}" if data["cost"] else "free"
        return agree(f"{seat} [puts|put] {card_names(data['cards'])} into play {price}.")

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
    """An offer to one player is open; its contents are known to the two parties (CEM-708)."""

    secrets: ClassVar = {"give": ("from_", "to"), "ask": ("from_", "to"), "unnamed_cards": ("from_",)}
    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat
    """The seat that may accept."""
    give: Side
    ask: Side
    unnamed_cards: Cards = ()
    """The hand cards that the offerer gives without naming them (CEM-721)."""

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        offerer, to, number = capital(who(data["from"])), who(data["to"]), data["offer_id"]
        if "give" not in data or "ask" not in data:
            return agree(f"{offerer} [makes|make] {to} a trade offer (no. {number}).")
        return agree(f"{offerer} [offers|offer] {to} {offer_text(data)} (no. {number}).")

    def fold(self, state: State) -> State:
        offer = Offer(self.offer_id, self.from_, self.to, self.give, self.ask, self.unnamed_cards)
        known = _note_named(state, self.give.hand_cards, self.from_, (self.to,))
        return _open(replace(state, known=known), offer, 1)


class TradeOfferedToAll(Fact, frozen=True):
    """An offer to everybody is open, and its contents are public (CEM-722)."""

    secrets: ClassVar = {"unnamed_cards": ("from_",)}
    offer_id: int
    from_: Seat = msgspec.field(name="from")
    give: Side
    ask: Side
    unnamed_cards: Cards = ()
    """The hand cards that the offerer gives without naming them (CEM-721)."""

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        number = data["offer_id"]
        name = capital(who(data["from"]))
        return agree(f"{name} [offers|offer] everybody {offer_text(data)} (no. {number}).")

    def fold(self, state: State) -> State:
        offer = Offer(self.offer_id, self.from_, None, self.give, self.ask, self.unnamed_cards)
        others = tuple(seat for seat in range(state.seats) if seat != self.from_)
        known = _note_named(state, self.give.hand_cards, self.from_, others)
        return _open(replace(state, known=known), offer, len(others))


def _note_named(
    state: State, cards: Cards, offerer: Seat, seats: tuple[Seat, ...]
) -> tuple[tuple[Known, ...], ...]:
    """Note for *seats* that the *offerer* holds the cards that the offer names (CEM-705)."""
    known = state.known
    for seat in seats if cards else ():
        known = put(known, seat, note_shown(known[seat], cards, offerer))
    return known


def _open(state: State, offer: Offer, count: int) -> State:
    """Return *state* with this offer open, which counts as *count* (CEM-710)."""
    made = state.offers_made[offer.from_] + count
    return replace(
        state,
        offers=(*state.offers, offer),
        next_offer_id=offer.offer_id + 1,
        offers_made=put(state.offers_made, offer.from_, made),
    )


class TradingReopened(Fact, frozen=True):
    """A player who had finished trades again: an offer was made to them (CEM-713)."""

    seat: Seat
    tell = says("{seat:who} [returns|return] to trading because of this offer.")

    def fold(self, state: State) -> State:
        return replace(state, trade_finished=put(state.trade_finished, self.seat, False))


class TradeDeclined(Fact, frozen=True):
    """A recipient declined; an offer to everybody stays open for the others (CEM-711, CEM-722)."""

    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat
    """The seat that declined."""
    tell = says("{to:who} [declines|decline] offer no. {offer_id} of {from:who}.")

    def fold(self, state: State) -> State:
        offer = next((offer for offer in state.offers if offer.offer_id == self.offer_id), None)
        if offer is None or offer.to is not None:
            return _close(state, self.offer_id)
        declined = replace(offer, declined_by=tuple(sorted({*offer.declined_by, self.to})))
        offers = (declined if other is offer else other for other in state.offers)
        return replace(state, offers=tuple(offers))


class TradeWithdrawn(Fact, frozen=True):
    """The offerer took their offer back (CEM-711)."""

    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat | None
    """The recipient; null for an offer to everybody."""
    tell = says("{from:who} [withdraws|withdraw] offer no. {offer_id} to {to:who|everybody}.")

    def fold(self, state: State) -> State:
        return _close(state, self.offer_id)


class TradeLapsed(Fact, frozen=True):
    """An offer lapsed: it is no longer covered, or everybody has declined it (CEM-712, CEM-722)."""

    discloses = True
    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat | None
    """The recipient; null for an offer to everybody."""
    reason: Literal["uncovered", "declined"]
    """`uncovered`: the offerer no longer has what they offer. `declined`: all others have declined it."""

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        offerer = who(data["from"])
        to = "everybody" if data["to"] is None else who(data["to"])
        reason = f"{offerer} [no longer has|no longer have] what it gives"
        if data["reason"] == "declined":
            reason = "all others have declined it"
        return agree(f"Offer no. {data['offer_id']} of {offerer} to {to} lapses: {reason}.")

    def fold(self, state: State) -> State:
        return _close(state, self.offer_id)


def _close(state: State, offer_id: int) -> State:
    offers = state.offers
    place = next((n for n, offer in enumerate(offers) if offer.offer_id == offer_id), None)
    return state if place is None else replace(state, offers=offers[:place] + offers[place + 1 :])


class Passed(msgspec.Struct, frozen=True):
    """The assets that one side of a completed trade gave."""

    fortunes: int
    in_play_cards: Cards
    hand_card_count: int
    hand_cards: Cards


class TradeCompleted(Fact, frozen=True):
    """A trade was carried out; which hand cards moved is known to the two parties (CEM-708)."""

    discloses = True
    secrets: ClassVar = {"give.hand_cards": ("from_", "to"), "ask.hand_cards": ("from_", "to")}
    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat
    """The seat that accepted."""
    give: Passed
    ask: Passed

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        one, other = who(data["from"]), who(data["to"])
        give, ask = side_text(data["give"]), side_text(data["ask"])
        if not ask:
            return agree(f"{capital(one)} [gives|give] {give} to {other}, as a gift.")
        if not give:
            return agree(f"{capital(other)} [gives|give] {ask} to {one}, as a gift.")
        return agree(f"{capital(one)} [trades|trade] {give} to {other} for {ask}.")

    def fold(self, state: State) -> State:
        one, other, give, ask = self.from_, self.to, self.give, self.ask
        purses, paid = state.treasury, give.fortunes - ask.fortunes
        shown, seen = self._find_public_cards(state)
        state = replace(
            _close(state, self.offer_id),
            treasury=_two(purses, one, purses[one] - paid, other, purses[other] + paid),
            hand=_exchange(state.hand, one, give.hand_cards, other, ask.hand_cards),
            in_play=_exchange(state.in_play, one, give.in_play_cards, other, ask.in_play_cards),
        )
        gone = Exchange(one, other, give.hand_cards, ask.hand_cards, shown, seen)
        return replace(state, known=note_trade(state, gone))

    def _find_public_cards(self, state: State) -> tuple[Cards, Cards]:
        """Return the hand cards that an offer to everybody named, on both sides: all know of them."""
        for offer in state.offers:
            if offer.offer_id == self.offer_id and offer.to is None:
                return offer.give.hand_cards, offer.ask.hand_cards
        return (), ()


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
    tell = says("{seat:who} [finishes|finish] trading.")

    def fold(self, state: State) -> State:
        return replace(state, trade_finished=put(state.trade_finished, self.seat, True))


class HandLimitChecked(Fact, frozen=True):
    """The number of cards that each seat above its limit must discard: `{seat: number}` (CEM-717)."""

    discards_due: dict[Seat, int]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        due = data["discards_due"]
        if not due:
            return "Nobody is above the hand limit."
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
            return agree(f"{seat} [chooses|choose] the excess cards, sealed.")
        return agree(f"{seat} [chooses|choose] to discard {card_names(data['cards'])}.")

    def fold(self, state: State) -> State:
        return replace(state, discard_choices=put(state.discard_choices, self.seat, self.cards))
