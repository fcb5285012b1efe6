"""The trades of the bots of Colonial Empires: what a trade brings a seat, offers, and answers.

`steady` takes the forecast of the revenue as it is. The bots that think know that it is too high: rivals
build in the same regions, and cards in hand wait for their turn. So they sell what others overrate.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from msgspec.structs import replace

from events.rules.fact import Seat
from events.rules.kit.values import remove_each
from events.rules.steps import Command
from events.titles.colonial_empires import commands as c
from events.titles.colonial_empires.data import EVENTS, INCOME, RESOURCES
from events.titles.colonial_empires.state import Offer, Side, State
from events.titles.colonial_empires.steps.offers import is_acceptable
from workers.bots.colonial_empires_income import compute_income
from workers.bots.colonial_empires_worth import revenues_to_come

EVENT_VALUE = 6
"""Fortunes: roughly what an Event card is worth to who plays it."""
UNNAMED_VALUE = 2
"""Fortunes: roughly what an unnamed hand card is worth. The giver chooses the one that they spare best."""
LEAST_GAIN = 3
"""Fortunes: an offer must bring more."""
SALES = 2
"""Offers of a bot that thinks, to each other player in a Trade Phase."""
CERTAIN_REVENUE = 80
"""Percent of a forecast revenue that bots which think count on; found by trial, as is the next."""
CERTAIN_HAND = 30
"""Percent of the worth of hand cards that they count on: 240 to 300 games at two seats for each value."""
RIVALRY = 30
"""Percent: how much a gain of the other side harms the seat itself."""
_Goods = Side | c.Terms


class Gain(NamedTuple):
    """The gain of a seat by a trade, in Fortunes."""

    revenue: int
    """By more revenue until the end, as forecast."""
    hand: int
    """By cards in hand."""
    fortunes: int
    """At once."""

    @property
    def hoped(self) -> int:
        """The gain if all comes as forecast."""
        return sum(self)

    @property
    def percents(self) -> int:
        """The gain that bots which think count on, in hundredths of a Fortune."""
        return CERTAIN_REVENUE * self.revenue + CERTAIN_HAND * self.hand + 100 * self.fortunes


def rate_hand_card(state: State, seat: Seat, card: str) -> int:
    """Return the worth of a card in hand: it takes a turn, and often a payment, until it earns."""
    turns = revenues_to_come(state)
    if card in EVENTS:
        return EVENT_VALUE if turns else 0
    region = RESOURCES[card].region if card in RESOURCES else ""
    together = sum(
        1
        for other in (*state.hand[seat], *state.in_play[seat])
        if other != card and other in RESOURCES and RESOURCES[other].region == region
    )
    return (2 * INCOME[card] + together) * turns // 3


def estimate_gain(state: State, seat: Seat, partner: Seat, gets: _Goods, gives: _Goods) -> Gain:
    """Return what *seat* gains by a trade with *partner*."""
    after = list(state.in_play)
    after[seat] = _exchange_cards(after[seat], gives, gets)
    after[partner] = _exchange_cards(after[partner], gets, gives)
    change = compute_income(state, seat, after) - compute_income(state, seat, state.in_play)
    turns = revenues_to_come(state)
    hand = sum(rate_hand_card(state, seat, card) for card in gets.hand_cards)
    hand -= sum(rate_hand_card(state, seat, card) for card in gives.hand_cards)
    hand += UNNAMED_VALUE * (gets.hand_card_count - gives.hand_card_count) if turns else 0
    return Gain(change * turns, hand, gets.fortunes - gives.fortunes)


def _exchange_cards(in_play: tuple[str, ...], gives: _Goods, gets: _Goods) -> tuple[str, ...]:
    return (*(card for card in in_play if card not in gives.in_play_cards), *gets.in_play_cards)


# --- answers -------------------------------------------------------------------------------------


def answer_by_forecast(state: State, seat: Seat, offer: Offer) -> Command:
    """Accept what is worth something, unless the other gains far more by it; gifts are always welcome."""
    return _answer_offer(state, seat, offer, is_careful=False)


def answer_with_care(state: State, seat: Seat, offer: Offer) -> Command:
    """Accept of the same offers only those that are sure to bring more than the other's gain does harm."""
    return _answer_offer(state, seat, offer, is_careful=True)


