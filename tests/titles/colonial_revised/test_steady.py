"""The steady bot plays well, and the same seed gives the same game."""

from events.rules.catalogue import find_title
from tests.titles.match import match, steady_wins

TITLE = find_title("colonial_revised")


def test_steady_beats_random_at_three():
    """By luck alone it would win a third of the games."""
    assert steady_wins(TITLE, 3, 18) >= 0.85


def test_steady_beats_random_at_five():
    """By luck alone it would win a fifth of the games."""
    assert steady_wins(TITLE, 5, 15) >= 0.8


def test_steady_players_finish_their_games():
    """A table of steady players comes to an end, and repeats exactly."""
    first = match(TITLE, ["steady"] * 4, 7)
    assert first.winners
    assert match(TITLE, ["steady"] * 4, 7) == first
