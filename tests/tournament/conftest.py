"""Tournaments and games on a real log."""

import pytest

from events.store.event_log import EventLog
from events.store.tournaments import Tournaments
from tests.core import clock, games, pool, timed

__all__ = ["clock", "games", "pool", "timed", "tournaments"]


@pytest.fixture
def tournaments(pool, clock):
    """Tournaments as one process sees them, whose time the test sets."""
    return Tournaments(EventLog(pool), now=clock)
