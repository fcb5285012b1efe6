"""The example organiser against the whole service."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from ops.cli import rutter
from tests.installation import CODE

pytestmark = [pytest.mark.integration, pytest.mark.slow]


@pytest.mark.timeout(900)
def test_one_program_runs_an_event_and_one_command_proves_it(live_server, tmp_path):
    """Fifty lines run players through their rounds with few calls of their own; one file proves all of it."""
    program, file = CODE / "ops" / "examples" / "organiser.py", tmp_path / "event.ndjson"
    assert len(program.read_text().splitlines()) <= 50
    words = ["--players", "8", "--rounds", "2", "--title", "colonial_empires", "--out", str(file)]
    done = subprocess.run(
        [sys.executable, str(program), live_server.address, *words],
        env={**os.environ, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        timeout=880,
        check=True,
    )
    assert int(done.stdout.splitlines()[-1]) <= 60
    header = json.loads(file.read_bytes().splitlines()[0])
    assert (header["scope"], header["games"]) == ("whole", 4)
    result = CliRunner().invoke(rutter, ["verify", str(file), "--jobs", "2"])
    assert "4 compared with their results" in result.output, result.output
