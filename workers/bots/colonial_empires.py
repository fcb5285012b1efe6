"""`steady` for Colonial Empires: values cards by the revenue that they will still bring.

It looks one decision ahead and searches nothing. All that it weighs is public or its own: the
revenue forecast, the turns that the deck will last, its hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command
from events.rules.title import Title
from events.titles.colonial_empires import commands as c
from events.titles.colonial_empires.data import EVENTS
from events.titles.colonial_empires.derived import empire_of
from events.titles.colonial_empires.state import State
from events.titles.colonial_empires.steps.build import build_cost
from events.titles.colonial_empires.steps.choose_empires import free_empires
from events.titles.colonial_empires.steps.event import may_sift
from events.titles.colonial_empires.steps.event_cards import possible_plays
from workers.bot_types import Bot
from workers.bots.colonial_empires_income import choose_build, compute_income
from workers.bots.colonial_empires_trade import (
    answer_by_forecast,
    answer_with_care,
    find_purchase,
    find_sale,
    rate_hand_card,
)
from workers.bots.colonial_empires_worth import WORTH, count_most_revenues, revenues_to_come
from workers.bots.search import thinkers

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
_RESERVE = 5
"""Fortunes that `steady` keeps when it buys cards."""


def choose(title: Title[State], state: State, seat: Seat, chance: FastChance, budget: int) -> Command:
    """Return the move of *seat* in the imagined *state*."""
    return _CHOICES[state.step or ""](title, state, seat)


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
    hand = sorted(state.hand[seat], key=lambda card: rate_hand_card(state, seat, card))
    return tuple(hand[:number])


def _italian_discard(title: Title[State], state: State, seat: Seat) -> Command:
    return c.DiscardForItalianPower(_cheapest(state, seat, state.italian_pending))


def _hand_limit(title: Title[State], state: State, seat: Seat) -> Command:
    return c.DiscardExcess(_cheapest(state, seat, state.discards_due[seat]))


# --- Trade Phase ---------------------------------------------------------------------------------


def _trade_by_forecast(title: Title[State], state: State, seat: Seat) -> Command:
    """Take what is good, make one offer a turn, and finish."""
    asked, finished = any(offer.is_for(seat) for offer in state.offers), state.trade_finished[seat]
    if not asked and not finished and not state.offers_made[seat]:
        offered = find_purchase(state, seat)
        if offered is not None:
            return offered
    return _answer_offers(title, state, seat)


def _trade_with_care(title: Title[State], state: State, seat: Seat) -> Command:
    """Take what is good, sell what others overrate, and finish."""
    for offer in state.offers:
        if offer.is_for(seat):
            return answer_with_care(state, seat, offer)
    if not state.trade_finished[seat]:
        offered = find_sale(state, seat)
        if offered is not None:
            return offered
    return c.FinishTrading()


def _answer_offers(title: Title[State], state: State, seat: Seat) -> Command:
    """Take what is good, and finish."""
    for offer in state.offers:
        if offer.is_for(seat):
            return answer_by_forecast(state, seat, offer)
    return c.FinishTrading()


_CHOICES: Mapping[str, Callable[[Title[State], State, Seat], Command]] = {
    "choose_empires": _choose_empire,
    "fate_extra": _extra_card,
    "event_turn": _event_turn,
    "italian_discard": _italian_discard,
    "build": _build,
    "trading": _trade_by_forecast,
    "hand_limit": _hand_limit,
}

_FREELY = {**_CHOICES, "fate_extra": _extra_card_freely, "trading": _trade_with_care}
_LIGHTLY = {**_FREELY, "trading": _answer_offers}


def choose_freely(title: Title[State], state: State, seat: Seat, chance: FastChance, budget: int) -> Command:
    """Return the move of a bot that thinks, as long as nothing better is found.

    It buys more cards, and sells what others overrate.
    """
    return _FREELY[state.step or ""](title, state, seat)


def choose_lightly(title: Title[State], state: State, seat: Seat, chance: FastChance, budget: int) -> Command:
    """Return the same without offers, which take most time.

    So games go on in the minds of bots that think.
    """
    return _LIGHTLY[state.step or ""](title, state, seat)


STEADY = Bot(name="steady", version=2, budget=0, choose=choose)
LIGHT = choose_lightly
THINKERS = thinkers("colonial_empires", choose_freely, WORTH, light=LIGHT)
