"""Whole soaks: `python -m tests.soak`, as before a release."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.soak.troubles import TROUBLES

pytestmark = pytest.mark.integration


def test_three_minutes_lose_nothing_and_double_nothing(drawn_seed):
    """All titles and all troubles; every figure holds, as the exit status says too."""
    words = ["--minutes", "3", "--seed", str(drawn_seed), "--json"]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tests.soak", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    figures = json.loads(done.stdout)
    everything = json.dumps(figures, indent=1)
    assert [figures[name] for name in ("lost", "doubled", "errors", "stuck")] == [0, 0, 0, 0], everything
    assert figures["acknowledged"] > 100
    assert figures["bot_games"] == 150
    possible = {trouble.name for trouble in TROUBLES}
    if figures["ready_after_full_disk_seconds"] is None:
        possible -= {trouble.name for trouble in TROUBLES if trouble.needs_small_disk}
    assert set(figures["troubles"]) == possible
    assert min(figures["troubles"].values()) >= 1
    assert min(figures["answers_lost"].values()) > 0
    assert (figures["broken"], figures["wrong"]) == ([], []), everything
    assert done.returncode == 0, everything
