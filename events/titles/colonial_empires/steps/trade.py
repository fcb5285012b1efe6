"""The Trade Phase up to the hand limit: offers, answers, finishing."""

from __future__ import annotations

from events.chance import Chance
from events.fact import Seat
from events.steps import INVALID_PARAMETERS, Rejected
from events.titles.colonial_empires.checks import (
    Drafting,
    require_cards,
    require_in_hand,
    require_step,
)
from events.titles.colonial_empires.commands import (
    AcceptTrade,
    DeclineTrade,
    FinishTrading,
    OfferTrade,
    Terms,
    WithdrawTrade,
)
from events.titles.colonial_empires.data import CONSTANTS
from events.titles.colonial_empires.derived import covers, holds
from events.titles.colonial_empires.facts import (
    Passed,
    TradeCompleted,
    TradeDeclined,
    TradeLapsed,
    TradeOffered,
    TradeWithdrawn,
    TradingFinished,
)
from events.titles.colonial_empires.state import Offer, Side, State
from events.titles.colonial_empires.steps import hand_limit


def begin(draft: Drafting, chance: Chance) -> bool:
    """Trading is open for all (CEM-701)."""
    return False


def offer_trade(draft: Drafting, seat: Seat, command: OfferTrade, chance: Chance) -> bool:
    """An offer to one player; an older one to him is replaced (CEM-703, CEM-709)."""
    state = draft.state
    require_step(state, "trading")
    _require_terms(command)
    _require_partner(state, seat, command.to)
    _require_two_sides(command)
    _require_offered(state, seat, command.give)
    _require_askable(state, command.to, command.ask)
    if state.offers_made[seat] >= CONSTANTS.max_offers_per_player_per_trade_phase:
        raise Rejected(
            "offer_limit_reached", "You have made all your offers of this Trade Phase: answer or finish."
        )
    for offer in state.offers:
        if (offer.from_, offer.to) == (seat, command.to):
            draft.emit(TradeWithdrawn(offer.offer_id, offer.from_, offer.to))
    draft.emit(
        TradeOffered(state.next_offer_id, seat, command.to, side_of(command.give), side_of(command.ask))
    )
    return False


def side_of(terms: Terms) -> Side:
    """The terms of a command as they stand in an offer."""
    return Side(terms.fortunes, terms.hand_cards, terms.in_play_cards)


def _require_terms(command: OfferTrade) -> None:
    sides = (command.give, command.ask)
    if any(len(set(terms.in_play_cards)) != len(terms.in_play_cards) for terms in sides):
        raise Rejected(INVALID_PARAMETERS, "Name each card in play once only.")
    for terms in sides:
        require_cards((*terms.hand_cards, *terms.in_play_cards))


def _require_partner(state: State, seat: Seat, to: Seat) -> None:
    if state.trade_finished[seat]:
        raise Rejected(
            "trading_finished", "You have finished trading: you may only answer or withdraw offers."
        )
    if to == seat:
        raise Rejected("cannot_trade_with_self", "Make the offer to another player.")
    if not 0 <= to < state.seats:
        raise Rejected("unknown_target", f"There is no such seat: name one of 0 to {state.seats - 1}.")


def _require_two_sides(command: OfferTrade) -> None:
    """Both sides give something, Fortunes on one side only (CEM-704)."""
    for terms in (command.give, command.ask):
        if not (terms.fortunes or terms.hand_cards or terms.in_play_cards):
            raise Rejected("empty_side", "Both sides must give at least one card or 1 Fortune.")
    if command.give.fortunes and command.ask.fortunes:
        raise Rejected("fortunes_on_both_sides", "Name Fortunes on one side only: the difference.")


def _require_offered(state: State, seat: Seat, give: Terms) -> None:
    """The offerer must hold everything he offers (CEM-705)."""
    if give.fortunes > state.treasury[seat]:
        raise Rejected(
            "insufficient_fortunes", f"You have {state.treasury[seat]} Fortunes: offer no more than that."
        )
    require_in_hand(state, seat, give.hand_cards)
    if not holds(state.in_play[seat], give.in_play_cards):
        raise Rejected("card_not_in_play", "Offer only cards that you have in play.")


