"""Adding a title is what its page says: a copy of the example under another name passes everything."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from events.rules.title import Title

ROOT = Path(__file__).resolve().parents[2]
TESTS = (
    "tests/titles/test_battery.py",
    "tests/titles/test_golden.py",
    "tests/titles/test_clauses.py",
    "tests/vectors",
)


@pytest.fixture(scope="module")
def copied(tmp_path_factory) -> Path:
    """The folder that holds a package `harbour`, made from the example by the commands of the page."""
    folder = tmp_path_factory.mktemp("titles")
    copy = folder / "harbour"
    shutil.copytree(
        ROOT / "tests/titles/example", copy, ignore=shutil.ignore_patterns("golden", "__pycache__")
    )
    for path in copy.rglob("*.*"):
        text = path.read_text(encoding="utf-8").replace("LFL-", "HRB-")
        path.write_text(
            text.replace("tests.titles.example", "harbour").replace("example", "harbour"), encoding="utf-8"
        )
    return folder


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A Python program that knows the copy beside the project's titles."""
    paths = os.pathsep.join([str(ROOT), str(folder)])
    environment = {**os.environ, "RUTTER_EXTRA_TITLES": "harbour", "PYTHONPATH": paths}
    environment.pop("PYTEST_ADDOPTS", None)  # they are meant for whoever runs this test
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_copy_of_the_example_passes_everything(copied):
    """Golden game, battery, clauses and examples, with no change anywhere else."""
    recorded = run(copied, "tests.titles.golden", "harbour")
    assert recorded.returncode == 0, recorded.stderr
    tested = run(copied, "pytest", "-q", "-p", "no:cacheprovider", *TESTS, "-k", "harbour or HRB")
    assert tested.returncode == 0, tested.stdout[-3000:]
    passed = int(re.findall(r"(\d+) passed", tested.stdout)[-1])
    assert passed > 25


def test_the_page_names_every_member_of_a_title():
    """Each member with its default, and none that there is not."""
    page = (ROOT / "events/titles/README.md").read_text(encoding="utf-8")
    text = page.split("| member of `Title` |")[1].split("\n\n")[0]
    named = set(re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in text.splitlines()[2:])))
    assert named == {f.name for f in dataclasses.fields(Title) if f.init}
