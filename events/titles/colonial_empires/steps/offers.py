"""Trade offers: which may be accepted, which a seat may make, which moves are listed or sampled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.offers import choose_evenly
from events.rules.kit.values import remove_each
from events.rules.kit.words import format_count
from events.rules.steps import Command, Rejected
from events.titles.colonial_empires.checks import require_cards, require_in_hand
from events.titles.colonial_empires.commands import (
    AcceptTrade,
    DeclineTrade,
    FinishTrading,
    OfferTrade,
    Terms,
    WithdrawTrade,
)
from events.titles.colonial_empires.data import CARD_NAMES, CONSTANTS, RESOURCES
from events.titles.colonial_empires.derived import covers, is_covered
from events.titles.colonial_empires.picks import choose_from, one_in, random_cards, random_side
from events.titles.colonial_empires.state import Cards, Offer, State

MOST_OFFERS = 120
"""The largest number of offers listed, for all partners together. Never all are listed.

Either side gives any cards of a hand and in play and any number of Fortunes. With five cards a side there
are more than a hundred thousand ways.
"""
MOST_ANSWERS = 60
"""The largest number of listed acceptances of one offer that asks for any hand cards."""
USUAL_PRICE = 5
"""Fortunes in a listed offer, or all there are if that is less."""


def count_offers_left(state: State, seat: Seat) -> int:
    """Return how many offers *seat* may still make; one to everybody counts for each other (CEM-710)."""
    return CONSTANTS.max_offers_per_other_player * (state.seats - 1) - state.offers_made[seat]


def may_offer(state: State, seat: Seat) -> bool:
    """Return True if *seat* may make an offer now (CEM-710, CEM-713)."""
    return not state.trade_finished[seat] and count_offers_left(state, seat) > 0


def may_offer_all(state: State, seat: Seat) -> bool:
    """Return True if *seat* may make an offer to everybody: there are several others, and offers left."""
    return state.seats > 2 and may_offer(state, seat) and count_offers_left(state, seat) >= state.seats - 1


def offers_to(state: State, seat: Seat) -> list[Offer]:
    """Return the open offers that *seat* is to answer."""
    return [offer for offer in state.offers if offer.is_for(seat)]


def offers_of(state: State, seat: Seat) -> list[Offer]:
    """Return the open offers that *seat* has made."""
    return [offer for offer in state.offers if offer.from_ == seat]


def is_acceptable(state: State, offer: Offer, seat: Seat) -> bool:
    """Return True if *seat*, a recipient, can accept now."""
    return covers(state, seat, offer.ask) and is_covered(state, offer)


def require_acceptable(state: State, offer: Offer, seat: Seat, unnamed: Cards) -> None:
    """Raise Rejected with the reason if *seat* cannot accept now, with these *unnamed* cards."""
    _require_asked(state, offer, seat)
    _require_given(state, offer)
    require_unnamed(state, seat, offer.ask.hand_cards, unnamed, offer.ask.hand_card_count)


def _require_asked(state: State, offer: Offer, seat: Seat) -> None:
    """Raise Rejected if the recipient lacks what is asked for, on acceptance (CEM-706)."""
    if state.treasury[seat] < offer.ask.fortunes:
        raise Rejected("insufficient_fortunes", "You have too few Fortunes for this offer: decline it.")
    if not covers(state, seat, offer.ask):
        raise Rejected("recipient_lacks_card", "You do not have all the cards asked for: decline the offer.")


def _require_given(state: State, offer: Offer) -> None:
    """Raise Rejected if the offerer no longer holds everything they offer (CEM-705)."""
    if not is_covered(state, offer):
        raise Rejected(
            "offerer_lacks_assets", "The offerer no longer has what they offer: decline the offer."
        )


def require_unnamed(state: State, seat: Seat, named: Cards, unnamed: Cards, count: int) -> None:
    """Raise Rejected unless *unnamed* are *count* hand cards of *seat* beside those named (CEM-721)."""
    require_cards(unnamed)
    if len(unnamed) != count:
        cards = format_count(count, "hand card")
        raise Rejected("wrong_card_count", f"Choose exactly {cards} of your own for the unnamed ones.")
    require_in_hand(state, seat, (*named, *unnamed))


def list_unseen_by(state: State, seat: Seat) -> Cards:
    """The cards that *seat* cannot place for certain: those of the deck and of other hands, together."""
    return (*state.deck, *(card for other, hand in enumerate(state.hand) if other != seat for card in hand))


# --- listed --------------------------------------------------------------------------------------


_NOTHING = Terms()
"""The side of a gift that gives nothing."""


def legal_trading(state: State, seat: Seat) -> Iterator[Command]:
    """Yield answers, then finishing, then a selection of offers, then withdrawals."""
    for offer in offers_to(state, seat):
        if is_acceptable(state, offer, seat):
            yield from islice(_list_acceptances(state, seat, offer), MOST_ANSWERS)
        yield DeclineTrade(offer.offer_id)
    if not state.trade_finished[seat]:
        yield FinishTrading()
    if may_offer(state, seat):
        offers = [offer for partner in _partners(state, seat) for offer in _list_offers(state, seat, partner)]
        yield from choose_evenly(offers, MOST_OFFERS, _kind)
    for offer in offers_of(state, seat):
        yield WithdrawTrade(offer.offer_id)


def lists_all_acceptances(state: State, seat: Seat) -> bool:
    """Return True if every way to accept an open offer is listed."""
    for offer in offers_to(state, seat):
        if offer.ask.hand_card_count and is_acceptable(state, offer, seat):
            more = islice(_list_acceptances(state, seat, offer), MOST_ANSWERS, None)
            if next(more, None) is not None:
                return False
    return True


def _list_acceptances(state: State, seat: Seat, offer: Offer) -> Iterator[AcceptTrade]:
    """Yield an acceptance for each choice of the hand cards that are asked for by number (CEM-721)."""
    spare = remove_each(state.hand[seat], offer.ask.hand_cards)
    for cards in choose_from(spare, offer.ask.hand_card_count):
        yield AcceptTrade(offer.offer_id, cards)


def _partners(state: State, seat: Seat) -> list[Seat | None]:
    """Return those to whom *seat* may make an offer: each other player, then everybody."""
    others: list[Seat | None] = [partner for partner in range(state.seats) if partner != seat]
    return [*others, None] if may_offer_all(state, seat) else others


def _list_offers(state: State, seat: Seat, partner: Seat | None) -> list[OfferTrade]:
    """Buying, selling, exchanging single cards, and gifts, the kinds in turn."""
    others = [other for other in range(state.seats) if other != seat and partner in {other, None}]
    price = min(USUAL_PRICE, state.treasury[seat])
    theirs = min(USUAL_PRICE, max(state.treasury[other] for other in others))
    own = _own_cards(state, seat)
    wanted = _list_wanted_cards(state, seat, others)
    paid, asked = Terms(fortunes=price), Terms(fortunes=theirs)
    buying = [OfferTrade(partner, paid, ask) for ask in wanted] if price else []
    selling = [OfferTrade(partner, give, asked) for give in own] if theirs else []
    exchanging = [OfferTrade(partner, give, ask) for give in own for ask in wanted[:4]]
    gifts = [OfferTrade(partner, give, _NOTHING) for give in ([paid, *own] if price else own)]
    in_turn = zip_longest(buying, selling, exchanging, gifts)
    return [offer for kinds in in_turn for offer in kinds if offer is not None]


def _kind(offer: OfferTrade) -> tuple[Seat | None, bool, bool, bool]:
    """With whom, and whether it buys, sells, exchanges or gives: each kind has its share of a cut list."""
    return offer.to, bool(offer.give.fortunes), bool(offer.ask.fortunes), offer.ask == _NOTHING


def _own_cards(state: State, seat: Seat) -> list[Terms]:
    hand = [Terms(hand_cards=(card,)) for card in dict.fromkeys(state.hand[seat])]
    return hand + [Terms(in_play_cards=(card,)) for card in state.in_play[seat]]


def _list_wanted_cards(state: State, seat: Seat, others: list[Seat]) -> list[Terms]:
    """Return terms for one card each: those in play, unseen Resource cards, then any card (CEM-706).

    The unseen ones are of one's own regions.
    """
    regions = {
        RESOURCES[card].region for card in (*state.in_play[seat], *state.hand[seat]) if card in RESOURCES
    }
    unseen = set(list_unseen_by(state, seat))
    asked = [card for card, it in RESOURCES.items() if card in unseen and it.region in regions]
    in_play = [Terms(in_play_cards=(card,)) for other in others for card in state.in_play[other]]
    anything = [Terms(hand_card_count=1)] if any(state.hand[other] for other in others) else []
    return in_play + [Terms(hand_cards=(card,)) for card in asked] + anything


# --- one at random -------------------------------------------------------------------------------


def sample_trading(state: State, seat: Seat, chance: Chance) -> Command | None:
    """Return an answer if one is waited for; else an offer now and then, and an end soon.

    The more offers were made, the fewer follow: each may bring others back to trading.
    """
    for offer in offers_to(state, seat):
        return _sample_answer(state, seat, offer, chance)
    own = offers_of(state, seat)
    if own and (state.trade_finished[seat] or one_in(chance, 4)):
        return WithdrawTrade(chance.pick(own, hidden=True).offer_id)
    if state.trade_finished[seat]:
        return None
    if may_offer(state, seat) and one_in(chance, 2 + 2 * state.offers_made[seat]):
        return _sample_offer(state, seat, chance) or FinishTrading()
    return FinishTrading()


def _sample_answer(state: State, seat: Seat, offer: Offer, chance: Chance) -> Command:
    if not one_in(chance, 3) and is_acceptable(state, offer, seat):
        spare = remove_each(state.hand[seat], offer.ask.hand_cards)
        return AcceptTrade(offer.offer_id, random_cards(spare, offer.ask.hand_card_count, chance))
    return DeclineTrade(offer.offer_id)


def _sample_offer(state: State, seat: Seat, chance: Chance) -> OfferTrade | None:
    partner = chance.pick(_partners(state, seat), hidden=True)
    others = [other for other in range(state.seats) if other != seat and partner in {other, None}]
    give = random_side(state.treasury[seat], state.hand[seat], state.in_play[seat], chance)
    if give is None or one_in(chance, 8):
        return OfferTrade(partner, give, Terms()) if give else None
    give, unnamed = _hide_names(give, chance)
    other = chance.pick(others, hidden=True)
    purse = 0 if give.fortunes else state.treasury[other]
    unseen = list_unseen_by(state, seat) or tuple(CARD_NAMES)
    ask = random_side(purse, unseen, state.in_play[other], chance)
    if ask is None:
        return None
    if state.hand[other]:
        ask, _ = _hide_names(ask, chance)
    return OfferTrade(partner, give, ask, unnamed)


def _hide_names(terms: Terms, chance: Chance) -> tuple[Terms, Cards]:
    """Now and then, return hand cards by number alone, with their names apart."""
    if not terms.hand_cards or not one_in(chance, 3):
        return terms, ()
    return Terms(hand_card_count=len(terms.hand_cards)), terms.hand_cards
