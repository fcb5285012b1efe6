"""The commitment to one's own randomness, as a client has to make it that knows the description only."""

import hashlib
import json
import uuid
from pathlib import Path

import pytest

from events.proof.randomness import seat_commitment
from service.api.games import join_game

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "commitments.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"seat {vector['seat']}")
def test_the_formula_gives_the_commitment(vector):
    """SHA-256 of a tag, a zero byte, the game's id, the seat's name, a zero byte and the 32 bytes."""
    game, u = uuid.UUID(vector["game"]).bytes, bytes.fromhex(vector["contribution"])
    name = f"p{vector['seat']}"
    made = hashlib.sha256(b"bg/seat-commit/1" + b"\0" + game + name.encode() + b"\0" + u).hexdigest()
    assert made == seat_commitment(game, name, u).hex() == vector["commitment"]


def test_the_description_of_join_has_the_formula_and_a_vector():
    """Those who read it can check their own program before they join."""
    told = " ".join((join_game.__doc__ or "").split())
    assert 'SHA-256("bg/seat-commit/1" || 0x00 || id || name || 0x00 || u)' in told
    first = VECTORS[0]
    assert first["contribution"] == bytes(range(32)).hex(), "u is 00, 01, ... 1f"
    assert f"`{first['game']}`, seat {first['seat']}" in told
    assert f"`{first['commitment']}`" in told
