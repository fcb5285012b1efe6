"""Marks every test of this folder as a campaign, and draws its seed."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from tests.settings import RUTTER_CAMPAIGN_SEED

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies here: such a test has no CPU budget, and half an hour of wall clock."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.campaign)
            item.add_marker(pytest.mark.timeout(1800))


@pytest.fixture
def drawn_seed() -> int:
    """A new seed each time, printed; `RUTTER_CAMPAIGN_SEED` gives one again. A failing one becomes a case."""
    seed = int(RUTTER_CAMPAIGN_SEED.read() or secrets.randbits(32))
    print(f"RUTTER_CAMPAIGN_SEED={seed}")  # noqa: T201 - shown with `-s`, and with a failure
    return seed
