"""The Trade Phase up to the hand limit: offers, answers, finishing."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from msgspec.structs import asdict

from events.rules.fact import Fact, Seat
from events.rules.kit.words import format_count
from events.rules.steps import (
    ALREADY_ANSWERED,
    INVALID_PARAMETERS,
    NOT_YOUR_DECISION,
    Command,
    Draft,
    Move,
    Rejected,
    Step,
    return_false,
)
from events.titles.colonial_empires.checks import require_cards, require_in_hand
from events.titles.colonial_empires.commands import (
    AcceptTrade,
    DeclineTrade,
    FinishTrading,
    OfferTrade,
    Terms,
    WithdrawTrade,
)
from events.titles.colonial_empires.derived import holds, is_covered
from events.titles.colonial_empires.facts import (
    Passed,
    TradeCompleted,
    TradeDeclined,
    TradeLapsed,
    TradeOffered,
    TradeOfferedToAll,
    TradeWithdrawn,
    TradingFinished,
    TradingReopened,
)
from events.titles.colonial_empires.state import Cards, Offer, Side, State
from events.titles.colonial_empires.steps.offers import (
    count_offers_left,
    legal_trading,
    lists_all_acceptances,
    may_offer,
    offers_of,
    offers_to,
    require_acceptable,
    require_unnamed,
    sample_trading,
)
from events.titles.colonial_empires.words import card_names, fortunes, offer_text, seat_name, terms_text


def begin(draft: Draft[State]) -> None:
    """Trading is open for all (CEM-701): nothing happens by itself."""


def _traders(state: State) -> list[Seat]:
    """Return all who have not finished, and every recipient of an open offer (CEM-714)."""
    return [
        seat
        for seat, done in enumerate(state.trade_finished)
        if not done or any(offer.is_for(seat) for offer in state.offers)
    ]


def _withdrawers(state: State) -> list[Seat]:
    """Return the seats that are not waited for, but can take an offer back: they have finished (CEM-711)."""
    if not state.offers:
        return []
    offerers, awaited = {offer.from_ for offer in state.offers}, TRADING.asked(state)
    return [seat for seat in sorted(offerers) if seat not in awaited]


# --- offering ------------------------------------------------------------------------------------


def _offer(draft: Draft[State], seat: Seat, command: OfferTrade) -> None:
    """Make an offer; an older one to the same is replaced, and who had finished trades again.

    CEM-703, CEM-709, CEM-713.
    """
    state = draft.state
    _require_trading(state)
    _require_terms(command)
    _require_unfinished(state, seat)
    _require_partner(state, seat, command.to)
    _require_something(command)
    _require_offered(state, seat, command)
    _require_askable(state, seat, command)
    _require_offers_left(state, seat, command)
    for offer in offers_of(state, seat):
        if offer.to == command.to:
            draft.emit(TradeWithdrawn(offer.offer_id, offer.from_, offer.to))
    draft.emit(_make_offer(state.next_offer_id, seat, command))
    for other in _recipients(state, seat, command):
        if state.trade_finished[other]:
            draft.emit(TradingReopened(other))


def _make_offer(offer_id: int, seat: Seat, command: OfferTrade) -> Fact:
    give, ask, unnamed = side_of(command.give), side_of(command.ask), command.unnamed_cards
    if command.to is None:
        return TradeOfferedToAll(offer_id, seat, give, ask, unnamed)
    return TradeOffered(offer_id, seat, command.to, give, ask, unnamed)


def _recipients(state: State, seat: Seat, command: OfferTrade) -> list[Seat]:
    """Return the seats to which the offer is made."""
    return [other for other in range(state.seats) if other != seat and command.to in {other, None}]


def side_of(terms: Terms) -> Side:
    """Return the terms of a command as they stand in an offer."""
    return Side(terms.fortunes, terms.hand_cards, terms.in_play_cards, terms.hand_card_count)


def _require_trading(state: State) -> None:
    if state.step != "trading":
        raise Rejected(NOT_YOUR_DECISION, "There is no trading now: wait for the Trade Phase.")


def _require_terms(command: OfferTrade) -> None:
    sides = (command.give, command.ask)
    if any(len(set(terms.in_play_cards)) != len(terms.in_play_cards) for terms in sides):
        raise Rejected(INVALID_PARAMETERS, "Name each card in play once only.")
    for terms in sides:
        require_cards((*terms.hand_cards, *terms.in_play_cards))
    require_cards(command.unnamed_cards)


def _require_unfinished(state: State, seat: Seat) -> None:
    """Raise Rejected if the seat has finished: it makes no more offers (CEM-713)."""
    if state.trade_finished[seat]:
        raise Rejected(
            "trading_finished", "You have finished trading: wait for an offer to you, or withdraw your own."
        )


def _require_partner(state: State, seat: Seat, to: Seat | None) -> None:
    if to is None:
        return
    if to == seat:
        raise Rejected("cannot_trade_with_self", "Make the offer to another player.")
    if not 0 <= to < state.seats:
        raise Rejected("unknown_target", f"There is no such seat: name one of 0 to {state.seats - 1}.")


def _require_offers_left(state: State, seat: Seat, command: OfferTrade) -> None:
    """Raise Rejected beyond the limit of offers per Trade Phase (CEM-710)."""
    left = count_offers_left(state, seat)
    if left <= 0:
        raise Rejected(
            "offer_limit_reached", "You have made all your offers of this Trade Phase: answer or finish."
        )
    if left < len(_recipients(state, seat, command)):
        raise Rejected(
            "offer_limit_reached",
            f"You may make {format_count(left, 'more offer')}: too few for one to everybody.",
        )


def _require_something(command: OfferTrade) -> None:
    """Raise Rejected unless something changes hands, Fortunes on one side only (CEM-704)."""
    if side_of(command.give).empty and side_of(command.ask).empty:
        raise Rejected("empty_offer", "Give or ask for at least one card or 1 Fortune.")
    if command.give.fortunes and command.ask.fortunes:
        raise Rejected("fortunes_on_both_sides", "Name Fortunes on one side only: the difference.")


def _require_offered(state: State, seat: Seat, command: OfferTrade) -> None:
    """Raise Rejected if the offerer does not hold everything they offer (CEM-705)."""
    give = command.give
    if give.fortunes > state.treasury[seat]:
        there = fortunes(state.treasury[seat])
        raise Rejected("insufficient_fortunes", f"You have {there}: offer no more than that.")
    require_in_hand(state, seat, give.hand_cards)
    require_unnamed(state, seat, give.hand_cards, command.unnamed_cards, give.hand_card_count)
    if not holds(state.in_play[seat], give.in_play_cards):
        raise Rejected("card_not_in_play", "Offer only cards that you have in play.")


def _require_askable(state: State, seat: Seat, command: OfferTrade) -> None:
    """Raise Rejected if no recipient has the public things asked for (CEM-706).

    Which hand cards they hold is looked at on acceptance only.
    """
    ask, who = command.ask, _recipients(state, seat, command)
    if ask.fortunes > (most := max(state.treasury[other] for other in who)):
        whose = "No other player has more than" if command.to is None else "This player has"
        raise Rejected("recipient_cannot_pay", f"{whose} {fortunes(most)}: ask no more.")
    if not any(holds(state.in_play[other], ask.in_play_cards) for other in who):
        told = "one other player has" if command.to is None else "this player has"
        raise Rejected("recipient_card_not_in_play", f"Ask only for cards that {told} in play.")
    if ask.hand_card_count > (most := max(len(state.hand[other]) for other in who)):
        raise Rejected("recipient_has_few_cards", f"Ask for at most {format_count(most, 'hand card')} here.")


# --- answering, withdrawing, finishing -----------------------------------------------------------


def _accept(draft: Draft[State], seat: Seat, command: AcceptTrade) -> None:
    """Carry out the whole trade or nothing (CEM-703); offers no longer covered lapse (CEM-712)."""
    offer = _offer_to(draft.state, seat, command.offer_id)
    require_cards(command.unnamed_cards)
    require_acceptable(draft.state, offer, seat, command.unnamed_cards)
    give, ask = _pass(offer.give, offer.unnamed_cards), _pass(offer.ask, command.unnamed_cards)
    draft.emit(TradeCompleted(offer.offer_id, offer.from_, seat, give, ask))
    for other in draft.state.offers:
        if not is_covered(draft.state, other):
            draft.emit(TradeLapsed(other.offer_id, other.from_, other.to, "uncovered"))


def _pass(side: Side, unnamed: Cards) -> Passed:
    cards = side.hand_cards + unnamed
    return Passed(side.fortunes, side.in_play_cards, len(cards), cards)


def _decline(draft: Draft[State], seat: Seat, command: DeclineTrade) -> None:
    """Decline an offer as its recipient (CEM-711); one to everybody lapses with the last (CEM-722)."""
    offer = _offer_to(draft.state, seat, command.offer_id)
    draft.emit(TradeDeclined(offer.offer_id, offer.from_, seat))
    left = _open_offer(draft.state, offer.offer_id)
    if left is not None and not any(left.is_for(other) for other in range(draft.state.seats)):
        draft.emit(TradeLapsed(left.offer_id, left.from_, left.to, "declined"))


def _withdraw(draft: Draft[State], seat: Seat, command: WithdrawTrade) -> None:
    """Take the offerer's offer back, also after they have finished (CEM-711)."""
    offer = _require_open(draft.state, command.offer_id)
    if offer.from_ != seat:
        raise Rejected("not_the_offerer", "Another player made this offer: withdraw only your own.")
    draft.emit(TradeWithdrawn(offer.offer_id, offer.from_, offer.to))


