"""Every worked example in this folder holds."""

from importlib.resources import files
from pathlib import Path

import pytest

from events.rules import vectors
from events.rules.catalogue import packages, title_ids
from tests.titles.table import tried_titles

HERE = Path(__file__).parent
BESIDE = [Path(str(files(packages()[title_id]))) / "vectors.yaml" for title_id in tried_titles()]
"""Titles that are none of the project's have their examples beside them."""
OWN = [HERE] if set(tried_titles()) == set(title_ids()) else []
ALL = [v for path in (*OWN, *filter(Path.exists, BESIDE)) for v in vectors.load(path)]


@pytest.mark.parametrize("vector", ALL, ids=[str(v["id"]) for v in ALL])
def test_vector(vector):
    """The vector holds."""
    vectors.run(vector)


def test_ids_are_unique():
    """No two vectors share an id."""
    ids = [v["id"] for v in ALL]
    assert len(ids) == len(set(ids))
