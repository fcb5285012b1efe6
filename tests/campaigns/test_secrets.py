"""Every answer that others can get, searched for a seat's secrets: in games of every title."""

from __future__ import annotations

import pytest

from tests.acceptance.players import TITLES, Match
from tests.acceptance.test_secrets import (
    running,
    running_again,
    test_no_hidden_part_reaches_anybody_else,
    test_what_a_seat_asks_for_others_is_refused,
    test_what_a_seat_may_not_know_changes_nothing_that_it_is_told,
)

__all__ = [  # collected here with the games below
    "test_no_hidden_part_reaches_anybody_else",
    "test_what_a_seat_asks_for_others_is_refused",
    "test_what_a_seat_may_not_know_changes_nothing_that_it_is_told",
]
pytestmark = pytest.mark.integration


@pytest.fixture(scope="module", params=TITLES)
def match(request, live_server) -> Match:
    """A running game of some length that waits for its players only."""
    return running(live_server.address, request.param)


@pytest.fixture(scope="module", params=TITLES)
def repeated(request, live_server) -> Match:
    """A running game that is the same in every run: its draws follow from a seed."""
    return running_again(live_server.address, request.param)
