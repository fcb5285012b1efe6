"""How each fact changes the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from events.fact import Fact, Seat
from events.kit.values import put, without
from events.steps import Fold
from events.titles.colonial_empires import facts as f
from events.titles.colonial_empires.data import DECK
from events.titles.colonial_empires.knowledge import after_passing, after_trade, left_openly, shown
from events.titles.colonial_empires.state import Cards, Offer, Result, State

# --- set-up ------------------------------------------------------------------------------------


def _game_started(state: State, fact: f.GameBegan) -> State:
    return state


def _lead_seat_drawn(state: State, fact: f.LeadSeatDrawn) -> State:
    return replace(state, lead_seat=fact.lead_seat)


def _empire_chosen(state: State, fact: f.EmpireChosen) -> State:
    return replace(state, empire=put(state.empire, fact.seat, fact.empire))


def _deck_shuffled(state: State, fact: f.DeckShuffled) -> State:
    return replace(state, deck=DECK)


def _fortunes_granted(state: State, fact: f.FortunesGranted) -> State:
    return _earn(state, fact.seat, fact.amount)


# --- hands, deck and money -----------------------------------------------------------------------


def _draw(state: State, fact: f.StartingHandDealt | f.FateCardsDrawn | f.CardsDrawn) -> State:
    seat = fact.seat
    return replace(
        state,
        hand=put(state.hand, seat, state.hand[seat] + fact.cards),
        deck=without(state.deck, fact.cards),
    )


def _earn(state: State, seat: Seat, amount: int) -> State:
    return replace(state, treasury=put(state.treasury, seat, state.treasury[seat] + amount))


def _discard(state: State, seat: Seat, cards: Cards) -> State:
    """Cards go from a hand to the discard pile, before all eyes."""
    hand = without(state.hand[seat], cards)
    return replace(
        state,
        hand=put(state.hand, seat, hand),
        discard_pile=state.discard_pile + cards,
        known=left_openly(state.known, seat, cards, empty=not hand),
    )


# --- turn and phases -----------------------------------------------------------------------------


def _turn_started(state: State, fact: f.TurnBegan) -> State:
    return replace(state, turn=fact.turn, lead_seat=fact.lead_seat)


def _phase_started(state: State, fact: f.PhaseBegan) -> State:
    return _PHASES[fact.phase](state)


def _fate_phase(state: State) -> State:
    return replace(state, phase="fate", step=None, fate_in=tuple(range(state.seats)), fate_round=0)


def _revenue_phase(state: State) -> State:
    return replace(state, phase="revenue", step=None, fate_in=(), fate_answers=(None,) * state.seats)


def _event_phase(state: State) -> State:
    return replace(state, phase="event", step=None, event_index=0, italian_used=False)


def _build_phase(state: State) -> State:
    return replace(state, phase="build", step="build")


def _trade_phase(state: State) -> State:
    seats = state.seats
    return replace(
        state,
        phase="trade",
        step="trading",
        build_plans=(None,) * seats,
        offers_made=(0,) * seats,
        trade_finished=(False,) * seats,
    )


_PHASES: Mapping[str, Callable[[State], State]] = {
    "fate": _fate_phase,
    "revenue": _revenue_phase,
    "event": _event_phase,
    "build": _build_phase,
    "trade": _trade_phase,
}


def _turn_ended(state: State, fact: f.TurnEnded) -> State:
    return replace(
        state,
        step=None,
        discards_due=(0,) * state.seats,
        discard_choices=(None,) * state.seats,
    )


def _game_ended(state: State, fact: f.GameEnded) -> State:
    places = tuple(fact.places[seat] for seat in range(state.seats))
    return replace(state, phase="ended", step=None, result=Result(places, fact.winners))


# --- Fate and Revenue ----------------------------------------------------------------------------


def _fate_order_set(state: State, fact: f.FateOrderSet) -> State:
    return replace(state, fate_order=fact.order)


def _nothing(state: State, fact: Fact) -> State:
    """Facts that only tell what the facts around them change."""
    return state


def _extra_draw_round_started(state: State, fact: f.ExtraDrawRoundStarted) -> State:
    return replace(state, step="fate_extra", fate_round=fact.round, fate_answers=(None,) * state.seats)


def _extra_card_answered(state: State, fact: f.ExtraCardAnswered) -> State:
    return replace(state, fate_answers=put(state.fate_answers, fact.seat, fact.buys))


def _extra_card_bought(state: State, fact: f.ExtraCardBought) -> State:
    seat = fact.seat
    return replace(
        state,
        treasury=put(state.treasury, seat, fact.treasury),
        hand=put(state.hand, seat, (*state.hand[seat], fact.card)),
        deck=without(state.deck, (fact.card,)),
    )


def _extra_draw_stopped(state: State, fact: f.ExtraDrawStopped) -> State:
    return replace(state, fate_in=without(state.fate_in, (fact.seat,)))


def _revenue_collected(state: State, fact: f.RevenueCollected) -> State:
    return replace(state, treasury=put(state.treasury, fact.seat, fact.treasury))


# --- Event Phase ---------------------------------------------------------------------------------


def _event_order_set(state: State, fact: f.EventOrderSet) -> State:
    return replace(state, event_order=fact.order)


def _event_turn_started(state: State, fact: f.EventTurnStarted) -> State:
    return state if fact.automatic else replace(state, step="event_turn")


def _event_turn_ended(state: State, fact: f.EventTurnEnded) -> State:
    return replace(state, step=None, event_index=state.event_index + 1)


def _event_card_played(state: State, fact: f.EventCardPlayed) -> State:
    return _discard(state, fact.seat, (fact.card,))


def _colonial_resource_discarded(state: State, fact: f.ColonialResourceDiscarded) -> State:
    return replace(
        state,
        in_play=put(state.in_play, fact.owner, without(state.in_play[fact.owner], (fact.card,))),
        discard_pile=(*state.discard_pile, fact.card),
    )


def _colonial_resource_stolen(state: State, fact: f.ColonialResourceStolen) -> State:
    in_play = put(state.in_play, fact.from_, without(state.in_play[fact.from_], (fact.card,)))
    return replace(state, in_play=put(in_play, fact.to, (*in_play[fact.to], fact.card)))


def _fortunes_stolen(state: State, fact: f.FortunesStolen) -> State:
    return _earn(_earn(state, fact.from_, -fact.amount), fact.to, fact.amount)


def _fortunes_gained(state: State, fact: f.FortunesGained) -> State:
    return _earn(state, fact.seat, fact.amount)


def _fortunes_lost(state: State, fact: f.FortunesLost) -> State:
    return _earn(state, fact.seat, -fact.amount)


def _hand_card_stolen(state: State, fact: f.HandCardStolen) -> State:
    victim, thief, cards = fact.from_, fact.to, (fact.card,)
    hand = without(state.hand[victim], cards)
    state = replace(state, hand=_two(state.hand, victim, hand, thief, state.hand[thief] + cards))
    return replace(state, known=after_passing(state, victim, thief, cards, ()))


def _hand_cards_discarded_at_random(state: State, fact: f.HandCardsDiscardedAtRandom) -> State:
    return _discard(state, fact.seat, fact.cards)


def _italian_discard_required(state: State, fact: f.ItalianDiscardRequired) -> State:
    return replace(state, step="italian_discard", italian_used=True, italian_pending=fact.count)


def _cards_discarded(state: State, fact: f.CardsDiscarded) -> State:
    state = _discard(state, fact.seat, fact.cards)
    if fact.reason == "italian":
        return replace(state, step="event_turn", italian_pending=0)
    return state


# --- Build Phase ---------------------------------------------------------------------------------


def _build_submitted(state: State, fact: f.BuildSubmitted) -> State:
    return replace(state, build_plans=put(state.build_plans, fact.seat, fact.cards))


def _cards_put_into_play(state: State, fact: f.CardsPutIntoPlay) -> State:
    if not fact.cards:
        return state
    seat = fact.seat
    hand = without(state.hand[seat], fact.cards)
    return replace(
        state,
        hand=put(state.hand, seat, hand),
        in_play=put(state.in_play, seat, state.in_play[seat] + fact.cards),
        treasury=put(state.treasury, seat, fact.treasury),
        known=left_openly(state.known, seat, fact.cards, empty=not hand),
    )


# --- Trade Phase ---------------------------------------------------------------------------------


def _trade_offered(state: State, fact: f.TradeOffered) -> State:
    giver, to = fact.from_, fact.to
    offer = Offer(fact.offer_id, giver, to, fact.give, fact.ask)
    known = state.known
    if fact.give.hand_cards:
        known = put(known, to, shown(known[to], fact.give.hand_cards, giver))
    return replace(
        state,
        offers=(*state.offers, offer),
        next_offer_id=fact.offer_id + 1,
        offers_made=put(state.offers_made, giver, state.offers_made[giver] + 1),
        known=known,
    )


def _offer_closed(state: State, fact: f.TradeDeclined | f.TradeWithdrawn | f.TradeLapsed) -> State:
    return replace(state, offers=_offers_without(state, fact.offer_id))


def _offers_without(state: State, offer_id: int) -> tuple[Offer, ...]:
    return tuple(offer for offer in state.offers if offer.offer_id != offer_id)


def _trade_completed(state: State, fact: f.TradeCompleted) -> State:
    one, other = fact.from_, fact.to
    give, ask = fact.give, fact.ask
    one_hand = without(state.hand[one], give.hand_cards) + ask.hand_cards
    other_hand = without(state.hand[other], ask.hand_cards) + give.hand_cards
    one_play = without(state.in_play[one], give.in_play_cards) + ask.in_play_cards
    other_play = without(state.in_play[other], ask.in_play_cards) + give.in_play_cards
    paid = give.fortunes - ask.fortunes
    state = replace(
        state,
        treasury=_two(state.treasury, one, state.treasury[one] - paid, other, state.treasury[other] + paid),
        hand=_two(state.hand, one, one_hand, other, other_hand),
        in_play=_two(state.in_play, one, one_play, other, other_play),
        offers=_offers_without(state, fact.offer_id),
    )
    return replace(state, known=after_trade(state, one, other, give.hand_cards, ask.hand_cards))


def _two(values: tuple[Any, ...], one: Seat, first: Any, other: Seat, second: Any) -> tuple[Any, ...]:
    return put(put(values, one, first), other, second)


def _trading_finished(state: State, fact: f.TradingFinished) -> State:
    return replace(state, trade_finished=put(state.trade_finished, fact.seat, True))


def _hand_limit_checked(state: State, fact: f.HandLimitChecked) -> State:
    due = tuple(fact.discards_due.get(seat, 0) for seat in range(state.seats))
    return replace(state, step="hand_limit", discards_due=due)


def _excess_discard_submitted(state: State, fact: f.ExcessDiscardSubmitted) -> State:
    return replace(state, discard_choices=put(state.discard_choices, fact.seat, fact.cards))


FOLD: Fold = {
    f.GameBegan: _game_started,
    f.LeadSeatDrawn: _lead_seat_drawn,
    f.EmpireChosen: _empire_chosen,
    f.DeckShuffled: _deck_shuffled,
    f.FortunesGranted: _fortunes_granted,
    f.StartingHandDealt: _draw,
    f.TurnBegan: _turn_started,
    f.PhaseBegan: _phase_started,
    f.FateOrderSet: _fate_order_set,
    f.FateCardsDrawn: _draw,
    f.DeckRanOut: _nothing,
    f.ExtraDrawRoundStarted: _extra_draw_round_started,
    f.ExtraCardAnswered: _extra_card_answered,
    f.ExtraCardBought: _extra_card_bought,
    f.ExtraCardUnavailable: _nothing,
    f.ExtraDrawStopped: _extra_draw_stopped,
    f.RevenueCollected: _revenue_collected,
    f.EventOrderSet: _event_order_set,
    f.EventTurnStarted: _event_turn_started,
    f.EventTurnEnded: _event_turn_ended,
    f.EventCardPlayed: _event_card_played,
    f.ColonialResourceDiscarded: _colonial_resource_discarded,
    f.ColonialResourceStolen: _colonial_resource_stolen,
    f.FortunesStolen: _fortunes_stolen,
    f.FortunesGained: _fortunes_gained,
    f.FortunesLost: _fortunes_lost,
    f.CardsDrawn: _draw,
    f.HandCardStolen: _hand_card_stolen,
    f.HandCardsDiscardedAtRandom: _hand_cards_discarded_at_random,
    f.ItalianDiscardRequired: _italian_discard_required,
    f.CardsDiscarded: _cards_discarded,
    f.BuildSubmitted: _build_submitted,
    f.CardsPutIntoPlay: _cards_put_into_play,
    f.TradeOffered: _trade_offered,
    f.TradeDeclined: _offer_closed,
    f.TradeWithdrawn: _offer_closed,
    f.TradeLapsed: _offer_closed,
    f.TradeCompleted: _trade_completed,
    f.TradingFinished: _trading_finished,
    f.HandLimitChecked: _hand_limit_checked,
    f.ExcessDiscardSubmitted: _excess_discard_submitted,
    f.TurnEnded: _turn_ended,
    f.GameEnded: _game_ended,
}
