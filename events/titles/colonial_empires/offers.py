"""Trade offers that a seat might make, and its answers: listed and sampled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from events.chance import Chance
from events.fact import Seat
from events.steps import Command
from events.titles.colonial_empires.commands import (
    AcceptTrade,
    DeclineTrade,
    FinishTrading,
    OfferTrade,
    Terms,
    WithdrawTrade,
)
from events.titles.colonial_empires.data import CARD_NAMES, CONSTANTS, RESOURCES
from events.titles.colonial_empires.state import Cards, Offer, State
from events.titles.colonial_empires.steps.trade import acceptance_objection

MOST_OFFERS = 120
"""How many offers are listed at most, for all partners together."""
USUAL_PRICE = 5
"""Fortunes in a listed offer, or all there are if that is less."""


def may_offer(state: State, seat: Seat) -> bool:
    """Whether *seat* may make an offer now (CEM-710, CEM-713)."""
    limit = CONSTANTS.max_offers_per_player_per_trade_phase
    return not state.trade_finished[seat] and state.offers_made[seat] < limit


def unseen_by(state: State, seat: Seat) -> Cards:
    """The cards that *seat* cannot place for certain: those of the deck and of other hands, together."""
    return (*state.deck, *(card for other, hand in enumerate(state.hand) if other != seat for card in hand))


def legal_trading(state: State, seat: Seat) -> Iterator[Command]:
    """Answers, then finishing, then a selection of offers, then withdrawals."""
    for offer in state.offers:
        if offer.to == seat:
            yield from _answers(state, offer)
    if not state.trade_finished[seat]:
        yield FinishTrading()
    if may_offer(state, seat):
        share = MOST_OFFERS // (state.seats - 1)
        for partner in range(state.seats):
            if partner != seat:
                yield from islice(_some_offers(state, seat, partner), share)
    for offer in state.offers:
        if offer.from_ == seat:
            yield WithdrawTrade(offer.offer_id)


def _answers(state: State, offer: Offer) -> Iterator[Command]:
    if acceptance_objection(state, offer) is None:
        yield AcceptTrade(offer.offer_id)
    yield DeclineTrade(offer.offer_id)


def _some_offers(state: State, seat: Seat, partner: Seat) -> Iterator[OfferTrade]:
    """Buying, selling and exchanging single cards, the kinds in turn."""
    price, theirs = min(USUAL_PRICE, state.treasury[seat]), min(USUAL_PRICE, state.treasury[partner])
    own = _own_cards(state, seat)
    wanted = _wanted_cards(state, seat, partner)
    buying = (OfferTrade(partner, Terms(fortunes=price), ask) for ask in wanted if price)
    selling = (OfferTrade(partner, give, Terms(fortunes=theirs)) for give in own if theirs)
    exchanging = (OfferTrade(partner, give, ask) for give in own for ask in wanted[:4])
    return _in_turn([buying, selling, exchanging])


def _own_cards(state: State, seat: Seat) -> list[Terms]:
    hand = [Terms(hand_cards=(card,)) for card in dict.fromkeys(state.hand[seat])]
    return hand + [Terms(in_play_cards=(card,)) for card in state.in_play[seat]]


def _wanted_cards(state: State, seat: Seat, partner: Seat) -> list[Terms]:
    """What the partner has in play, then unseen Resource cards of one's own regions (CEM-706)."""
    regions = {
        RESOURCES[card].region for card in (*state.in_play[seat], *state.hand[seat]) if card in RESOURCES
    }
    unseen = set(unseen_by(state, seat))
    asked = [card for card, it in RESOURCES.items() if card in unseen and it.region in regions]
    in_play = [Terms(in_play_cards=(card,)) for card in state.in_play[partner]]
    return in_play + [Terms(hand_cards=(card,)) for card in asked]


def _in_turn(kinds: list[Iterator[OfferTrade]]) -> Iterator[OfferTrade]:
    while kinds:
        for kind in tuple(kinds):
            offer = next(kind, None)
            if offer is None:
                kinds.remove(kind)
            else:
                yield offer


# --- one at random -------------------------------------------------------------------------------


def one_in(chance: Chance, number: int) -> bool:
    """True once in *number* times."""
    return chance.pick(range(number), hidden=True) == 0


def sample_trading(state: State, seat: Seat, chance: Chance) -> Command | None:
    """An answer if one is waited for; else an offer now and then, and an end soon."""
    for offer in state.offers:
        if offer.to == seat:
            return _sample_answer(state, offer, chance)
    own = [offer for offer in state.offers if offer.from_ == seat]
    if own and (state.trade_finished[seat] or one_in(chance, 4)):
        return WithdrawTrade(chance.pick(own, hidden=True).offer_id)
    if state.trade_finished[seat]:
        return None
    if may_offer(state, seat) and not one_in(chance, 2):
        return _sample_offer(state, seat, chance) or FinishTrading()
    return FinishTrading()


def _sample_answer(state: State, offer: Offer, chance: Chance) -> Command:
    if not one_in(chance, 3) and acceptance_objection(state, offer) is None:
        return AcceptTrade(offer.offer_id)
    return DeclineTrade(offer.offer_id)


def _sample_offer(state: State, seat: Seat, chance: Chance) -> OfferTrade | None:
    partner = (seat + 1 + chance.pick(range(state.seats - 1), hidden=True)) % state.seats
    give = random_side(state.treasury[seat], state.hand[seat], state.in_play[seat], chance)
    purse = 0 if give is None or give.fortunes else state.treasury[partner]
    ask = random_side(purse, unseen_by(state, seat) or tuple(CARD_NAMES), state.in_play[partner], chance)
    return OfferTrade(partner, give, ask) if give and ask else None


def random_side(purse: int, hand: Cards, in_play: Cards, chance: Chance) -> Terms | None:
    """One card, or some Fortunes; None if there is nothing."""
    kinds: Iterable[str] = [kind for kind, stock in (("f", purse), ("h", hand), ("p", in_play)) if stock]
    if not kinds:
        return None
    kind = chance.pick(list(kinds), hidden=True)
    if kind == "f":
        return Terms(fortunes=1 + chance.pick(range(min(purse, 12)), hidden=True))
    if kind == "h":
        return Terms(hand_cards=(chance.pick(hand, hidden=True),))
    return Terms(in_play_cards=(chance.pick(in_play, hidden=True),))