def _offer_to(state: State, seat: Seat, offer_id: int) -> Offer:
    """Return the open offer; raise Rejected unless the seat is its recipient (CEM-711)."""
    offer = _require_open(state, offer_id)
    if seat in offer.declined_by:
        raise Rejected(ALREADY_ANSWERED, "You have declined this offer. Make one of your own instead.")
    if not offer.is_for(seat):
        raise Rejected("not_the_recipient", "This offer is not made to you: answer one that is.")
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
    """Finish trading: no more offers of this seat, unless one is made to it (CEM-713)."""
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


def _offer_label(state: State, _seat: Seat, command: OfferTrade) -> str:
    to = _name(state, command.to)
    give, ask = _format_terms(command.give), _format_terms(command.ask)
    if not give:
        return f"Ask {to} for {ask} as a gift"
    hidden = f" ({card_names(command.unnamed_cards)})" if command.unnamed_cards else ""
    return f"Offer {to} {give}{hidden} {f'for {ask}' if ask else 'as a gift'}"


@lru_cache(1024)
def _format_terms(terms: Terms) -> str:
    """Return one side of an offer in words, put together once for all offers of a list that share it."""
    return terms_text(asdict(terms))


def _name(state: State, seat: Seat | None) -> str:
    return "everybody" if seat is None else seat_name(state, seat)