def _answer_offer(state: State, seat: Seat, offer: Offer, *, is_careful: bool) -> Command:
    if not is_acceptable(state, offer, seat):
        return c.DeclineTrade(offer.offer_id)
    unnamed = _pick_unnamed(state, seat, offer)
    gives = replace(offer.ask, hand_cards=offer.ask.hand_cards + unnamed, hand_card_count=0)
    mine = estimate_gain(state, seat, offer.from_, offer.give, gives)
    theirs = estimate_gain(state, offer.from_, seat, offer.ask, offer.give)
    is_good = mine.hoped > 0 and (offer.ask.empty or 2 * mine.hoped >= theirs.hoped)
    if is_good and is_careful and not offer.ask.empty:
        is_good = 100 * mine.percents > max(0, RIVALRY * theirs.percents)
    return c.AcceptTrade(offer.offer_id, unnamed) if is_good else c.DeclineTrade(offer.offer_id)


def _pick_unnamed(state: State, seat: Seat, offer: Offer) -> tuple[str, ...]:
    """Return the cards that it can spare best, for hand cards that are asked for by number."""
    spare = remove_each(state.hand[seat], offer.ask.hand_cards)
    return tuple(
        sorted(spare, key=lambda card: rate_hand_card(state, seat, card))[: offer.ask.hand_card_count]
    )


# --- offers --------------------------------------------------------------------------------------


def find_purchase(state: State, seat: Seat) -> Command | None:
    """Buy the card in play that it can use most, at a price that leaves both sides something."""
    best: tuple[int, Command] | None = None
    for partner in range(state.seats):
        if partner == seat:
            continue
        for card in state.in_play[partner]:
            ask = Side(in_play_cards=(card,))
            mine = estimate_gain(state, seat, partner, ask, Side()).hoped
            theirs = -estimate_gain(state, partner, seat, Side(), ask).hoped
            price = min(theirs + 1, state.treasury[seat])
            if price >= 1 and mine - price > max(LEAST_GAIN, best[0] if best else 0):
                offer = c.OfferTrade(partner, c.Terms(fortunes=price), c.Terms(in_play_cards=(card,)))
                best = (mine - price, offer)
    return best[1] if best else None


def find_sale(state: State, seat: Seat) -> Command | None:
    """Offer a card for sale at the highest price that `steady` pays; None: nothing more for now.

    The offers of a Trade Phase go through :func:`_plan_sales`. So nobody is offered twice what they have
    declined, and each other player gets :data:`SALES` offers at most, one at a time.
    """
    made = state.offers_made[seat]
    if made >= SALES * (state.seats - 1):
        return None
    planned = _plan_sales(state, seat)
    asked = {offer.to for offer in state.offers if offer.from_ == seat}
    return planned[made] if made < len(planned) and planned[made].to not in asked else None


def _plan_sales(state: State, seat: Seat) -> list[c.OfferTrade]:
    """Return the sales in their order: in each round, to each other player the best of what is left."""
    rated = [each for partner in range(state.seats) for each in _rate_sales(state, seat, partner)]
    left = [sale for _, sale in sorted(rated, key=itemgetter(0), reverse=True)]
    planned: list[c.OfferTrade] = []
    for _ in range(SALES):
        taken: set[object] = set()
        for sale in left:
            if taken.isdisjoint((sale.to, sale.give)):
                taken |= {sale.to, sale.give}
                planned.append(sale)
        left = [sale for sale in left if sale not in planned]
    return planned


def _rate_sales(state: State, seat: Seat, partner: Seat) -> Iterator[tuple[int, c.OfferTrade]]:
    """Yield each sale to a partner that brings enough, with the gain in ten-thousandths of a Fortune."""
    for goods in _list_goods(state, seat) if partner != seat else ():
        mine = estimate_gain(state, seat, partner, Side(), goods)
        theirs = estimate_gain(state, partner, seat, goods, Side())
        price = min(_find_highest_price(theirs.hoped, -mine.hoped), state.treasury[partner])
        if price >= 1 and mine.percents + 100 * price > 0:
            gain = 100 * (mine.percents + 100 * price) - RIVALRY * (theirs.percents - 100 * price)
            if gain > 10_000 * LEAST_GAIN:
                give = c.Terms(hand_cards=goods.hand_cards, in_play_cards=goods.in_play_cards)
                yield gain, c.OfferTrade(partner, give, c.Terms(fortunes=price))


def _list_goods(state: State, seat: Seat) -> Iterator[Side]:
    """Yield each single card of *seat*, as it would stand in an offer."""
    for card in dict.fromkeys(state.hand[seat]):
        yield Side(hand_cards=(card,))
    for card in state.in_play[seat]:
        yield Side(in_play_cards=(card,))


def _find_highest_price(worth: int, cost: int) -> int:
    """Return the price that leaves the buyer a gain, and at least half of what the seller gains."""
    return min(worth - 1, (2 * worth + cost) // 3)
