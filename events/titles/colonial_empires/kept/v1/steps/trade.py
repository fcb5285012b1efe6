"""The Trade Phase up to the hand limit: offers, answers, finishing."""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import asdict

from events.rules.fact import Seat
from events.rules.steps import (
    INVALID_PARAMETERS,
    NOT_YOUR_DECISION,
    Command,
    Draft,
    Move,
    Rejected,
    Step,
    return_false,
)
from events.titles.colonial_empires.kept.v1.checks import require_cards, require_in_hand
from events.titles.colonial_empires.kept.v1.commands import (
    AcceptTrade,
    DeclineTrade,
    FinishTrading,
    OfferTrade,
    Terms,
    WithdrawTrade,
)
from events.titles.colonial_empires.kept.v1.derived import covers, holds
from events.titles.colonial_empires.kept.v1.facts import (
    Passed,
    TradeCompleted,
    TradeDeclined,
    TradeLapsed,
    TradeOffered,
    TradeWithdrawn,
    TradingFinished,
)
from events.titles.colonial_empires.kept.v1.state import Offer, Side, State
from events.titles.colonial_empires.kept.v1.steps.offers import (
    legal_trading,
    may_offer,
    offers_of,
    offers_to,
    require_acceptable,
    sample_trading,
)
from events.titles.colonial_empires.kept.v1.words import seat_name, side_text


def begin(draft: Draft[State]) -> None:
    """Trading is open for all (CEM-701): nothing happens by itself."""


def _traders(state: State) -> list[Seat]:
    """Return all who have not finished, and every recipient of an open offer (CEM-714)."""
    if not state.offers:
        return [seat for seat, done in enumerate(state.trade_finished) if not done]
    recipients = {offer.to for offer in state.offers}
    return [seat for seat, done in enumerate(state.trade_finished) if not done or seat in recipients]


def _withdrawers(state: State) -> list[Seat]:
    """Return the seats that are not waited for, but can take an offer back: they have finished (CEM-711)."""
    if not state.offers:
        return []
    offerers, awaited = {offer.from_ for offer in state.offers}, TRADING.asked(state)
    return [seat for seat in sorted(offerers) if seat not in awaited]


# --- offering ------------------------------------------------------------------------------------


def _offer(draft: Draft[State], seat: Seat, command: OfferTrade) -> None:
    """Make an offer to one player; an older one to the same player is replaced (CEM-703, CEM-709)."""
    state = draft.state
    _require_trading(state)
    _require_terms(command)
    _require_unfinished(state, seat)
    _require_partner(state, seat, command.to)
    _require_two_sides(command)
    _require_offered(state, seat, command.give)
    _require_askable(state, command.to, command.ask)
    _require_offers_left(state, seat)
    for offer in offers_of(state, seat):
        if offer.to == command.to:
            draft.emit(TradeWithdrawn(offer.offer_id, offer.from_, offer.to))
    draft.emit(
        TradeOffered(state.next_offer_id, seat, command.to, side_of(command.give), side_of(command.ask))
    )


def side_of(terms: Terms) -> Side:
    """Return the terms of a command as they stand in an offer."""
    return Side(terms.fortunes, terms.hand_cards, terms.in_play_cards)


def _require_trading(state: State) -> None:
    if state.step != "trading":
        raise Rejected(NOT_YOUR_DECISION, "There is no trading now: wait for the Trade Phase.")


def _require_terms(command: OfferTrade) -> None:
    sides = (command.give, command.ask)
    if any(len(set(terms.in_play_cards)) != len(terms.in_play_cards) for terms in sides):
        raise Rejected(INVALID_PARAMETERS, "Name each card in play once only.")
    for terms in sides:
        require_cards((*terms.hand_cards, *terms.in_play_cards))


def _require_unfinished(state: State, seat: Seat) -> None:
    """Raise Rejected if the seat has finished: it makes no more offers (CEM-713)."""
    if state.trade_finished[seat]:
        raise Rejected(
            "trading_finished", "You have finished trading: you may only answer or withdraw offers."
        )


