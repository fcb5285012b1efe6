"""The Fate Phase: the basic deal, then buying rounds with sealed answers."""

from __future__ import annotations

from events.chance import Chance
from events.fact import Seat
from events.titles.colonial_empires.checks import (
    Drafting,
    already_answered,
    draw_cards,
    not_awaited,
    note_empty_deck,
    require_step,
)
from events.titles.colonial_empires.commands import DeclineExtraCard, RequestExtraCard
from events.titles.colonial_empires.data import CONSTANTS
from events.titles.colonial_empires.derived import empire_of, least_first
from events.titles.colonial_empires.facts import (
    ExtraCardAnswered,
    ExtraCardBought,
    ExtraCardUnavailable,
    ExtraDrawRoundStarted,
    ExtraDrawStopped,
    FateCardsDrawn,
    FateOrderSet,
)
from events.titles.colonial_empires.state import State


def begin(draft: Drafting, chance: Chance) -> bool:
    """Everybody draws; then the first buying round, if anyone can pay (CEM-303 to CEM-306)."""
    draft.emit(FateOrderSet(least_first(draft.state, range(draft.state.seats))))
    _basic_deal(draft, chance)
    return _next_round(draft)


def _basic_deal(draft: Drafting, chance: Chance) -> None:
    """One card at a time in Fate order, a pass for each card, the English one more (CEM-304, CEM-305)."""
    state = draft.state
    entitled = {seat: CONSTANTS.fate_draw + empire_of(state, seat).free_draws for seat in state.fate_order}
    places = [
        seat for turn in range(max(entitled.values())) for seat in state.fate_order if turn < entitled[seat]
    ]
    drawn: dict[Seat, list[str]] = {seat: [] for seat in state.fate_order}
    cards = draw_cards(state, chance, len(places))
    for seat, card in zip(places, cards, strict=False):  # the deal stops with the deck (CEM-314)
        drawn[seat].append(card)
    left = len(state.deck)
    for seat, own in drawn.items():
        left -= len(own)
        draft.emit(FateCardsDrawn(seat, len(own), tuple(own), left))
    note_empty_deck(draft)


def _next_round(draft: Drafting) -> bool:
    """A round for those who can pay; True if buying is over (CEM-310, CEM-312)."""
    if not draft.state.deck:
        return True
    for seat in _in_fate_order(draft.state):
        if not can_pay(draft.state, seat):
            draft.emit(ExtraDrawStopped(seat, "cannot_pay"))
    state = draft.state
    if not state.fate_in:
        return True
    draft.emit(ExtraDrawRoundStarted(state.fate_round + 1, state.fate_in))
    return False


def can_pay(state: State, seat: Seat) -> bool:
    """Whether the Treasury holds the price of an extra card (CEM-306, CEM-307)."""
    return state.treasury[seat] >= empire_of(state, seat).extra_card_price


def unanswered(state: State) -> tuple[Seat, ...]:
    """Whose answers the buying round waits for (CEM-309)."""
    return tuple(seat for seat in state.fate_in if state.fate_answers[seat] is None)


def _in_fate_order(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat in state.fate_order if seat in state.fate_in)


def request_extra_card(draft: Drafting, seat: Seat, command: RequestExtraCard, chance: Chance) -> bool:
    """Buy one card in this round (CEM-306)."""
    return _answer(draft, seat, chance, buys=True)


def decline_extra_card(draft: Drafting, seat: Seat, command: DeclineExtraCard, chance: Chance) -> bool:
    """Stop for this Fate Phase (CEM-309)."""
    return _answer(draft, seat, chance, buys=False)


def _answer(draft: Drafting, seat: Seat, chance: Chance, *, buys: bool) -> bool:
    state = draft.state
    require_step(state, "fate_extra")
    if seat not in state.fate_in:
        raise not_awaited("You buy no more extra cards this turn: wait for the Event Phase.")
    if state.fate_answers[seat] is not None:
        raise already_answered()
    draft.emit(ExtraCardAnswered(seat, buys))
    if unanswered(draft.state):
        return False
    _resolve(draft, chance)
    return _next_round(draft)


def _resolve(draft: Drafting, chance: Chance) -> None:
    """All have answered: in Fate order each buyer pays and draws (CEM-311)."""
    for seat in _in_fate_order(draft.state):
        if not draft.state.fate_answers[seat]:
            draft.emit(ExtraDrawStopped(seat, "declined"))
        elif draft.state.deck:
            _buy(draft, seat, chance)
        else:
            draft.emit(ExtraCardUnavailable(seat))


def _buy(draft: Drafting, seat: Seat, chance: Chance) -> None:
    state = draft.state
    price = empire_of(state, seat).extra_card_price
    (card,) = draw_cards(state, chance, 1)
    draft.emit(ExtraCardBought(seat, price, card, state.treasury[seat] - price, len(state.deck) - 1))
    note_empty_deck(draft)
