"""Titles as learning machines meet them, at length; in short in `tests/titles/test_research.py`."""

import pytest

from events.rules.catalogue import find_title
from tests.ops.test_learn import LUCK, load_example
from tests.titles.test_research import TITLES, check_actions, check_openspiel, check_pettingzoo, quiet

__all__ = ["quiet"]


@pytest.mark.parametrize("title_id", TITLES)
def test_actions_are_complete_and_masks_exact(title_id):
    """Ten thousand commands of each title."""
    check_actions(find_title(title_id), 10_000)


@pytest.mark.parametrize("title_id", TITLES)
def test_pettingzoo(quiet, title_id):
    """Its own tests, of a thousand commands."""
    pytest.importorskip("pettingzoo")
    check_pettingzoo(title_id, 1000)


@pytest.mark.parametrize("title_id", TITLES)
def test_openspiel(quiet, title_id):
    """Its own test over a whole game of every title, or a thousand commands of it."""
    pytest.importorskip("pyspiel")
    check_openspiel(title_id, 1000)


def test_a_minute_of_learning_beats_random_play():
    """As the page says: by the lower 95 % bound of 1,000 new games."""
    assert load_example().main("example", 60, 10**9) > LUCK