def _require_partner(state: State, seat: Seat, to: Seat) -> None:
    if to == seat:
        raise Rejected("cannot_trade_with_self", "Make the offer to another player.")
    if not 0 <= to < state.seats:
        raise Rejected("unknown_target", f"There is no such seat: name one of 0 to {state.seats - 1}.")


def _require_offers_left(state: State, seat: Seat) -> None:
    """Raise Rejected beyond the limit of offers per Trade Phase (CEM-710)."""
    if not may_offer(state, seat):
        raise Rejected(
            "offer_limit_reached", "You have made all your offers of this Trade Phase: answer or finish."
        )


def _require_two_sides(command: OfferTrade) -> None:
    """Raise Rejected unless both sides give something, Fortunes on one side only (CEM-704)."""
    for terms in (command.give, command.ask):
        if not (terms.fortunes or terms.hand_cards or terms.in_play_cards):
            raise Rejected("empty_side", "Both sides must give at least one card or 1 Fortune.")
    if command.give.fortunes and command.ask.fortunes:
        raise Rejected("fortunes_on_both_sides", "Name Fortunes on one side only: the difference.")


def _require_offered(state: State, seat: Seat, give: Terms) -> None:
    """Raise Rejected if the offerer does not hold everything they offer (CEM-705)."""
    if give.fortunes > state.treasury[seat]:
        raise Rejected(
            "insufficient_fortunes", f"You have {state.treasury[seat]} Fortunes: offer no more than that."
        )
    require_in_hand(state, seat, give.hand_cards)
    if not holds(state.in_play[seat], give.in_play_cards):
        raise Rejected("card_not_in_play", "Offer only cards that you have in play.")


def _require_askable(state: State, to: Seat, ask: Terms) -> None:
    """Raise Rejected if the public things asked for are not there (CEM-706).

    Hand cards are looked at on acceptance only.
    """
    if ask.fortunes > state.treasury[to]:
        raise Rejected("recipient_cannot_pay", f"This player has {state.treasury[to]} Fortunes: ask no more.")
    if not holds(state.in_play[to], ask.in_play_cards):
        raise Rejected("recipient_card_not_in_play", "Ask only for cards that this player has in play.")


# --- answering, withdrawing, finishing -----------------------------------------------------------


def _accept(draft: Draft[State], seat: Seat, command: AcceptTrade) -> None:
    """Carry out the whole trade or nothing (CEM-703); offers no longer covered lapse (CEM-712)."""
    offer = _offer_to(draft.state, seat, command.offer_id)
    require_acceptable(draft.state, offer)
    draft.emit(
        TradeCompleted(
            offer.offer_id, offer.from_, offer.to, _make_passed(offer.give), _make_passed(offer.ask)
        )
    )
    for other in draft.state.offers:
        if not covers(draft.state, other.from_, other.give):
            draft.emit(TradeLapsed(other.offer_id, other.from_, other.to))


def _make_passed(side: Side) -> Passed:
    return Passed(side.fortunes, side.in_play_cards, len(side.hand_cards), side.hand_cards)


def _decline(draft: Draft[State], seat: Seat, command: DeclineTrade) -> None:
    """Decline an offer as its recipient (CEM-711)."""
    offer = _offer_to(draft.state, seat, command.offer_id)
    draft.emit(TradeDeclined(offer.offer_id, offer.from_, offer.to))


def _withdraw(draft: Draft[State], seat: Seat, command: WithdrawTrade) -> None:
    """Take the offerer's offer back, also after they have finished (CEM-711)."""
    offer = _require_open(draft.state, command.offer_id)
    if offer.from_ != seat:
        raise Rejected("not_the_offerer", "Only who made this offer can withdraw it.")
    draft.emit(TradeWithdrawn(offer.offer_id, offer.from_, offer.to))


def _offer_to(state: State, seat: Seat, offer_id: int) -> Offer:
    """Return the open offer; raise Rejected unless the seat is its recipient (CEM-711)."""
    offer = _require_open(state, offer_id)
    if offer.to != seat:
        raise Rejected(
            "not_the_recipient", "This offer is made to another player: only its recipient can answer it."
        )
    return offer


