"""The browser and the visitors of the ordinary tests of the page."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[dev]'")

from tests.conftest import LiveServer
from tests.web.conftest import chromium, ended, ended_game, files, visitor
from tests.web.table import Player

__all__ = ["anna", "chromium", "ended", "ended_game", "files", "visitor"]


@pytest.fixture
def anna(live_server: LiveServer) -> Player:
    """The person who plays and looks."""
    return Player(live_server.address, "Anna")
