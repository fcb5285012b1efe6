"""The Fate Phase: the basic deal, then buying rounds with sealed answers."""

from __future__ import annotations

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Draft, Move, Step
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
from events.titles.colonial_empires.picks import one_in
from events.titles.colonial_empires.state import State
from events.titles.colonial_empires.steps.turn import note_empty_deck
from events.titles.colonial_empires.words import fortunes


def begin(draft: Draft[State]) -> None:
    """Everybody draws; then the first buying round, if anyone can pay (CEM-303 to CEM-306)."""
    draft.emit(FateOrderSet(least_first(draft.state, range(draft.state.seats))))
    _basic_deal(draft)
    _next_round(draft)


def _basic_deal(draft: Draft[State]) -> None:
    """Deal one card at a time in Fate order, a pass for each; the English get one more (CEM-304, CEM-305)."""
    state = draft.state
    entitled = {seat: CONSTANTS.fate_draw + empire_of(state, seat).free_draws for seat in state.fate_order}
    places = [
        seat for turn in range(max(entitled.values())) for seat in state.fate_order if turn < entitled[seat]
    ]
    drawn: dict[Seat, list[str]] = {seat: [] for seat in state.fate_order}
    cards = draft.chance.deal(state.deck, len(places))
    for seat, card in zip(places, cards, strict=False):  # the deal stops with the deck (CEM-208, CEM-314)
        drawn[seat].append(card)
    left = len(state.deck)
    for seat, own in drawn.items():
        left -= len(own)
        draft.emit(FateCardsDrawn(seat, len(own), tuple(own), left))
    note_empty_deck(draft)


def _next_round(draft: Draft[State]) -> None:
    """Begin a round for those who can pay, if anyone and anything to draw is left (CEM-310, CEM-312)."""
    if not draft.state.deck:
        return
    for seat in _list_in_fate_order(draft.state):
        if is_all_bought(draft.state):
            draft.emit(ExtraDrawStopped(seat, "limit"))
        elif not can_pay(draft.state, seat):
            draft.emit(ExtraDrawStopped(seat, "cannot_pay"))
    state = draft.state
    if state.fate_in:
        draft.emit(ExtraDrawRoundStarted(state.fate_round + 1, state.fate_in))


def is_all_bought(state: State) -> bool:
    """Return True if those who are still in have bought all that the table allows (CEM-308)."""
    return state.options.paid_draws == "one" and state.fate_round > 0


def can_pay(state: State, seat: Seat) -> bool:
    """Return True if the Treasury holds the price of an extra card (CEM-306, CEM-307)."""
    return state.treasury[seat] >= empire_of(state, seat).extra_card_price


def _list_in_fate_order(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat in state.fate_order if seat in state.fate_in)


def _list_unanswered(state: State) -> list[Seat]:
    """Return the seats whose answers the buying round waits for (CEM-309)."""
    return [seat for seat in state.fate_in if state.fate_answers[seat] is None]


def _answer(draft: Draft[State], seat: Seat, command: RequestExtraCard | DeclineExtraCard) -> None:
    """Buy one card in this round, or stop for this Fate Phase (CEM-306, CEM-309)."""
    draft.emit(ExtraCardAnswered(seat, buys=isinstance(command, RequestExtraCard)))
    if not _list_unanswered(draft.state):
        _resolve(draft)
        _next_round(draft)


def _resolve(draft: Draft[State]) -> None:
    """Let each buyer pay and draw in Fate order, as all have answered (CEM-311)."""
    for seat in _list_in_fate_order(draft.state):
        if not draft.state.fate_answers[seat]:
            draft.emit(ExtraDrawStopped(seat, "declined"))
        elif draft.state.deck:
            _buy(draft, seat)
        else:
            draft.emit(ExtraCardUnavailable(seat))


def _buy(draft: Draft[State], seat: Seat) -> None:
    state = draft.state
    price = empire_of(state, seat).extra_card_price
    card = draft.chance.pick(state.deck, hidden=True)
    draft.emit(ExtraCardBought(seat, price, card, state.treasury[seat] - price, len(state.deck) - 1))
    note_empty_deck(draft)


def _sample(_state: State, _seat: Seat, chance: Chance) -> Command:
    return RequestExtraCard() if one_in(chance, 6) else DeclineExtraCard()


FATE_EXTRA = Step[State](
    kind="fate_extra",
    asked=_list_unanswered,
    covered=lambda state, seat: state.fate_answers[seat] is not None,
    moves=(
        Move(
            command=RequestExtraCard,
            take=_answer,
            label=lambda state, seat, _command: (
                f"Buy an extra card for {fortunes(empire_of(state, seat).extra_card_price)}"
            ),
        ),
        Move(
            command=DeclineExtraCard,
            take=_answer,
            label=lambda state, _seat, _command: (
                "Buy no extra card" if state.fate_round == 1 else "Buy no more extra cards"
            ),
        ),
    ),
    default=lambda _state, _seat: DeclineExtraCard(),
    sample=_sample,
)