def _require_open(state: State, offer_id: int) -> Offer:
    """Return the offer of that number; raise Rejected unless it is open (CEM-711)."""
    _require_trading(state)
    offer = _open_offer(state, offer_id)
    if offer is None:
        raise Rejected("offer_not_open", "There is no such open offer: look at the list of open offers.")
    return offer


def _open_offer(state: State, offer_id: int) -> Offer | None:
    return next((offer for offer in state.offers if offer.offer_id == offer_id), None)


def _finish(draft: Draft[State], seat: Seat, command: FinishTrading) -> None:
    """Finish trading: no more offers of this seat; it still answers (CEM-713)."""
    _require_trading(draft.state)
    if draft.state.trade_finished[seat]:
        raise Rejected("trading_finished", "You have finished already: wait for the others.")
    draft.emit(TradingFinished(seat))


def _leave(state: State, seat: Seat) -> Command:
    """Return the next command of a player who leaves (CEM-904).

    They decline every open offer to them, withdraw their own and finish, one after the other.
    """
    for offer in offers_to(state, seat):
        return DeclineTrade(offer.offer_id)
    for offer in offers_of(state, seat):
        return WithdrawTrade(offer.offer_id)
    return FinishTrading()


# --- buttons -------------------------------------------------------------------------------------


def _terms(give: Terms | Side, ask: Terms | Side) -> str:
    return f"{side_text(asdict(give))} for {side_text(asdict(ask))}"


def _offer_label(state: State, _seat: Seat, command: OfferTrade) -> str:
    return f"Offer {seat_name(state, command.to)} {_terms(command.give, command.ask)}"


def _accept_label(state: State, seat: Seat, command: AcceptTrade) -> str:
    offer = _open_offer(state, command.offer_id)
    if offer is None or offer.to != seat:
        return f"Accept offer {command.offer_id}"
    return (
        f"Accept offer {offer.offer_id} of {seat_name(state, offer.from_)}: {_terms(offer.give, offer.ask)}"
    )


def _decline_label(state: State, seat: Seat, command: DeclineTrade) -> str:
    offer = _open_offer(state, command.offer_id)
    if offer is None or offer.to != seat:
        return f"Decline offer {command.offer_id}"
    terms = _terms(offer.give, offer.ask)
    return f"Decline offer {offer.offer_id} of {seat_name(state, offer.from_)}: {terms}"


def _withdraw_label(state: State, seat: Seat, command: WithdrawTrade) -> str:
    offer = _open_offer(state, command.offer_id)
    if offer is None or offer.from_ != seat:
        return f"Withdraw offer {command.offer_id}"
    terms = _terms(offer.give, offer.ask)
    return f"Withdraw offer {offer.offer_id} to {seat_name(state, offer.to)}: {terms}"


# --- the step ------------------------------------------------------------------------------------


ACCEPT = Move[State](command=AcceptTrade, take=_accept, label=_accept_label, own_words=True)
DECLINE = Move[State](command=DeclineTrade, take=_decline, label=_decline_label, own_words=True)
OFFER = Move[State](
    command=OfferTrade,
    take=_offer,
    complete=return_false,  # offers have no end
    label=_offer_label,
    own_words=True,
)
WITHDRAW = Move[State](command=WithdrawTrade, take=_withdraw, label=_withdraw_label, own_words=True)
FINISH = Move[State](command=FinishTrading, take=_finish, label="Finish trading", own_words=True)


def _choice(state: State, seat: Seat) -> tuple[Move[State], ...]:
    """Return the moves of *seat*, as far as they are public (CEM-711, CEM-713)."""
    before = (ACCEPT, DECLINE) if state.offers and offers_to(state, seat) else ()
    offering = (OFFER,) if may_offer(state, seat) else ()
    own = (WITHDRAW,) if state.offers and offers_of(state, seat) else ()
    return (*before, *offering, *own, *(() if state.trade_finished[seat] else (FINISH,)))


TRADING = Step[State](
    kind="trading",
    asked=_traders,
    moves=(ACCEPT, DECLINE, OFFER, WITHDRAW, FINISH),
    choice=_choice,
    legal=legal_trading,
    default=_leave,
    sample=sample_trading,
)
WITHDRAWING = replace(TRADING, asked=_withdrawers, free=True)
