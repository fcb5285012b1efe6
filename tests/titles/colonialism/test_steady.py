"""The steady player is clearly better than chance."""

from __future__ import annotations

import pytest

from events.titles.colonialism import TITLE
from tests.titles.match import steady_wins


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "games", "least"), [(2, 20, 0.85), (3, 18, 0.7), (4, 16, 0.6)])
def test_steady_beats_random(seats, games, least):
    """One steady player among random ones wins far more often than its share."""
    assert steady_wins(TITLE, seats, games) >= least
