"""Rules and data change only with a new version, and kept versions are played like the newest."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from events.catalogue import title_ids
from ops import versions

ROOT = Path(__file__).resolve().parents[2]
WITHOUT = [f"-pno:{plugin}" for plugin in ("cacheprovider", "schemathesis", "faker", "hypothesispytest")]
KEPT = ("tests/titles/test_battery.py", "tests/titles/test_golden.py")


@pytest.mark.parametrize("title_id", title_ids())
def test_rules_and_data_are_as_recorded(title_id):
    """Each version of a title is what was recorded of it; what is to be done else stands in the failure."""
    problems = versions.problems(title_id)
    assert not problems, "\n".join(problems)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with a title `landfall`, the example with version 1 kept: in version 2 a hand has 4 sails."""
    folder = tmp_path_factory.mktemp("titles")
    copy = folder / "landfall"
    left_out = shutil.ignore_patterns("golden", "kept", "versions.toml", "__pycache__")
    shutil.copytree(ROOT / "tests/titles/example", copy, ignore=left_out)
    for path in copy.rglob("*.*"):
        text = path.read_text(encoding="utf-8").replace("tests.titles.example", "landfall")
        path.write_text(text.replace("example", "landfall"), encoding="utf-8")
    run(folder, "tests.titles.golden", "landfall")
    run(folder, "ops", "keep", "--record", "landfall")
    run(folder, "ops", "keep", "landfall")
    state = copy / "state.py"
    state.write_text(re.sub(r"DEALT = 3", "DEALT = 4", state.read_text(encoding="utf-8")), encoding="utf-8")
    run(folder, "ops", "keep", "--record", "landfall")
    run(folder, "tests.titles.golden", "landfall")
    return folder


def run(folder: Path, *words: str) -> str:
    """What a Python program says that knows the copy beside the project's titles; it must end well."""
    paths = os.pathsep.join([str(ROOT), str(folder)])
    environment = {**os.environ, "RUTTER_EXTRA_TITLES": "landfall", "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return done.stdout


def test_a_kept_version_passes_the_battery(folder):
    """Golden game with its bots, random games, views, positions: by its own rules; the next has others."""
    said = run(folder, "pytest", "-q", "-n", "0", *WITHOUT, *KEPT, "-k", "landfall_v1")
    assert int(re.findall(r"(\d+) passed", said)[-1]) > 27
    old, new = (folder / "landfall" / where / "landfall.txt" for where in ("kept/v1/golden", "golden"))
    assert old.read_text() != new.read_text()
    assert run(folder, "ops", "keep", "--check", "landfall") == "landfall: 2, 1\n"
