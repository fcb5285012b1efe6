"""Trade offers: which may be accepted, which a seat may make, which moves are listed or sampled."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.titles.colonial_empires.kept.v1.kit.offers import choose_evenly
from events.rules.steps import Command, Rejected
from events.titles.colonial_empires.kept.v1.commands import (
    AcceptTrade,
    DeclineTrade,
    FinishTrading,
    OfferTrade,
    Terms,
    WithdrawTrade,
)
from events.titles.colonial_empires.kept.v1.data import CARD_NAMES, CONSTANTS, RESOURCES
from events.titles.colonial_empires.kept.v1.derived import covers
from events.titles.colonial_empires.kept.v1.picks import one_in, random_side
from events.titles.colonial_empires.kept.v1.state import Cards, Offer, State

MOST_OFFERS = 120
"""The largest number of offers listed, for all partners together. Never all are listed.

Either side gives any cards of a hand and in play and any number of Fortunes. With five cards a side there
are more than a hundred thousand ways.
"""
_OFFER_LIMIT = CONSTANTS.max_offers_per_player_per_trade_phase
USUAL_PRICE = 5
"""Fortunes in a listed offer, or all there are if that is less."""


def may_offer(state: State, seat: Seat) -> bool:
    """Return True if *seat* may make an offer now (CEM-710, CEM-713)."""
    return not state.trade_finished[seat] and state.offers_made[seat] < _OFFER_LIMIT


def offers_to(state: State, seat: Seat) -> list[Offer]:
    """Return the open offers that *seat* is to answer."""
    return [offer for offer in state.offers if offer.to == seat]


def offers_of(state: State, seat: Seat) -> list[Offer]:
    """Return the open offers that *seat* has made."""
    return [offer for offer in state.offers if offer.from_ == seat]


def is_acceptable(state: State, offer: Offer) -> bool:
    """Return True if the recipient can accept now."""
    return covers(state, offer.to, offer.ask) and covers(state, offer.from_, offer.give)


def require_acceptable(state: State, offer: Offer) -> None:
    """Raise Rejected with the reason if the recipient cannot accept now."""
    _require_asked(state, offer)
    _require_given(state, offer)


def _require_asked(state: State, offer: Offer) -> None:
    """Raise Rejected if the recipient lacks what is asked for, on acceptance (CEM-706)."""
    if state.treasury[offer.to] < offer.ask.fortunes:
        raise Rejected("insufficient_fortunes", "You have too few Fortunes for this offer: decline it.")
    if not covers(state, offer.to, offer.ask):
        raise Rejected("recipient_lacks_card", "You do not have all the cards asked for: decline the offer.")


def _require_given(state: State, offer: Offer) -> None:
    """Raise Rejected if the offerer no longer holds everything they offer (CEM-705)."""
    if not covers(state, offer.from_, offer.give):
        raise Rejected(
            "offerer_lacks_assets", "The offerer no longer has what they offer: decline the offer."
        )


def list_unseen_by(state: State, seat: Seat) -> Cards:
    """The cards that *seat* cannot place for certain: those of the deck and of other hands, together."""
    return (*state.deck, *(card for other, hand in enumerate(state.hand) if other != seat for card in hand))


# --- listed --------------------------------------------------------------------------------------


def legal_trading(state: State, seat: Seat) -> Iterator[Command]:
    """Yield answers, then finishing, then a selection of offers, then withdrawals."""
    for offer in offers_to(state, seat):
        if is_acceptable(state, offer):
            yield AcceptTrade(offer.offer_id)
        yield DeclineTrade(offer.offer_id)
    if not state.trade_finished[seat]:
        yield FinishTrading()
    if may_offer(state, seat):
        partners = (partner for partner in range(state.seats) if partner != seat)
        offers = (offer for partner in partners for offer in _list_offers(state, seat, partner))
        yield from choose_evenly(offers, MOST_OFFERS, _kind)
    for offer in offers_of(state, seat):
        yield WithdrawTrade(offer.offer_id)


def _list_offers(state: State, seat: Seat, partner: Seat) -> Iterator[OfferTrade]:
    """Buying, selling and exchanging single cards, the kinds in turn."""
    price, theirs = min(USUAL_PRICE, state.treasury[seat]), min(USUAL_PRICE, state.treasury[partner])
    own = _own_cards(state, seat)
    wanted = _list_wanted_cards(state, seat, partner)
    buying = (OfferTrade(partner, Terms(fortunes=price), ask) for ask in wanted if price)
    selling = (OfferTrade(partner, give, Terms(fortunes=theirs)) for give in own if theirs)
    exchanging = (OfferTrade(partner, give, ask) for give in own for ask in wanted[:4])
    return _take_in_turn([buying, selling, exchanging])


def _kind(offer: OfferTrade) -> tuple[Seat, bool, bool]:
    """With whom, and whether it buys, sells or exchanges: each kind has its share of a list that is cut."""
    return offer.to, bool(offer.give.fortunes), bool(offer.ask.fortunes)


def _own_cards(state: State, seat: Seat) -> list[Terms]:
    hand = [Terms(hand_cards=(card,)) for card in dict.fromkeys(state.hand[seat])]
    return hand + [Terms(in_play_cards=(card,)) for card in state.in_play[seat]]


def _list_wanted_cards(state: State, seat: Seat, partner: Seat) -> list[Terms]:
    """Return terms for one card each: those in the partner's play, then unseen Resource cards (CEM-706).

    The unseen ones are of one's own regions.
    """
    regions = {
        RESOURCES[card].region for card in (*state.in_play[seat], *state.hand[seat]) if card in RESOURCES
    }
    unseen = set(list_unseen_by(state, seat))
    asked = [card for card, it in RESOURCES.items() if card in unseen and it.region in regions]
    in_play = [Terms(in_play_cards=(card,)) for card in state.in_play[partner]]
    return in_play + [Terms(hand_cards=(card,)) for card in asked]


def _take_in_turn(kinds: list[Iterator[OfferTrade]]) -> Iterator[OfferTrade]:
    while kinds:
        for kind in tuple(kinds):
            offer = next(kind, None)
            if offer is None:
                kinds.remove(kind)
            else:
                yield offer


# --- one at random -------------------------------------------------------------------------------


def sample_trading(state: State, seat: Seat, chance: Chance) -> Command | None:
    """Return an answer if one is waited for; else an offer now and then, and an end soon."""
    for offer in offers_to(state, seat):
        return _sample_answer(state, offer, chance)
    own = offers_of(state, seat)
    if own and (state.trade_finished[seat] or one_in(chance, 4)):
        return WithdrawTrade(chance.pick(own, hidden=True).offer_id)
    if state.trade_finished[seat]:
        return None
    if may_offer(state, seat) and not one_in(chance, 2):
        return _sample_offer(state, seat, chance) or FinishTrading()
    return FinishTrading()


def _sample_answer(state: State, offer: Offer, chance: Chance) -> Command:
    if not one_in(chance, 3) and is_acceptable(state, offer):
        return AcceptTrade(offer.offer_id)
    return DeclineTrade(offer.offer_id)


def _sample_offer(state: State, seat: Seat, chance: Chance) -> OfferTrade | None:
    partner = (seat + 1 + chance.pick(range(state.seats - 1), hidden=True)) % state.seats
    give = random_side(state.treasury[seat], state.hand[seat], state.in_play[seat], chance)
    purse = 0 if give is None or give.fortunes else state.treasury[partner]
    ask = random_side(purse, list_unseen_by(state, seat) or tuple(CARD_NAMES), state.in_play[partner], chance)
    return OfferTrade(partner, give, ask) if give and ask else None
