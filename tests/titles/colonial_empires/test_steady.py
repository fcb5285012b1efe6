"""The steady player."""

from __future__ import annotations

from math import ceil

import pytest

from events.rules.fast_chance import FastChance
from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.data import DECK
from tests.titles.colonial_empires.scene import do, event_scene, random_game, scene, trade_scene
from tests.titles.match import steady_wins
from workers.bots import choose_move, find_bot
from workers.bots.colonial_empires_worth import count_most_revenues, revenues_to_come
from workers.bots.trials.arena import Match, play, summarize_games


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "games", "least"), [(2, 30, 0.9), (4, 30, 0.75), (6, 24, 0.7)])
def test_beats_random_players(seats, games, least):
    """One steady player among random ones wins far more than its share."""
    assert steady_wins(TITLE, seats, games) > least


def test_same_seed_same_move():
    """A move depends on the imagined position only."""
    steady = find_bot("colonial_empires", "steady")
    for moment in random_game(3, seed=4).some_moments(20):
        for decision in TITLE.awaited(moment.state):
            first = choose_move(TITLE, steady, moment.state, decision.seat, b"seed")
            assert first == choose_move(TITLE, steady, moment.state, decision.seat, b"seed")


def test_plays_exploitation():
    """Ten Fortunes for nothing are taken."""
    steady = find_bot("colonial_empires", "steady")
    state = event_scene(["china_tea", "event_exploitation"], [])
    assert choose_move(TITLE, steady, state, 0, b"1").card == "event_exploitation"


def test_buys_no_card_in_the_final_turn():
    """A card that can earn nothing any more is not worth 5 Fortunes."""
    steady = find_bot("colonial_empires", "steady")
    state = scene(2, deck=["china_tea"], treasury=[50, 50])
    assert type(choose_move(TITLE, steady, state, 0, b"1")).__name__ == "DeclineExtraCard"


def test_a_gift_is_welcome_and_a_request_is_not():
    """It takes what costs nothing, gives nothing away, and answers each offer once (CEM-704, CEM-713)."""
    steady = find_bot("colonial_empires", "steady")
    for give, ask, answer in (
        ({"fortunes": 3}, {}, "AcceptTrade"),
        ({}, {"fortunes": 3}, "DeclineTrade"),
        ({"fortunes": 40}, {"hand_card_count": 1}, "AcceptTrade"),
    ):
        state = trade_scene(["india_rugs"], ["china_tea"], treasury=[40, 9], trade_finished=[False, True])
        state = do(state, 0, "offer_trade", to=1, give=give, ask=ask).state
        command = choose_move(TITLE, steady, state, 1, b"1")
        assert type(command).__name__ == answer
        TITLE.decide(state, 1, command, FastChance(1))


def test_bots_do_not_bargain_without_end():
    """Each offers at most once a phase, however often its trading is opened again (CEM-713)."""
    steady = find_bot("colonial_empires", "steady")
    cards = ["china_silk", "china_jade", "china_pearls", "china_tea"]
    in_play = [cards[:1], cards[1:2], cards[2:]]
    state = trade_scene([], [], [], in_play=in_play, treasury=[60, 60, 60], turn=1)
    turn, count = state.turn, 0
    while state.turn == turn and state.phase == "trade":
        (decision, *_) = TITLE.awaited(state)
        command = choose_move(TITLE, steady, state, decision.seat, b"1")
        state = TITLE.decide(state, decision.seat, command, FastChance(count)).state
        count += 1
        assert max(state.offers_made) <= 1
    assert count < 20


def test_it_reckons_with_the_cards_that_were_drawn_so_far():
    """Who draws faster has fewer Revenue Phases to come; the price of a card is held against the most."""
    slow, fast = (scene(2, deck=list(DECK[:left]), turn=3) for left in (80, 40))
    most = [count_most_revenues(state) for state in (slow, fast)]
    assert most == [1 + 80 // 4, 1 + 40 // 4]
    drawn = [len(DECK) - 80, len(DECK) - 40]
    # Three turns so far, and two in which nobody bought a card: four cards each.
    expected = [1 + ceil(left * 5 / (count + 8)) for left, count in zip((80, 40), drawn, strict=True)]
    assert [revenues_to_come(state) for state in (slow, fast)] == expected
    assert all(now < then for now, then in zip(expected, most, strict=True))


@pytest.mark.campaign
@pytest.mark.parametrize(("seats", "deals"), [(2, 60), (3, 40)])
def test_the_second_version_beats_the_first(seats, deals):
    """Beyond luck, each deal from every seat."""
    match = Match("colonial_empires", seats, ("steady", "steady@1"), "second")
    told = summarize_games(play(match, deal, seat) for deal in range(deals) for seat in range(seats))
    assert told.low > told.luck
