"""Whole games on what is installed from the wheel."""

from __future__ import annotations

import pytest

from tests.ops.test_wheel import try_installed, wheel, whole

__all__ = ["wheel", "whole"]  # fixtures
pytestmark = pytest.mark.integration


def test_whole_games_are_played_on_it(whole):
    """Of all titles; it is stopped and started again as well."""
    try_installed(
        whole,
        "tests/campaigns/test_whole_games.py",
        "tests/acceptance/test_killed.py::test_it_stops_in_order_and_starts_with_everything",
    )
