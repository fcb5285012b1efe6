"""The steady player."""

from __future__ import annotations

import pytest

from events.titles.colonial_empires import TITLE
from tests.titles.colonial_empires.scene import event_scene, random_game, scene
from tests.titles.match import steady_wins
from workers.bots import choose_move, find_bot


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
