"""`steady` for Colonial Empires: values cards by the revenue that they will still bring.

It looks one decision ahead and searches nothing. All that it weighs is public or its own: the
revenue forecast, the turns that the deck will last, its hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.kit.values import remove_each
from events.rules.steps import Command
from events.rules.title import Title
from events.titles.colonial_empires import commands as c
from events.titles.colonial_empires.data import EVENTS, INCOME, RESOURCES
from events.titles.colonial_empires.derived import empire_of
from events.titles.colonial_empires.state import Offer, Side, State
from events.titles.colonial_empires.steps.build import build_cost
from events.titles.colonial_empires.steps.choose_empires import free_empires
from events.titles.colonial_empires.steps.event import may_sift
from events.titles.colonial_empires.steps.event_cards import possible_plays
from events.titles.colonial_empires.steps.offers import is_acceptable
from workers.bot_types import Bot
from workers.bots.kept.colonial_empires.bots4.colonial_empires_income import choose_build, compute_income
from workers.bots.kept.colonial_empires.bots4.colonial_empires_worth import WORTH, count_most_revenues, revenues_to_come
from workers.bots.kept.colonial_empires.bots4.search import thinkers

_FAVOURITES = (
    "portuguese",
    "english",
    "spanish",
    "dutch",
    "italian",
    "french",
    "prussian",
    "austrian",
    "russian",
    "ottoman",
)
_EVENT_VALUE = 6
"""Roughly what an Event card is worth to who plays it."""
_UNNAMED_VALUE = 2
"""Roughly what an unnamed hand card is worth: who gives it chooses the one that they can spare best."""
_PLAY_ORDER = (
    "event_discovery",
    "event_war_at_sea",
    "event_exploitation",
    "event_privateering",
    "event_colonial_war",
    "event_rebellion",
    "event_war_in_europe",
    "event_intrigue",
)
_Goods = Side | c.Terms
_RESERVE = 5
"""Fortunes that `steady` keeps when it buys cards."""


def choose(title: Title[State], state: State, seat: Seat, chance: FastChance, budget: int) -> Command:
    """Return the move of *seat* in the imagined *state*."""
    return _CHOICES[state.step or ""](title, state, seat)


# --- what things are worth -----------------------------------------------------------------------


def _hand_worth(state: State, seat: Seat, card: str) -> int:
    """Return the worth of a card in hand: it takes a turn, and often a payment, until it earns."""
    turns = revenues_to_come(state)
    if card in EVENTS:
        return _EVENT_VALUE if turns else 0
    region = RESOURCES[card].region if card in RESOURCES else ""
    together = sum(
        1
        for other in (*state.hand[seat], *state.in_play[seat])
        if other != card and other in RESOURCES and RESOURCES[other].region == region
    )
    return (2 * INCOME[card] + together) * turns // 3


# --- Fate and Build Phase ------------------------------------------------------------------------


def _choose_empire(title: Title[State], state: State, seat: Seat) -> Command:
    free = free_empires(state)
    return c.ChooseEmpire(min(free, key=_FAVOURITES.index))


def _extra_card(title: Title[State], state: State, seat: Seat) -> Command:
    """Return the answer to an extra card: it pays if it will earn for some turns and can be built soon."""
    worth = 2 * (count_most_revenues(state) - 2) - 2 * max(0, _count_waiting(state, seat) - 3)
    if worth > _card_price(state, seat) and state.treasury[seat] >= _card_price(state, seat) + _RESERVE:
        return c.RequestExtraCard()
    return c.DeclineExtraCard()


def _extra_card_freely(title: Title[State], state: State, seat: Seat) -> Command:
    """Return the answer of the bots that think: it pays if it will earn for some turns.

    They keep no Fortunes back, as cards can be built free each turn. Where more than three wait for that
    already, another is worth a little less.
    """
    halves = 4 * (count_most_revenues(state) - 1) - max(0, _count_waiting(state, seat) - 3)
    return c.RequestExtraCard() if halves > 2 * _card_price(state, seat) else c.DeclineExtraCard()


def _card_price(state: State, seat: Seat) -> int:
    return empire_of(state, seat).extra_card_price


def _count_waiting(state: State, seat: Seat) -> int:
    """Return the number of cards in hand that could be built."""
    return sum(card not in EVENTS for card in state.hand[seat])


def _build(title: Title[State], state: State, seat: Seat) -> Command:
    """Return the list that brings most until the end, less its cost."""
    turns = revenues_to_come(state)
    found = choose_build(state, seat, turns)
    if found is not None:
        return found
    now = compute_income(state, seat, state.in_play)

    def gain(command: Any) -> int:
        in_play = list(state.in_play)
        in_play[seat] = (*in_play[seat], *command.cards)
        cost = build_cost(empire_of(state, seat), command.cards)
        return (compute_income(state, seat, in_play) - now) * turns - cost

    return max(title.legal(state, seat), key=gain)


# --- Event Phase ---------------------------------------------------------------------------------


def _event_turn(title: Title[State], state: State, seat: Seat) -> Command:
    """Draw first, then play everything that does some good."""
    if may_sift(state, seat):
        return c.UseItalianPower()
    rivals: _Rivals | None = None
    for card in _PLAY_ORDER:
        if card in state.hand[seat]:
            rivals = rivals or _Rivals(state, seat)
            rated = [(rivals.rate(play), play) for play in possible_plays(state, seat, card)]
            effect, best = max(rated, key=lambda each: each[0], default=(0, None))
            if best is not None and effect > 0:
                return best
    return c.EndEventTurn()


class _Rivals:
    """The others, the strongest first, and the good of Event cards against them."""

    def __init__(self, state: State, seat: Seat) -> None:
        self._state, self._seat, self._turns = state, seat, revenues_to_come(state)
        self._incomes = [compute_income(state, other, state.in_play) for other in range(state.seats)]
        others = [other for other in range(state.seats) if other != seat]
        self._order = sorted(
            others, key=lambda one: -(state.treasury[one] + self._incomes[one] * self._turns)
        )

    def rate(self, play: c.PlayEventCard) -> int:
        """Return the good of a play, in tenths of a Fortune."""
        state = self._state
        if play.target_card is not None:
            return self._rate_resource(play.card, play.target_card)
        if play.target_player is None:
            return 1
        rank = 3 * (state.seats - self._order.index(play.target_player))
        if play.card in {"event_privateering", "event_intrigue"}:
            most = 5 if play.card == "event_privateering" else 10
            return 10 * min(most, state.treasury[play.target_player]) + rank
        return 10 * min(2, len(state.hand[play.target_player])) + rank

    def _rate_resource(self, card: str, target: str) -> int:
        """Return the seat's gain by the change and the rivals' losses, in proportion to their strength."""
        state, seat = self._state, self._seat
        after = [
            tuple([held for held in cards if held != target]) if target in cards else cards
            for cards in state.in_play
        ]
        if card == "event_colonial_war":
            after[seat] = (*after[seat], target)
        own = compute_income(state, seat, after) - self._incomes[seat]
        loss = 0
        for place, rival in enumerate(self._order):
            change = self._incomes[rival] - compute_income(state, rival, after)
            loss += change * (state.seats - place)
        return (10 * own + 10 * loss // state.seats) * self._turns


def _cheapest(state: State, seat: Seat, number: int) -> tuple[str, ...]:
    hand = sorted(state.hand[seat], key=lambda card: _hand_worth(state, seat, card))
    return tuple(hand[:number])


def _italian_discard(title: Title[State], state: State, seat: Seat) -> Command:
    return c.DiscardForItalianPower(_cheapest(state, seat, state.italian_pending))


def _hand_limit(title: Title[State], state: State, seat: Seat) -> Command:
    return c.DiscardExcess(_cheapest(state, seat, state.discards_due[seat]))


# --- Trade Phase ---------------------------------------------------------------------------------


def _choose_trade(title: Title[State], state: State, seat: Seat) -> Command:
    """Take what is good, make one offer a turn, and finish."""
    asked, finished = any(offer.is_for(seat) for offer in state.offers), state.trade_finished[seat]
    if not asked and not finished and not state.offers_made[seat]:
        offered = _best_offer(state, seat)
        if offered is not None:
            return offered
    return _answer_trades(title, state, seat)


def _answer_trades(title: Title[State], state: State, seat: Seat) -> Command:
    """Take what is good, and finish."""
    for offer in state.offers:
        if offer.is_for(seat):
            return _answer(state, seat, offer)
    return c.FinishTrading()


def _answer(state: State, seat: Seat, offer: Offer) -> Command:
    """Accept what is worth something, unless the other gains far more by it; gifts are always welcome."""
    if not is_acceptable(state, offer, seat):
        return c.DeclineTrade(offer.offer_id)
    unnamed = _pick_unnamed(state, seat, offer)
    gives = replace(offer.ask, hand_cards=offer.ask.hand_cards + unnamed, hand_card_count=0)
    mine = _gain(state, seat, offer.from_, offer.give, gives)
    theirs = _gain(state, offer.from_, seat, offer.ask, offer.give)
    if mine > 0 and (offer.ask.empty or 2 * mine >= theirs):
        return c.AcceptTrade(offer.offer_id, unnamed)
    return c.DeclineTrade(offer.offer_id)


def _pick_unnamed(state: State, seat: Seat, offer: Offer) -> tuple[str, ...]:
    """Return the cards that it can spare best, for hand cards that are asked for by number."""
    spare = remove_each(state.hand[seat], offer.ask.hand_cards)
    return tuple(sorted(spare, key=lambda card: _hand_worth(state, seat, card))[: offer.ask.hand_card_count])


def _gain(state: State, seat: Seat, partner: Seat, gets: _Goods, gives: _Goods) -> int:
    """Return the worth that *seat* gains by a trade."""
    after = list(state.in_play)
    after[seat] = _exchange_cards(after[seat], gives, gets)
    after[partner] = _exchange_cards(after[partner], gets, gives)
    change = compute_income(state, seat, after) - compute_income(state, seat, state.in_play)
    hand = sum(_hand_worth(state, seat, card) for card in gets.hand_cards)
    hand -= sum(_hand_worth(state, seat, card) for card in gives.hand_cards)
    hand += _UNNAMED_VALUE * (gets.hand_card_count - gives.hand_card_count) if revenues_to_come(state) else 0
    return change * revenues_to_come(state) + hand + gets.fortunes - gives.fortunes


def _exchange_cards(in_play: tuple[str, ...], gives: _Goods, gets: _Goods) -> tuple[str, ...]:
    return (*(card for card in in_play if card not in gives.in_play_cards), *gets.in_play_cards)


def _best_offer(state: State, seat: Seat) -> Command | None:
    """Buy the card in play that it can use most, at a price that leaves both sides something."""
    best: tuple[int, Command] | None = None
    for partner in range(state.seats):
        if partner == seat:
            continue
        for card in state.in_play[partner]:
            ask = Side(in_play_cards=(card,))
            mine = _gain(state, seat, partner, ask, Side())
            theirs = -_gain(state, partner, seat, Side(), ask)
            price = min(theirs + 1, state.treasury[seat])
            if price >= 1 and mine - price > max(3, best[0] if best else 0):
                offer = c.OfferTrade(partner, c.Terms(fortunes=price), c.Terms(in_play_cards=(card,)))
                best = (mine - price, offer)
    return best[1] if best else None


_CHOICES: Mapping[str, Callable[[Title[State], State, Seat], Command]] = {
    "choose_empires": _choose_empire,
    "fate_extra": _extra_card,
    "event_turn": _event_turn,
    "italian_discard": _italian_discard,
    "build": _build,
    "trading": _choose_trade,
    "hand_limit": _hand_limit,
}

_FREELY = {**_CHOICES, "fate_extra": _extra_card_freely}
_LIGHTLY = {**_FREELY, "trading": _answer_trades}


def choose_freely(title: Title[State], state: State, seat: Seat, chance: FastChance, budget: int) -> Command:
    """Return the move of a bot that thinks, as long as nothing better is found: it buys more cards."""
    return _FREELY[state.step or ""](title, state, seat)


def choose_lightly(title: Title[State], state: State, seat: Seat, chance: FastChance, budget: int) -> Command:
    """Return the same without offers, which take most time.

    So games go on in the minds of bots that think.
    """
    return _LIGHTLY[state.step or ""](title, state, seat)


STEADY = Bot(name="steady", version=2, budget=0, choose=choose)
LIGHT = choose_lightly
THINKERS = thinkers("colonial_empires", choose_freely, WORTH, light=LIGHT)
