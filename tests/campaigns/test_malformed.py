"""Requests that nobody should send, by the thousand.

Fewer of them are in `tests/service/http/test_malformed.py`.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.service.conftest import ada, bob
from tests.service.http.test_malformed import (
    ALMOST,
    ANY_JSON,
    by_chance,
    game_id,
    nothing_changes,
    refuses_bytes,
    refuses_command,
    refuses_mutated,
)

pytestmark = pytest.mark.integration
__all__ = ["ada", "bob", "game_id", "nothing_changes"]


@by_chance(600)
@given(body=ALMOST | ANY_JSON)
def test_commands_made_by_chance(ada, game_id, body):
    """None is one that can be given now."""
    refuses_command(ada, game_id, body)


@by_chance(600)
@given(body=st.binary(max_size=400), path=st.integers(1, 6))
def test_bytes_made_by_chance(ada, game_id, body, path):
    """None are the body of any call."""
    refuses_bytes(ada, game_id, body, path)


def test_mutated_commands(ada, bob, game_id, drawn_seed):
    """Twelve hundred legal commands with bytes exchanged, dropped or doubled."""
    refuses_mutated(ada, bob, game_id, 1200, drawn_seed)
