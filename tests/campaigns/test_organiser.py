"""The example organiser with a title of some length."""

from __future__ import annotations

import pytest

from tests.acceptance.test_organiser import check_event

pytestmark = pytest.mark.integration


def test_one_program_runs_an_event_and_one_command_proves_it(live_server, tmp_path):
    """Eight players; the ordinary test has three, and a shorter title."""
    check_event(live_server.address, tmp_path, "colonial_empires", players=8, games=4)
