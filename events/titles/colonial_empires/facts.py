"""What can happen in a game, with its secret parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from events.fact import Fact, Seat
from events.titles.colonial_empires.options import Options
from events.titles.colonial_empires.state import Cards, Phase, Side

Secrets = Mapping[str, tuple[str, ...]]


class GameBegan(Fact, frozen=True):
    """The table is set."""

    seats: int
    options: Options
    data_version: str


class LeadSeatDrawn(Fact, frozen=True):
    """The lead seat of turn 1 (CEM-106)."""

    lead_seat: Seat


class EmpireChosen(Fact, frozen=True):
    """A seat has its empire for the whole game (CEM-107)."""

    seat: Seat
    empire: str


class DeckShuffled(Fact, frozen=True):
    """The deck is ready (CEM-108)."""

    count: int


class FortunesGranted(Fact, frozen=True):
    """Starting Fortunes (CEM-109)."""

    seat: Seat
    amount: int


class StartingHandDealt(Fact, frozen=True):
    """A starting hand (CEM-109)."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: Seat
    count: int
    cards: Cards
    deck_count: int


class TurnBegan(Fact, frozen=True):
    """A turn begins."""

    turn: int
    lead_seat: Seat


class PhaseBegan(Fact, frozen=True):
    """A phase begins for all (CEM-301)."""

    turn: int
    phase: Phase


class FateOrderSet(Fact, frozen=True):
    """The order of the draws of this Fate Phase (CEM-303)."""

    order: tuple[Seat, ...]


class FateCardsDrawn(Fact, frozen=True):
    """All cards of one seat in the basic deal (CEM-304)."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: Seat
    count: int
    cards: Cards
    deck_count: int


class DeckRanOut(Fact, frozen=True):
    """The last card was drawn: this is the final turn (CEM-209)."""

    turn: int


class ExtraDrawRoundStarted(Fact, frozen=True):
    """A buying round begins for those who are in (CEM-309)."""

    round: int
    seats: tuple[Seat, ...]


class ExtraCardAnswered(Fact, frozen=True):
    """A seat has answered, sealed (CEM-309)."""

    secrets: ClassVar[Secrets] = {"buys": ("seat",)}
    seat: Seat
    buys: bool


class ExtraCardBought(Fact, frozen=True):
    """A seat paid for an extra card (CEM-311)."""

    secrets: ClassVar[Secrets] = {"card": ("seat",)}
    seat: Seat
    price: int
    card: str
    treasury: int
    deck_count: int


class ExtraCardUnavailable(Fact, frozen=True):
    """A buyer came too late: the deck is empty, nothing is paid (CEM-311)."""

    seat: Seat


class ExtraDrawStopped(Fact, frozen=True):
    """A seat buys no more in this Fate Phase (CEM-310)."""

    seat: Seat
    reason: Literal["declined", "cannot_pay"]


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


class EventOrderSet(Fact, frozen=True):
    """The order of this Event Phase (CEM-502)."""

    order: tuple[Seat, ...]


class EventTurnStarted(Fact, frozen=True):
    """An event turn begins; `automatic` where the seat is passed over (CEM-527)."""

    seat: Seat
    automatic: bool


class EventTurnEnded(Fact, frozen=True):
    """An event turn is over."""

    seat: Seat
    automatic: bool


class EventCardPlayed(Fact, frozen=True):
    """An Event card goes to the discard pile; its effect follows (CEM-509)."""

    seat: Seat
    card: str
    target_player: Seat | None = None
    target_card: str | None = None


class ColonialResourceDiscarded(Fact, frozen=True):
    """Rebellion (CEM-512)."""

    owner: Seat
    card: str


class ColonialResourceStolen(Fact, frozen=True):
    """Colonial War (CEM-513)."""

    from_: Seat = msgspec.field(name="from")
    to: Seat
    card: str


class FortunesStolen(Fact, frozen=True):
    """Privateering (CEM-514)."""

    from_: Seat = msgspec.field(name="from")
    to: Seat
    amount: int


class FortunesGained(Fact, frozen=True):
    """Exploitation (CEM-515)."""

    seat: Seat
    amount: int


class FortunesLost(Fact, frozen=True):
    """Intrigue (CEM-519)."""

    seat: Seat
    amount: int


class CardsDrawn(Fact, frozen=True):
    """Discovery or the Italian power (CEM-516, CEM-524)."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: Seat
    reason: Literal["discovery", "italian"]
    count: int
    cards: Cards
    deck_count: int


