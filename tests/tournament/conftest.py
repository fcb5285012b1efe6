"""Tournaments and games on a real log."""

import pytest

from events.log import EventLog
from events.tournaments import Tournaments
from tests.core import clock, games, pool, timed

__all__ = ["clock", "games", "pool", "timed", "tournaments"]


@pytest.fixture
def tournaments(pool, clock):
    """Tournaments as one process sees them, whose time the test sets."""
    return Tournaments(EventLog(pool), now=clock)
