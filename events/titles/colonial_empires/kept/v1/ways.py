"""The ways to say commands whose legal list is a selection or one order of many.

See `events/rules/kit/ways.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from events.rules.fact import Seat
from events.titles.colonial_empires.kept.v1.kit.ways import DONE, Way, choose_one, choose_several, choose_some
from events.rules.steps import Command
from events.titles.colonial_empires.kept.v1.commands import (
    DiscardExcess,
    DiscardForItalianPower,
    OfferTrade,
    SubmitBuild,
)
from events.titles.colonial_empires.kept.v1.data import CARD_NAMES, EMPIRES
from events.titles.colonial_empires.kept.v1.derived import empire_of
from events.titles.colonial_empires.kept.v1.state import Cards, State
from events.titles.colonial_empires.kept.v1.steps.build import build_cost, few_enough, list_buildable
from events.titles.colonial_empires.kept.v1.steps.offers import list_unseen_by, may_offer

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
    """Return the way to say an offer: the partner, what is given, what is asked (CEM-704).

    There is something on both sides, Fortunes on one. Of a partner's hand no more is asked than they hold, or
    a single card.
    """
    own = _Stock(state.treasury[seat], state.hand[seat], state.in_play[seat], len(state.hand[seat]))
    if not may_offer(state, seat) or own.empty:
        return None
    unseen = list_unseen_by(state, seat) or tuple(CARD_NAMES)

    def choose_asked(partner: Seat, given: int) -> Way:
        purse = 0 if given else state.treasury[partner]
        most = max(1, len(state.hand[partner]))
        return _side(_Stock(purse, unseen, state.in_play[partner], most), lambda _given: DONE)

    partners = [partner for partner in range(state.seats) if partner != seat]
    return choose_one(partners, lambda to: _side(own, lambda given: choose_asked(to, given)))


class _Stock:
    """The stock that one side of an offer is made of; of *hand* no more than *most* cards."""

    def __init__(self, fortunes: int, hand: Cards, in_play: Cards, most: int) -> None:
        self.fortunes, self.hand, self.in_play, self.most = fortunes, hand, in_play, most
        self.empty = not (fortunes or hand or in_play)


def _side(stock: _Stock, then: Callable[[int], Way]) -> Way:
    """Return the way to say one side, not empty: Fortunes, hand cards, cards in play."""
    cards = bool(stock.hand or stock.in_play)

    def hand(fortunes: int) -> Way:
        least = 0 if fortunes or stock.in_play else 1
        return choose_some(stock.hand, least, stock.most, lambda chosen: choose_in_play(fortunes, chosen))

    def choose_in_play(fortunes: int, chosen: Cards) -> Way:
        least = 0 if fortunes or chosen else 1
        return choose_some(stock.in_play, least, len(stock.in_play), lambda _chosen: then(fortunes))

    return choose_one(range(0 if cards else 1, stock.fortunes + 1), hand)


WAYS: Mapping[type[Command], Callable[[State, Seat], Way | None]] = {
    DiscardForItalianPower: _italian_discard,
    DiscardExcess: _excess,
    SubmitBuild: _build,
    OfferTrade: _offer,
}
