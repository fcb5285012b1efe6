"""The steady bot: it beats random play, and wins by Prestige against its like."""

from __future__ import annotations

import msgspec
import pytest

from events.rules.fast_chance import FastChance
from events.titles.colonial import TITLE
from tests.titles.match import match, steady_wins
from workers.bots import choose_move, find_bot


@pytest.mark.parametrize(("seats", "least"), [(2, 0.7), (3, 0.7), (4, 0.8), (6, 0.7)])
def test_steady_beats_random(seats, least):
    """One steady among random players wins far more often than its share."""
    assert steady_wins(TITLE, seats, 24) >= least


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, {}), (3, {}), (4, {}), (6, {}), (4, {"variant": "nations"}), (5, {"variant": "nations"})],
)
def test_steady_games_end_by_prestige(seats, options):
    """COL-00-01: among steady players somebody reaches 10 Prestige without a Loan, in sensible time."""
    for seed in range(3):
        ended = match(TITLE, ["steady"] * seats, seed, options)
        assert ended.reason == "prestige"
        assert max(ended.scores) >= 10


def test_steady_repeats_itself():
    """The same seed gives the same move."""
    state = TITLE.open(4, msgspec.convert({}, TITLE.Options), FastChance(1)).state
    bot = find_bot("colonial", "steady")
    assert choose_move(TITLE, bot, state, 2, b"1") == choose_move(TITLE, bot, state, 2, b"1")
