"""A seat is taken once, however often several want it."""

from __future__ import annotations

import pytest

from tests.acceptance.client import Client
from tests.acceptance.test_one_game_many_clients import check_one_seat

pytestmark = pytest.mark.integration


def test_eight_want_one_seat_two_hundred_times(live_server):
    """What tests/acceptance tries twenty times."""
    check_one_seat(Client(live_server.address), 200)