def _require_askable(state: State, to: Seat, ask: Terms) -> None:
    """What is public must be there; hand cards are looked at on acceptance only (CEM-706)."""
    if ask.fortunes > state.treasury[to]:
        raise Rejected("recipient_cannot_pay", f"This player has {state.treasury[to]} Fortunes: ask no more.")
    if not holds(state.in_play[to], ask.in_play_cards):
        raise Rejected("recipient_card_not_in_play", "Ask only for cards that this player has in play.")


def accept_trade(draft: Drafting, seat: Seat, command: AcceptTrade, chance: Chance) -> bool:
    """The whole trade or nothing (CEM-703); offers that are no longer covered lapse (CEM-712)."""
    offer = _offer_to(draft.state, seat, command.offer_id)
    objection = acceptance_objection(draft.state, offer)
    if objection:
        raise objection
    draft.emit(TradeCompleted(offer.offer_id, offer.from_, offer.to, _passed(offer.give), _passed(offer.ask)))
    for other in draft.state.offers:
        if not covers(draft.state, other.from_, other.give):
            draft.emit(TradeLapsed(other.offer_id, other.from_, other.to))
    return _end_when_done(draft)


def acceptance_objection(state: State, offer: Offer) -> Rejected | None:
    """Why the recipient cannot accept now, if so."""
    if state.treasury[offer.to] < offer.ask.fortunes:
        return Rejected("insufficient_fortunes", "You have too few Fortunes for this offer: decline it.")
    if not covers(state, offer.to, offer.ask):
        return Rejected("recipient_lacks_card", "You do not have all the cards asked for: decline the offer.")
    if not covers(state, offer.from_, offer.give):
        return Rejected(
            "offerer_lacks_assets", "The offerer no longer has what he offers: decline the offer."
        )
    return None


def _passed(side: Side) -> Passed:
    return Passed(side.fortunes, side.in_play_cards, len(side.hand_cards), side.hand_cards)


def decline_trade(draft: Drafting, seat: Seat, command: DeclineTrade, chance: Chance) -> bool:
    """The recipient says no (CEM-711)."""
    offer = _offer_to(draft.state, seat, command.offer_id)
    draft.emit(TradeDeclined(offer.offer_id, offer.from_, offer.to))
    return _end_when_done(draft)


def withdraw_trade(draft: Drafting, seat: Seat, command: WithdrawTrade, chance: Chance) -> bool:
    """The offerer takes his offer back, also after he has finished (CEM-711)."""
    offer = _open_offer(draft.state, command.offer_id)
    if offer.from_ != seat:
        raise Rejected("not_the_offerer", "Only who made this offer can withdraw it.")
    draft.emit(TradeWithdrawn(offer.offer_id, offer.from_, offer.to))
    return _end_when_done(draft)


def _open_offer(state: State, offer_id: int) -> Offer:
    require_step(state, "trading")
    for offer in state.offers:
        if offer.offer_id == offer_id:
            return offer
    raise Rejected("offer_not_open", "There is no such open offer: look at the list of open offers.")


def _offer_to(state: State, seat: Seat, offer_id: int) -> Offer:
    offer = _open_offer(state, offer_id)
    if offer.to != seat:
        raise Rejected("not_the_recipient", "This offer is made to another player: only he can answer it.")
    return offer


def finish_trading(draft: Drafting, seat: Seat, command: FinishTrading, chance: Chance) -> bool:
    """No more offers of this seat; it still answers (CEM-713)."""
    state = draft.state
    require_step(state, "trading")
    if state.trade_finished[seat]:
        raise Rejected("trading_finished", "You have finished already: wait for the others.")
    draft.emit(TradingFinished(seat))
    return _end_when_done(draft)


def _end_when_done(draft: Drafting) -> bool:
    """All finished and no offer open (CEM-714)."""
    state = draft.state
    if state.offers or not all(state.trade_finished):
        return False
    return hand_limit.begin(draft)