def _accept_label(state: State, seat: Seat, command: AcceptTrade) -> str:
    offer = _open_offer(state, command.offer_id)
    if offer is None or not offer.is_for(seat):
        return f"Accept offer {command.offer_id}"
    chosen = f", giving {card_names(command.unnamed_cards)}" if command.unnamed_cards else ""
    return f"Accept offer {offer.offer_id} of {seat_name(state, offer.from_)}: {_terms(offer)}{chosen}"


def _terms(offer: Offer) -> str:
    return offer_text({"give": asdict(offer.give), "ask": asdict(offer.ask)})


def _decline_label(state: State, seat: Seat, command: DeclineTrade) -> str:
    offer = _open_offer(state, command.offer_id)
    if offer is None or not offer.is_for(seat):
        return f"Decline offer {command.offer_id}"
    return f"Decline offer {offer.offer_id} of {seat_name(state, offer.from_)}: {_terms(offer)}"


def _withdraw_label(state: State, seat: Seat, command: WithdrawTrade) -> str:
    offer = _open_offer(state, command.offer_id)
    if offer is None or offer.from_ != seat:
        return f"Withdraw offer {command.offer_id}"
    return f"Withdraw offer {offer.offer_id} to {_name(state, offer.to)}: {_terms(offer)}"


# --- the step ------------------------------------------------------------------------------------


ACCEPT = Move[State](
    command=AcceptTrade, take=_accept, complete=lists_all_acceptances, label=_accept_label, own_words=True
)
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
