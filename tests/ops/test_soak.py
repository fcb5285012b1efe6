"""`rutter soak`: short, and honest about what it finds."""

import json
import os
import subprocess
import sys

import pytest

from ops.soak_players import Notes
from tests.acceptance.up import ROOT

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def test_a_short_soak_loses_nothing_and_doubles_nothing():
    """All titles, under some of the troubles; the figures come as JSON, the verdict as exit status."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "ops", "soak", "--minutes", "0.6", "--seed", "7", "--json"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.stdout, done.stderr
    figures = json.loads(done.stdout)
    assert figures["acknowledged"] > 0
    assert [figures[name] for name in ("lost", "doubled", "errors", "stuck")] == [0, 0, 0, 0], figures
    assert sum(figures["troubles"].values()) > 0
    assert figures["wrong"] == []
    assert done.returncode == 0, figures


def test_what_goes_wrong_is_counted():
    """An error of ours counts, and the operator can read what it was."""
    notes = Notes()
    notes.is_acknowledged(0.5)
    notes.is_acknowledged(0.1)
    notes.is_error("GET /: 500")
    assert (notes.acknowledged, notes.longest_wait, notes.errors, notes.wrong) == (2, 0.5, 1, ["GET /: 500"])