class HandCardStolen(Fact, frozen=True):
    """War at Sea: only the two of them learn which card (CEM-517)."""

    secrets: ClassVar[Secrets] = {"card": ("from_", "to")}
    from_: Seat = msgspec.field(name="from")
    to: Seat
    card: str


class HandCardsDiscardedAtRandom(Fact, frozen=True):
    """War in Europe (CEM-518)."""

    seat: Seat
    cards: Cards


class ItalianDiscardRequired(Fact, frozen=True):
    """The Italian must discard as many cards as he drew (CEM-525)."""

    seat: Seat
    count: int


class CardsDiscarded(Fact, frozen=True):
    """Cards discarded by choice, face up (CEM-206)."""

    seat: Seat
    reason: Literal["italian", "hand_limit"]
    cards: Cards


class BuildSubmitted(Fact, frozen=True):
    """A sealed list of cards to build (CEM-601)."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: Seat
    cards: Cards


class CardsPutIntoPlay(Fact, frozen=True):
    """The reveal of one list (CEM-601)."""

    seat: Seat
    cards: Cards
    free_count: int
    paid_count: int
    cost: int
    treasury: int


class TradeOffered(Fact, frozen=True):
    """An offer is open; its contents are known to the two parties (CEM-708)."""

    secrets: ClassVar[Secrets] = {"give": ("from_", "to"), "ask": ("from_", "to")}
    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat
    give: Side
    ask: Side


class TradeDeclined(Fact, frozen=True):
    """The recipient declined (CEM-711)."""

    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat


class TradeWithdrawn(Fact, frozen=True):
    """The offerer took his offer back (CEM-711)."""

    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat


class TradeLapsed(Fact, frozen=True):
    """The offerer no longer holds what he offers (CEM-712)."""

    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat


class Passed(msgspec.Struct, frozen=True):
    """What one side of a completed trade gave."""

    fortunes: int
    in_play_cards: Cards
    hand_card_count: int
    hand_cards: Cards


class TradeCompleted(Fact, frozen=True):
    """A trade was carried out; which hand cards moved is known to the two parties (CEM-708)."""

    secrets: ClassVar[Secrets] = {"give.hand_cards": ("from_", "to"), "ask.hand_cards": ("from_", "to")}
    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat
    give: Passed
    ask: Passed


class TradingFinished(Fact, frozen=True):
    """A seat makes no more offers (CEM-713)."""

    seat: Seat


class HandLimitChecked(Fact, frozen=True):
    """Who must discard how many cards: `{seat: number}`, only those above their limit (CEM-717)."""

    discards_due: dict[Seat, int]


class ExcessDiscardSubmitted(Fact, frozen=True):
    """A sealed choice of excess cards (CEM-717)."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: Seat
    cards: Cards


class TurnEnded(Fact, frozen=True):
    """A turn is over (CEM-720)."""

    turn: int
    deck_count: int


class GameEnded(Fact, frozen=True):
    """The final turn is over (CEM-801): treasuries and places by seat."""

    turn: int
    treasuries: dict[Seat, int]
    places: dict[Seat, int]
    winners: tuple[Seat, ...]


FACTS: tuple[type[Fact], ...] = (
    GameBegan,
    LeadSeatDrawn,
    EmpireChosen,
    DeckShuffled,
    FortunesGranted,
    StartingHandDealt,
    TurnBegan,
    PhaseBegan,
    FateOrderSet,
    FateCardsDrawn,
    DeckRanOut,
    ExtraDrawRoundStarted,
    ExtraCardAnswered,
    ExtraCardBought,
    ExtraCardUnavailable,
    ExtraDrawStopped,
    RevenueCollected,
    EventOrderSet,
    EventTurnStarted,
    EventTurnEnded,
    EventCardPlayed,
    ColonialResourceDiscarded,
    ColonialResourceStolen,
    FortunesStolen,
    FortunesGained,
    FortunesLost,
    CardsDrawn,
    HandCardStolen,
    HandCardsDiscardedAtRandom,
    ItalianDiscardRequired,
    CardsDiscarded,
    BuildSubmitted,
    CardsPutIntoPlay,
    TradeOffered,
    TradeDeclined,
    TradeWithdrawn,
    TradeLapsed,
    TradeCompleted,
    TradingFinished,
    HandLimitChecked,
    ExcessDiscardSubmitted,
    TurnEnded,
    GameEnded,
)
