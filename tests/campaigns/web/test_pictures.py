"""`rutter pictures` draws every title in the middle of a game, at two widths."""

from __future__ import annotations

from pathlib import Path

import pytest

from ops.cli.dev.pictures import TITLES, draw, play_game
from ops.clients.api import ApiClient
from tests.web.chromium import Chromium
from tests.web.table import Player
from tests.web.test_pictures import SHARE, SIZES, check_pictures

pytestmark = [pytest.mark.browser, pytest.mark.integration]


@pytest.mark.parametrize("title", TITLES)
def test_pictures_of_a_title_show_its_board(
    chromium: Chromium, anna: Player, tmp_path: Path, title: str
) -> None:
    moment = play_game(ApiClient(anna.address, anna.token), title, SHARE)
    check_pictures(chromium, draw(chromium.browser, anna.address, {title: moment}, tmp_path, SIZES))
