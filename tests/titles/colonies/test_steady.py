"""The steady bot plays clearly better than chance."""

import pytest

from tests.titles.colonies.at_table import TITLE
from tests.titles.match import match, steady_wins


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_steady_beats_random(seats):
    """One steady player among random ones wins at least four games of five."""
    assert steady_wins(TITLE, seats, 10) >= 0.8


def test_steady_plays_with_itself():
    """A table of steady players comes to a good end, the same one every time."""
    first = match(TITLE, ["steady"] * 3, 1)
    assert first == match(TITLE, ["steady"] * 3, 1)
    assert min(first.scores) > 100
