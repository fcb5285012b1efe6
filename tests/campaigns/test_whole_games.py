"""Whole games of every title: on the whole service, by the library for JavaScript."""

from __future__ import annotations

import pytest

from tests.acceptance.players import TITLES
from tests.acceptance.test_whole_games import check_whole_game
from tests.clients.test_javascript import player, plays_a_whole_game

__all__ = ["player"]  # a fixture
pytestmark = pytest.mark.integration


@pytest.mark.parametrize("title_id", TITLES)
def test_a_whole_game(title_id, live_server, tmp_path):
    """What tests/acceptance tries with two titles."""
    check_whole_game(live_server.address, title_id, tmp_path)


@pytest.mark.parametrize("title_id", TITLES)
def test_a_whole_game_in_javascript(title_id, live_server, player):
    """What tests/clients tries with one title."""
    plays_a_whole_game(player, live_server.address, title_id, 3)
