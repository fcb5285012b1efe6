"""Witnesses that are killed again and again, at moments that are drawn."""

from __future__ import annotations

from random import Random

from tests.ops.witness import test_follow, test_serve
from tests.ops.witness.conftest import cosigner, server, state

__all__ = ["cosigner", "server", "state"]  # fixtures


def test_one_that_serves(state, cosigner, drawn_seed):
    """What all its lives cosigned is one history."""
    test_serve.kill_at_any_moment(state, cosigner, Random(drawn_seed), lives=40)


def test_one_that_follows(state, cosigner, server, drawn_seed):
    """It always goes on from what it recorded."""
    test_follow.kill_at_any_moment(state, cosigner, server, Random(drawn_seed), lives=40)
