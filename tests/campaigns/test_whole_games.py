"""Whole games of every title on the whole service."""

from __future__ import annotations

import pytest

from tests.acceptance.players import TITLES
from tests.acceptance.test_whole_games import check_whole_game

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("title_id", TITLES)
def test_a_whole_game(title_id, live_server, tmp_path):
    """What tests/acceptance tries with two titles."""
    check_whole_game(live_server.address, title_id, tmp_path)
