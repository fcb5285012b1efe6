"""The state of a game."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.rules.bounds import BySeat, Seats, limit_items, limit_number
from events.rules.fact import Seat
from events.titles.colonial_empires.data import CARDS, CONSTANTS, DECK
from events.titles.colonial_empires.options import Options, settle_options

Phase = Literal["setup", "fate", "revenue", "event", "build", "trade", "ended"]
StepKind = Literal[
    "choose_empires", "fate_extra", "event_turn", "italian_discard", "build", "trading", "hand_limit"
]
Cards = Annotated[tuple[str, ...], limit_items(len(DECK), each=CARDS.event_copies)]
CardCount = Annotated[int, limit_number(0, len(DECK))]
Money = Annotated[int, limit_number(0, 99_999)]
"""More than all empires together can earn."""
Place = Annotated[int, limit_number(1, CONSTANTS.players_max)]


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The assets that one side of an offer gives."""

    fortunes: Money = 0
    hand_cards: Cards = ()
    in_play_cards: Cards = ()
    hand_card_count: CardCount = 0
    """The number of hand cards beside those named, of the giver's choice."""

    @property
    def empty(self) -> bool:
        """True if this side gives nothing: the other is a gift."""
        return not (self.fortunes or self.hand_cards or self.in_play_cards or self.hand_card_count)


class Offer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An open trade offer: who gives `give` and asks for `ask`."""

    offer_id: int
    from_: Seat = msgspec.field(name="from")
    to: Seat | None
    """None for an offer to everybody."""
    give: Side
    ask: Side
    unnamed_cards: Cards = ()
    """The hand cards that the offerer means by the number in `give`."""
    declined_by: Seats = ()
    """The seats that have declined an offer to everybody, in rising order."""

    def is_for(self, seat: Seat) -> bool:
        """Return True if *seat* is to answer the offer."""
        if self.to is None:
            return seat != self.from_ and seat not in self.declined_by
        return seat == self.to


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card that a seat saw pass: one copy of it lies in the hand of one of these other seats."""

    card: str
    seats: Seats


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of the game: the place of each seat, and the seats that share the first."""

    places: BySeat[Place]
    winners: Seats


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything at one moment. Tuples `[p]` hold one value for each seat."""

    seats: int
    options: Options
    turn: int
    phase: Phase
    step: StepKind | None
    """The step that the game waits for; None while automatic parts run and when it has ended."""
    lead_seat: Seat
    empire: tuple[str | None, ...]
    treasury: tuple[int, ...]
    hand: tuple[Cards, ...]
    """In order of arrival."""
    in_play: tuple[Cards, ...]
    deck: Cards
    """The remaining cards, in the fixed order of the card tables: a multiset (CEM-204)."""
    discard_pile: Cards
    fate_order: tuple[Seat, ...]
    fate_in: tuple[Seat, ...]
    fate_round: int
    fate_answers: tuple[bool | None, ...]
    event_order: tuple[Seat, ...]
    event_index: int
    italian_used: bool
    italian_pending: int
    build_plans: tuple[Cards | None, ...]
    offers: tuple[Offer, ...]
    next_offer_id: int
    offers_made: tuple[int, ...]
    trade_finished: tuple[bool, ...]
    discards_due: tuple[int, ...]
    discard_choices: tuple[Cards | None, ...]
    known: tuple[tuple[Known, ...], ...]
    """By seat: the cards in other hands that it saw pass."""
    result: Result | None


def blank(seats: int, options: Options) -> State:
    """Return the state before the first fact."""
    nobody = (None,) * seats
    nothing: tuple[Cards, ...] = ((),) * seats
    return State(
        seats=seats,
        options=settle_options(seats, options),
        turn=0,
        phase="setup",
        step="choose_empires",
        lead_seat=0,
        empire=nobody,
        treasury=(0,) * seats,
        hand=nothing,
        in_play=nothing,
        deck=DECK,
        discard_pile=(),
        fate_order=(),
        fate_in=(),
        fate_round=0,
        fate_answers=nobody,
        event_order=(),
        event_index=0,
        italian_used=False,
        italian_pending=0,
        build_plans=nobody,
        offers=(),
        next_offer_id=1,
        offers_made=(0,) * seats,
        trade_finished=(False,) * seats,
        discards_due=(0,) * seats,
        discard_choices=nobody,
        known=((),) * seats,
        result=None,
    )
