"""The Event Phase: event turns, the effects of the Event cards, the Italian power."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.rules.kit.values import put, remove_each
from events.rules.kit.words import capital, format_list
from events.titles.colonial_empires.data import CARD_NAMES
from events.titles.colonial_empires.derived import empire_of
from events.titles.colonial_empires.facts.changes import discard, draw, earn
from events.titles.colonial_empires.knowledge import Exchange, note_passing
from events.titles.colonial_empires.state import Cards, State
from events.titles.colonial_empires.words import Data, agree, card_names, explain_order, says


class EventOrderSet(Fact, frozen=True):
    """The order of this Event Phase (CEM-502)."""

    order: tuple[Seat, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        order = f"Event turns are taken in this order: {format_list(who(seat) for seat in data['order'])}"
        return f"{order}{explain_order(data, who)}."

    @staticmethod
    def beside(data: Data, state: State) -> Data:
        """Add the Fortunes of the seats, and who is always first (CEM-502, CEM-504)."""
        ahead = [seat for seat in data["order"] if empire_of(state, seat).first_in_event_phase]
        return {"fortunes": state.treasury, "ahead": ahead}

    def fold(self, state: State) -> State:
        return replace(state, event_order=self.order)


class EventTurnStarted(Fact, frozen=True):
    """An event turn begins; `automatic` where the seat is passed over (CEM-527)."""

    seat: Seat
    automatic: bool

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        if data["automatic"]:
            name = capital(who(data["seat"]))
            return agree(f"{name} [has no cards and is|have no cards and are] passed over.")
        return f"The event turn of {who(data['seat'])} begins."

    def fold(self, state: State) -> State:
        return state if self.automatic else replace(state, step="event_turn")


class EventTurnEnded(Fact, frozen=True):
    """An event turn is over."""

    seat: Seat
    automatic: bool

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        name = who(data["seat"])
        if data.get("again") is None:
            return f"The event turn of {name} ends."
        if data["again"]:
            return f"The event turn of {name} ends with this card; another one follows in the next round."
        return agree(f"{capital(name)} [passes|pass] for the rest of this Event Phase.")

    @staticmethod
    def beside(data: Data, state: State) -> Data:
        """Add where an event turn is one card whether the seat comes again, or has passed (CEM-528)."""
        if state.options.event_turns != "one_card" or data["automatic"]:
            return {}
        return {"again": data["seat"] in state.event_order[state.event_index :]}

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
        return agree(f"{capital(who(data['seat']))} [plays|play] {CARD_NAMES[data['card']]}{against}.")

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
    tell = says("{owner:who} [loses|lose] {card:card} to a rebellion; it is discarded.")

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
    tell = says("{to:who} [takes|take] {card:card} from {from:who} by Colonial War.")

    def fold(self, state: State) -> State:
        in_play = put(state.in_play, self.from_, remove_each(state.in_play[self.from_], (self.card,)))
        return replace(state, in_play=put(in_play, self.to, (*in_play[self.to], self.card)))


class FortunesStolen(Fact, frozen=True):
    """Privateering (CEM-514)."""

    from_: Seat = msgspec.field(name="from")
    to: Seat
    amount: int
    tell = says("{to:who} [takes|take] {amount:fortunes} from {from:who} by Privateering.")

    def fold(self, state: State) -> State:
        return earn(earn(state, self.from_, -self.amount), self.to, self.amount)


class FortunesGained(Fact, frozen=True):
    """Exploitation (CEM-515)."""

    seat: Seat
    amount: int
    tell = says("{seat:who} [gains|gain] {amount:fortunes} by Exploitation.")

    def fold(self, state: State) -> State:
        return earn(state, self.seat, self.amount)


class FortunesLost(Fact, frozen=True):
    """Intrigue (CEM-519)."""

    seat: Seat
    amount: int
    tell = says("{seat:who} [loses|lose] {amount:fortunes} by Intrigue.")

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
    tell = says("{seat:who} [draws|draw] {count:number} {reason:power}{cards:which|}.")

    def fold(self, state: State) -> State:
        return draw(state, self.seat, self.cards)


class HandCardStolen(Fact, frozen=True):
    """War at Sea: only the two of them learn which card (CEM-517)."""

    discloses = True
    secrets: ClassVar = {"card": ("from_", "to")}
    from_: Seat = msgspec.field(name="from")
    to: Seat
    card: str
    tell = says("{to:who} [takes|take] {card:card|a card} from the hand of {from:who} by War at Sea.")

    def fold(self, state: State) -> State:
        cards = (self.card,)
        hand = put(state.hand, self.from_, remove_each(state.hand[self.from_], cards))
        state = replace(state, hand=put(hand, self.to, hand[self.to] + cards))
        return replace(state, known=note_passing(state, Exchange(self.from_, self.to, cards, ())))


class HandCardsDiscardedAtRandom(Fact, frozen=True):
    """War in Europe (CEM-518)."""

    seat: Seat
    cards: Cards
    tell = says("{seat:who} [discards|discard] {cards:cards} at random, by War in Europe.")

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
        name = capital(who(data["seat"]))
        return agree(f"{name} [discards|discard] {card_names(data['cards'])} {reason}.")

    def fold(self, state: State) -> State:
        state = discard(state, self.seat, self.cards)
        if self.reason == "italian":
            return _comes_again(replace(state, step="event_turn", italian_pending=0), self.seat)
        return state
