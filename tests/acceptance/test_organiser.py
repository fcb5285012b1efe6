"""The example organiser against the whole service."""

import json
import re
import subprocess

import pytest
from click.testing import CliRunner

from ops.cli import rutter
from tests.installation import CODE, PYTHON

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def test_one_program_runs_an_event_and_one_command_proves_it(live_server, tmp_path):
    """A short program runs players through their rounds with few calls; one file proves all of it."""
    check_event(live_server.address, tmp_path, "colonies", players=3, games=2)


def check_event(address, tmp_path, title, players, games):
    """Two rounds, run by the program that organisers are shown."""
    program, file = CODE / "ops" / "examples" / "organiser.py", tmp_path / "event.ndjson"
    assert len(program.read_text().splitlines()) <= 60
    words = ["--players", str(players), "--rounds", "2", "--title", title, "--out", str(file)]
    done = subprocess.run(
        [PYTHON, str(program), address, *words],
        capture_output=True,
        text=True,
        check=True,
    )
    told = ["RoundPaired round 1", "TableLinked round 1 table 1", "RoundClosed round 2", "TournamentClosed"]
    assert [line for line in told if not re.search(rf"(?m)^ *\d+ s  {line}$", done.stdout)] == []
    assert int(done.stdout.splitlines()[-1]) <= 60
    header = json.loads(file.read_bytes().splitlines()[0])
    assert (header["scope"], header["games"]) == ("whole", games)
    result = CliRunner().invoke(rutter, ["verify", str(file), "--jobs", "2"])
    assert f"{games} compared with their results" in result.output, result.output
