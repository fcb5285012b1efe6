"""The sales of the bots that think, and the offers that they accept."""

from __future__ import annotations

from itertools import islice

import pytest

from events.rules.fast_chance import FastChance
from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires import commands as c
from events.titles.colonial_empires.steps.offers import may_offer
from tests.titles.colonial_empires.scene import do, trade_scene
from tests.titles.match import wins_against_steady
from workers.bots import find_bot
from workers.bots.colonial_empires import choose_freely
from workers.bots.colonial_empires_trade import SALES, find_sale

CARDS = ["china_silk", "china_jade", "china_pearls", "china_tea", "india_rugs", "india_spices"]


def early(seats: int, hand: list[str]):
    """A Trade Phase early in the game, in which seat 0 has cards and all are rich."""
    others = [[] for _ in range(seats - 1)]
    return trade_scene(hand, *others, treasury=[60] * seats, turn=2)


def answer(choose, state, seat: int):
    return choose(TITLE, state, seat, FastChance(1), 0)


def test_sells_a_hand_card_that_steady_overrates():
    """The price is the highest that `steady` pays, and one more would be declined (CEM-703)."""
    state, steady = early(2, CARDS[:3]), find_bot("colonial_empires", "steady").choose
    offer = find_sale(state, 0)
    assert offer is not None
    assert offer.give.hand_cards
    assert not offer.give.fortunes
    assert offer.ask.fortunes > 5, "an extra card costs 5"
    for price, kind in ((offer.ask.fortunes, c.AcceptTrade), (offer.ask.fortunes + 1, c.DeclineTrade)):
        asked = {"fortunes": price}
        after = do(state, 0, "offer_trade", to=1, give={"hand_cards": offer.give.hand_cards}, ask=asked).state
        assert isinstance(answer(steady, after, 1), kind)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_offers_nobody_twice_what_they_declined(seats):
    """All its offers of a Trade Phase differ, and each other player gets few of them (CEM-713).

    The others decline them, and ask for a gift as often as they may, which opens its trading again.
    """
    state, offers = early(seats, CARDS), []
    while state.phase == "trade" and state.turn == 2:
        seat = next(islice(TITLE.awaited(state), 1)).seat
        command = c.FinishTrading()
        if seat == 0:
            command = answer(choose_freely, state, 0)
        elif asked := [offer for offer in state.offers if offer.is_for(seat)]:
            command = c.DeclineTrade(asked[0].offer_id)
        elif may_offer(state, seat):
            command = c.OfferTrade(0, c.Terms(), c.Terms(fortunes=1))
        offers += [command] if seat == 0 and isinstance(command, c.OfferTrade) else []
        state = TITLE.decide(state, seat, command, FastChance(1)).state
    assert len(offers) == len(set(offers)) > 1
    assert max(sum(offer.to == other for offer in offers) for other in range(1, seats)) <= SALES


def test_declines_what_it_would_offer_itself():
    """It counts on a part only of what cards in hand may bring; gifts are always welcome (CEM-704)."""
    state = early(2, CARDS[:3])
    offer = find_sale(state, 0)
    give = {"hand_cards": offer.give.hand_cards}
    for price, kind in ((offer.ask.fortunes, c.DeclineTrade), (1, c.AcceptTrade), (0, c.AcceptTrade)):
        after = do(state, 0, "offer_trade", to=1, give=give, ask={"fortunes": price}).state
        assert isinstance(answer(choose_freely, after, 1), kind)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "deals", "least"), [(2, 20, 0.75), (3, 16, 0.5)])
def test_sales_win_games_against_steady(seats, deals, least):
    """Without a thought, rules of thumb that sell win far more than their share."""
    assert wins_against_steady(TITLE, choose_freely, seats, deals) > least
