"""Thousands of malformed requests at games of every title."""

from __future__ import annotations

import pytest

from events.rules.catalogue import title_ids
from tests.acceptance.test_malformed import (
    begun,
    test_addresses_queries_and_methods,
    test_bodies_of_other_requests,
    test_commands,
    test_new_games,
    test_tokens,
)

__all__ = [  # collected here with the tables below
    "test_addresses_queries_and_methods",
    "test_bodies_of_other_requests",
    "test_commands",
    "test_new_games",
    "test_tokens",
]
pytestmark = pytest.mark.integration


@pytest.fixture(scope="module", params=title_ids())
def table(request, live_server):
    """A running game, and an account that does not sit there."""
    return begun(live_server.address, request.param)
