"""The view of a seat, or of a spectator."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec.structs import replace

from events.rules.bounds import BySeat, Seats, limit_items, limit_number
from events.rules.fact import Seat
from events.titles.colonial_empires.data import CONSTANTS, DECK
from events.titles.colonial_empires.derived import current
from events.titles.colonial_empires.options import Options
from events.titles.colonial_empires.state import (
    CardCount,
    Cards,
    Known,
    Money,
    Offer,
    Phase,
    Result,
    Side,
    State,
    StepKind,
)
from events.titles.colonial_empires.steps.revenue import resources_by_region, revenue

MOST_OFFERS = CONSTANTS.max_offers_per_other_player * (CONSTANTS.players_max - 1)
"""A seat makes no more in a Trade Phase."""
OfferCount = Annotated[int, limit_number(0, MOST_OFFERS)]
OfferNumber = Annotated[int, limit_number(1, MOST_OFFERS * CONSTANTS.players_max * len(DECK))]


class OpenOffer(msgspec.Struct, frozen=True):
    """That an offer is open is public; its contents are for the two parties (CEM-708)."""

    offer_id: OfferNumber
    from_: Seat = msgspec.field(name="from")
    to: Seat | None
    """None for an offer to everybody."""
    give: Side | msgspec.UnsetType = msgspec.UNSET
    """Absent for third parties of an offer to one player."""
    ask: Side | msgspec.UnsetType = msgspec.UNSET
    """Likewise."""
    unnamed_cards: Cards | msgspec.UnsetType = msgspec.UNSET
    """The offerer's hand cards for the number in `give`; absent for all others."""
    declined_by: Seats = ()
    """The seats that have declined an offer to everybody."""


class View(msgspec.Struct, frozen=True):
    """The public position, and what the viewer alone may know beside it. Most tuples hold a value a seat."""

    seats: Annotated[int, limit_number(CONSTANTS.players_min, CONSTANTS.players_max)]
    options: Options
    turn: Annotated[int, limit_number(0, len(DECK))]
    phase: Phase
    step: StepKind | None
    """The step that the game waits for; None when it has ended."""
    lead_seat: Seat
    empire: BySeat[str | None]
    treasury: BySeat[Money]
    in_play: BySeat[Cards]
    discard_pile: Cards
    fate_order: Seats
    fate_in: Seats
    """The seats that still buy extra cards in this Fate Phase."""
    fate_round: CardCount
    event_order: Annotated[tuple[Seat, ...], limit_items(999)]
    event_index: Annotated[int, limit_number(0, 999)]
    """The number of event turns that are over."""
    italian_used: bool
    italian_pending: CardCount
    """The number of cards that the Italian must discard now."""
    next_offer_id: OfferNumber
    offers_made: BySeat[OfferCount]
    trade_finished: BySeat[bool]
    discards_due: BySeat[CardCount]
    result: Result | None
    hand_count: BySeat[CardCount]
    deck_count: CardCount
    final_turn: bool
    """True if the last card of the deck has been drawn (CEM-209)."""
    event_turn: Seat | None
    """The seat whose event turn it is."""
    fate_answered: BySeat[bool]
    """Of sealed answers only that they were given; likewise of build lists and of excess cards."""
    build_submitted: BySeat[bool]
    discard_submitted: BySeat[bool]
    revenue_forecast: BySeat[Money]
    """The next revenue of each seat if the cards in play stay the same; 0 where none comes."""
    hand: Cards | None
    """The viewer's own, in order of arrival; None for spectators, like the four that follow."""
    fate_answer: bool | None
    """The viewer's sealed answer: whether it buys an extra card."""
    build_plan: Cards | None
    discard_choice: Cards | None
    known: Annotated[tuple[Known, ...], limit_items(len(DECK))] | None
    """The cards in other hands that the viewer saw pass."""
    offers: Annotated[tuple[OpenOffer, ...], limit_items(MOST_OFFERS * CONSTANTS.players_max)]


def view(state: State, seat: Seat | None) -> View:
    """Return what all see, and what *seat* alone may know beside it (CEM-203, CEM-205, CEM-708)."""
    return View(
        seats=state.seats,
        options=state.options,
        turn=state.turn,
        phase=state.phase,
        step=state.step,
        lead_seat=state.lead_seat,
        empire=state.empire,
        treasury=state.treasury,
        in_play=state.in_play,
        discard_pile=state.discard_pile,
        fate_order=state.fate_order,
        fate_in=state.fate_in,
        fate_round=state.fate_round,
        event_order=state.event_order,
        event_index=state.event_index,
        italian_used=state.italian_used,
        italian_pending=state.italian_pending,
        next_offer_id=state.next_offer_id,
        offers_made=state.offers_made,
        trade_finished=state.trade_finished,
        discards_due=state.discards_due,
        result=state.result,
        hand_count=tuple(len(hand) for hand in state.hand),
        deck_count=len(state.deck),
        final_turn=not state.deck,
        event_turn=current(state),
        fate_answered=tuple(answer is not None for answer in state.fate_answers),
        build_submitted=tuple(plan is not None for plan in state.build_plans),
        discard_submitted=tuple(choice is not None for choice in state.discard_choices),
        revenue_forecast=_forecast(state),
        hand=None if seat is None else state.hand[seat],
        fate_answer=None if seat is None else state.fate_answers[seat],
        build_plan=None if seat is None else state.build_plans[seat],
        discard_choice=None if seat is None else state.discard_choices[seat],
        known=None if seat is None else state.known[seat],
        offers=tuple(_open_offer(offer, seat) for offer in state.offers),
    )


def _forecast(state: State) -> tuple[int, ...]:
    if state.phase == "setup" or _revenue_is_over(state):
        return (0,) * state.seats
    counts = [resources_by_region(cards) for cards in state.in_play]
    return tuple(revenue(state, seat, counts).total for seat in range(state.seats))


def _revenue_is_over(state: State) -> bool:
    """Return True if no Revenue is to come: the final turn has none after its own (CEM-801)."""
    return state.phase == "ended" or (not state.deck and state.phase in {"event", "build", "trade"})


def _open_offer(offer: Offer, seat: Seat | None) -> OpenOffer:
    shown = OpenOffer(offer.offer_id, offer.from_, offer.to, declined_by=offer.declined_by)
    if offer.to is None or seat in {offer.from_, offer.to}:
        shown = replace(shown, give=offer.give, ask=offer.ask)
    return replace(shown, unnamed_cards=offer.unnamed_cards) if seat == offer.from_ else shown
