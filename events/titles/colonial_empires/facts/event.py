"""The Event Phase: event turns, the effects of the Event cards, the Italian power."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.rules.kit.values import put, remove_each
from events.rules.kit.words import capital
from events.titles.colonial_empires.data import CARD_NAMES
from events.titles.colonial_empires.facts.changes import discard, draw, earn
from events.titles.colonial_empires.knowledge import Exchange, note_passing
from events.titles.colonial_empires.state import Cards, State
from events.titles.colonial_empires.words import Data, card_names, says


class EventOrderSet(Fact, frozen=True):
    """The order of this Event Phase (CEM-502)."""

    order: tuple[Seat, ...]
    tell = says("Event turns are taken in this order: {order:seats}.")

    def fold(self, state: State) -> State:
        return replace(state, event_order=self.order)


class EventTurnStarted(Fact, frozen=True):
    """An event turn begins; `automatic` where the seat is passed over (CEM-527)."""

    seat: Seat
    automatic: bool

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        if data["automatic"]:
            return f"{capital(who(data['seat']))} had no cards and was passed over."
        return f"The event turn of {who(data['seat'])} began."

    def fold(self, state: State) -> State:
        return state if self.automatic else replace(state, step="event_turn")


class EventTurnEnded(Fact, frozen=True):
    """An event turn is over."""

    seat: Seat
    automatic: bool
    tell = says("The event turn of {seat:who} ended.")

    def fold(self, state: State) -> State:
        return replace(state, step=None, event_index=state.event_index + 1)


class EventCardPlayed(Fact, frozen=True):
    """An Event card goes to the discard pile; its effect follows (CEM-509)."""

    discloses = True
    seat: Seat
    card: str
    target_player: Seat | None = None
    target_card: str | None = None

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        against = ""
        if data.get("target_player") is not None:
            against = f" against {who(data['target_player'])}"
        elif data.get("target_card") is not None:
            against = f" against {CARD_NAMES[data['target_card']]}"
        return f"{capital(who(data['seat']))} played {CARD_NAMES[data['card']]}{against}."

    def fold(self, state: State) -> State:
        return _comes_again(discard(state, self.seat, (self.card,)), self.seat)


def _comes_again(state: State, seat: Seat) -> State:
    """Give the seat another event turn in the next round, where an event turn is one card (CEM-528).

    A seat that has passed gets none.
    """
    if state.options.event_turns != "one_card":
        return state
    return replace(state, event_order=(*state.event_order, seat))


class ColonialResourceDiscarded(Fact, frozen=True):
    """Rebellion (CEM-512)."""

    owner: Seat
    card: str
    tell = says("{owner:who} lost {card:card} to a rebellion; it was discarded.")

    def fold(self, state: State) -> State:
        left = remove_each(state.in_play[self.owner], (self.card,))
        return replace(
            state,
            in_play=put(state.in_play, self.owner, left),
            discard_pile=(*state.discard_pile, self.card),
        )


class ColonialResourceStolen(Fact, frozen=True):
    """Colonial War (CEM-513)."""

    from_: Seat = msgspec.field(name="from")
    to: Seat
    card: str
    tell = says("{to:who} took {card:card} from {from:who} by Colonial War.")

    def fold(self, state: State) -> State:
        in_play = put(state.in_play, self.from_, remove_each(state.in_play[self.from_], (self.card,)))
        return replace(state, in_play=put(in_play, self.to, (*in_play[self.to], self.card)))


class FortunesStolen(Fact, frozen=True):
    """Privateering (CEM-514)."""

    from_: Seat = msgspec.field(name="from")
    to: Seat
    amount: int
    tell = says("{to:who} took {amount:fortunes} from {from:who} by Privateering.")

    def fold(self, state: State) -> State:
        return earn(earn(state, self.from_, -self.amount), self.to, self.amount)


class FortunesGained(Fact, frozen=True):
    """Exploitation (CEM-515)."""

    seat: Seat
    amount: int
    tell = says("{seat:who} gained {amount:fortunes} by Exploitation.")

    def fold(self, state: State) -> State:
        return earn(state, self.seat, self.amount)


class FortunesLost(Fact, frozen=True):
    """Intrigue (CEM-519)."""

    seat: Seat
    amount: int
    tell = says("{seat:who} lost {amount:fortunes} by Intrigue.")

    def fold(self, state: State) -> State:
        return earn(state, self.seat, -self.amount)


class CardsDrawn(Fact, frozen=True):
    """Discovery or the Italian power (CEM-516, CEM-524)."""

    secrets: ClassVar = {"cards": ("seat",)}
    seat: Seat
    reason: Literal["discovery", "italian"]
    count: int
    cards: Cards
    deck_count: int
    tell = says("{seat:who} drew {count:number}{cards:which|} {reason:power}.")

    def fold(self, state: State) -> State:
        return draw(state, self.seat, self.cards)


class HandCardStolen(Fact, frozen=True):
    """War at Sea: only the two of them learn which card (CEM-517)."""

    discloses = True
    secrets: ClassVar = {"card": ("from_", "to")}
    from_: Seat = msgspec.field(name="from")
    to: Seat
    card: str
    tell = says("{to:who} took {card:card|a card} from the hand of {from:who}.")

    def fold(self, state: State) -> State:
        cards = (self.card,)
        hand = put(state.hand, self.from_, remove_each(state.hand[self.from_], cards))
        state = replace(state, hand=put(hand, self.to, hand[self.to] + cards))
        return replace(state, known=note_passing(state, Exchange(self.from_, self.to, cards, ())))


class HandCardsDiscardedAtRandom(Fact, frozen=True):
    """War in Europe (CEM-518)."""

    seat: Seat
    cards: Cards
    tell = says("{seat:who} discarded {cards:cards} at random.")

    def fold(self, state: State) -> State:
        return discard(state, self.seat, self.cards)


class ItalianDiscardRequired(Fact, frozen=True):
    """The Italian must discard as many cards as they drew (CEM-525)."""

    seat: Seat
    count: int
    tell = says("{seat:who} must discard {count:number}.")

    def fold(self, state: State) -> State:
        return replace(state, step="italian_discard", italian_used=True, italian_pending=self.count)


class CardsDiscarded(Fact, frozen=True):
    """Cards discarded by choice, face up (CEM-206)."""

    discloses = True
    seat: Seat
    reason: Literal["italian", "hand_limit"]
    cards: Cards

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        reason = "for the Italian power" if data["reason"] == "italian" else "for the hand limit"
        return f"{capital(who(data['seat']))} discarded {card_names(data['cards'])} {reason}."

    def fold(self, state: State) -> State:
        state = discard(state, self.seat, self.cards)
        if self.reason == "italian":
            return _comes_again(replace(state, step="event_turn", italian_pending=0), self.seat)
        return state
