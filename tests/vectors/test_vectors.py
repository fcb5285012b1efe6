"""Every worked example in this folder holds."""

from pathlib import Path

import pytest

from events import vectors

HERE = Path(__file__).parent
ALL = vectors.load(HERE)


@pytest.mark.parametrize("vector", ALL, ids=[str(v["id"]) for v in ALL])
def test_vector(vector):
    """The vector holds."""
    vectors.run(vector)


def test_ids_are_unique():
    """No two vectors share an id."""
    ids = [v["id"] for v in ALL]
    assert len(ids) == len(set(ids))
