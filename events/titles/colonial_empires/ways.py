"""The ways to say commands whose legal list is a selection or one order of many.

See `events/rules/kit/ways.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from events.rules.fact import Seat
from events.rules.kit.values import remove_each
from events.rules.kit.ways import DONE, Way, choose_one, choose_several, choose_some
from events.rules.steps import Command
from events.titles.colonial_empires.commands import (
    AcceptTrade,
    DiscardExcess,
    DiscardForItalianPower,
    OfferTrade,
    SubmitBuild,
    Terms,
)
from events.titles.colonial_empires.data import CARD_NAMES, EMPIRES
from events.titles.colonial_empires.derived import empire_of
from events.titles.colonial_empires.state import Cards, State
from events.titles.colonial_empires.steps.build import build_cost, few_enough, list_buildable
from events.titles.colonial_empires.steps.offers import (
    is_acceptable,
    list_unseen_by,
    may_offer,
    may_offer_all,
    offers_to,
)

NAMES = (*CARD_NAMES, *EMPIRES)


def _italian_discard(state: State, seat: Seat) -> Way:
    return choose_some(state.hand[seat], state.italian_pending, state.italian_pending)


def _excess(state: State, seat: Seat) -> Way:
    return choose_some(state.hand[seat], state.discards_due[seat], state.discards_due[seat])


def _build(state: State, seat: Seat) -> Way:
    """A list that can be paid for stays so without its last card: no card adds more than its price."""
    empire, there = empire_of(state, seat), Counter(list_buildable(state.hand[seat]))

    def list_more(chosen: Cards) -> Iterator[str]:
        for card in there - Counter(chosen):
            cards = (*chosen, card)
            if build_cost(empire, cards) <= state.treasury[seat] and few_enough(state, empire, cards):
                yield card

    return choose_several(list_more, lambda _chosen: True, lambda _chosen: DONE)


# --- offers ---------------------------------------------------------------------------------------


def _offer(state: State, seat: Seat) -> Way | None:
    """Return the way to say an offer: partner, what is given and asked, unnamed cards (CEM-704).

    Fortunes are on one side. Of a partner's hand no more is asked than they hold, or a single card.
    """
    if not may_offer(state, seat):
        return None
    hand = state.hand[seat]
    own = _Stock(state.treasury[seat], hand, len(hand), len(hand), (state.in_play[seat],))
    unseen = list_unseen_by(state, seat) or tuple(CARD_NAMES)

    def choose_asked(partner: Seat | None, given: Terms) -> Way:
        others = [other for other in range(state.seats) if other != seat and partner in {other, None}]
        purse = 0 if given.fortunes else max(state.treasury[other] for other in others)
        most = max(len(state.hand[other]) for other in others)
        in_play = tuple(state.in_play[other] for other in others)
        asked = _Stock(purse, unseen, max(1, most), most, in_play)
        return _side(asked, lambda _asked: choose_unnamed(given), least=1 if given == Terms() else 0)

    def choose_unnamed(given: Terms) -> Way:
        return _own_choice(hand, given.hand_cards, given.hand_card_count)

    partners: list[Seat | None] = [partner for partner in range(state.seats) if partner != seat]
    if may_offer_all(state, seat):
        partners.append(None)
    return choose_one(partners, lambda to: _side(own, lambda given: choose_asked(to, given), least=0))


def _own_choice(hand: Cards, named: Cards, count: int) -> Way:
    """Return the way to say the unnamed cards: so many of a hand, beside those that are named (CEM-721)."""
    return choose_some(remove_each(hand, named), count, count)


class _Stock(NamedTuple):
    """The stock that one side of an offer is made of."""

    fortunes: int
    hand: Cards
    named: int
    """So many hand cards may be named."""
    most: int
    """So many hand cards there may be in all."""
    in_play: tuple[Cards, ...]
    """By player the cards in play: those named are all of one player."""


def _side(stock: _Stock, then: Callable[[Terms], Way], least: int) -> Way:
    """Return the way to say one side: Fortunes, hand cards, cards in play, a number of hand cards.

    At least *least* things are named, 0 or 1.
    """

    def choose_hand(fortunes: int) -> Way:
        needed = 0 if fortunes or stock.most or any(stock.in_play) else least
        return choose_some(stock.hand, needed, stock.named, lambda hand: choose_in_play(fortunes, hand))

    def choose_in_play(fortunes: int, hand: Cards) -> Way:
        needed = 0 if fortunes or hand or stock.most else least

        def list_more(chosen: Cards) -> Iterator[str]:
            held = [cards for cards in stock.in_play if set(chosen) <= set(cards)]
            return iter(dict.fromkeys(card for cards in held for card in cards if card not in chosen))

        return choose_several(
            list_more,
            lambda chosen: len(chosen) >= needed,
            lambda chosen: choose_count(fortunes, hand, chosen),
        )

    def choose_count(fortunes: int, hand: Cards, in_play: Cards) -> Way:
        needed = 0 if fortunes or hand or in_play else least
        counts = range(needed, max(0, stock.most - len(hand)) + 1)
        return choose_one(counts, lambda count: then(Terms(fortunes, hand, in_play, count)))

    return choose_one(range(stock.fortunes + 1), choose_hand)


def _accept(state: State, seat: Seat) -> Way | None:
    """Return the way to say an acceptance: the offer, then one's hand cards that it does not name."""
    offers = {offer.offer_id: offer for offer in offers_to(state, seat) if is_acceptable(state, offer, seat)}

    def choose_cards(number: int) -> Way:
        ask = offers[number].ask
        return _own_choice(state.hand[seat], ask.hand_cards, ask.hand_card_count)

    return choose_one(offers, choose_cards) if offers else None


WAYS: Mapping[type[Command], Callable[[State, Seat], Way | None]] = {
    AcceptTrade: _accept,
    DiscardForItalianPower: _italian_discard,
    DiscardExcess: _excess,
    SubmitBuild: _build,
    OfferTrade: _offer,
}
